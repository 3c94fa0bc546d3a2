/**
 * The servers of the examples by the rules of hosts.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { WebServer } from "../../demo/WebServer.ts"
import { listenOnLoopback, nodeListener } from "../../demo/WebServer.ts"
import worker from "../../examples/edge/worker.ts"
import type { OpenIdProvider } from "../real/OpenIdProvider.ts"
import type { PostgresServer } from "../sql/PostgresServer.ts"
import { isPostgresHere, startPostgres } from "../sql/PostgresServer.ts"
import { knowing, startExample, startProvider } from "./Example.ts"
import { evil, examine, pinned } from "./HostRules.ts"

let provider: OpenIdProvider

beforeAll(async () => {
  provider = await startProvider()
})
afterAll(() => provider.close())

/** Every example with a server of its own, but those on PostgreSQL, which are below. An example that is added joins by itself. */
const onPostgres = ["many-machines/server.ts", "postgres/server.ts"]
const examples = new URL("../../examples/", import.meta.url)
const servers = readdirSync(examples)
  .map((folder) => `${folder}/server.ts`)
  .filter((script) => existsSync(new URL(script, examples)) && !onPostgres.includes(script))

it("finds the servers of the examples", () => {
  const some = ["express/server.ts", "hono/server.ts", "httpapi/server.ts", "httprouter/server.ts", "node/server.ts"]
  assert.includeMembers(servers, some)
})

for (const script of servers) {
  describe(`examples/${script}`, () => {
    const folder = mkdtempSync(join(tmpdir(), "hosts-"))
    let example: Awaited<ReturnType<typeof startExample>>
    beforeAll(async () => {
      const DATABASE = join(folder, "users.db")
      example = await startExample(script, { ...knowing(provider), AUTH_URL: `${pinned}/auth`, DATABASE })
    })
    afterAll(async () => {
      await example.stop()
      rmSync(folder, { recursive: true, force: true })
    })
    examine(
      () => Number(new URL(example.origin).port),
      () => provider,
      script.startsWith("http")
    )
  })
}

for (const script of onPostgres) {
  describe.skipIf(!isPostgresHere)(`examples/${script}`, () => {
    let postgres: PostgresServer
    let example: Awaited<ReturnType<typeof startExample>>
    beforeAll(async () => {
      postgres = await startPostgres()
      example = await startExample(script, {
        ...knowing(provider),
        PROVIDER_URL: provider.issuer,
        AUTH_URL: `${pinned}/auth`,
        DATABASE_URL: await postgres.database()
      })
    })
    afterAll(async () => {
      await example.stop()
      await postgres.stop()
    })
    examine(
      () => Number(new URL(example.origin).port),
      () => provider
    )
  })
}

describe("examples/edge/worker.ts behind the bridge of the demo", () => {
  let server: WebServer
  const env = {
    AUTH_SECRET: "test-secret-0123456789-abcdefghijklmnopqrstuvwxyz",
    USER_PASSWORD: "a long password that a program made: 6pLq2Zr8",
    AUTH_URL: `${pinned}/auth`
  }
  beforeAll(async () => {
    server = await listenOnLoopback(0)
    // The bridge names a host of its own, as a platform does that is reached by another address.
    server.serve(nodeListener((asked) => worker.fetch(asked, env), new URL(`http://${evil}:8787`)))
  })
  afterAll(() => server.close())
  examine(
    () => server.port,
    () => provider
  )
})
