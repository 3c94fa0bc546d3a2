/**
 * `@auth/express` with this package as npm installs it in place of `@auth/core`.
 */
import { afterAll, beforeAll, describe, it } from "vitest"
import type { OpenIdProvider } from "../real/OpenIdProvider.ts"
import { startProvider } from "./Application.ts"
import { throughPassword, throughProvider, throughScript } from "./Flows.ts"
import type { Packed } from "./Packed.ts"
import { folderOf, run, start } from "./Packed.ts"

let provider: OpenIdProvider
let app: Packed

beforeAll(async () => {
  provider = await startProvider()
  app = await start("express", ["server.ts"], provider, { me: "/me" })
})
afterAll(async () => {
  await Promise.all([app?.close(), provider?.close()])
})

describe("@auth/express, installed", () => {
  it("signs in at a provider, reads the session, updates it, and signs out", () => throughProvider(app))
  it("signs in with a password, and says what was wrong with another", () => throughPassword(app))
  it("compiles, with members of its own in sessions, users and tokens", () =>
    run(folderOf("express"), "node_modules/typescript/bin/tsc"))
  it("answers scripts with the address instead of sending them there", () => throughScript(app, provider))
})
