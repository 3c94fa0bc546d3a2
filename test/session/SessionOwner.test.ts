/** The session tokens of a request. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { makeMemory } from "../../src/Adapter.ts"
import { type Options, Settings } from "../../src/config/Settings.ts"
import { sha256 } from "../../src/crypto/Sha256.ts"
import { fromWeb } from "../../src/http/AuthRequest.ts"
import { databaseSessions as sessions } from "../../src/session/DatabaseSessions.ts"
import { openToken, sessionTokens } from "../../src/session/SessionOwner.ts"
import { layer, options, site } from "../Visitor.ts"

const token = "the-token-of-a-session"
const cookie = "__Host-authjs.session-token"

const requestWith = (headers: Record<string, string>, origin = site) =>
  fromWeb(new Request(`${origin}/auth/session`, { headers }), "/auth")
const requestOf = (value: string) => requestWith(value === "" ? {} : { cookie: `${cookie}=${value}` })

const withSession = (session: NonNullable<Options["session"]> = {}, more: Partial<Options> = {}) =>
  Effect.provide(layer(options({ adapter: makeMemory(), ...more, session: { strategy: "database", ...session } })))

describe("the tokens of a request", () => {
  it.gen("are those that can name a session", withSession(), function* () {
    const settings = yield* Settings
    for (const [value, tokens, names] of [
      [token, [token], [cookie]],
      ["x".repeat(512), ["x".repeat(512)], [cookie]],
      ["x".repeat(513), [], [cookie]],
      ["", [], []]
    ] as const) {
      const request = yield* requestWith({ cookie: `${cookie}=${value}` })
      assert.deepStrictEqual(sessionTokens(settings, request), { tokens: [...tokens], names: [...names] })
    }
  })

  it.gen("name the owner of the session, without the token", withSession(), function* () {
    assert.strictEqual(
      yield* sessions.owner(yield* requestOf(token)),
      sha256(`session ${token}`, "base64url").slice(0, 22)
    )
    assert.isUndefined(yield* sessions.owner(yield* requestOf("")))
    const request = yield* requestOf(token)
    assert.isUndefined(yield* openToken(request))
    assert.isUndefined(yield* sessions.open(request, token))
  })
})
