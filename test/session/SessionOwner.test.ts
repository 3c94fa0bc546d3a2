/** The session tokens of a request, and the cookie that names one of them. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { makeMemory } from "../../src/Adapter.ts"
import type { Services } from "../../src/composition/Services.ts"
import { type Options, Settings } from "../../src/config/Settings.ts"
import { sha256 } from "../../src/crypto/Sha256.ts"
import { fromWeb } from "../../src/http/AuthRequest.ts"
import type { ResponseCookie } from "../../src/http/Cookie.ts"
import { boundToken } from "../../src/session/SessionMark.ts"
import { databaseSessions as sessions } from "../../src/session/DatabaseSessions.ts"
import {
  canNameSession,
  forgetSession,
  hasSessionId,
  namesSession,
  namesThis,
  nameSession,
  removeSession
} from "../../src/session/SessionId.ts"
import { openToken, sessionTokens } from "../../src/session/SessionOwner.ts"
import { sessionIdOf } from "../../src/storage/Details.ts"
import { layer, options, site } from "../Visitor.ts"

const token = "the-token-of-a-session"
const cookie = "__Secure-authjs.session-token"
const idCookie = "__Host-authjs.session-id"

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
    const context = yield* Effect.context<Services>()
    assert.strictEqual(
      yield* sessions.owner(context, yield* requestOf(token)),
      sha256(`session ${token}`, "base64url").slice(0, 22)
    )
    assert.isUndefined(yield* sessions.owner(context, yield* requestOf("")))
    const request = yield* requestOf(token)
    assert.isUndefined(yield* openToken(request))
    assert.isUndefined(yield* sessions.openBearer(request, token))
  })
})

describe("the cookie that names a session", () => {
  it.gen("is there over https alone", withSession(), function* () {
    const settings = yield* Settings
    const secure = yield* requestWith({ cookie: `${idCookie}=x` })
    const plain = yield* requestWith({ cookie: `${idCookie}=x` }, site.replace("https:", "http:"))
    const without = yield* requestWith({})
    assert.isTrue(canNameSession(settings))
    assert.deepStrictEqual(
      [secure, plain, without].map((request) => [hasSessionId(settings, request), namesSession(settings, request)]),
      [
        [true, true],
        [false, false],
        [true, false]
      ]
    )
  })

  it.gen("is none where the option is off, or where the session cookie is one of the application", function* () {
    const secure = yield* requestWith({ cookie: `${idCookie}=x` })
    const off = yield* Settings.pipe(withSession({ companionCookie: false }))
    const insecure = { name: "session", options: { secure: false, path: "/" } }
    const own = yield* Settings.pipe(withSession({}, { cookies: { sessionToken: insecure } }))
    assert.deepStrictEqual(
      [off, own].map((settings) => [canNameSession(settings), hasSessionId(settings, secure)]),
      [
        [false, false],
        [false, false]
      ]
    )
  })

  it.gen("is set under the scheme that has it, and removed from a browser that holds it", function* () {
    const on = yield* Settings.pipe(withSession())
    const off = yield* Settings.pipe(withSession({ companionCookie: false }))
    const held = yield* requestWith({ cookie: `${idCookie}=x` })
    const none = yield* requestWith({})
    const plain = yield* requestWith({ cookie: `${idCookie}=x` }, site.replace("https:", "http:"))
    const shown = (cookies: ReadonlyArray<ResponseCookie>) =>
      cookies.map(({ name, options, value }) => [name, value, options.maxAge])
    const [set, removed] = [[[idCookie, "a", 60]], [[idCookie, "", 0]]]
    for (const [settings, request, sid, named, forgotten] of [
      [on, held, "a", set, removed],
      [on, none, "a", set, []],
      [on, held, undefined, [], removed],
      [on, plain, "a", [], []],
      [off, held, "a", removed, removed],
      [off, none, "a", [], []]
    ] as const) {
      assert.deepStrictEqual(shown(nameSession(settings, request, sid, { maxAge: 60 })), [...named])
      assert.deepStrictEqual(shown(forgetSession(settings, request)), [...forgotten])
    }
    const both = removeSession(on, held, [cookie]).map(({ name }) => name)
    assert.deepStrictEqual([...new Set(both)], [cookie, idCookie])
  })

  it.gen("contradicts a session cookie of this form that it does not name", withSession(), function* () {
    const settings = yield* Settings
    const bound = boundToken("8c2d4a1e-3b5f-4c6d-9e7a-0f1b2c3d4e5f")
    const id = sessionIdOf(bound)
    for (const [cookies, isContradicted] of [
      [`${cookie}=${bound}`, false],
      [`${cookie}=${bound}; ${idCookie}=${id}`, false],
      [`${cookie}=${bound}; ${idCookie}=${sessionIdOf("other")}`, true],
      [`${cookie}=${token}; ${idCookie}=${id}`, false],
      [`${idCookie}=${id}`, false]
    ] as const) {
      const request = yield* requestWith({ cookie: cookies })
      assert.strictEqual(sessions.isContradicted(settings, request), isContradicted, cookies)
    }
    assert.isUndefined(namesThis(settings, yield* requestWith({}), id))
  })
})
