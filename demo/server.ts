/**
 * `npm start`: runs the demo and says where to look.
 *
 * PORT and PROVIDER_PORT choose other ports; AUTH_SECRET (32 characters or more) keeps sessions alive over a restart.
 */
import { randomBytes } from "node:crypto"
import { Auth } from "../src/index.ts"
import { startDemo } from "./Demo.ts"
import { PortTaken } from "./WebServer.ts"

const port = portFrom("PORT", 3000)
const providerPort = portFrom("PROVIDER_PORT", 3001)
if (port === providerPort && port !== 0) {
  console.error(`\n  Application and provider cannot share port ${port}: choose another PORT or PROVIDER_PORT.\n`)
  process.exit(1)
}

try {
  const demo = await startDemo({
    auth: Auth,
    port,
    providerPort,
    secret: process.env["AUTH_SECRET"] ?? randomBytes(32).toString("base64url")
  })
  console.log(`
  effect-doorman demo

    Open          ${demo.url}
    Provider      ${demo.providerUrl}  (an OpenID provider on another site; nothing to do there)
    Stop          Ctrl+C
`)
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      void demo.close()
    })
  }
} catch (error) {
  if (!(error instanceof PortTaken)) throw error
  const name = error.port === port ? "PORT" : "PROVIDER_PORT"
  console.error(`
  Port ${error.port} is already in use, so the demo did not start.

    Another port  ${name}=${error.port + 10} npm start
    Who has it    lsof -i :${error.port}
`)
  process.exitCode = 1
}

function portFrom(name: string, fallback: number): number {
  const given = process.env[name]
  if (given === undefined || given === "") return fallback
  const number = Number(given)
  if (Number.isInteger(number) && number >= 0 && number <= 65_535) return number
  console.error(`\n  ${name} must be a port number from 0 to 65535; it is ${JSON.stringify(given)}.\n`)
  process.exit(1)
}
