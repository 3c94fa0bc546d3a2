/**
 * A Redis server of its own for a test file, in a folder of its own, that keeps nothing. npm has none: where the program
 * `redis-server` is missing the tests say so.
 */
import { spawn, spawnSync } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Is the program here? */
export const isRedisHere = spawnSync("redis-server", ["--version"]).status === 0

if (!isRedisHere) {
  process.stdout.write("Redis is not here, its tests are skipped: install redis-server from the distribution\n")
}

/** A server that runs. */
export interface RedisServer {
  /** The path of its socket. */
  readonly path: string
  readonly stop: () => Promise<void>
}

export const startRedis = async (): Promise<RedisServer> => {
  const folder = await mkdtemp(join(tmpdir(), "doorman-redis-"))
  const path = join(folder, "socket")
  const server = spawn(
    "redis-server",
    ["--port", "0", "--unixsocket", path, "--dir", folder, "--save", "", "--appendonly", "no", "--daemonize", "no"],
    { stdio: ["ignore", "pipe", "pipe"] }
  )
  const ended = new Promise((resolve) => server.once("close", resolve))
  await new Promise<void>((resolve, reject) => {
    let said = ""
    server.stdout.on("data", (chunk) => {
      said += String(chunk)
      if (/ready to accept connections/i.test(said)) resolve()
    })
    server.once("close", (code) => reject(new Error(`redis-server ended with ${code}: ${said}`)))
  })
  return {
    path,
    stop: async () => {
      server.kill("SIGKILL")
      await ended
      await rm(folder, { recursive: true, force: true })
    }
  }
}
