/**
 * `npm start`: runs the demo and says where to look.
 *
 * PORT and PROVIDER_PORT choose other ports, DATABASE_URL (postgres://…) another database, DEMO_DATA another folder for what
 * is kept, AUTH_SECRET (32 characters or more) another secret.
 */
import { join } from "node:path"
import { Auth } from "../src/index.ts"
import { keptSecret, openFolder, typed, usualFolder } from "./DataFolder.ts"
import { NoDatabase, startDemo } from "./Demo.ts"
import { PortTaken } from "./WebServer.ts"

/** The meanings of the usual codes of a database. */
const reasons = [
  ["ECONNREFUSED", "no server answers there"],
  ["ENOTFOUND", "there is no such machine"],
  ["28P01", "it refuses the name or the password"],
  ["3D000", "there is no such database"],
  ["ERR_SQLITE", "the file is no SQLite database, or may not be written"]
] as const

const port = portFrom("PORT", 3000)
const providerPort = portFrom("PROVIDER_PORT", 3001)
if (port === providerPort && port !== 0) {
  console.error(`\n  Application and provider cannot share port ${port}: choose another PORT or PROVIDER_PORT.\n`)
  process.exit(1)
}

const folder = given("DEMO_DATA") ?? usualFolder
const databaseUrl = given("DATABASE_URL")
if (databaseUrl !== undefined && !(/^postgres(ql)?:\/\//.test(databaseUrl) && URL.canParse(databaseUrl))) {
  console.error("\n  DATABASE_URL must be an address of PostgreSQL, such as postgres://user:password@localhost/app.\n")
  process.exit(1)
}

try {
  const secret = secretOf(folder)
  const demo = await startDemo({
    auth: Auth,
    port,
    providerPort,
    secret,
    database: databaseUrl === undefined ? { filename: join(folder, "doorman.sqlite") } : { url: databaseUrl }
  })
  console.log(`
  effect-doorman demo

    Open          ${demo.url}
    Mailbox       ${demo.url}/mail  (sign-in links arrive here; no mail leaves this machine)
    Provider      ${demo.providerUrl}  (an OpenID provider on another site; nothing to do there)
    Users         ${databaseUrl === undefined ? `${demo.storePlace}  (kept; to begin again: rm -r ${typed(folder)})` : demo.storePlace}
    Stop          Ctrl+C
`)
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      void demo.close()
    })
  }
} catch (error) {
  if (error instanceof PortTaken) {
    const name = error.port === port ? "PORT" : "PROVIDER_PORT"
    console.error(`
  Port ${error.port} is already in use, so the demo did not start.

    Another port  ${name}=${error.port + 10} npm start
    Who has it    lsof -i :${error.port}
`)
  } else if (error instanceof NoDatabase) {
    console.error(`
  ${error.message}

    Why           ${reasonOf(error.cause)}
    ${databaseUrl === undefined ? "Another place DEMO_DATA=/tmp/doorman npm start" : "Without it    npm start with no DATABASE_URL keeps users in a file"}
`)
  } else throw error
  process.exitCode = 1
}

/** The secret; the folder is there afterwards in any case. */
function secretOf(place: string): string {
  try {
    openFolder(place)
    return given("AUTH_SECRET") ?? keptSecret(place)
  } catch (error) {
    throw new NoDatabase(`in ${typed(place)}`, error)
  }
}

function given(name: string): string | undefined {
  const value = process.env[name]
  return value === "" ? undefined : value
}

/** The error of the file system or the server: the usual codes in words, else the innermost message. */
function reasonOf(error: unknown): string {
  const chain = chainOf(error)
  const codes = chain.map((one) => `${String(Reflect.get(one, "code"))} ${one.message}`).join(" ")
  const message = chain.map((one) => one.message).findLast((text) => text !== "") ?? "unknown"
  const [, usual] = reasons.find(([code]) => codes.includes(code)) ?? []
  return usual === undefined ? message : `${usual} (${message})`
}

/** An error and those behind it. A host that fails on every address has an error for each. */
function chainOf(error: unknown): ReadonlyArray<Error> {
  if (!(error instanceof Error)) return []
  const [first]: ReadonlyArray<unknown> = error instanceof AggregateError ? error.errors : []
  return [error, ...chainOf(first), ...chainOf(error.cause)]
}

function portFrom(name: string, fallback: number): number {
  const given = process.env[name]
  if (given === undefined || given === "") return fallback
  const number = Number(given)
  if (Number.isInteger(number) && number >= 0 && number <= 65_535) return number
  console.error(`\n  ${name} must be a port number from 0 to 65535; it is ${JSON.stringify(given)}.\n`)
  process.exit(1)
}
