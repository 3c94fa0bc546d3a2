import { assert, describe, it } from "@effect/vitest"
import { Auth as AuthJs, customFetch, type AuthConfig as AuthJsConfig } from "@auth/core"
import { createHash } from "node:crypto"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { TestClock } from "effect/testing"
import { compile } from "../../src/config/Settings.ts"
import { AuthRequest, fromWeb } from "../../src/http/AuthRequest.ts"
import * as Jwe from "../../src/crypto/Jwe.ts"
import { keyring } from "../../src/crypto/Keyring.ts"
import * as Checks from "../../src/oauth/Checks.ts"
import type { RequestedSignIn } from "../../src/oauth/Flow.ts"
import type { RedirectProvider } from "../../src/Provider/internal/Provider.ts"
import { Auth } from "../../src/index.ts"
import { at, attributesOf, browser, type Browser, config, cookieOf, start, world, visit } from "../Browser.ts"
import { idp, idpOrigin, memoryProvider } from "../MemoryProvider.ts"
import { against, answer, flow, oidc, refusal, scripted } from "./ScriptedProvider.ts"
import { forFunctions } from "../ForFunctions.ts"
import { facade, otherSecret, secret, site, visitor } from "../Visitor.ts"

/** A visit to a site with this one provider. */
const atIdp = () => visit(config({ providers: [idp()] }))

const flowCookies = (person: Browser) => [...person.cookies.keys()].filter((name) => name.includes("flow."))

const refusalOf = (location: string | null) => {
  const url = new URL(location ?? "")
  assert.strictEqual(url.pathname, "/auth/signin")
  assert.strictEqual(url.searchParams.get("error"), "OAuthCallbackError")
  return url.searchParams.get("code")
}

/** The provider of a configuration, as actions see it. */
const providerOf = (options: object = {}): RedirectProvider => {
  const found = Result.getOrThrow(compile(config({ providers: [idp(options)] })).settings).providers.get("idp")
  const provider = Result.getOrThrow(found)
  assert.notStrictEqual(provider._tag, "Credentials")
  return provider as RedirectProvider
}

const requestOf = (cookie?: string): Effect.Effect<AuthRequest["Service"]> =>
  Effect.orDie(
    fromWeb(new Request(`${site}/auth/callback/idp`, { headers: cookie === undefined ? {} : { cookie } }), "/auth")
  )

const attempt: Checks.Attempt = { target: site }

const callback = `${site}/auth/callback/idp`

/** The checks in a request. */
const checks = {
  start: Effect.fnUntraced(function* (request: AuthRequest["Service"], provider: RedirectProvider, of: Checks.Attempt) {
    const flow = yield* Effect.provideService(Checks.start(provider, of), AuthRequest, request)
    const cookies = (requested?: RequestedSignIn) =>
      Effect.provideService(Checks.remember(provider, flow, requested), AuthRequest, request)
    return { flow, cookies }
  }),
  finish: (request: AuthRequest["Service"], provider: RedirectProvider, state: string | undefined) =>
    Effect.provideService(Checks.finish(provider, state), AuthRequest, request)
}

describe("Checks.start", () => {
  it.gen("P134, P135 makes a verifier of 256 bits and its S256 challenge", at(), function* () {
    const { flow } = yield* checks.start(yield* requestOf(), providerOf(), attempt)
    assert.match(flow.codeVerifier ?? "", /^[A-Za-z0-9_-]{43}$/)
    assert.match(flow.state, /^[A-Za-z0-9_-]{43}$/)
    assert.match(flow.nonce ?? "", /^[A-Za-z0-9_-]{43}$/)
    const { location } = yield* browser().submit("/auth/signin/idp")
    assert.match(new URL(location ?? "").searchParams.get("code_challenge") ?? "", /^[A-Za-z0-9_-]{43}$/)
  })

  it.play("P135 asks for the S256 challenge of the verifier that the token request has", atIdp(), function* (scene) {
    const { person, provider } = scene
    const away = yield* person.leave()
    yield* person.get(provider.agree(away))
    const sent = provider.received.find(({ path }) => path === "/token")
    const verifier = new URLSearchParams(sent?.body).get("code_verifier") ?? ""
    const digest = createHash("sha256").update(verifier).digest("base64url")
    assert.strictEqual(new URL(away).searchParams.get("code_challenge"), digest)
  })

  it.gen("P004 draws state, verifier and nonce anew for every attempt", at(), function* () {
    const request = yield* requestOf()
    const provider = providerOf()
    const random = SecureRandom.make((size) => globalThis.crypto.getRandomValues(new Uint8Array(size)))
    const seen = new Set<string | undefined>()
    for (let attempts = 0; attempts < 5_000; attempts++) {
      const { flow } = yield* Effect.provideService(
        checks.start(request, provider, attempt),
        SecureRandom.SecureRandom,
        random
      )
      for (const value of [flow.state, flow.codeVerifier, flow.nonce]) seen.add(value)
    }
    assert.strictEqual(seen.size, 15_000)
  })

  it.gen("P002 makes no nonce for a provider without ID tokens", at(), function* () {
    const provider = providerOf({
      type: "oauth",
      authorization: `${idpOrigin}/a`,
      token: `${idpOrigin}/t`,
      userinfo: `${idpOrigin}/u`
    })
    const { flow } = yield* checks.start(yield* requestOf(), provider, attempt)
    assert.isUndefined(flow.nonce)
    assert.isString(flow.codeVerifier)
  })

  it.gen("leaves out what a provider says that its platform refuses", at(), function* () {
    const begin = (refuses: unknown) =>
      Effect.flatMap(requestOf(), (request) => checks.start(request, providerOf({ refuses }), attempt))
    const neither = yield* begin(["pkce", "nonce"])
    assert.match(neither.flow.state, /^[A-Za-z0-9_-]{43}$/)
    assert.deepStrictEqual([neither.flow.codeVerifier, neither.flow.nonce], [undefined, undefined])
    const noPkce = yield* begin(["pkce"])
    assert.isUndefined(noPkce.flow.codeVerifier)
    assert.isString(noPkce.flow.nonce)
    const noNonce = yield* begin(["nonce"])
    assert.isString(noNonce.flow.codeVerifier)
    assert.isUndefined(noNonce.flow.nonce)
    for (const nothing of [[], null, undefined]) {
      const all = yield* begin(nothing)
      assert.isString(all.flow.codeVerifier)
      assert.isString(all.flow.nonce)
    }
  })

  it.effect("P137 keeps the verifier sealed, HttpOnly, for fifteen minutes, in a cookie of this attempt", () => {
    const person = browser()
    return Effect.gen(function* () {
      const seen = yield* person.submit("/auth/signin/idp")
      const kept = seen.lines.filter((line) => /flow\.|pkce|state|nonce/.test(line))
      assert.strictEqual(kept.length, 1)
      for (const line of kept) {
        assert.deepInclude(attributesOf(line), {
          "max-age": "900",
          httponly: "",
          secure: "",
          path: "/",
          samesite: "Lax"
        })
        assert.match(cookieOf(line).value, /^[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/)
      }
    }).pipe(at(config({ providers: [idp()] })))
  })

  it.gen("names a record by the end of its state, and lets it end after fifteen minutes", at(), function* () {
    const { cookies, flow } = yield* checks.start(yield* requestOf(), providerOf(), attempt)
    const [record] = yield* cookies()
    assert.strictEqual(record?.name, `__Host-authjs.flow.${flow.state.slice(-12)}`)
    assert.strictEqual(record?.options?.maxAge, 900)
  })

  for (const [what, path, warns] of [
    ["short", "/welcome", false],
    ["long, and remembered by its cookie", `/${"x".repeat(2_000)}`, false],
    ["too long for every cookie", `/?${";".repeat(2_000)}`, true]
  ] as const) {
    it.play(`warns when a target is lost: ${what}`, atIdp(), function* ({ log }) {
      yield* browser().leave("idp", { callbackUrl: path })
      const warnings = log.entries.filter(({ level }) => level === "Warn")
      assert.strictEqual(
        warnings.some(({ message }) => String(message).includes("callbacks.redirect")),
        warns
      )
    })
  }

  it.effect("P212 sends the cookies of a form_post attempt along cross-site, all of them and no other", () => {
    const provider = memoryProvider()
    const person = browser()
    return Effect.gen(function* () {
      const seen = yield* person.submit("/auth/signin/idp")
      for (const line of seen.lines) {
        const { samesite, secure } = attributesOf(line)
        const ofAttempt = /flow\.|pkce|state|nonce/.test(cookieOf(line).name)
        assert.strictEqual(samesite, ofAttempt ? "None" : "Lax", line)
        assert.strictEqual(secure, "", line)
      }
      const back = provider.agree(seen.location ?? "")
      const gone = yield* person.send("POST", back.pathname, {
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: back.search.slice(1)
      })
      const removed = gone.lines.filter((line) => cookieOf(line).gone)
      assert.strictEqual(removed.length, 1)
      for (const line of removed) assert.deepInclude(attributesOf(line), { samesite: "None", secure: "" })
      assert.strictEqual((yield* person.session)?.user?.["name"], "Ada")
    }).pipe(at(config({ providers: [idp({ authorization: { params: { response_mode: "form_post" } } })] }), provider))
  })

  it.gen("sets no cookie of Auth.js for an attempt", at(config({ providers: [idp()] })), function* () {
    const person = browser()
    yield* person.leave()
    const secure = [...person.cookies.keys()].filter((name) => name.startsWith("__Secure-"))
    assert.deepStrictEqual(secure, ["__Secure-authjs.callback-url"])
    assert.strictEqual(flowCookies(person).length, 1)
  })

  for (const length of [256, 257, 2_000]) {
    it.effect(
      `H304 five open attempts with targets of ${length} characters take less than 8 kB, and all finish`,
      () => {
        const provider = memoryProvider()
        const person = browser()
        return Effect.gen(function* () {
          const tabs: Array<string> = []
          for (let tab = 0; tab < 5; tab++) {
            const path = `/${tab}`.padEnd(length - site.length, "x")
            tabs.push(yield* person.leave("idp", { callbackUrl: path }))
          }
          assert.strictEqual(flowCookies(person).length, 5)
          const size = [...person.cookies].reduce((sum, [name, value]) => sum + name.length + value.length + 3, 0)
          assert.isBelow(size, 8192)
          for (const [tab, away] of tabs.entries()) {
            const back = yield* person.get(provider.agree(away))
            const latest = length > 256 ? 4 : tab
            assert.strictEqual(back.location, `${site}/${latest}`.padEnd(length, "x"))
          }
        }).pipe(at(config({ providers: [idp()] }), provider))
      }
    )
  }

  it.play("forgets the oldest attempts where an address leaves no room for five", atIdp(), function* ({ person }) {
    for (let tab = 0; tab < 5; tab++) yield* person.leave("idp", { callbackUrl: `/${"x".repeat(200)}` })
    yield* person.leave("idp", { callbackUrl: `/?${"&".repeat(1_200)}` })
    const size = [...person.cookies].reduce((sum, [name, value]) => sum + name.length + value.length + 3, 0)
    assert.isBelow(size, 8192)
    assert.isBelow(flowCookies(person).length, 5)
    assert.isAbove(flowCookies(person).length, 1)
  })

  it.effect("P214 forgets a very long target rather than the attempt", () => {
    const provider = memoryProvider()
    const person = browser()
    const proxy = `https://proxy.example/${"x".repeat(400)}`
    return Effect.gen(function* () {
      const seen = yield* person.submit("/auth/signin/idp", { callbackUrl: `/?${";".repeat(2_000)}` })
      for (const line of seen.lines) assert.isAtMost(line.split(";")[0]?.length ?? 0, 4096, cookieOf(line).name)
      const { search } = provider.agree(seen.location ?? "")
      const back = yield* person.get(`/auth/callback/idp${search}`)
      assert.strictEqual(back.location, site)
      assert.isNotNull(yield* person.session)
    }).pipe(at(config({ providers: [idp()], redirectProxyUrl: proxy }), provider))
  })
})

describe("Checks.finish", () => {
  it.play("P141, H116 finishes attempts of several tabs in any order", atIdp(), function* ({ person, provider }) {
    const tabs = [yield* person.leave(), yield* person.leave(), yield* person.leave()]
    for (const away of [tabs[1], tabs[2], tabs[0]]) {
      const back = yield* person.get(provider.agree(away ?? ""))
      assert.strictEqual(back.location, site)
    }
    assert.deepStrictEqual(flowCookies(person), [])
    assert.strictEqual(provider.count("/token"), 3)
  })

  it.play("remembers five attempts and forgets the oldest first", atIdp(), function* ({ person, provider }) {
    const tabs: Array<string> = []
    for (let tab = 0; tab < 6; tab++) tabs.push(yield* person.leave())
    assert.strictEqual(flowCookies(person).length, 5)
    const first = yield* person.get(provider.agree(tabs[0] ?? ""))
    assert.strictEqual(refusalOf(first.location), "flow_mismatch")
    assert.strictEqual(flowCookies(person).length, 5)
    for (const away of tabs.slice(1)) {
      assert.strictEqual((yield* person.get(provider.agree(away))).location, site)
    }
  })

  it.effect("P225 looks at a few of a thousand records, and sets at most twenty cookies", () =>
    Effect.gen(function* () {
      const person = browser()
      for (let at = 0; at < 1_000; at++) person.cookies.set(`__Host-authjs.flow.${at}`, "x")
      const seen = yield* person.submit("/auth/signin/idp")
      assert.isAtMost(seen.lines.length, 20)
      assert.match(seen.location ?? "", /^https:\/\/idp\.example\/authorize\?/)
    }).pipe(at(config({ providers: [idp()] })))
  )

  describe("says which of the causes it was, before any token request", () => {
    it.play("P005, H097, H119 flow_missing: this browser began nothing", atIdp(), function* ({ provider }) {
      const back = provider.agree(yield* browser().leave())
      const seen = yield* browser().get(back)
      assert.strictEqual(refusalOf(seen.location), "flow_missing")
      assert.strictEqual(provider.count("/token"), 0)
      assert.deepStrictEqual(seen.lines, [])
    })

    it.play("H097 flow_mismatch: another attempt of this browser, which stays open", atIdp(), function* (scene) {
      const { person, provider } = scene
      const mine = provider.agree(yield* person.leave())
      const other = provider.agree(yield* browser().leave())
      const before = new Map(person.cookies)
      const seen = yield* person.get(other)
      assert.strictEqual(refusalOf(seen.location), "flow_mismatch")
      assert.deepStrictEqual(person.cookies, before)
      assert.strictEqual((yield* person.get(mine)).location, site)
    })

    it.play("H115 flow_expired: it took longer than fifteen minutes", atIdp(), function* ({ person, provider }) {
      const back = provider.agree(yield* person.leave())
      yield* TestClock.adjust("16 minutes")
      const seen = yield* person.get(back)
      assert.strictEqual(refusalOf(seen.location), "flow_expired")
      assert.strictEqual(provider.count("/token"), 0)
      assert.deepStrictEqual(flowCookies(person), [])
      const page = yield* person.get(seen.location ?? "")
      assert.strictEqual(page.status, 200)
      assert.include(page.body, `action="/auth/signin/idp"`)
    })

    it.play("flow_other_host: it was begun on another port of this machine", atIdp(), function* ({ provider }) {
      const person = browser("http://localhost:3000")
      const back = provider.agree(yield* person.leave())
      const seen = yield* person.get(new URL(`${back.pathname}${back.search}`, "http://localhost:3001"))
      assert.strictEqual(refusalOf(seen.location), "flow_other_host")
      assert.strictEqual(provider.count("/token"), 0)
    })

    it.play("H100 flow_used: the answer came before, with the same cookies", atIdp(), function* ({ person, provider }) {
      const back = provider.agree(yield* person.leave())
      const copy = browser()
      for (const [name, value] of person.cookies) copy.cookies.set(name, value)
      yield* person.get(back)
      const again = yield* copy.get(back)
      assert.strictEqual(refusalOf(again.location), "flow_used")
      assert.strictEqual(provider.count("/token"), 1)
      assert.isNull(yield* copy.session)
    })

    it.play("H100 flow_used: as long as the record is good", atIdp(), function* ({ person, provider }) {
      const back = provider.agree(yield* person.leave())
      const copy = browser()
      for (const [name, value] of person.cookies) copy.cookies.set(name, value)
      yield* person.get(back)
      yield* TestClock.adjust("890 seconds")
      assert.strictEqual(refusalOf((yield* copy.get(back)).location), "flow_used")
      assert.strictEqual(provider.count("/token"), 1)
    })

    it.gen("flow_unknown_key: the secret was changed meanwhile", function* () {
      const provider = memoryProvider()
      const person = browser()
      const before = world(config({ providers: [idp()] }), provider)
      const after = world(config({ providers: [idp()], secret: otherSecret }), provider)
      const back = provider.agree(yield* Effect.provide(person.leave(), before))
      const seen = yield* Effect.provide(person.get(back), after)
      assert.strictEqual(refusalOf(seen.location), "flow_unknown_key")
      assert.strictEqual(provider.count("/token"), 0)
    })

    it.gen("P242 and none when the old secret is still listed", function* () {
      const provider = memoryProvider()
      const person = browser()
      const before = world(config({ providers: [idp()] }), provider)
      const after = world(config({ providers: [idp()], secret: [otherSecret, secret] }), provider)
      const back = provider.agree(yield* Effect.provide(person.leave(), before))
      assert.strictEqual((yield* Effect.provide(person.get(back), after)).location, site)
    })
  })

  it.effect("P008, H098 refuses the answer of one provider at the address of another", () => {
    const provider = memoryProvider()
    const person = browser()
    return Effect.gen(function* () {
      const back = provider.agree(yield* person.leave("idp"))
      back.pathname = "/auth/callback/other"
      const seen = yield* person.get(back)
      assert.strictEqual(refusalOf(seen.location), "flow_mismatch")
      assert.strictEqual(provider.count("/token"), 0)
    }).pipe(at(config({ providers: [idp(), idp({ id: "other" })] }), provider))
  })

  it.gen("P008 binds a record to its provider by itself, without the client's help", at(), function* () {
    const provider = providerOf()
    const started = yield* checks.start(yield* requestOf(), provider, attempt)
    const requested = { maxAge: 60, acr: ["gold"], hd: "example.com" }
    const [record] = yield* started.cookies(requested)
    const request = yield* requestOf(`${record?.name}=${record?.value}`)
    const finish = (at: RedirectProvider) => checks.finish(request, at, started.flow.state)
    const refused = yield* Effect.flip(finish({ ...provider, id: "other" }))
    assert.strictEqual(refused.code, "flow_mismatch")
    const { flow } = yield* finish(provider)
    assert.strictEqual(JSON.stringify({ ...started.flow, ...flow }), JSON.stringify({ ...started.flow, requested }))
  })

  for (const redirectUri of [callback, "https://proxy.example/auth/callback/idp"]) {
    it.gen(`brings back the session that asked, and the redirect URI ${redirectUri}`, at(), function* () {
      const provider = providerOf({ authorization: { params: { redirect_uri: redirectUri } } })
      const started = yield* checks.start(yield* requestOf(), provider, {
        ...attempt,
        session: "asker",
        isRemembered: false
      })
      const [record] = yield* started.cookies()
      const request = yield* requestOf(`${record?.name}=${record?.value}`)
      const { flow } = yield* checks.finish(request, provider, started.flow.state)
      assert.deepStrictEqual([flow.redirectUri, flow.session, flow.isRemembered], [redirectUri, "asker", false])
    })
  }

  it.play("H097 leaves the cookies of Auth.js to the attempt that is still open", atIdp(), function* (scene) {
    const { person, provider } = scene
    const first = yield* person.leave()
    const second = yield* person.leave()
    const plain = [...person.cookies].filter(([name]) => /pkce|state|nonce/.test(name))
    yield* person.get(provider.agree(first))
    assert.deepStrictEqual(
      [...person.cookies].filter(([name]) => /pkce|state|nonce/.test(name)),
      plain
    )
    yield* person.get(provider.agree(second))
    assert.deepStrictEqual(
      [...person.cookies.keys()].filter((name) => /flow|pkce|state|nonce/.test(name)),
      []
    )
  })

  it.play("P139, H099 refuses a record that is missing, another's, cut or damaged", atIdp(), function* ({ provider }) {
    const damages: ReadonlyArray<(value: string, other: string) => string> = [
      () => "",
      (_, other) => other,
      (value) => value.slice(0, -1),
      (value) => value.slice(0, value.length / 2),
      (value) => value.split(".").toReversed().join("."),
      (value) => `${value}${value}`
    ]
    for (const damage of damages) {
      const person = browser()
      const away = [yield* person.leave(), yield* person.leave()]
      const [mine = "", other = ""] = flowCookies(person)
      person.cookies.set(mine, damage(person.cookies.get(mine) ?? "", person.cookies.get(other) ?? ""))
      const seen = yield* person.get(provider.agree(away[0] ?? ""))
      assert.strictEqual(refusalOf(seen.location), "flow_mismatch")
      assert.strictEqual(provider.count("/token"), 0)
      assert.strictEqual((yield* person.get(provider.agree(away[1] ?? ""))).location, site)
      assert.strictEqual(provider.count("/token"), 1)
      provider.received.length = 0
    }
  })

  it.effect("H099 goes by the record alone: the plain cookies of another attempt do not help or harm", () => {
    const provider = memoryProvider()
    const person = browser()
    const other = browser()
    return Effect.gen(function* () {
      const back = provider.agree(yield* person.leave())
      yield* other.leave()
      for (const [name, value] of other.cookies) if (name.startsWith("__Secure-")) person.cookies.set(name, value)
      assert.strictEqual((yield* person.get(back)).location, site)
    }).pipe(at(config({ providers: [idp()] }), provider))
  })

  it.play("P139 does not take plain cookies of our own for a record", atIdp(), function* ({ person, provider }) {
    const back = provider.agree(yield* person.leave())
    for (const name of flowCookies(person)) person.cookies.delete(name)
    const seen = yield* person.get(back)
    assert.strictEqual(refusalOf(seen.location), "flow_missing")
    assert.strictEqual(provider.count("/token"), 0)
  })

  it.play("P213 trusts none of two different records of one name", atIdp(), function* ({ person, provider }) {
    const back = provider.agree(yield* person.leave())
    const [name = ""] = flowCookies(person)
    const cookie = `${name}=${person.cookies.get(name)}; ${name}=junk`
    const seen = yield* browser().get(back, { cookie })
    assert.strictEqual(refusalOf(seen.location), "flow_mismatch")
    assert.strictEqual(provider.count("/token"), 0)
  })

  it.effect("P007, H101 gives one session and makes one token request for fifty parallel answers", () => {
    const provider = memoryProvider()
    const person = browser()
    return Effect.gen(function* () {
      const back = provider.agree(yield* person.leave())
      const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join("; ")
      const answers = yield* Effect.all(
        Array.from({ length: 50 }, () => browser().get(back, { cookie })),
        { concurrency: "unbounded" }
      )
      const signedIn = answers.filter(({ lines }) => lines.some((line) => line.includes("session-token=")))
      assert.strictEqual(signedIn.length, 1)
      assert.strictEqual(provider.count("/token"), 1)
      for (const answer of answers) {
        if (answer === signedIn[0]) continue
        assert.strictEqual(refusalOf(answer.location), "flow_used")
        assert.strictEqual(answer.failure?.status, 400)
      }
    }).pipe(at(config({ providers: [idp()] }), provider))
  })
})

describe("A redirect proxy", () => {
  const proxied = (secrets = secret) =>
    config({ providers: [idp()], redirectProxyUrl: "https://proxy.example/auth", secret: secrets })

  it.effect("H017 passes the answer on to the deployment that asked, once, with everything that came", () => {
    const provider = memoryProvider()
    const preview = browser("https://preview.example")
    const proxy = browser("https://proxy.example")
    return Effect.gen(function* () {
      const away = yield* preview.leave("idp", { callbackUrl: "/welcome" })
      const asked = new URL(away).searchParams
      assert.strictEqual(asked.get("redirect_uri"), "https://proxy.example/auth/callback/idp")
      assert.match(asked.get("state") ?? "", /^[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/)
      const atProxy = provider.agree(away)
      atProxy.searchParams.set("iss", idpOrigin)
      const forwarded = yield* proxy.get(atProxy)
      assert.strictEqual(forwarded.status, 302)
      assert.deepStrictEqual(forwarded.lines, [])
      const home = new URL(forwarded.location ?? "")
      assert.strictEqual(home.origin + home.pathname, "https://preview.example/auth/callback/idp")
      assert.deepStrictEqual([...home.searchParams], [...atProxy.searchParams])
      const end = yield* preview.get(home)
      assert.strictEqual(end.location, "https://preview.example/welcome")
      assert.strictEqual((yield* preview.session)?.user?.["name"], "Ada")
      const again = yield* proxy.get(atProxy)
      assert.strictEqual(refusalOf(again.location), "flow_missing")
    }).pipe(at(proxied(), provider))
  })

  it.play("signs people in for itself too", visit(proxied()), function* ({ provider }) {
    const person = browser("https://proxy.example")
    const end = yield* person.get(provider.agree(yield* person.leave()))
    assert.strictEqual(end.location, "https://proxy.example")
  })

  it.effect("H121 redirects no browser for a state that it did not seal, or sealed too long ago", () => {
    const provider = memoryProvider()
    const preview = browser("https://preview.example")
    const proxy = browser("https://proxy.example")
    return Effect.gen(function* () {
      const away = provider.agree(yield* preview.leave())
      const state = away.searchParams.get("state") ?? ""
      const foreign = yield* Effect.provide(preview.leave(), world(proxied(otherSecret), provider))
      const states = [
        new URL(foreign).searchParams.get("state") ?? "",
        `${state.slice(0, -1)}${state.endsWith("A") ? "B" : "A"}`,
        Buffer.from(JSON.stringify({ origin: "https://evil.example" })).toString("base64url"),
        "https://evil.example"
      ]
      for (const forged of states) {
        away.searchParams.set("state", forged)
        const seen = yield* proxy.get(away)
        assert.strictEqual(refusalOf(seen.location), "flow_missing")
        assert.strictEqual(new URL(seen.location ?? "").origin, "https://proxy.example")
      }
      away.searchParams.set("state", state)
      yield* TestClock.adjust("16 minutes")
      assert.strictEqual(refusalOf((yield* proxy.get(away)).location), "flow_missing")
      assert.strictEqual(provider.count("/token"), 0)
    }).pipe(at(proxied(), provider))
  })

  it.play("H121 does not take a state that was sealed for another purpose", visit(proxied()), function* ({ provider }) {
    const preview = browser("https://preview.example")
    const away = provider.agree(yield* preview.leave())
    const [flow = ""] = flowCookies(preview)
    away.searchParams.set("state", preview.cookies.get(flow) ?? "")
    const seen = yield* browser("https://proxy.example").get(away)
    assert.strictEqual(refusalOf(seen.location), "flow_missing")
  })
})

describe("A sign-in under way at the change from or to Auth.js", () => {
  type Checked = "pkce" | "state" | "nonce"

  /** One configuration for both, with a provider that both ask through its own `fetch`. */
  const scene = (checks: ReadonlyArray<Checked>) => {
    const provider = memoryProvider()
    const options = {
      secret,
      trustHost: true,
      basePath: "/auth",
      providers: [{ ...idp({ checks: [...checks] }), [customFetch]: provider.fetch }],
      logger: { error: () => undefined }
    }
    // The two declare their options differently; what they read of these is the same.
    const theirs = options as unknown as AuthJsConfig
    return {
      provider,
      person: visitor((request) => AuthJs(request, theirs)),
      ours: facade(options),
      theirs: (request: Request) => AuthJs(request, theirs)
    }
  }

  const move = (from: ReturnType<typeof visitor>, to: (request: Request) => Promise<Response>) => {
    const moved = visitor(to)
    for (const [name, value] of from.cookies) moved.cookies.set(name, value)
    return moved
  }

  const kinds: ReadonlyArray<ReadonlyArray<Checked>> = [
    ["pkce"],
    ["state"],
    ["pkce", "state"],
    ["pkce", "state", "nonce"]
  ]

  for (const checks of kinds) {
    it(`ends here when Auth.js began it with ${checks.join(", ")}`, async () => {
      const { ours, person, provider } = scene(checks)
      const away = await person.submit("/auth/signin/idp", { callbackUrl: "/welcome" })
      const asked = new URL(away.headers.get("location") ?? "")
      assert.strictEqual(asked.origin, idpOrigin)
      const here = move(person, ours)
      const back = provider.agree(asked.href)
      const end = await here.get(`${back.pathname}${back.search}`)
      // Without PKCE the provider in memory knows no challenge and gives no tokens.
      if (!checks.includes("pkce")) {
        assert.strictEqual(refusalOf(end.headers.get("location")), "provider_error")
        return
      }
      assert.strictEqual(end.headers.get("location"), `${site}/welcome`)
      assert.strictEqual((await here.session())?.user?.["name"], "Ada")
      for (const name of here.cookies.keys()) assert.notMatch(name, /pkce|state|nonce/)
      const replay = await move(person, ours).get(`${back.pathname}${back.search}`)
      assert.strictEqual(refusalOf(replay.headers.get("location")), "flow_used")
    })
  }

  it("P142 refuses an answer with a state that Auth.js did not send, and the other way round", async () => {
    for (const checks of [["pkce"], ["pkce", "state"]] as const) {
      const { ours, person, provider } = scene(checks)
      const away = await person.submit("/auth/signin/idp")
      const back = provider.agree(away.headers.get("location") ?? "")
      if (checks.length === 1) back.searchParams.set("state", "another")
      else back.searchParams.delete("state")
      const end = await move(person, ours).get(`${back.pathname}${back.search}`)
      assert.match(refusalOf(end.headers.get("location")) ?? "", /^flow_/)
      assert.strictEqual(provider.count("/token"), 0)
    }
  })

  it.effect("P142 needs PKCE or a nonce, and no state in the answer, where the attempt had none", () => {
    const stateless = { ...flow, state: "" }
    const answers = [
      answer({ code: "code-1", state: "state-1" }, stateless),
      answer({ code: "code-1", state: "" }, stateless),
      answer({ code: "code-1" }, { ...stateless, codeVerifier: undefined, nonce: undefined }),
      answer({ code: "code-1" })
    ]
    const provider = scripted()
    return Effect.gen(function* () {
      for (const given of answers) assert.strictEqual((yield* refusal(oidc(), given)).code, "flow_mismatch")
      assert.deepStrictEqual(provider.sent, [])
    }).pipe((program) => against(provider, program))
  })

  it("P213 trusts none of two different cookies of Auth.js", async () => {
    const { ours, person, provider } = scene(["pkce"])
    const away = await person.submit("/auth/signin/idp")
    const back = provider.agree(away.headers.get("location") ?? "")
    const name = "__Secure-authjs.pkce.code_verifier"
    const cookie = `${name}=${person.cookies.get(name)}; ${name}=junk`
    const end = await visitor(ours).get(`${back.pathname}${back.search}`, { cookie })
    assert.strictEqual(refusalOf(end.headers.get("location")), "flow_missing")
    assert.strictEqual(provider.count("/token"), 0)
  })

  it("P008, H098 takes no cookies of Auth.js that are for another provider", async () => {
    const { person, provider } = scene(["pkce"])
    const away = await person.submit("/auth/signin/idp")
    const back = provider.agree(away.headers.get("location") ?? "")
    const other = { ...idp({ id: "other", checks: ["pkce"] }), [customFetch]: provider.fetch }
    const here = move(person, facade({ secret, trustHost: true, basePath: "/auth", providers: [other] }))
    const end = await here.get(`/auth/callback/other${back.search}`)
    assert.strictEqual(refusalOf(end.headers.get("location")), "flow_missing")
    assert.strictEqual(provider.count("/token"), 0)
  })

  it("H097 keeps the cookies of Auth.js when a foreign answer arrives meanwhile", async () => {
    const { ours, person, provider } = scene(["pkce", "state"])
    const away = await person.submit("/auth/signin/idp")
    const here = move(person, ours)
    const foreign = await here.get("/auth/callback/idp?code=c&state=foreign")
    assert.match(refusalOf(foreign.headers.get("location")) ?? "", /^flow_/)
    assert.deepStrictEqual(foreign.headers.getSetCookie(), [])
    const back = provider.agree(away.headers.get("location") ?? "")
    const end = await here.get(`${back.pathname}${back.search}`)
    assert.strictEqual(end.headers.get("location"), site)
  })

  it("shares the session afterwards, both ways", async () => {
    const { ours, person, theirs } = scene(["pkce"])
    void person
    const options = { secret, trustHost: true, basePath: "/auth" }
    const signedIn = visitor((request) => Auth(request, forFunctions({ ...options, providers: config().providers })))
    await signedIn.signIn("ann")
    assert.strictEqual((await move(signedIn, theirs).session())?.user?.["name"], "ann")
    assert.strictEqual((await move(signedIn, ours).session())?.user?.["name"], "ann")
  })
})

describe("Checks, method by method", () => {
  const flowName = "__Host-authjs.flow"
  const verifierName = "__Secure-authjs.pkce.code_verifier"
  const stateName = "__Secure-authjs.state"
  const nonceName = "__Secure-authjs.nonce"
  const plainOAuth = {
    type: "oauth",
    authorization: `${idpOrigin}/a`,
    token: `${idpOrigin}/t`,
    userinfo: `${idpOrigin}/u`
  }

  const seal = (name: string, claims: object): string =>
    Jwe.seal(
      keyring([secret], name),
      { ...claims },
      { now: start / 1000, maxAge: 900, random: (size) => new Uint8Array(size).fill(7) }
    ) as string

  const claimsOf = (name: string, token: string | undefined) => {
    const opened = Jwe.open(keyring([secret], name), token ?? "", { now: start / 1000 }) as Jwe.Opened
    assert(opened.ok)
    return opened.claims
  }

  /** The attempt that begins with the cookies of a request, and the cookies that it sets. */
  const begin = Effect.fnUntraced(function* (options: object = {}, cookie = "", more: object = {}) {
    const started = yield* checks.start(yield* requestOf(cookie), providerOf(options), { ...attempt, ...more })
    return { flow: started.flow, cookies: yield* started.cookies() }
  })

  const finish = Effect.fnUntraced(function* (cookie: string, state: string | undefined, options: object = {}) {
    return yield* checks.finish(yield* requestOf(cookie), providerOf(options), state)
  })

  const codeOf = (cookie: string, state?: string, options: object = {}) =>
    Effect.map(Effect.flip(finish(cookie, state, options)), (failure) => ("code" in failure ? failure.code : undefined))

  it.effect(
    "a record holds what cannot be worked out again, and when an attempt began whose session may be ended",
    () =>
      Effect.gen(function* () {
        const provider = providerOf()
        assert(provider._tag === "Oidc")
        const recorded = Effect.fnUntraced(function* (backchannelLogout: boolean, redirectUri: string) {
          const authorizationParameters = [["redirect_uri", redirectUri] as const]
          const ends = { ...provider, backchannelLogout, authorizationParameters }
          const { cookies } = yield* checks.start(yield* requestOf(), ends, attempt)
          const [record] = yield* cookies()
          return claimsOf(flowName, record?.value)
        })
        const { exp: _exp, iat: _iat, jti: _jti, ...claims } = yield* recorded(false, callback)
        assert.strictEqual(
          Object.keys(claims).toSorted().join(" "),
          "codeVerifier host issuer nonce provider requested state target"
        )
        const { begun, redirectUri } = yield* recorded(true, "https://proxy.example/callback")
        assert.deepStrictEqual([begun, redirectUri], [start, "https://proxy.example/callback"])
        const oauth = yield* begin(plainOAuth)
        assert.notProperty(claimsOf(flowName, oauth.cookies[0]?.value), "begun")
      }).pipe(at())
  )

  it.effect("a sealed state holds random bytes", () =>
    Effect.gen(function* () {
      const { flow } = yield* begin({ checks: ["pkce"] })
      assert.match(String(claimsOf("encodedState", flow.state)["random"]), /^[\w-]{43}$/)
    }).pipe(at(config({ redirectProxyUrl: "https://proxy.example/auth" })))
  )

  it.gen("a new attempt looks at twelve others, keeps four, and none where there is no room", at(), function* () {
    const open = (count: number, length: number) =>
      Array.from({ length: count }, (_, at) => `__Host-authjs.flow.${at}=${"x".repeat(length)}`).join("; ")
    const removed = ({ cookies }: Effect.Success<ReturnType<typeof begin>>) =>
      cookies.filter(({ value }) => value === "").map(({ name }) => name.replace("__Host-authjs.flow.", ""))
    assert.deepStrictEqual(removed(yield* begin({}, open(20, 5))), ["0", "1", "2", "3", "4", "5", "6", "7"])
    assert.deepStrictEqual(removed(yield* begin({}, open(4, 5))), [])
    assert.deepStrictEqual(removed(yield* begin({}, open(2, 9000))), ["0", "1"])
  })

  it.gen("a record counts, and not what Auth.js left beside it", at(), function* () {
    const { cookies, flow } = yield* begin({}, "", { target: `${site}/own` })
    const [record] = cookies
    const mine = `${record?.name}=${record?.value}`
    const theirs = `${stateName}=${seal(stateName, { value: flow.state, provider: "idp" })}`
    const beside = yield* finish(`${mine}; ${theirs}; __Host-authjs.flow.other=x`, flow.state)
    assert.strictEqual(beside.flow.target, `${site}/own`)
    assert.deepStrictEqual(
      beside.cookies.map(({ name }) => name),
      [record?.name]
    )
    // The record is used as long as it opens.
    yield* TestClock.setTime(start + 890_000)
    assert.strictEqual(yield* codeOf(`${mine}; ${theirs}`, flow.state), "flow_used")
    yield* TestClock.setTime(start + 916_000)
    const fresh = `${verifierName}=${seal(verifierName, { value: "v", provider: "idp" })}`
    assert.strictEqual(yield* codeOf(`${mine}; ${fresh}`, flow.state), "flow_expired")
  })

  it.gen("an attempt of Auth.js ends here beside an attempt that is open", at(), function* () {
    const theirs = `${stateName}=${seal(stateName, { value: "their state, 12*", provider: "idp" })}`
    const { cookies, flow } = yield* finish(`__Host-authjs.flow.other=x; ${theirs}`, "their state, 12*")
    assert.strictEqual(flow.id, "r_state__12_")
    assert.strictEqual(flow.target, site)
    assert.isUndefined(flow.isRemembered)
    assert.deepStrictEqual(
      cookies.map(({ name, value }) => [name, value]),
      [[stateName, ""]]
    )
  })

  it.effect(
    "cookies of Auth.js are refused for another state, of other values, and a nonce without OpenID Connect",
    () =>
      Effect.gen(function* () {
        const of = (name: string, claims: object) => `${name}=${seal(name, { provider: "idp", ...claims })}`
        assert.strictEqual(yield* codeOf(of(stateName, { value: "a" }), "b"), "flow_mismatch")
        assert.strictEqual(yield* codeOf(of(stateName, { value: 7 })), "flow_missing")
        assert.strictEqual(yield* codeOf(of(nonceName, { value: "n" }), undefined, plainOAuth), "flow_missing")
        assert.strictEqual((yield* finish(of(nonceName, { value: "n" }), undefined)).flow.nonce, "n")
        const failure = yield* Effect.flip(finish("", "a state"))
        assert.strictEqual(
          "detail" in failure ? failure.detail : undefined,
          "The browser holds no record of a sign-in attempt"
        )
      }).pipe(at())
  )
})
