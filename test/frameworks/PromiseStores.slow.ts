/**
 * The laws of storage and of shared state on `sqlite`, `postgres` and `redis` of the packed package, each on its real engine, by a
 * program beside a copy of `effect` of its own.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { isRedisHere, startRedis } from "../redis/RedisServer.ts"
import { isPostgresHere, startOwnPostgres } from "../sql/PostgresServer.ts"
import { laws } from "../../src/testing/AdapterLaws.ts"
import { laws as stateLaws } from "../../src/testing/SharedStateLaws.ts"
import { folderOf, run, timed } from "./Packed.ts"

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "doorman-stores-"))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const keptOn = (engine: string, place: string): Promise<string> =>
  timed(engine, run(folderOf("newcomer"), "--disable-warning=ExperimentalWarning", "laws.js", engine, place))

const all = (adapter: number) => `adapter ${adapter}\nsharedState ${stateLaws.length}\n`

/** Promises have no transactions. */
const ofPromises = laws.filter(({ needs }) => !needs.includes("transaction")).length

describe.concurrent("stores of promises in the packed package keep every law", () => {
  it("sqlite", async () => assert.strictEqual(await keptOn("sqlite", join(folder, "laws.db")), all(ofPromises)))

  it.skipIf(!isPostgresHere)("postgres", async () => {
    const server = await startOwnPostgres()
    try {
      assert.strictEqual(await keptOn("postgres", await server.database()), all(ofPromises))
    } finally {
      await server.stop()
    }
  })

  it.skipIf(!isRedisHere)("redis", async () => {
    const server = await startRedis()
    try {
      assert.strictEqual(await keptOn("redis", `unix://${server.path}`), all(0))
    } finally {
      await server.stop()
    }
  })
})
