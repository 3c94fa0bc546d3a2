/**
 * Plays the load of examples/many-machines on a PostgreSQL server of its own, or on that of DATABASE_URL, and prints the report.
 *
 *     node tools/runs/many-machines.ts [seconds]
 *
 * REDIS_URL puts the shared state into Redis; `own` starts the `redis-server` of this machine for it.
 */
import { playLoad, toText } from "../../examples/many-machines/cluster.ts"
import { startRedis } from "../../test/redis/RedisServer.ts"
import { startPostgres } from "../../test/sql/PostgresServer.ts"

const { DATABASE_URL: given, REDIS_URL: redisUrl } = process.env
const postgres = given === undefined ? await startPostgres() : undefined
const redis = redisUrl === "own" ? await startRedis() : undefined
const report = await playLoad({
  databaseUrl: given ?? (await postgres?.database()) ?? "",
  redisUrl: redis === undefined ? redisUrl : `unix://${redis.path}`,
  seconds: Number(process.argv[2] ?? 60),
  nodeOptions: ["--import", "./tools/tests/docs-source-hooks.mjs"]
})
console.log(toText(report))
await Promise.all([postgres?.stop(), redis?.stop()])
process.exitCode = report.lostSessions + report.doubleUses + report.wrongAnswers === 0 ? 0 : 1
