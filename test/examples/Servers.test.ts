/**
 * The examples for Node, Hono and Express: each started, and used by somebody who signs in, reads a page and signs out.
 */
import { afterAll, beforeAll } from "vitest"
import type { OpenIdProvider } from "../real/OpenIdProvider.ts"
import { startExample, startProvider } from "./Example.ts"
import { behave } from "./ServerExample.ts"

let provider: OpenIdProvider

beforeAll(async () => {
  provider = await startProvider()
})
afterAll(() => provider.close())

for (const script of ["node/server.ts", "hono/server.ts", "express/server.ts"]) {
  behave(
    `examples/${script}`,
    (environment) => startExample(script, environment),
    () => provider
  )
}
