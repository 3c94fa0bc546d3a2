/** A MariaDB of its own for a test file, where one is installed. */
import { execFile } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { createPool } from "mysql2"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import type { Row } from "../../adapters/Site.ts"
import type { Run } from "../../adapters/Databases.ts"
import { absent, installed, start } from "./Program.ts"

const server = installed("mariadbd")
const installer = installed("mariadb-install-db")

/** Is it installed? */
export const isMariaDbHere = server !== undefined && installer !== undefined

/** Says that an adapter is not tested on it. */
export const withoutMariaDb = (adapter: string): void => {
  if (!isMariaDbHere) absent(`${adapter} on MariaDB`, "there is no mariadbd, and none in npm")
}

/** Starts a server with one database, and makes the tables. */
export const openMariaDb = async (...tables: ReadonlyArray<string>) => {
  const directory = await mkdtemp(join(tmpdir(), "doorman-mariadb-"))
  const base = dirname(dirname(installer ?? ""))
  const data = join(directory, "data")
  const user = process.getuid?.() === 0 ? ["--user=root"] : []
  const common = ["--no-defaults", `--basedir=${base}`, `--datadir=${data}`, ...user]
  await promisify(execFile)(
    installer ?? "",
    [...common, "--auth-root-authentication-method=normal", "--skip-test-db"],
    { cwd: directory }
  )
  const running = await start(
    server ?? "",
    (port) => [
      ...[...common, `--port=${port}`, "--bind-address=127.0.0.1", `--socket=${join(directory, "socket")}`],
      ...[`--pid-file=${join(directory, "pid")}`, "--skip-name-resolve", "--innodb-flush-log-at-trx-commit=0"]
    ],
    {
      options: { cwd: directory, env: { ...process.env, TZ: "UTC" } },
      ready: /ready for connections/,
      taken: /Bind on TCP\/IP port|Address already in use/
    }
  )
  const account = { host: "127.0.0.1", port: running.port, user: "root", timezone: "Z" }
  const first = createPool(account).promise()
  await first.query("create database doorman")
  await first.end()
  const pool = createPool({ ...account, database: "doorman" })
  const looking = createPool({ ...account, database: "doorman", dateStrings: true }).promise()
  for (const table of tables) await looking.query(table)
  const run: Run = async (statement, ...values) => {
    const [rows] = await looking.query(statement, values)
    return Array.isArray(rows) ? (rows as ReadonlyArray<Row>) : []
  }
  return {
    pool,
    run,
    close: async () => {
      await Promise.all([pool.promise().end(), looking.end()])
      await running.stop()
      await rm(directory, { recursive: true, force: true })
    }
  }
}

/** A moment as the database takes it. */
export const dates = (date: Date): string => date.toISOString().replace("T", " ").replace("Z", "")
