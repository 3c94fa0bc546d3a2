/**
 * `@auth/express` with this package as npm installs it in place of `@auth/core`, on Express 5 and 4.
 */
import { afterAll, beforeAll, describe, it } from "vitest"
import type { OpenIdProvider } from "../real/OpenIdProvider.ts"
import { startProvider } from "./Application.ts"
import { throughPassword, throughProvider, throughScript } from "./Flows.ts"
import type { Packed } from "./Packed.ts"
import { folderOf, run, start } from "./Packed.ts"

let provider: OpenIdProvider

beforeAll(async () => {
  provider = await startProvider()
})
afterAll(() => provider?.close())

for (const [version, options] of [
  ["5", []],
  ["4", ["--import", "./express-4.js"]]
] as const) {
  describe(`@auth/express, installed, on Express ${version}`, () => {
    let app: Packed
    beforeAll(async () => {
      app = await start("express", [...options, "server.ts"], provider, { me: "/me" })
    })
    afterAll(() => app?.close())

    it("signs in at a provider, reads the session, updates it, and signs out", () => throughProvider(app))
    it("signs in with a password, and says what was wrong with another", () => throughPassword(app))
    it("answers scripts with the address instead of sending them there", () => throughScript(app, provider))
  })
}

it("@auth/express compiles, with members of its own in sessions, users and tokens", () =>
  run(folderOf("express"), "node_modules/typescript/bin/tsc"))
