import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Options } from "../../src/config/Settings.ts"
import type { JwtParams, SignInParams } from "../../src/Callbacks.ts"
import { keyring } from "../../src/crypto/Keyring.ts"
import * as Jwe from "../../src/crypto/Jwe.ts"
import { at, browser, type Browser, config, cookieOf, signInAt, start, visit } from "../Browser.ts"
import { idp, memoryProvider } from "../MemoryProvider.ts"
import { secret, site, withoutReference } from "../Visitor.ts"

const name = "__Host-authjs.session-token"

const options = (more: Partial<Options> = {}) => config({ providers: [idp()], ...more })

const claimsOf = (person: Browser): Record<string, unknown> => {
  const opened = Jwe.open(keyring([secret], name), person.cookies.get(name) ?? "", { now: start / 1000 }) as Jwe.Opened
  assert.isTrue(opened.ok)
  return opened.ok ? { ...opened.claims } : {}
}

const refusalOf = (location: string | null) => {
  const url = new URL(location ?? "")
  assert.strictEqual(url.origin + url.pathname, `${site}/auth/signin`)
  assert.strictEqual(url.searchParams.get("error"), "OAuthCallbackError")
  return url.searchParams.get("code")
}

const flowCookies = (person: Browser) => [...person.cookies.keys()].filter((one) => /flow|pkce|state|nonce/.test(one))

const form = (back: URL, more: Readonly<Record<string, string>> = {}) => ({
  headers: { "content-type": "application/x-www-form-urlencoded" },
  body: new URLSearchParams({ ...Object.fromEntries(back.searchParams), ...more }).toString()
})

describe("GET callback/<provider>", () => {
  it.effect("tells callbacks and events who came, and gives them a token", () => {
    const provider = memoryProvider()
    const person = browser()
    const asked: Array<SignInParams> = []
    const made: Array<JwtParams> = []
    const told: Array<Record<string, unknown>> = []
    return Effect.gen(function* () {
      yield* signInAt(person, provider)
      const user = { id: asked[0]?.user.id, name: "Ada", email: "ada@example.com" }
      assert.isString(user.id)
      const [signIn] = asked
      assert.deepInclude(signIn?.user, user)
      assert.deepInclude(signIn?.account, {
        provider: "idp",
        type: "oidc",
        providerAccountId: "person-1",
        access_token: "access-token-1",
        refresh_token: "refresh-token-1",
        expires_at: start / 1000 + 3600
      })
      assert.deepInclude(signIn?.profile, { sub: "person-1", email_verified: true })
      const [jwt] = made
      assert.deepStrictEqual(jwt?.token, { name: "Ada", email: "ada@example.com", picture: undefined, sub: user.id })
      assert.strictEqual(jwt?.trigger, "signIn")
      assert.deepStrictEqual(jwt?.account, signIn?.account)
      assert.deepStrictEqual(jwt?.profile, signIn?.profile)
      assert.strictEqual(told.length, 1)
      assert.deepStrictEqual(Object.keys(told[0] ?? {}), ["user", "account", "profile", "isNewUser"])
      assert.deepInclude(claimsOf(person), { name: "Ada", email: "ada@example.com", sub: user.id, role: "x" })
    }).pipe(
      at(
        options({
          callbacks: {
            signIn: (params) => {
              asked.push(params)
              return true
            },
            jwt: (params) => {
              made.push(params)
              return { ...params.token, role: "x" }
            }
          },
          events: { signIn: (message) => told.push({ ...message }) }
        }),
        provider
      )
    )
  })

  it.effect("P014, P013 goes on at once, with nothing of the answer in the address and no referrer", () => {
    const provider = memoryProvider()
    const person = browser()
    return Effect.gen(function* () {
      const back = provider.agree(yield* person.leave("idp", { callbackUrl: "/welcome?tab=1" }))
      back.searchParams.set("session_state", "s")
      back.searchParams.set("iss", "https://idp.example")
      const seen = yield* person.get(back)
      assert.strictEqual(seen.status, 302)
      assert.strictEqual(seen.location, `${site}/welcome?tab=1`)
      assert.strictEqual(seen.headers.get("referrer-policy"), "no-referrer")
      assert.strictEqual(seen.body, "")
    }).pipe(at(options(), provider))
  })

  it.effect("asks for the target once more, and goes to a native application", () => {
    const provider = memoryProvider()
    const person = browser()
    const asked: Array<string> = []
    const redirect = ({ url }: { readonly url: string }): string => {
      asked.push(url)
      return asked.length === 1 ? "myapp://cb" : `${url}?step=${asked.length}`
    }
    return Effect.gen(function* () {
      const seen = yield* person.get(provider.agree(yield* person.leave("idp", {})))
      assert.strictEqual(seen.location, "myapp://cb?step=2")
      assert.deepStrictEqual(asked, [site, "myapp://cb"])
    }).pipe(at(options({ callbacks: { redirect } }), provider))
  })

  it.play("P016 takes the target from the record, never from the answer", visit(options()), function* (scene) {
    const { person, provider } = scene
    const back = provider.agree(yield* person.leave("idp", { callbackUrl: "/welcome" }))
    back.searchParams.set("callbackUrl", "/elsewhere")
    back.searchParams.append("redirect_to", "https://evil.example")
    person.cookies.set("__Secure-authjs.callback-url", encodeURIComponent("https://evil.example"))
    assert.strictEqual((yield* person.get(back)).location, `${site}/welcome`)
  })

  it.play("P013, P014 says nothing of the answer when it is refused either", visit(options()), function* (scene) {
    const { person, provider } = scene
    provider.script["/token"] = () => new Response("oops", { status: 500 })
    const seen = yield* person.get(provider.agree(yield* person.leave(), "code-canary"))
    assert.strictEqual(seen.location, `${site}/auth/signin?error=OAuthCallbackError&code=provider_unavailable`)
    assert.strictEqual(seen.headers.get("referrer-policy"), "no-referrer")
    assert.notInclude(JSON.stringify(seen.lines) + seen.body, "code-canary")
  })

  it.play("P143 removes what the browser kept for an attempt that fails", visit(options()), function* (scene) {
    const { person, provider } = scene
    provider.script["/token"] = () => Response.json({ error: "invalid_grant" }, { status: 400 })
    const seen = yield* person.get(provider.agree(yield* person.leave()))
    assert.strictEqual(refusalOf(seen.location), "provider_error")
    assert.deepStrictEqual(flowCookies(person), [])
    assert.isFalse(person.cookies.has(name))
  })

  it.effect("P142, H089 refuses the code of another user although the provider ignores PKCE", () => {
    const provider = memoryProvider()
    const victim = browser()
    provider.script["/token"] = () => assert.fail("no code is redeemed")
    return Effect.gen(function* () {
      const attacker = provider.agree(yield* browser().leave(), "code-of-attacker")
      const mine = provider.agree(yield* victim.leave())
      const seen = yield* victim.get(attacker)
      assert.strictEqual(refusalOf(seen.location), "flow_mismatch")
      assert.isNull(yield* victim.session)
      // With the victim's own state it is the provider's answer to nothing the victim asked: PKCE and nonce say so.
      delete provider.script["/token"]
      mine.searchParams.set("code", "code-of-attacker")
      assert.strictEqual(refusalOf((yield* victim.get(mine)).location), "provider_error")
      assert.isNull(yield* victim.session)
    }).pipe(at(options(), provider))
  })

  it.effect("P085, H118 shows that the person refused, once, and forgets the attempt", () => {
    const provider = memoryProvider()
    const person = browser()
    return Effect.gen(function* () {
      const back = provider.agree(yield* person.leave())
      back.searchParams.delete("code")
      back.searchParams.set("error", "access_denied")
      back.searchParams.set("error_description", "<script>alert(1)</script>\r\nX: y")
      const seen = yield* person.get(back)
      assert.strictEqual(refusalOf(seen.location), "access_denied")
      assert.deepStrictEqual(flowCookies(person), [])
      assert.strictEqual(provider.count("/token"), 0)
    }).pipe(at(options(), provider))
  })

  it.gen("P085, H119 does not believe an error that belongs to no attempt", at(options()), function* () {
    const person = browser()
    yield* person.leave()
    const before = new Map(person.cookies)
    const seen = yield* person.get("/auth/callback/idp?error=access_denied")
    assert.match(refusalOf(seen.location) ?? "", /^flow_/)
    assert.deepStrictEqual(person.cookies, before)
  })

  it.play("H117 leads a user home who goes back after signing in", visit(options()), function* (scene) {
    const { log, person, provider } = scene
    const back = provider.agree(yield* person.leave())
    yield* person.get(back)
    const token = person.cookies.get(name)
    const again = yield* person.get(back)
    assert.strictEqual(again.location, site)
    assert.isUndefined(again.failure)
    assert.strictEqual(person.cookies.get(name), token)
    assert.strictEqual(provider.count("/token"), 1)
    assert.deepStrictEqual(log.entries, [])
  })

  it.gen("H117 still tells a signed-in user that a provider refused", at(config()), function* () {
    const person = browser()
    yield* person.signInWithPassword()
    const seen = yield* person.get("/auth/callback/idp?error=access_denied&state=s")
    assert.strictEqual(refusalOf(seen.location), "flow_missing")
  })

  it.play("H095 uses nothing up when the browser only looks ahead", visit(options()), function* ({ person, provider }) {
    const back = provider.agree(yield* person.leave())
    for (const headers of [
      { "sec-purpose": "prefetch" },
      { "sec-purpose": "prefetch;prerender" },
      { purpose: "prefetch" }
    ]) {
      const seen = yield* person.get(back, headers)
      assert.strictEqual(seen.status, 204)
      assert.deepStrictEqual(seen.lines, [])
    }
    assert.strictEqual(provider.count("/token"), 0)
    assert.strictEqual((yield* person.get(back)).location, site)
  })

  it.effect("H103, H104, H105 refuses an answer in an odd form before the token request", () => {
    const provider = memoryProvider()
    return Effect.gen(function* () {
      const odd: ReadonlyArray<(parameters: URLSearchParams) => void> = [
        (parameters) => parameters.set("error", "access_denied"),
        (parameters) => parameters.set("code", ""),
        (parameters) => parameters.delete("code"),
        (parameters) => parameters.append("code", "second"),
        (parameters) => parameters.set("code", "x".repeat(100_000)),
        (parameters) => parameters.set("code", "a\u0000b\r\nc"),
        (parameters) => parameters.append("state", parameters.get("state") ?? "")
      ]
      for (const change of odd) {
        const person = browser()
        const back = provider.agree(yield* person.leave())
        change(back.searchParams)
        const seen = yield* person.get(back)
        assert.isNotNull(refusalOf(seen.location))
        assert.isNull(yield* person.session)
      }
      assert.strictEqual(provider.count("/token"), 0)
    }).pipe(at(options(), provider))
  })

  it.play("H106 sends a code with odd characters exactly as it came", visit(options()), function* (scene) {
    const { person, provider } = scene
    const code = "a b+c&d=e#f%00/ü"
    const seen = yield* person.get(provider.agree(yield* person.leave(), code))
    assert.strictEqual(seen.location, site)
  })

  it.play("H111 answers POST with 405 and uses nothing up", visit(options()), function* ({ person, provider }) {
    const back = provider.agree(yield* person.leave())
    const seen = yield* person.send("POST", back, form(back))
    assert.strictEqual(seen.status, 405)
    assert.strictEqual(seen.headers.get("allow"), "GET")
    assert.deepStrictEqual(seen.lines, [])
    assert.strictEqual((yield* person.get(back)).location, site)
  })

  it.gen("H112, H113 knows no callback of unknown providers, and none by GET for passwords", at(), function* () {
    for (const id of ["nobody", "__proto__", "undefined"]) {
      const { location } = yield* browser().get(`/auth/callback/${id}?code=c&state=s`)
      assert.strictEqual(withoutReference(location ?? ""), `${site}/auth/error?error=Configuration`)
    }
    const seen = yield* browser().get("/auth/callback/credentials?username=ann&password=pw")
    assert.strictEqual(seen.status, 405)
    assert.strictEqual(seen.headers.get("allow"), "POST")
    assert.deepStrictEqual(seen.lines, [])
  })

  it.effect("H122 refuses userinfo about another subject", () => {
    const provider = memoryProvider()
    const person = browser()
    provider.script["/userinfo"] = () => Response.json({ sub: "person-2", name: "Eve" })
    return Effect.gen(function* () {
      const seen = yield* signInAt(person, provider)
      assert.match(refusalOf(seen.location) ?? "", /^invalid_/)
      assert.isNull(yield* person.session)
    }).pipe(at(options({ providers: [idp({ idToken: false })] }), provider))
  })

  it.effect("H061 makes a new session for a user who signs in again, and none of the old one remains", () => {
    const provider = memoryProvider()
    const person = browser()
    return Effect.gen(function* () {
      yield* person.signInWithPassword("ann")
      const old = claimsOf(person)
      yield* signInAt(person, provider)
      const fresh = claimsOf(person)
      assert.notStrictEqual(fresh["jti"], old["jti"])
      assert.notStrictEqual(fresh["sub"], old["sub"])
      assert.strictEqual(fresh["name"], "Ada")
      assert.deepStrictEqual(
        [...person.cookies.keys()].filter((one) => one.startsWith(name)),
        [name]
      )
    }).pipe(at(config(), provider))
  })

  describe("with a signIn callback", () => {
    const answers: ReadonlyArray<readonly [string, unknown]> = [
      ["false", false],
      ["undefined", undefined],
      ["null", null],
      ["an empty string", ""],
      ["a number", 1],
      ["an object", {}]
    ]
    for (const [title, answer] of answers) {
      it.effect(`H245 that answers ${title} is refused`, () => {
        const provider = memoryProvider()
        const person = browser()
        return Effect.gen(function* () {
          const seen = yield* signInAt(person, provider)
          assert.strictEqual(seen.location, `${site}/auth/error?error=AccessDenied`)
          assert.deepStrictEqual(flowCookies(person), [])
          assert.isNull(yield* person.session)
        }).pipe(at(options({ callbacks: { signIn: () => answer as boolean } }), provider))
      })
    }

    it.effect("H245 that throws is refused, and what it threw stays in the log", () => {
      const provider = memoryProvider()
      const person = browser()
      return Effect.gen(function* () {
        const seen = yield* signInAt(person, provider)
        assert.strictEqual(seen.location, `${site}/auth/error?error=AccessDenied`)
        assert.isNull(yield* person.session)
      }).pipe(
        at(options({ callbacks: { signIn: () => Promise.reject(new Error("the store is at 10.0.0.1")) } }), provider)
      )
    })

    it.effect("P016, H245 that answers an address goes there without a session, if it may", () => {
      const provider = memoryProvider()
      const person = browser()
      const state = { address: "/join" }
      return Effect.gen(function* () {
        const seen = yield* signInAt(person, provider)
        assert.strictEqual(seen.location, `${site}/join`)
        assert.deepStrictEqual(flowCookies(person), [])
        assert.isNull(yield* person.session)
        state.address = "https://evil.example/join"
        assert.strictEqual((yield* signInAt(person, provider)).location, site)
      }).pipe(at(options({ callbacks: { signIn: () => state.address } }), provider))
    })
  })

  it.effect("signs no user in when the jwt callback returns null, and says so to the event", () => {
    const provider = memoryProvider()
    const person = browser()
    const told: Array<unknown> = []
    return Effect.gen(function* () {
      const seen = yield* signInAt(person, provider)
      assert.strictEqual(seen.location, site)
      assert.isNull(yield* person.session)
      assert.strictEqual(told.length, 1)
    }).pipe(
      at(options({ callbacks: { jwt: () => null }, events: { signIn: (message) => told.push(message) } }), provider)
    )
  })

  it.effect("H283 tells the browser nothing of a jwt callback or an encoder that fails", () => {
    const provider = memoryProvider()
    const person = browser()
    return Effect.gen(function* () {
      const seen = yield* signInAt(person, provider)
      assert.strictEqual(seen.location, `${site}/auth/error?error=Configuration`)
      assert.notInclude(seen.body + JSON.stringify(seen.lines), "10.0.0.1")
      assert.deepStrictEqual(flowCookies(person), [])
      assert.isFalse(person.cookies.has(name))
    }).pipe(at(options({ jwt: { encode: () => Promise.reject(new Error("the store is at 10.0.0.1")) } }), provider))
  })

  it.effect("H284 tells every sign-in and sign-out once, and no refusal", () => {
    const provider = memoryProvider()
    const person = browser()
    const told: Array<string> = []
    return Effect.gen(function* () {
      const back = provider.agree(yield* person.leave())
      yield* person.get(back)
      yield* person.get(back)
      yield* browser().get(back)
      yield* person.submit("/auth/signout")
      yield* person.submit("/auth/signout")
      yield* person.submit("/auth/callback/credentials", { username: "ann", password: "wrong" })
      assert.deepStrictEqual(told, ["signIn", "signOut"])
    }).pipe(
      at(config({ events: { signIn: () => told.push("signIn"), signOut: () => told.push("signOut") } }), provider)
    )
  })
})

describe("POST callback/<provider> with form_post", () => {
  const posted = options({ providers: [idp({ authorization: { params: { response_mode: "form_post" } } })] })

  it.play("H109 takes the answer from the body alone", visit(posted), function* ({ person, provider }) {
    const back = provider.agree(yield* person.leave())
    const seen = yield* person.send("POST", `${back.pathname}?state=x&code=y&error=z`, form(back))
    assert.strictEqual(seen.location, site)
    assert.isNotNull(yield* person.session)
  })

  it.play("H109, P268 has a defined outcome for everything else", visit(posted), function* ({ person, provider }) {
    const back = provider.agree(yield* person.leave())
    const get = yield* person.get(back)
    assert.strictEqual(get.status, 405)
    assert.strictEqual(get.headers.get("allow"), "POST")
    const withoutCookies = yield* browser().send("POST", back.pathname, form(back))
    assert.strictEqual(refusalOf(withoutCookies.location), "flow_missing")
    const empty = yield* person.send("POST", back)
    assert.match(refusalOf(empty.location) ?? "", /^flow_/)
    const denied = new URL(back)
    denied.searchParams.delete("code")
    const seen = yield* person.send("POST", back.pathname, form(denied, { error: "access_denied" }))
    assert.strictEqual(refusalOf(seen.location), "access_denied")
    assert.deepStrictEqual(flowCookies(person), [])
    assert.strictEqual(provider.count("/token"), 0)
  })

  it.play("H110 ignores an odd user field", visit(posted), function* ({ provider }) {
    for (const user of ["{", "null", '"x"', '{"__proto__":{"id":"x"}}', '{"name":"<img src=x onerror=alert(1)>"}']) {
      const person = browser()
      const back = provider.agree(yield* person.leave())
      const seen = yield* person.send("POST", back.pathname, form(back, { user }))
      assert.strictEqual(seen.location, site, user)
      assert.strictEqual((yield* person.session)?.user?.["name"], "Ada")
    }
  })
})

describe("cookies of a whole visit", () => {
  it.play("P137 never hold a value of the attempt in the clear", visit(options()), function* ({ person, provider }) {
    const seen = yield* person.submit("/auth/signin/idp")
    const asked = new URL(seen.location ?? "").searchParams
    yield* person.get(provider.agree(seen.location ?? ""))
    const verifier = new URLSearchParams(provider.received.find(({ path }) => path === "/token")?.body).get(
      "code_verifier"
    )
    assert.isString(verifier)
    for (const line of seen.lines) {
      for (const value of [asked.get("state"), asked.get("nonce"), verifier]) {
        assert.notInclude(cookieOf(line).value, value ?? "")
      }
    }
    assert.notInclude(seen.location ?? "", verifier ?? "")
  })
})
