import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import { createHash } from "node:crypto"
import { equalText } from "../../src/crypto/Sha256.ts"
import { skipCSRFCheck } from "../../src/index.ts"
import {
  acme,
  cookieOf,
  facade,
  form,
  layer,
  listener,
  network,
  options,
  otherSecret,
  password,
  program,
  secret,
  site,
  visitor
} from "../Visitor.ts"
import { customFetch } from "../../src/internal/Markers.ts"

const name = "__Host-authjs.csrf-token"
const now = 1_800_000_000_000

/** A pair as Auth.js makes it: 32 random bytes, and their digest with the secret. */
const foreignPair = (token = "ab".repeat(32), of = secret) => {
  const proof = createHash("sha256").update(`${token}${of}`).digest("hex")
  return { token, cookie: `${name}=${token}%7C${proof}` }
}

/** The pair of a browser that holds `cookie`. */
const pairOf = Effect.fnUntraced(function* (cookie: string) {
  const { response } = yield* program(new Request(`${site}/auth/csrf`, { headers: cookie === "" ? {} : { cookie } }))
  const { csrfToken } = (yield* Effect.promise(() => response.json())) as { csrfToken: string }
  return { token: csrfToken, cookie: cookieOf(response), response }
})

const refusal = `${site}/auth/signin?error=MissingCSRF`

const signOut = (cookie: string, csrfToken: string, headers: Record<string, string> = {}) =>
  Effect.map(
    program(form("/auth/signout", { csrfToken }, { ...(cookie === "" ? {} : { cookie }), ...headers })),
    ({ response }) => response.headers.get("location")
  )

const signedIn = Effect.fnUntraced(function* (username: string) {
  const pair = yield* pairOf("")
  const fields = { csrfToken: pair.token, username, password: "pw" }
  const { response } = yield* program(form("/auth/callback/credentials", fields, { cookie: pair.cookie }))
  assert.strictEqual(response.status, 302)
  return { session: cookieOf(response), before: pair }
})

describe("tokens", () => {
  it.effect("are in the cookie together with their proof, and stay while they are good", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const first = yield* pairOf("")
      const [, value = ""] = first.cookie.split("=")
      const [token = "", proof = ""] = decodeURIComponent(value).split("|")
      assert.match(token, /^[0-9a-f]{64}$/)
      assert.strictEqual(token.slice(48), "0".repeat(16), "issued to a signed-out visitor")
      assert.strictEqual(token, first.token)
      assert.strictEqual(proof, createHash("sha256").update(`${token}${secret}`).digest("hex"))
      const [line = ""] = first.response.headers.getSetCookie()
      assert.match(line, /^__Host-authjs\.csrf-token=[^;]+; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
      const again = yield* pairOf(first.cookie)
      assert.deepStrictEqual([again.token, again.cookie], [first.token, ""])
      assert.strictEqual(yield* signOut(first.cookie, first.token), site)
    }).pipe(Effect.provide(layer(options())))
  )

  it.effect("are accepted when Auth.js made them with the same secret, also with a list of secrets", () =>
    Effect.gen(function* () {
      const pair = foreignPair()
      assert.strictEqual(yield* signOut(pair.cookie, pair.token), site)
      assert.strictEqual((yield* pairOf(pair.cookie)).token, pair.token)
    }).pipe(Effect.provide(layer(options())))
  )
  it.effect("survive a new secret in front of the old one", () =>
    Effect.gen(function* () {
      for (const of of [`${otherSecret},${secret}`, secret, otherSecret]) {
        const pair = foreignPair("cd".repeat(32), of)
        assert.strictEqual(yield* signOut(pair.cookie, pair.token), site)
      }
    }).pipe(Effect.provide(layer(options({ secret: [otherSecret, secret] }))))
  )

  it.gen("carry the proof of Auth.js under a list of secrets, and outlive each rotation of it", function* () {
    const list = ["first-", "second-", "third-"].map((name) => `${name}${secret}`)
    const of = (secrets: Array<string>) => Effect.provide(pairOf(""), layer(options({ secret: secrets })))
    const { cookie, token } = yield* of(list)
    assert.strictEqual(cookie, foreignPair(token, list.join(",")).cookie)
    for (const before of [list.slice(1), list.slice(2), list.slice(0, 1)]) {
      const pair = yield* of(before)
      const target = yield* Effect.provide(signOut(pair.cookie, pair.token), layer(options({ secret: list })))
      assert.strictEqual(target, site)
    }
  })

  const wrong: ReadonlyArray<
    readonly [string, (pair: { token: string; cookie: string }) => readonly [string, string]]
  > = [
    ["no cookie", ({ token }) => ["", token]],
    ["no token", ({ cookie }) => [cookie, ""]],
    ["another token", ({ cookie }) => [cookie, "ab".repeat(32)]],
    ["a shorter token", ({ cookie, token }) => [cookie, token.slice(0, 63)]],
    ["a longer token", ({ cookie, token }) => [cookie, `${token}0`]],
    ["upper case", ({ cookie, token }) => [cookie, token.toUpperCase().replace(/^D/, "D")]],
    ["the whole cookie", ({ cookie }) => [cookie, decodeURIComponent(cookie.split("=")[1] ?? "")]],
    ["a proof of another secret", () => [foreignPair(undefined, otherSecret).cookie, "ab".repeat(32)]],
    ["no proof", ({ token }) => [`${name}=${token}`, token]],
    ["an empty proof", ({ token }) => [`${name}=${token}%7C`, token]],
    ["two cookies", ({ cookie, token }) => [`${cookie}; ${foreignPair().cookie}`, token]]
  ]
  for (const [what, change] of wrong) {
    it.gen(`are refused: ${what}`, Effect.provide(layer(options())), function* () {
      const [cookie, token] = change(yield* pairOf(""))
      assert.strictEqual(yield* signOut(cookie, token), refusal)
    })
  }

  it.gen("every changed character of a cookie spoils it", Effect.provide(layer(options())), function* () {
    const pair = yield* pairOf("")
    const value = decodeURIComponent(pair.cookie.slice(name.length + 1))
    for (let at = 0; at < value.length; at++) {
      const changed = `${value.slice(0, at)}${value[at] === "0" ? "1" : "0"}${value.slice(at + 1)}`
      assert.strictEqual(yield* signOut(`${name}=${encodeURIComponent(changed)}`, changed.slice(0, 64)), refusal)
    }
  })
})

describe("whose token it is", () => {
  it.effect("H079 a pair of another user is refused once a person is signed in", () =>
    Effect.gen(function* () {
      const attacker = yield* signedIn("mallory")
      const victim = yield* signedIn("ann")
      const anonymous = yield* pairOf("")
      const mallorys = yield* pairOf(attacker.session)
      for (const planted of [anonymous, mallorys]) {
        assert.strictEqual(yield* signOut(`${victim.session}; ${planted.cookie}`, planted.token), refusal)
      }
      const own = yield* pairOf(victim.session)
      assert.strictEqual(yield* signOut(`${victim.session}; ${own.cookie}`, own.token), site)
    }).pipe(Effect.provide(layer(options())))
  )

  it.gen("H079 a pair of a user is refused for a signed-out visitor", Effect.provide(layer(options())), function* () {
    const { session } = yield* signedIn("mallory")
    const pair = yield* pairOf(session)
    const fields = { csrfToken: pair.token, username: "mallory", password: "pw" }
    const { response } = yield* program(form("/auth/callback/credentials", fields, { cookie: pair.cookie }))
    assert.strictEqual(response.headers.get("location"), refusal)
  })

  it.gen("H080 a token ends after a day", Effect.provide(layer(options())), function* () {
    yield* TestClock.setTime(now)
    const pair = yield* pairOf("")
    yield* TestClock.adjust("23 hours")
    assert.strictEqual(yield* signOut(pair.cookie, pair.token), site)
    yield* TestClock.adjust("2 hours")
    assert.strictEqual(yield* signOut(pair.cookie, pair.token), refusal)
    assert.notStrictEqual((yield* pairOf(pair.cookie)).token, pair.token)
    yield* TestClock.adjust("3650 days")
    assert.strictEqual(yield* signOut(pair.cookie, pair.token), refusal)
  })
  it.effect.each([
    [24 * 60, site],
    [24 * 60 + 1, refusal],
    [-5, site],
    [-6, refusal]
  ] as const)("H080 a token that is %s minutes old leads to %s", ([age, target]) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const pair = yield* pairOf("")
      yield* TestClock.setTime(now + age * 60_000)
      assert.strictEqual(yield* signOut(pair.cookie, pair.token), target)
    }).pipe(Effect.provide(layer(options())))
  )
  it.gen("H080 nor is one from the future good", Effect.provide(layer(options())), function* () {
    yield* TestClock.setTime(now)
    const pair = yield* pairOf("")
    yield* TestClock.setTime(now - 3_600_000)
    assert.strictEqual(yield* signOut(pair.cookie, pair.token), refusal)
  })

  it.gen("H081 the token changes at sign-in and at sign-out", Effect.provide(layer(options())), function* () {
    const { before, session } = yield* signedIn("ann")
    const after = yield* pairOf(`${session}; ${before.cookie}`)
    assert.notStrictEqual(after.token, before.token)
    assert.strictEqual(yield* signOut(`${session}; ${before.cookie}`, before.token), refusal)
    const later = yield* pairOf(after.cookie)
    assert.notStrictEqual(later.token, after.token)
  })
})

describe("comparison", () => {
  it("H082 looks at every character and decides at the end", () => {
    const source = equalText.toString()
    assert.strictEqual(source.match(/return/g)?.length, 1)
    assert.notMatch(source, /break|\?\.|===[^;]*charCodeAt/)
    assert.match(source, /\|=/)
  })
  it("H082 is equality", () => {
    const texts = ["", "a", "b", "ab", "ba", "aa", "aaa", "\u0000", "ab".repeat(32), `${"ab".repeat(31)}aa`]
    for (const a of texts) for (const b of texts) assert.strictEqual(equalText(a, b), a === b, JSON.stringify([a, b]))
  })
})

describe("requests from elsewhere", () => {
  const foreign: ReadonlyArray<readonly [string, Record<string, string>]> = [
    ["H085 a look-alike suffix", { origin: "https://app.example.evil.example" }],
    ["H085 a look-alike prefix", { origin: "https://evil-app.example" }],
    ["H085 another port", { origin: "https://app.example:8443" }],
    ["H085 the site as user name", { origin: "https://app.example@evil.example" }],
    ["H085 an origin that is none", { origin: "app.example" }],
    ["H085 a referrer that begins alike", { referer: "https://app.example.evil.example/https://app.example/" }],
    ["H085 a referrer that ends alike", { referer: "https://evil.example/?https://app.example/" }],
    ["H085 a referrer behind an opaque origin", { origin: "null", referer: "https://evil.example/" }],
    ["H088 a cross-site form", { "sec-fetch-site": "cross-site", origin: "https://evil.example" }],
    ["H088 a cross-site form that hides its origin", { "sec-fetch-site": "cross-site", origin: "null" }],
    ["H088 a cross-site form with our origin", { "sec-fetch-site": "cross-site", origin: site }]
  ]
  for (const [title, headers] of foreign) {
    it(`${title} is refused, even with a good pair`, async () => {
      const asked: Array<unknown> = []
      const { logger, told } = listener()
      const browser = visitor(facade(options({ providers: [password((it) => void asked.push(it))], logger })))
      const response = await browser.submit(
        "/auth/callback/credentials",
        { username: "mallory", password: "pw" },
        headers
      )
      assert.strictEqual(response.headers.get("location"), refusal)
      assert.notInclude(cookieOf(response), "session-token")
      assert.deepStrictEqual(asked, [])
      assert.deepStrictEqual([told.errors.length, told.mistakes.length], [0, 1])
    })
  }

  it.effect.each([
    ["https://evil.example/page/of/a/person?key=1", "got https://evil.example"],
    [undefined, "got nothing"]
  ] as const)("the failure names the origin of a cross-site referrer and no more: %s", ([referer, end]) =>
    Effect.gen(function* () {
      const pair = yield* pairOf("")
      const headers = { "sec-fetch-site": "cross-site", ...(referer === undefined ? {} : { referer }) }
      const posted = form("/auth/signout", { csrfToken: pair.token }, { cookie: pair.cookie, ...headers })
      const { failure } = yield* program(posted)
      assert.isTrue(failure?.detail?.endsWith(end), failure?.detail)
    }).pipe(Effect.provide(layer(options())))
  )

  const own: ReadonlyArray<Record<string, string>> = [
    { "sec-fetch-site": "same-origin" },
    { "sec-fetch-site": "same-site" },
    { "sec-fetch-site": "none" },
    { origin: site },
    { origin: "null" },
    { referer: `${site}/auth/signin` },
    {}
  ]
  for (const headers of own) {
    it(`accepts ${JSON.stringify(headers)} with a good pair`, async () => {
      const response = await visitor(facade(options())).submit("/auth/signout", {}, headers)
      assert.strictEqual(response.headers.get("location"), site)
    })
  }

  it("H089 a code from another site signs no user in, and is sent nowhere", async () => {
    const { asked, fetch } = network()
    const browser = visitor(facade(options({ providers: [acme({ [customFetch]: fetch })] })))
    for (const query of ["code=stolen", "code=stolen&state=made-up", "code=stolen&state="]) {
      const response = await browser.get(`/auth/callback/acme?${query}`)
      assert.strictEqual(
        response.headers.get("location"),
        `${site}/auth/signin?error=OAuthCallbackError&code=flow_missing`
      )
      assert.notInclude(cookieOf(response), "session-token")
    }
    await browser.submit("/auth/signin/acme")
    const other = await browser.get("/auth/callback/acme?code=stolen&state=made-up")
    assert.strictEqual(other.headers.get("location"), `${site}/auth/signin?error=OAuthCallbackError&code=flow_mismatch`)
    assert.deepStrictEqual(asked, [])
  })

  it("H092 a GET signs no user in or out, starts nothing and uses nothing up", async () => {
    const happened: Array<string> = []
    const { asked, fetch } = network()
    const note = (what: string) => () => void happened.push(what)
    const browser = visitor(
      facade(
        options({
          providers: [password(note("authorize")), acme({ [customFetch]: fetch })],
          callbacks: { signIn: () => (happened.push("signIn"), true) },
          events: { signIn: note("signIn event"), signOut: note("signOut event") }
        })
      )
    )
    const token = await browser.csrfToken()
    const query = `?csrfToken=${token}&username=ann&password=pw&callbackUrl=/x`
    for (const path of [
      "signin",
      "signout",
      "error",
      "verify-request",
      "signin/acme",
      "signin/credentials",
      "callback/credentials",
      "callback/acme"
    ]) {
      const response = await browser.get(`/auth/${path}${query}`)
      assert.notMatch(cookieOf(response), /session-token|flow|state|pkce|callback-url/, path)
    }
    assert.deepStrictEqual([happened, asked], [[], []])
  })

  it("H093 the pages with a form cannot be framed", async () => {
    for (const path of ["signin", "signout"]) {
      const { headers } = await visitor(facade(options())).get(`/auth/${path}`)
      assert.match(headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/)
      assert.strictEqual(headers.get("x-frame-options"), "DENY")
    }
  })

  it("H094 a visitor who lost the cookie reads so and can go on", async () => {
    const browser = visitor(facade(options()))
    const token = await browser.csrfToken()
    browser.cookies.clear()
    const refused = await browser.post("/auth/callback/credentials", {
      csrfToken: token,
      username: "ann",
      password: "pw"
    })
    assert.strictEqual(refused.headers.get("location"), refusal)
    const page = await browser.get("/auth/signin?error=MissingCSRF")
    assert.strictEqual(page.status, 200)
    assert.include(await page.text(), "That form had expired, so nothing was sent.")
    assert.strictEqual((await browser.signIn()).status, 302)
  })

  for (const headers of [
    { "sec-purpose": "prefetch" },
    { "sec-purpose": "prefetch;prerender" },
    { purpose: "prefetch" }
  ]) {
    it(`H095 ${JSON.stringify(headers)} uses nothing up`, async () => {
      const { asked, fetch } = network()
      const browser = visitor(facade(options({ providers: [acme({ [customFetch]: fetch })] })))
      const started = await browser.submit("/auth/signin/acme")
      const state = new URL(started.headers.get("location") ?? "").searchParams.get("state") ?? ""
      const ahead = await browser.get(`/auth/callback/acme?code=c&state=${state}`, headers)
      assert.deepStrictEqual([ahead.status, cookieOf(ahead), asked], [204, "", []])
      await browser.get(`/auth/callback/acme?code=c&state=${state}`)
      assert.deepStrictEqual(asked, ["https://acme.example/token"])
    })
  }
})

describe("without our protection", () => {
  it("nothing is checked, and there is no token to be had", async () => {
    const { logger, told } = listener()
    const browser = visitor(facade(options({ skipCSRFCheck, logger })))
    const response = await browser.get("/auth/csrf")
    assert.deepStrictEqual([response.status, await response.text()], [404, ""])
    assert.match(response.headers.getSetCookie().join(), /^__Host-authjs\.csrf-token=; Max-Age=0;/)
    assert.deepStrictEqual(told.warnings, ["csrf-disabled"])
    const signedIn = await browser.post("/auth/callback/credentials", { username: "ann", password: "pw" })
    assert.strictEqual(signedIn.status, 302)
    assert.notInclude(await (await browser.get("/auth/signin")).text(), "csrfToken")
  })
  it("only the marker switches it off", async () => {
    const browser = visitor(facade({ ...options(), skipCSRFCheck: true } as never))
    const response = await browser.post("/auth/signout", {})
    assert.strictEqual(response.headers.get("location"), refusal)
  })
})
