/** The token of a new session: what callbacks.jwt hears, what the cookie says, and what others call the session. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import type { Options } from "../../src/config/Settings.ts"
import { AccessDenied } from "../../src/Errors.ts"
import { AuthRequest, fromWeb } from "../../src/http/AuthRequest.ts"
import { asUserId } from "../../src/models/Id.ts"
import { unknownAuthentication } from "../../src/session/Authentication.ts"
import { markOf, sidOf } from "../../src/session/SessionMark.ts"
import { beginToken } from "../../src/session/TokenSessions.ts"
import type { ResolvedSignIn } from "../../src/session/SessionStore.ts"
import { layer, options, site } from "../Visitor.ts"

const now = 1_800_000_000_000
const day = 86_400

const signIn: ResolvedSignIn = {
  user: { id: asUserId("ada"), name: "Ada", email: "ada@example.com", image: "https://x.example/a.png" },
  account: { provider: "acme", providerAccountId: "1", type: "oauth" },
  isNewUser: false,
  authentication: unknownAuthentication,
  row: undefined,
  needsId: false,
  isRemembered: true
}

/** Begins a session, and what callbacks.jwt heard. */
const begin = (more: Partial<ResolvedSignIn> = {}, options_: Partial<Options> = {}, answer?: () => unknown) => {
  const heard: Array<Record<string, unknown>> = []
  const jwt = (params: Record<string, unknown>) => {
    heard.push(params)
    return answer === undefined ? params["token"] : answer()
  }
  return Effect.gen(function* () {
    yield* TestClock.setTime(now)
    const headers = { cookie: "__Host-authjs.session-token=before" }
    const request = yield* fromWeb(new Request(`${site}/auth/session`, { headers }), "/auth")
    const begun = yield* Effect.provideService(beginToken({ ...signIn, ...more }), AuthRequest, request)
    return { ...begun, params: heard[0] ?? {} }
  }).pipe(Effect.provide(layer(options({ ...options_, callbacks: { jwt: jwt as never } }))))
}

describe("the token of a new session", () => {
  it.gen("names the user, and callbacks.jwt hears who signed in by what", function* () {
    const { cookies, params, session } = yield* begin({ needsId: true })
    assert.deepStrictEqual(params["token"], {
      name: "Ada",
      email: "ada@example.com",
      picture: "https://x.example/a.png",
      sub: "ada"
    })
    assert.strictEqual(params["user"], signIn.user)
    assert.strictEqual(params["account"], signIn.account)
    assert.notProperty(params, "profile")
    assert.deepStrictEqual([params["isNewUser"], params["trigger"]], [false, "signIn"])
    assert.strictEqual(session?.userId, "ada")
    assert.match(session?.id ?? "", /^[\w-]{43}$/)
    const [cookie] = cookies.filter(({ name }) => name === "__Host-authjs.session-token")
    assert.strictEqual(cookie?.options.expires?.getTime(), now + 30 * day * 1000)
  })

  for (const [type, isNewUser, heard, trigger] of [
    ["oauth", true, true, "signUp"],
    ["oauth", undefined, undefined, "signIn"],
    ["credentials", true, false, "signUp"],
    ["credentials", undefined, false, "signIn"]
  ] as const) {
    it.gen(`of ${type}, new: ${isNewUser}, is told as ${heard} and ${trigger}`, function* () {
      const profile = { sub: "1" }
      const { params } = yield* begin({ account: { ...signIn.account, type }, isNewUser, profile })
      assert.deepStrictEqual([params["isNewUser"], params["trigger"]], [heard, trigger])
      assert.strictEqual(params["profile"], profile)
    })
  }

  it.gen("holds no empty address, and no picture that a cookie has no room for", function* () {
    const tokenOf = Effect.fnUntraced(function* (user: object) {
      const { params } = yield* begin({ user: { id: asUserId("ada"), ...user } })
      return Object(params["token"])
    })
    assert.isNull((yield* tokenOf({ email: "" })).email)
    assert.strictEqual((yield* tokenOf({ image: "x".repeat(8192) })).picture.length, 8192)
    assert.isNull((yield* tokenOf({ image: "x".repeat(8193) })).picture)
    assert.isUndefined((yield* tokenOf({})).picture)
  })

  it.gen("ends at its absolute end, where that comes first", function* () {
    const endOf = Effect.fnUntraced(function* (session: NonNullable<Options["session"]>) {
      const { cookies } = yield* begin({}, { session })
      return cookies.find(({ name }) => name === "__Host-authjs.session-token")?.options.expires?.getTime()
    })
    assert.strictEqual(yield* endOf({ maxAge: 2 * day, absoluteMaxAge: day }), now + day * 1000)
    assert.strictEqual(yield* endOf({ maxAge: day, absoluteMaxAge: 2 * day }), now + day * 1000)
  })

  it.gen("is none where the callback says so, and the cookie of the browser goes", function* () {
    const { cookies, session } = yield* begin({}, {}, () => null)
    assert.isUndefined(session)
    assert.deepStrictEqual(
      cookies.map(({ name, options: { maxAge }, value }) => [name, value, maxAge]),
      [["__Host-authjs.session-token", "", 0]]
    )
  })

  it.gen("fails with what the callback threw: an error of Auth.js decides the answer", function* () {
    const denied = new AccessDenied({ detail: "not today" })
    const failing = (cause: unknown) =>
      Effect.flip(
        begin({}, {}, () => {
          throw cause
        })
      )
    assert.strictEqual((yield* failing(denied))._tag, "AccessDenied")
    assert.strictEqual((yield* failing(new Error("no")))._tag, "CallbackRouteError")
  })

  it.gen("has an id of others only for a subject that is one", function* () {
    const { session } = yield* begin({ needsId: true }, {}, () => ({ sub: "" }))
    assert.isUndefined(session?.userId)
    assert.isDefined(session?.id)
  })
})

describe("a token in a format of the application", () => {
  for (const [what, more, given, hasId] of [
    ["nothing asks for one", {}, {}, false],
    ["it ends with a session of its provider", { needsId: true }, {}, true],
    ["sessions can be revoked", {}, { session: { revocation: true } }, true]
  ] as const) {
    it.gen(`has ${hasId ? "an" : "no"} id where ${what}`, function* () {
      const encoded: Array<object> = []
      const encode = async ({ token }: { readonly token?: object | undefined }) => {
        encoded.push(token ?? {})
        return "a token of the application"
      }
      const { session } = yield* begin(more, { jwt: { encode, decode: async () => null }, ...given })
      assert.deepStrictEqual(
        encoded.map((claims) => sidOf(markOf({ ...claims })) !== undefined),
        [hasId]
      )
      assert.strictEqual(session !== undefined, "needsId" in more)
    })
  }
})
