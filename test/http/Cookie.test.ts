import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { compile } from "../../src/config/Settings.ts"
import * as Cookie from "../../src/http/Cookie.ts"
import { at, attributesOf, browser, config, cookieOf } from "../Browser.ts"
import { idp, memoryProvider } from "../MemoryProvider.ts"

/** The identity of a cookie and its readers: everything but its lifetime. */
const lasting = (line: string) => {
  const { expires: _expires, "max-age": _age, ...attributes } = attributesOf(line)
  return attributes
}

const right = { username: "ann", password: "pw" }

const names = (policy: Cookie.CookiePolicy) => Object.values(policy).map(({ name }) => name)

describe("Cookie.policy", () => {
  it("P208 gives cookies over https a prefix: __Host- where no domain can be wanted, __Secure- elsewhere", () => {
    const policy = Cookie.policy(true)
    assert.deepStrictEqual(names(policy), [
      "__Host-authjs.session-token",
      "__Secure-authjs.callback-url",
      "__Host-authjs.csrf-token",
      "__Secure-authjs.challenge",
      "__Host-authjs.flow",
      "__Host-authjs.link",
      "__Host-authjs.address-proof",
      "__Host-authjs.browser",
      "__Secure-authjs.id-token",
      "__Secure-authjs.logout",
      "__Host-authjs.provider-tokens"
    ])
    for (const { options } of Object.values(policy)) {
      assert.deepInclude(options, { httpOnly: true, secure: true, sameSite: "lax", path: "/" })
      assert.isUndefined(options.domain)
    }
  })

  it("has no prefixes and no Secure over http", () => {
    const policy = Cookie.policy(false)
    for (const name of names(policy)) assert.match(name, /^authjs\./)
    for (const { options } of Object.values(policy)) assert.isFalse(options.secure)
  })

  it("keeps what an override leaves out", () => {
    const { flow, sessionToken } = Cookie.policy(true, {
      sessionToken: { options: { domain: "example.com", sameSite: undefined } },
      state: { name: "attempt", options: { maxAge: 60 } }
    })
    assert.deepStrictEqual(sessionToken, {
      name: "__Secure-authjs.session-token",
      options: { httpOnly: true, sameSite: "lax", path: "/", secure: true, domain: "example.com" }
    })
    assert.strictEqual(flow.name, "attempt")
    assert.strictEqual(flow.options.maxAge, 60)
  })
})

describe("Cookie.check", () => {
  const refused: ReadonlyArray<readonly [string, Cookie.CookieOverrides]> = [
    ["P209 a __Host- cookie with a domain", { csrfToken: { options: { domain: "example.com" } } }],
    ["P209 a __Host- cookie with a path", { csrfToken: { options: { path: "/auth" } } }],
    ["P209 a __Host- cookie that is not secure", { csrfToken: { options: { secure: false } } }],
    ["P209 a __Secure- cookie that is not secure", { sessionToken: { options: { secure: false } } }],
    ["P212 SameSite=None without Secure", { state: { name: "s", options: { sameSite: "none", secure: false } } }],
    [
      "P224 a partitioned cookie without Secure",
      { state: { name: "n", options: { partitioned: true, secure: false } } }
    ],
    ["P215 a path of more than 1024 characters", { state: { options: { path: `/${"x".repeat(1024)}` } } }],
    ["P215 a domain of more than 1024 characters", { state: { options: { domain: "x".repeat(1025) } } }],
    ["P218 a path with a semicolon", { state: { options: { path: "/; Domain=example.com" } } }],
    ["P218 a domain with a line break", { state: { options: { domain: "example.com\r\nSet-Cookie: a=b" } } }],
    ["P218 a name with a space", { sessionToken: { name: "session token" } }],
    ["P218 a name with an equals sign", { sessionToken: { name: "a=b" } }],
    ["P218 a name beyond ASCII", { sessionToken: { name: "größe" } }],
    ["P214 a name that leaves no room for a value", { sessionToken: { name: "x".repeat(300) } }]
  ]
  for (const [title, cookies] of refused) {
    it(`${title} is a configuration error that names the cookie`, () => {
      const [problem] = compile(config({ cookies })).problems()
      assert.strictEqual(problem?.error._tag, "InvalidConfiguration")
      assert.include(problem?.error.message, `cookies.${Object.keys(cookies)[0]}`)
    })
  }

  it("accepts a domain for the cookies that may have one, and an own name without a prefix", () => {
    const { settings } = compile(
      config({
        cookies: {
          sessionToken: { options: { domain: "example.com" } },
          csrfToken: { name: "csrf", options: { domain: "example.com", path: "/auth" } }
        }
      })
    )
    assert.isTrue(Result.isSuccess(settings))
  })
})

describe("Cookie.serialize", () => {
  const template = { name: "a", options: {} }

  it("writes all attributes in one order", () => {
    assert.strictEqual(
      Cookie.serialize(
        Cookie.set(template, "v", {
          maxAge: 60.9,
          domain: "example.com",
          path: "/",
          expires: new Date(0),
          httpOnly: true,
          secure: true,
          partitioned: true,
          priority: "high",
          sameSite: true
        })
      ),
      "a=v; Max-Age=60; Domain=example.com; Path=/; Priority=High; Expires=Thu, 01 Jan 1970 00:00:00 GMT; " +
        "HttpOnly; Secure; Partitioned; SameSite=Strict"
    )
    assert.strictEqual(Cookie.serialize(Cookie.set(template, "v", { sameSite: "none" })), "a=v; SameSite=None")
    assert.strictEqual(Cookie.serialize(Cookie.set(template, "v", { sameSite: false, secure: false })), "a=v")
  })

  it("P218 encodes what may not stand in a value", () => {
    for (const value of ["a b", 'a"b', "a\\b", "a,b", "a;b", "a\u0000b", "a\r\nb", "a=b", "日本", "%"]) {
      const line = Cookie.serialize(Cookie.set(template, value))
      assert.strictEqual(line, `a=${encodeURIComponent(value)}`)
      assert.match(line, /^a=[!#-+\--:<-[\]-~]+$/)
    }
  })

  it("P218 takes what an own encoder makes only when it may stand there", () => {
    const encode = (value: string) => value
    assert.strictEqual(Cookie.serialize(Cookie.set(template, "a=b/c:d", { encode })), "a=a=b/c:d")
    for (const value of ["a; Domain=evil.example", "a\r\nSet-Cookie: b=c", 'a"', "a b", "日本"]) {
      assert.strictEqual(Cookie.serialize(Cookie.set(template, value, { encode })), `a=${encodeURIComponent(value)}`)
    }
  })

  it("P211 removes a cookie with the attributes that it was set with", () => {
    for (const template of Object.values(
      Cookie.policy(true, { sessionToken: { options: { domain: "example.com" } } })
    )) {
      const made = Cookie.serialize(Cookie.set(template, "v"))
      const gone = Cookie.serialize(Cookie.clear(template))
      assert.deepStrictEqual(lasting(gone), lasting(made))
      assert.strictEqual(attributesOf(gone)["max-age"], "0")
      assert.isUndefined(attributesOf(gone)["expires"])
    }
  })
})

describe("Cookies of the actions", () => {
  it.effect("P208, P211 have one set of attributes in a whole visit", () => {
    const provider = memoryProvider()
    const person = browser()
    return Effect.gen(function* () {
      const made = new Map<string, Record<string, string>>()
      const look = (lines: ReadonlyArray<string>) => {
        for (const line of lines) {
          const { gone, name } = cookieOf(line)
          // Signing out removes what another host of the domain may have set as well.
          if (gone && line.includes("; Domain=")) continue
          if (gone) assert.deepStrictEqual(lasting(line), made.get(name), name)
          else made.set(name, lasting(line))
          assert.include(line, "; Secure")
          assert.include(line, "; HttpOnly")
          assert.include(line, "; Path=/")
          assert.notInclude(line, "Domain=")
        }
      }
      look((yield* person.get("/auth/csrf")).lines)
      const away = yield* person.submit("/auth/signin/idp")
      look(away.lines)
      look((yield* person.get(provider.agree(away.location ?? ""))).lines)
      look((yield* person.get("/auth/session")).lines)
      look((yield* person.submit("/auth/signout")).lines)
      assert.sameMembers(
        [...made.keys()].map((name) => name.replace(/flow\..*/, "flow")),
        [
          "__Host-authjs.csrf-token",
          "__Host-authjs.flow",
          "__Secure-authjs.callback-url",
          "__Host-authjs.session-token"
        ]
      )
    }).pipe(at(config({ providers: [idp()] }), provider))
  })

  it.gen("P214 do not remember an address that no browser would keep, nor the one before it", at(), function* () {
    const person = browser()
    const target = `/a?${"a=;".repeat(900)}`
    yield* person.submit("/auth/signin", { callbackUrl: target })
    assert.isFalse(person.cookies.has("__Secure-authjs.callback-url"))
    yield* person.submit("/auth/signin", { callbackUrl: "/before" })
    assert.isTrue(person.cookies.has("__Secure-authjs.callback-url"))
    const seen = yield* person.submit("/auth/callback/credentials", { ...right, callbackUrl: target })
    assert.strictEqual(seen.location, `https://app.example${target}`)
    assert.isFalse(person.cookies.has("__Secure-authjs.callback-url"))
    for (const line of seen.lines) assert.isAtMost(line.split(";")[0]?.length ?? 0, 4096)
  })

  it.gen("P223 are never written by a GET that its query chose", at(), function* () {
    const query = "?callbackUrl=/elsewhere&state=x&nonce=x&code=x&csrfToken=x&session-token=x"
    for (const action of ["session", "csrf", "providers", "signin", "signout", "error", "verify-request"]) {
      const seen = yield* browser().get(`/auth/${action}${query}`)
      for (const line of seen.lines) assert.match(line, /^__Host-authjs\.csrf-token=[0-9a-f]{64}%7C/, action)
    }
  })

  it.gen("follow the scheme of the request, or the option", at(), function* () {
    const [line = ""] = (yield* browser("http://app.example").get("/auth/csrf")).lines
    assert.match(line, /^authjs\.csrf-token=/)
    assert.notInclude(line, "Secure")
  })

  it.effect("are Secure behind a proxy that ends TLS when the option says so", () =>
    Effect.gen(function* () {
      const [line = ""] = (yield* browser("http://app.example").get("/auth/csrf")).lines
      assert.match(line, /^__Host-authjs\.csrf-token=.*; Secure/)
    }).pipe(at(config({ useSecureCookies: true })))
  )
})
