/**
 * Four processes on one real PostgreSQL, and on a real Redis, behind a proxy, while one after the other is killed.
 */
import pg from "pg"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { playLoad, type Load, type Report } from "../../examples/many-machines/cluster.ts"
import { isRedisHere, startRedis } from "../redis/RedisServer.ts"
import { isPostgresHere, startPostgres, type PostgresServer } from "../sql/PostgresServer.ts"

describe.skipIf(!isPostgresHere)("examples/many-machines", () => {
  let postgres: PostgresServer
  beforeAll(async () => void (postgres = await startPostgres()))
  afterAll(() => postgres.stop())

  const nodeOptions = ["--import", "./tools/tests/docs-source-hooks.mjs"]

  /** Three machines were killed, there were eight sign-outs, and a revocation and a refreshed token at least. */
  const isEnough: Load["isEnough"] = ({ kills, revocations, signOuts, tokens }) =>
    kills >= 3 && revocations > 0 && signOuts >= 8 && tokens > 0

  const play = async (load: Partial<Load>): Promise<Report> =>
    playLoad({
      databaseUrl: await postgres.database(),
      seconds: 60,
      isEnough,
      killEvery: 1,
      visitors: 8,
      nodeOptions,
      ...load
    })

  const assertRight = (report: Report): void => {
    const { doubleUses, kills, lostSessions, notes, revocations, signIns, signOuts, tokens, wrongAnswers } = report
    assert.deepStrictEqual(
      { lostSessions, doubleUses, wrongAnswers, notes },
      { lostSessions: 0, doubleUses: 0, wrongAnswers: 0, notes: [] }
    )
    for (const count of [kills, revocations, signIns, signOuts, tokens]) assert.isAbove(count, 0)
  }

  it("loses nothing and answers as one when machines are killed", async () => {
    assertRight(await play({}))
  })

  it.skipIf(!isRedisHere)("does so with the shared state in Redis", async () => {
    const redis = await startRedis()
    try {
      assertRight(await play({ redisUrl: `unix://${redis.path}` }))
    } finally {
      await redis.stop()
    }
  })

  /** Changes the database while visitors read: the report must say so. */
  const playWith = async (statement: string, isSeen: Load["isEnough"]): Promise<Report> => {
    const databaseUrl = await postgres.database()
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    const report = playLoad({
      databaseUrl,
      seconds: 60,
      isEnough: isSeen,
      machines: 1,
      visitors: 2,
      killEvery: 90,
      nodeOptions
    })
    // There are no tables, and then no rows, until the machine runs and a visitor has signed in.
    const change = async (left: number): Promise<void> => {
      const count = await client.query(statement).then(
        (result) => result.rowCount ?? 0,
        () => 0
      )
      if (count > 0 || left === 0) return
      await new Promise((resolve) => setTimeout(resolve, 20))
      return change(left - 1)
    }
    await change(500)
    await client.end()
    return report
  }

  it("counts sessions that the database lost", async () => {
    const { lostSessions } = await playWith("DELETE FROM sessions", ({ lostSessions }) => lostSessions > 0)
    assert.isAbove(lostSessions, 0)
  })

  it("counts sessions that belong to another user", async () => {
    const { wrongAnswers } = await playWith("UPDATE users SET name = 'another'", ({ wrongAnswers }) => wrongAnswers > 0)
    assert.isAbove(wrongAnswers, 0)
  })
})
