import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import * as AuthCore from "@auth/core/jwt"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Token from "../../src/compat/Token.ts"
import { writeCookie } from "../../src/http/CookieHeader.ts"
import { forgetAll } from "../../src/internal/OncePerProcess.ts"
import { webCrypto } from "../../src/crypto/CryptoEngine.ts"
import { markName } from "../../src/session/SessionMark.ts"
import { counting, engines, makeRandom, node, now, otherSecret, salt, secret } from "../crypto/Engines.ts"
import { forge, forgeGcm } from "../crypto/Forge.ts"
import golden from "../vectors/auth-core-0.41.3.json" with { type: "json" }

type Failure = { readonly [key: string]: unknown }

const failureOf = async (promise: Promise<unknown>): Promise<Failure> => {
  const error = await promise.then(
    () => assert.fail("expected a rejection"),
    (error: unknown) => error
  )
  assert.instanceOf(error, Error)
  return { ...error, error, name: error.name, message: error.message }
}

/** Asserts that there are claims and that these are among them. */
const carries = (claims: unknown, some: object) => {
  assert.isObject(claims)
  for (const [name, value] of Object.entries(some))
    assert.deepStrictEqual<unknown>(Reflect.get(Object(claims), name), value, name)
}

const Claims = Schema.Record(Schema.String, Schema.Json)

const reserved = ["__proto__", "nbf", "iat", "exp", "jti"]

// The reference reads the clock of the process: it stands still for both sides.
beforeEach(() => {
  vi.useFakeTimers({ now: now * 1000, toFake: ["Date"] })
  forgetAll()
  vi.spyOn(console, "warn").mockImplementation(() => {})
})

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe.each(engines)("Token on %s", (_, engine) => {
  const tokens = Token.make({ now: () => now, random: makeRandom(), engine })
  const { decode, encode, getToken } = tokens

  it.effect.prop(
    "P245 encodes what @auth/core decodes and decodes what @auth/core encodes",
    { claims: Claims, ikm: Schema.NonEmptyString, name: Schema.NonEmptyString },
    Effect.fnUntraced(function* ({ claims: any, ikm, name }) {
      if (reserved.some((one) => Object.hasOwn(any, one)) || name.length > 100) return
      const claims: Record<string, unknown> = any
      const theirs = yield* Effect.promise(() => AuthCore.encode({ token: claims, secret: ikm, salt: name }))
      const ours = yield* Effect.promise(() => encode({ token: claims, secret: ikm, salt: name }))
      for (const token of [theirs, ours]) {
        const here = yield* Effect.promise(() => decode({ token, secret: [otherSecret, ikm], salt: name }))
        const there = yield* Effect.promise(() => AuthCore.decode({ token, secret: [otherSecret, ikm], salt: name }))
        assert.deepStrictEqual(here, there)
        carries(here, { ...Object(JSON.parse(JSON.stringify(claims))), iat: now, exp: now + 2_592_000 })
      }
    }),
    { timeout: 240_000, arbitrary: { runs: 50 } }
  )

  it("P245 decodes the golden vectors, and so does @auth/core", async () => {
    for (const { salt, secret, token } of golden.vectors) {
      const claims = await decode({ token, secret, salt })
      assert.isNotNull(claims)
      assert.deepStrictEqual(claims, await AuthCore.decode({ token, secret, salt }))
    }
  })

  it("encodes with the first secret for thirty days, or as long as it is told", async () => {
    const token = await encode({ token: { sub: "1" }, secret: [secret, otherSecret], salt })
    carries(await decode({ token, secret, salt }), { sub: "1", iat: now, exp: now + 30 * 24 * 60 * 60 })
    const short = await encode({ secret, salt, maxAge: 60 })
    carries(await decode({ token: short, secret: [otherSecret, secret], salt }), { exp: now + 60 })
  })

  it("P242 decodes with every configured secret", async () => {
    const token = await encode({ token: { sub: "1" }, secret: otherSecret, salt })
    carries(await decode({ token, secret: [secret, otherSecret], salt }), { sub: "1" })
    assert.strictEqual((await failureOf(decode({ token, secret, salt })))["code"], "key_unknown")
  })

  it("gives null for no token", async () => {
    assert.isNull(await decode({ secret, salt }))
    assert.isNull(await decode({ token: "", secret, salt }))
  })

  it("P243 refuses with one error that tells only the log why", async () => {
    const good = await encode({ token: { sub: "1" }, secret, salt })
    const cases: ReadonlyArray<readonly [string, string]> = [
      ["nonsense", "token_malformed"],
      [good.slice(0, -1), "not_authentic"],
      [await encode({ secret, salt, maxAge: -15 }), "expired"],
      [forge({ payload: { iat: now } }), "exp_missing"],
      [forge({ payload: { exp: now + 60 } }), "iat_missing"],
      [forge({ payload: "[]" }), "claims_malformed"]
    ]
    for (const [token, code] of cases) {
      const { error, ...failure } = await failureOf(decode({ token, secret, salt }))
      assert.instanceOf(error, Token.TokenRefused)
      assert.deepStrictEqual(failure, {
        name: "JWTSessionError",
        type: "JWTSessionError",
        kind: "error",
        message: "The session token was refused.",
        code
      })
    }
  })

  it("tells a program's mistakes from bad tokens", async () => {
    const token = await encode({ secret, salt })
    for (const params of [
      { secret: "", salt },
      { secret: [], salt },
      { secret: [secret, ""], salt },
      { secret, salt: "s".repeat(2000) }
    ]) {
      assert.strictEqual((await failureOf(encode(params)))["name"], "TypeError")
      assert.strictEqual((await failureOf(decode({ ...params, token })))["name"], "TypeError")
    }
    for (const claims of [null, [], "text", 1]) {
      assert.strictEqual((await failureOf(encode({ token: claims, secret, salt })))["name"], "TypeError")
    }
    // Arguments that a program in JavaScript may pass.
    const call = (f: (params: never) => Promise<unknown>, params: object) =>
      Reflect.apply(f, undefined, [params]) as Promise<unknown>
    for (const params of [{ salt }, { secret }, { secret: null, salt }]) {
      assert.strictEqual((await failureOf(call(encode, params)))["name"], "TypeError")
    }
    assert.strictEqual((await failureOf(call(decode, { token: 1, secret, salt })))["code"], "token_malformed")
    assert.isNull(await call(decode, { token: null, secret, salt }))
  })

  const request = (headers: Record<string, string>) => ({ headers: new Headers(headers) })

  const large = async (name: string) => {
    const token = await encode({ token: { sub: "2", data: "d".repeat(9000) }, secret, salt: name })
    const cookies = writeCookie(name, token)
    assert(cookies.ok && cookies.cookies.length > 2)
    return { token, cookie: cookies.cookies.map((cookie) => `${cookie.name}=${cookie.value}`).join("; ") }
  }

  it("finds the token wherever @auth/core finds it", async () => {
    const secureName = `__Secure-${salt}`
    const token = await encode({ token: { sub: "1" }, secret, salt })
    const secure = await encode({ token: { sub: "1" }, secret, salt: secureName })
    const own = await encode({ token: { sub: "1" }, secret, salt: "my-session" })
    const chunked = await large(salt)
    const chunkedSecure = await large(secureName)
    const rows: ReadonlyArray<AuthCore.GetTokenParams> = [
      { req: request({ cookie: `a=1; ${salt}=${token}; b=2` }) },
      { req: { headers: { cookie: `${salt}=${token}` } } },
      { req: { headers: { Cookie: `${salt}=${token}` } } },
      { req: new Request("https://app.example/", { headers: { authorization: `Bearer ${token}` } }) },
      { req: request({ authorization: `Bearer ${token.replaceAll("-", "%2D")}` }) },
      { req: request({ authorization: `Bearer ${own}` }), salt: "my-session" },
      { req: request({ cookie: `${secureName}=${secure}` }), secureCookie: true },
      { req: request({ cookie: `my-session=${own}` }), cookieName: "my-session" },
      { req: request({ cookie: `renamed=${own}` }), cookieName: "renamed", salt: "my-session" },
      { req: request({ cookie: chunked.cookie }) },
      { req: request({ cookie: chunkedSecure.cookie }), secureCookie: true },
      { req: request({ cookie: `${salt}=${token}`, authorization: "Bearer other" }) },
      { req: request({ cookie: `${salt}=`, authorization: `Bearer ${token}` }) }
    ]
    for (const [index, row] of rows.entries()) {
      const here = await getToken({ ...row, secret })
      assert.isNotNull(here, `row ${index}`)
      assert.deepStrictEqual(here, await AuthCore.getToken({ ...row, secret }), `row ${index}`)
      assert.strictEqual(
        await getToken({ ...row, raw: true }),
        await AuthCore.getToken({ ...row, raw: true }),
        `row ${index}`
      )
    }
  })

  it("finds no token where @auth/core finds none", async () => {
    const token = await encode({ token: { sub: "1" }, secret, salt })
    const rows: ReadonlyArray<AuthCore.GetTokenParams> = [
      { req: request({}) },
      { req: { headers: {} } },
      { req: request({ cookie: `__Secure-${salt}=${token}` }) },
      { req: request({ cookie: `__Secure-${salt}=${token}` }), secureCookie: false },
      { req: request({ cookie: `${salt}=${token}` }), secureCookie: true },
      { req: request({ cookie: `${salt}=${token}x` }) },
      { req: request({ cookie: `${salt}=${token}` }), salt: "another" },
      { req: request({ cookie: `${salt}=junk`, authorization: `Bearer ${token}` }) },
      { req: request({ authorization: `Basic ${token}` }) },
      { req: request({ authorization: token }) }
    ]
    for (const [index, row] of rows.entries()) {
      assert.isNull(await getToken({ ...row, secret }), `row ${index}`)
      assert.isNull(await AuthCore.getToken({ ...row, secret }), `row ${index}`)
    }
  })

  it.each([
    "Bearer %",
    "Bearer %E0%A4%A",
    "Bearer",
    "Bearer ",
    "Bearer  TOKEN",
    "bearer TOKEN",
    "BEARER TOKEN",
    "Bearer TOKEN TOKEN",
    "Bearer TOKEN, Bearer TOKEN",
    "Bearer\tTOKEN",
    "Bearer:TOKEN",
    "Bearer undefined",
    "TOKEN",
    "Basic TOKEN"
  ])("H077 a malformed bearer header is no session: %s", async (header) => {
    const token = await encode({ token: { sub: "1" }, secret, salt })
    const authorization = header.replaceAll("TOKEN", token)
    assert.isNull(await getToken({ req: { headers: { authorization } }, secret }))
    const raw = await getToken({ req: { headers: { authorization } }, secret, raw: true })
    assert.strictEqual(raw, header === "Bearer undefined" ? "undefined" : null)
  })

  it("looks for both names of the cookie unless one is given, the one with the prefix first", async () => {
    const secureName = `__Secure-${salt}`
    const plain = await encode({ token: { sub: "plain" }, secret, salt })
    const secure = await encode({ token: { sub: "secure" }, secret, salt: secureName })
    const old = await encode({ token: { sub: "old" }, secret: otherSecret, salt: secureName })
    const chunked = await large(secureName)
    const rows: ReadonlyArray<readonly [string, Partial<Token.GetTokenParams>, string | undefined]> = [
      [`${secureName}=${secure}`, {}, "secure"],
      [`${salt}=${plain}`, {}, "plain"],
      [`${salt}=${plain}; ${secureName}=${secure}`, {}, "secure"],
      [`${secureName}=${secure}; ${salt}=${plain}`, {}, "secure"],
      [`${secureName}=${secure}; ${salt}=${plain}`, { secureCookie: true }, "secure"],
      [`${secureName}=${secure}; ${salt}=${plain}`, { secureCookie: false }, "plain"],
      [`${secureName}=${secure}`, { secureCookie: false }, undefined],
      [`${salt}=${plain}`, { secureCookie: true }, undefined],
      [`${salt}=${plain}`, { cookieName: secureName }, undefined],
      // Only what opens counts, and each name has a salt of its own.
      [`${secureName}=${old}; ${salt}=${plain}`, {}, undefined],
      [`${secureName}=${plain}; ${salt}=${secure}`, {}, undefined],
      [`${secureName}=${plain}; ${salt}=${secure}`, { salt }, "plain"],
      [`${chunked.cookie}; ${salt}=${plain}`, {}, "2"]
    ]
    for (const [cookie, params, sub] of rows) {
      const claims = await getToken({ req: request({ cookie }), secret, ...params })
      assert.strictEqual(claims?.sub, sub, `${cookie.slice(0, 60)} ${JSON.stringify(params)}`)
    }
    const both = request({ cookie: `${salt}=${plain}; ${secureName}=${secure}` })
    assert.strictEqual(await getToken({ req: both, raw: true }), secure)
    for (const token of [plain, secure]) {
      const bearer = await getToken({ req: request({ authorization: `Bearer ${token}` }), secret })
      assert.strictEqual(bearer?.sub, token === plain ? "plain" : "secure")
    }
  })

  it("P231 opens a bounded number of candidates", async () => {
    const values = Array.from({ length: 50 }, (_, at) => `__Secure-${salt}=a${at}; ${salt}=b${at}`).join("; ")
    const opened = vi.fn(() => null)
    assert.isNull(await getToken({ req: request({ cookie: values }), secret, decode: opened }))
    assert.isAtMost(opened.mock.calls.length, 8)
  })

  it("warns once a process of a cookie that does not open, with the likely cause", async () => {
    const warn = vi.fn((_code: string, _text?: string) => {})
    const logger = { debug: () => {}, warn }
    const other = await encode({ token: { sub: "1" }, secret: otherSecret, salt })
    const ended = await encode({ token: { sub: "1" }, secret, salt, maxAge: -60 })
    const early = forge({ payload: { iat: now + 3600, exp: now + 7200 } })
    const ask = (token: string, more: Partial<Token.GetTokenParams> = {}) =>
      getToken({ req: request({ cookie: `${salt}=${token}` }), secret, logger, ...more })
    // A session that ended, no cookie, a bearer and a good token are nothing to look at.
    assert.isNull(await ask(ended))
    assert.isNull(await getToken({ req: request({}), secret, logger }))
    assert.isNull(await getToken({ req: request({ authorization: `Bearer ${other}` }), secret, logger }))
    assert.isNotNull(await ask(await encode({ token: { sub: "1" }, secret, salt })))
    assert.deepStrictEqual(warn.mock.calls, [])
    for (let request = 0; request < 3; request++) {
      assert.isNull(await ask(other))
      assert.isNull(await ask("junk"))
      assert.isNull(await ask(early))
    }
    assert.deepStrictEqual(
      warn.mock.calls.map(([code]) => code),
      ["session-cookie-unopened", "session-cookie-unopened"]
    )
    assert.match(String(warn.mock.calls[0]?.[1]), /secret/)
    assert.match(String(warn.mock.calls[1]?.[1]), /clocks/)
    assert.notMatch(String(warn.mock.calls[1]?.[1]), /secret or|secret changed/)
    forgetAll()
    assert.isNull(await getToken({ req: request({ cookie: `${salt}=${other}` }), secret }))
    assert.isNull(await getToken({ req: request({ cookie: `${salt}=${other}` }), secret }))
    assert.strictEqual(vi.mocked(console.warn).mock.calls.length, 1)
    assert.notInclude(JSON.stringify(vi.mocked(console.warn).mock.calls), other.slice(-20))
  })

  it("P242 opens with a retired secret until its date, and with none after it", async () => {
    const weak = "secret"
    const until = new Date((now + 60) * 1000)
    const token = await encode({ token: { sub: "1" }, secret: weak, salt })
    const at = (seconds: number) => Token.make({ now: () => now + seconds, random: makeRandom(), engine })
    for (const date of [until, until.toISOString(), until.toISOString().replace("Z", "+00:00")]) {
      const retiredSecrets = [{ secret: weak, until: date }]
      const cookie = `${salt}=${token}`
      carries(await at(59).decode({ token, secret, salt, retiredSecrets }), { sub: "1" })
      carries(await at(59).getToken({ req: request({ cookie }), secret, retiredSecrets }), { sub: "1" })
      for (const late of [60, 61, 86_400]) {
        const { code } = await failureOf(at(late).decode({ token, secret, salt, retiredSecrets }))
        assert.strictEqual(code, "key_unknown")
        assert.isNull(await at(late).getToken({ req: request({ cookie }), secret, retiredSecrets }))
      }
    }
    assert.strictEqual((await failureOf(decode({ token, secret, salt })))["code"], "key_unknown")
  })

  it("P242 a retired secret ends to the millisecond", async () => {
    const weak = "secret"
    const until = new Date(now * 1000 + 60_500)
    const token = await encode({ token: { sub: "1" }, secret: weak, salt })
    const read = (at: number) => {
      vi.setSystemTime(at)
      const req = request({ cookie: `${salt}=${token}` })
      return Token.getToken({ req, secret, retiredSecrets: [{ secret: weak, until }] })
    }
    carries(await read(until.getTime() - 1), { sub: "1" })
    for (const late of [0, 1, 400, 1000]) assert.isNull(await read(until.getTime() + late), String(late))
  })

  it("P242 takes no list of retired secrets that says something else than it seems to", async () => {
    const until = new Date((now + 60) * 1000)
    const token = await encode({ token: { sub: "1" }, secret, salt })
    const wrong: ReadonlyArray<unknown> = [
      {},
      "secret",
      [{ secret: "old" }],
      [{ secret: "", until }],
      [{ secret: 1, until }],
      [{ secret: "old", until: "" }],
      [{ secret: "old", until: "tomorrow" }],
      [{ secret: "old", until: "12/31/2026" }],
      [{ secret: "old", until: "2026-12-31T18:00:00" }],
      [{ secret: "old", until: now + 60 }],
      [{ secret: "old", until: Number.POSITIVE_INFINITY }],
      [{ secret: "old", until: new Date(Number.NaN) }],
      [null],
      Array.from({ length: 9 }, (_, at) => ({ secret: `old ${at}`, until }))
    ]
    const call = (f: (params: never) => Promise<unknown>, params: object) =>
      Reflect.apply(f, undefined, [params]) as Promise<unknown>
    for (const retiredSecrets of wrong) {
      const { message, name } = await failureOf(call(decode, { token, secret, salt, retiredSecrets }))
      assert.strictEqual(name, "TypeError", JSON.stringify(retiredSecrets))
      assert.match(String(message), /^retiredSecrets/)
      const req = request({ cookie: `${salt}=${token}` })
      assert.strictEqual((await failureOf(call(getToken, { req, secret, retiredSecrets })))["name"], "TypeError")
    }
    // Retired secrets alone are no secrets.
    const retiredSecrets = [{ secret, until }]
    assert.strictEqual((await failureOf(decode({ token, secret: [], salt, retiredSecrets })))["name"], "TypeError")
  })

  it("H055 finds the valid one among cookies of one name", async () => {
    const token = await encode({ token: { sub: "1" }, secret, salt })
    const chunked = await large(salt)
    for (const cookie of [
      `${salt}=junk; ${salt}=${token}`,
      `${salt}=${token}; ${salt}=junk`,
      `${salt}-foo=x; ${salt}=${token}; ${salt}.foo=x`,
      `${salt}=${token}; ${salt}.0=junk; ${salt}.1=junk`
    ]) {
      carries(await getToken({ req: request({ cookie }), secret }), { sub: "1" })
    }
    const both = await getToken({ req: request({ cookie: `${salt}=junk; ${chunked.cookie}` }), secret })
    carries(both, { sub: "2" })
    assert.isNull(await getToken({ req: request({ cookie: `${salt}=junk; ${salt}=more` }), secret }))
  })

  it("H056 an incomplete set of chunks is no session", async () => {
    const { cookie } = await large(salt)
    const chunks = cookie.split("; ")
    for (let missing = 0; missing < chunks.length; missing++) {
      const rest = chunks.toSpliced(missing, 1).join("; ")
      assert.isNull(await getToken({ req: request({ cookie: rest }), secret }), `without ${missing}`)
    }
    const renamed = cookie.replace(`${salt}.1=`, `${salt}.01=`)
    assert.isNull(await getToken({ req: request({ cookie: renamed }), secret }))
    carries(await getToken({ req: request({ cookie: chunks.toReversed().join("; ") }), secret }), { sub: "2" })
  })

  it("asks for a secret only when there is a token", async () => {
    assert.isNull(await getToken({ req: request({}) }))
    const token = await encode({ secret, salt })
    for (const none of [undefined, "", []]) {
      const params = { req: request({ cookie: `${salt}=${token}` }), ...(none === undefined ? {} : { secret: none }) }
      const { error, kind, name, type } = await failureOf(getToken(params))
      assert.instanceOf(error, Token.SecretRequired)
      assert.deepStrictEqual([name, type, kind], ["MissingSecret", "MissingSecret", "error"])
    }
    const missing = Reflect.apply(getToken, undefined, [{ secret }]) as Promise<unknown>
    assert.strictEqual((await failureOf(missing))["name"], "Error")
  })

  it("lets the application decode, takes its failure for no token, and tells the logger", async () => {
    const req = request({ cookie: `${salt}=opaque` })
    const calls: Array<unknown> = []
    const debug = vi.fn((_message: string, _metadata?: unknown) => {})
    const own = (params: Token.JWTDecodeParams) => {
      calls.push(params)
      return { sub: params.token ?? "" }
    }
    assert.deepStrictEqual(await getToken({ req, secret, decode: own, logger: { debug } }), { sub: "opaque" })
    assert.deepStrictEqual(calls, [{ token: "opaque", secret, salt }])
    assert.strictEqual(debug.mock.calls.length, 0)
    assert.isNull(await getToken({ req, secret, decode: () => null }))
    const failing = () => Promise.reject(new Error("cannot"))
    assert.isNull(await getToken({ req, secret, decode: failing, logger: { debug } }))
    assert.isNull(await getToken({ req, secret, logger: { debug } }))
    assert.deepStrictEqual(
      debug.mock.calls.map(([, metadata]) => metadata),
      [{ code: "decode_failed" }, { code: "token_malformed" }]
    )
  })
})

describe("Token", () => {
  it("keeps time and draws random bytes from the runtime unless told otherwise", async () => {
    const token = await Token.encode({ token: { sub: "1" }, secret, salt })
    const other = await Token.encode({ token: { sub: "1" }, secret, salt })
    assert.notStrictEqual(token, other)
    carries(await Token.decode({ token, secret, salt }), { sub: "1", iat: now, exp: now + 2_592_000 })
    carries(await Token.getToken({ req: { headers: { cookie: `${salt}=${token}` } }, secret }), { sub: "1" })
    vi.setSystemTime((now + 2_592_000 + 15) * 1000)
    assert.strictEqual((await failureOf(Token.decode({ token, secret, salt })))["code"], "expired")
  })

  it("makes the same token on both engines", async () => {
    const make = (engine: typeof node | typeof webCrypto) =>
      Token.make({ now: () => now, random: makeRandom(9), engine }).encode({ token: { sub: "1" }, secret, salt })
    assert.strictEqual(await make(node), await make(webCrypto))
  })

  it("accepts secrets of any length, so that old tokens can be read", async () => {
    const token = await AuthCore.encode({ token: { sub: "1" }, secret: "x", salt })
    carries(await Token.decode({ token, secret: "x", salt }), { sub: "1" })
  })

  it("has types that follow `raw` and the claims of the caller", async () => {
    interface Mine {
      readonly role: string
    }
    const req = { headers: {} }
    const claims: Token.JWT | null = await Token.getToken({ req, secret })
    const raw: string | null = await Token.getToken({ req, raw: true })
    const token = await Token.encode<Mine>({ token: { role: "admin" }, secret, salt })
    const mine: Mine | null = await Token.decode<Mine>({ token, secret, salt })
    assert.deepStrictEqual([claims, raw, mine?.role], [null, null, "admin"])
  })
})

describe("getToken", () => {
  const { encode, getToken } = Token.make({ now: () => now, random: makeRandom(), engine: node })
  const reading = (cookie: string, more: Partial<Token.GetTokenParams<boolean>> = {}): Promise<unknown> =>
    getToken<boolean>({ req: { headers: { cookie } }, secret, ...more })
  const of = (claims: object, sealedWith = secret) => encode({ token: { ...claims }, secret: sealedWith, salt })

  it("runs on the engine that it is given", async () => {
    const { calls, engine } = counting()
    const counted = Token.make({ now: () => now, random: makeRandom(), engine })
    const token = await counted.encode({ token: { sub: "1" }, secret: "a secret of this test", salt })
    carries(await counted.decode({ token, secret: "a secret of this test", salt }), { sub: "1" })
    assert.isAbove(calls.get("hkdf") ?? 0, 0)
    assert.isAbove(calls.get("cipher") ?? 0, 0)
    assert.isAbove(calls.get("decipher") ?? 0, 0)
  })

  it("gives the token itself for `raw`, whether a secret opens it or not", async () => {
    const token = await of({ sub: "1" })
    assert.strictEqual(await reading(`${salt}=${token}`, { raw: true }), token)
    assert.strictEqual(await reading(`${salt}=junk`, { raw: true }), "junk")
    const bearer = { headers: { authorization: `Bearer ${token}` } }
    assert.strictEqual(await getToken({ req: bearer, secret, raw: true }), token)
    // Of several, the one that opens, and the first where none does or there is no secret to try.
    assert.strictEqual(await reading(`${salt}=junk; ${salt}=${token}`, { raw: true }), token)
    assert.strictEqual(await reading(`${salt}=junk; ${salt}=more`, { raw: true }), "junk")
    assert.strictEqual(await reading(`${salt}=junk; ${salt}=${token}`, { raw: true, secret: [] }), "junk")
    const req = { headers: { cookie: `${salt}=junk; ${salt}=${token}` } }
    assert.strictEqual(await getToken({ req, raw: true }), "junk")
  })

  it("opens A256GCM only where it is asked to", async () => {
    const token = forgeGcm({ payload: { sub: "1", iat: now, exp: now + 60 } })
    assert.isNull(await reading(`${salt}=${token}`))
    carries(await reading(`${salt}=${token}`, { acceptA256GCM: true }), { sub: "1" })
  })

  it("gives no session after the end in its mark", async () => {
    const warn = vi.fn((_code: string, _text?: string) => {})
    const at = async (end: number) => {
      const cookie = `${salt}=${await of({ sub: "1", [markName]: { end } })}`
      return reading(cookie, { logger: { debug: () => {}, warn } })
    }
    assert.isNull(await at(now - 1))
    assert.isNull(await at(now))
    assert.deepInclude(await at(now + 1), { sub: "1" })
    assert.notProperty(await at(now + 1), markName)
    assert.deepStrictEqual(warn.mock.calls, [])
    const newer = await of({ sub: "1", [markName]: { v: 2 } })
    assert.isNull(await reading(`${salt}=${newer}`, { logger: { debug: () => {}, warn } }))
    assert.strictEqual(warn.mock.calls.length, 1)
  })

  it("P221 takes the cookie that no other host can set before one with a weaker prefix or none", async () => {
    const names = [`__Host-${salt}`, `__Secure-${salt}`, salt]
    const cookies = await Promise.all(
      names.map(async (name) => `${name}=${await encode({ token: { sub: name }, secret, salt: name })}`)
    )
    for (const at of names.keys()) carries(await reading(cookies.slice(at).toReversed().join("; ")), { sub: names[at] })
    assert.isNull(await reading(`__Host-${salt}=junk; ${cookies[1]}`, { logger: { debug: () => {}, warn: () => {} } }))
  })

  it("takes none of more values than it tries", async () => {
    const junk = [1, 2, 3, 4].map((at) => `${salt}=junk${at}`).join("; ")
    const token = await of({ sub: "1" })
    assert.isNull(await reading(`${salt}=${token}; ${junk}`))
    carries(await reading(`${salt}=${token}; ${salt}=junk`), { sub: "1" })
  })

  it("tells the logger of what it refused, and of sessions of several people", async () => {
    const debug = vi.fn((_message: string, _metadata?: unknown) => {})
    const [ann, bob] = [await of({ sub: "ann" }), await of({ sub: "bob" })]
    assert.isNull(await reading(`${salt}=${ann}; ${salt}=${bob}`, { logger: { debug } }))
    assert.isNull(await reading(`${salt}=junk`, { logger: { debug, warn: () => {} } }))
    assert.deepStrictEqual(debug.mock.calls, [
      ["getToken found session cookies that cannot count", { code: "session_conflict" }],
      ["getToken refused a token", { code: "token_malformed" }]
    ])
  })

  it("warns of the first value that has a cause, by its code, without a logger too", async () => {
    const ended = await of({ sub: "1", [markName]: { end: now } })
    const other = await of({ sub: "1" }, otherSecret)
    assert.isNull(await reading(`${salt}=${ended}; ${salt}=${other}`))
    const warnings = vi.mocked(console.warn).mock.calls
    assert.strictEqual(warnings.length, 1)
    assert.match(String(warnings[0]?.[0]), /\[session-cookie-unopened\] A session cookie .+ Keep earlier secrets/)
  })

  it("answers all the same where the text of the warning cannot be loaded", async () => {
    vi.doMock("../../src/http/UnopenedWarning.ts", () => {
      throw new Error("the file is gone")
    })
    const warn = vi.fn()
    const other = await of({ sub: "1" }, otherSecret)
    assert.isNull(await reading(`${salt}=${other}`, { logger: { debug: () => {}, warn } }))
    vi.doUnmock("../../src/http/UnopenedWarning.ts")
    assert.deepStrictEqual(warn.mock.calls, [["session-cookie-unopened"]])
  })

  it("reads headers that are a record by their names, where they are text", async () => {
    const token = await of({ sub: "1" })
    const headers = (more: object) => ({ accept: "text/html", ...more }) as Record<string, string>
    carries(await getToken({ req: { headers: headers({ Cookie: `${salt}=${token}` }) }, secret }), { sub: "1" })
    const twice = headers({ cookie: [`${salt}=${token}`], COOKIE: `${salt}=${token}` })
    carries(await getToken({ req: { headers: twice }, secret }), { sub: "1" })
    for (const req of [undefined, null]) {
      const missing = Reflect.apply(getToken, undefined, [{ secret, req }]) as Promise<unknown>
      assert.strictEqual((await failureOf(missing))["message"], "getToken needs the request: pass `req`.")
    }
  })
})
