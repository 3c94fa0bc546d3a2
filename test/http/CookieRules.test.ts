import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as Cookie from "../../src/http/Cookie.ts"

type Conflicts = ReadonlyMap<string, unknown>

const removed = (
  url: string,
  names: ReadonlyArray<string>,
  options: Cookie.CookieOptions = { path: "/", secure: true },
  conflicts?: Conflicts
): ReadonlyArray<string> =>
  Cookie.clearEverywhere({ name: names[0] ?? "", options }, names, { url: new URL(url), cookies: { conflicts } }).map(
    (cookie) => {
      assert.strictEqual(cookie.value, "")
      assert.strictEqual(cookie.options.maxAge, 0)
      assert.strictEqual(cookie.options.secure, options.secure)
      return Cookie.variantOf(cookie)
    }
  )

const conflictsOf = (...names: ReadonlyArray<string>): Conflicts => new Map(names.map((name) => [name, undefined]))

describe("clearEverywhere", () => {
  it("removes the cookie of the host and of each domain above it, the one of the template last", () => {
    assert.deepStrictEqual(removed("https://www.app.example/auth/signout", ["s"]), [
      "s; www.app.example; /",
      "s; app.example; /",
      "s; ; /"
    ])
  })
  it("removes the cookie of a template with a domain once, whether a dot stands before the domain or not", () => {
    for (const domain of ["app.example", ".app.example"]) {
      assert.deepStrictEqual(removed("https://www.app.example/", ["s"], { domain, path: "/", secure: true }), [
        "s; ; /",
        "s; www.app.example; /",
        `s; ${domain}; /`
      ])
    }
  })
  it("takes a dot within a domain for a part of it", () => {
    const lines = removed("https://www.app.example/", ["s"], { domain: "wwwapp.example", path: "/" })
    assert.include(lines, "s; www.app.example; /")
  })
  for (const host of ["localhost", "127.0.0.1", "[::1]"]) {
    it(`knows no domain above ${host}`, () => {
      assert.deepStrictEqual(removed(`http://${host}/auth/signout`, ["s"]), ["s; ; /"])
    })
  }
  it("takes a name with digits in it for a name", () => {
    for (const host of ["1.example", "app.b1"]) {
      assert.include(removed(`http://${host}/`, ["s"]), `s; ${host}; /`)
    }
  })
  it("removes a __Host- cookie once: no domain and no other path can have one", () => {
    const names = ["__Host-s"]
    assert.deepStrictEqual(removed("https://www.app.example/a/b", names), ["__Host-s; ; /"])
    assert.deepStrictEqual(removed("https://www.app.example/a/b", names, { path: "/" }, conflictsOf("__Host-s")), [
      "__Host-s; ; /"
    ])
  })
  it("removes under the path of the template what came once, and under / where it has none", () => {
    assert.deepStrictEqual(removed("http://localhost/auth/signout", ["s"], { path: "/auth" }), ["s; ; /auth"])
    assert.deepStrictEqual(removed("http://localhost/auth/signout", ["s"], {}), ["s; ; "])
    assert.deepStrictEqual(removed("http://app.example/auth/signout", ["s"], {}), ["s; app.example; /", "s; ; "])
  })
  it("removes what came several times under every path above that of the request", () => {
    assert.deepStrictEqual(removed("http://localhost/a/b/c", ["s"], { path: "/" }, conflictsOf("s")), [
      "s; ; /a",
      "s; ; /a/",
      "s; ; /a/b",
      "s; ; /a/b/",
      "s; ; /a/b/c",
      "s; ; /"
    ])
    assert.deepStrictEqual(removed("http://localhost/a//b/", ["s"], { path: "/" }, conflictsOf("s")), [
      "s; ; /a",
      "s; ; /a/",
      "s; ; /a/b",
      "s; ; /a/b/",
      "s; ; /"
    ])
  })
  it("removes it for every domain too, but only that name", () => {
    assert.deepStrictEqual(removed("http://app.example/a", ["s", "t"], { path: "/" }, conflictsOf("t")), [
      "s; app.example; /",
      "t; app.example; /",
      "t; ; /a",
      "t; app.example; /a",
      "s; ; /",
      "t; ; /"
    ])
  })
  it("removes at most fifteen that came once, the cookies of the template before their variants", () => {
    const names = Array.from({ length: 20 }, (_, at) => `s.${at}`)
    const own = (count: number) => names.slice(0, count).map((name) => `${name}; ; /`)
    assert.deepStrictEqual(removed("https://app.example/", names), own(15))
    const nine = removed("https://www.app.example/", names.slice(0, 9))
    assert.strictEqual(nine.length, 15)
    assert.deepStrictEqual(nine.slice(-9), own(9))
    assert.deepStrictEqual(nine.slice(0, 2), ["s.0; www.app.example; /", "s.0; app.example; /"])
  })
  it("removes at most 24 variants of a name that came several times, and the cookie itself", () => {
    const lines = removed("https://a.b.app.example/1/2/3/4/5", ["s"], { path: "/" }, conflictsOf("s"))
    assert.strictEqual(lines.length, 25)
    assert.strictEqual(new Set(lines).size, 25)
    assert.strictEqual(lines.at(-1), "s; ; /")
  })
})

describe("Cookie.faults", () => {
  const faultsOf = (overrides: Cookie.CookieOverrides) =>
    Cookie.faults(Cookie.policy(true, overrides)).map(({ error, isDropped }) => [error.field, isDropped])

  it("finds none in the policies of both schemes", () => {
    assert.deepStrictEqual(Cookie.faults(Cookie.policy(true)), [])
    assert.deepStrictEqual(Cookie.faults(Cookie.policy(false)), [])
  })
  it("says of names and attributes of the longest size nothing, and of one character more that it cannot be written", () => {
    const at = (name: string, path: string, domain: string) =>
      faultsOf({ sessionToken: { name, options: { domain, path } } })
    assert.deepStrictEqual(at("s".repeat(256), "/".repeat(1024), "d".repeat(1024)), [])
    assert.deepStrictEqual(at("s".repeat(257), "/", "d"), [["cookies.sessionToken", false]])
    assert.deepStrictEqual(at("s", "/".repeat(1025), "d"), [["cookies.sessionToken", false]])
    assert.deepStrictEqual(at("s", "/", "d".repeat(1025)), [["cookies.sessionToken", false]])
    for (const bad of ["\u0000", "\u001f", ";", "\u007f", "\u00e9"]) {
      for (const text of [`${bad}a`, `a${bad}`]) {
        assert.deepStrictEqual(at("s", text, "d"), [["cookies.sessionToken", false]], JSON.stringify(text))
        assert.deepStrictEqual(at("s", "/", text), [["cookies.sessionToken", false]], JSON.stringify(text))
        assert.deepStrictEqual(at(text, "/", "d"), [["cookies.sessionToken", false]], JSON.stringify(text))
      }
    }
    assert.deepStrictEqual(at("", "/", "d"), [["cookies.sessionToken", false]])
    assert.deepStrictEqual(at("!#$%&'*+-.^_`|~09AZaz", "", ""), [])
  })
  it("says of a broken rule of a prefix or an attribute that browsers drop the cookie", () => {
    const secure = false
    for (const options of [{ secure }, { path: "/a" }, { domain: "app.example" }]) {
      assert.deepStrictEqual(faultsOf({ csrfToken: { options } }), [["cookies.csrfToken", true]])
      assert.deepStrictEqual(faultsOf({ csrfToken: { name: "my__Host-c", options } }), [])
    }
    assert.deepStrictEqual(faultsOf({ state: { options: { secure } } }), [["cookies.state", true]])
    assert.deepStrictEqual(faultsOf({ state: { name: "my__Secure-s", options: { secure } } }), [])
    for (const options of [{ sameSite: "none" }, { partitioned: true }] as const) {
      assert.deepStrictEqual(faultsOf({ state: { name: "n", options: { ...options, secure } } }), [
        ["cookies.state", true]
      ])
      assert.deepStrictEqual(faultsOf({ state: { name: "n", options } }), [])
    }
    assert.deepStrictEqual(faultsOf({ state: { name: "n", options: { sameSite: "lax", secure } } }), [])
    assert.deepStrictEqual(faultsOf({ state: { name: "n", options: { partitioned: false, secure } } }), [])
  })
  it("says how to mend only what browsers drop", () => {
    const [dropped] = Cookie.faults(Cookie.policy(true, { state: { options: { secure: false } } }))
    const [unwritable] = Cookie.faults(Cookie.policy(true, { state: { name: "a b" } }))
    assert.property(dropped?.error, "fix")
    assert.isUndefined(unwritable?.error.fix)
  })
  const wrong: ReadonlyArray<
    readonly [word: RegExp, key: string, override: { name?: string; options?: Cookie.CookieOptions }]
  > = [
    [/the path is too long or/, "state", { options: { path: ";" } }],
    [/the domain is too long or/, "state", { options: { domain: ";" } }],
    [/the name is too long or/, "state", { name: "a b" }],
    [/another cookie has the same name/, "state", { name: "__Secure-authjs.callback-url" }],
    [/a __Host- cookie must be secure, have the path \/ and no domain/, "csrfToken", { options: { path: "/a" } }],
    [/a __Secure- cookie must be secure/, "state", { options: { secure: false } }],
    [/SameSite=None needs a secure cookie/, "state", { name: "s", options: { sameSite: "none", secure: false } }],
    [/a partitioned cookie must be secure/, "state", { name: "s", options: { partitioned: true, secure: false } }]
  ]
  for (const [words, key, override] of wrong) {
    it(`says for ${key} that ${words.source}`, () => {
      const cookies = Cookie.policy(true, { [key]: override })
      const messages = Cookie.faults(cookies).map(({ error }) => error.message)
      assert.strictEqual(messages.length, 1)
      assert.match(messages[0] ?? "", words)
      assert.include(messages[0], `cookies.${key}`)
      const checked = Cookie.check(cookies)
      assert.isTrue(Result.isFailure(checked))
      if (Result.isFailure(checked)) assert.match(checked.failure.message, words)
    })
  }
  it("checks a policy without a fault to itself, also one whose cookies have no attributes", () => {
    const cookies = { ...Cookie.policy(true), flow: { name: "s", options: {} } }
    assert.deepStrictEqual(Cookie.check(cookies), Result.succeed(cookies))
  })
  it("names the second of two cookies with one name, which grants no access by itself", () => {
    assert.deepStrictEqual(faultsOf({ webauthnChallenge: { name: "one" }, state: { name: "one" } }), [
      ["cookies.state", false]
    ])
  })
})

describe("Cookie.policy", () => {
  it("lets only the cookies of an attempt end after fifteen minutes", () => {
    const ages = Object.entries(Cookie.policy(true)).map(([key, { options }]) => [key, options.maxAge])
    assert.deepStrictEqual(
      ages.filter(([, age]) => age !== undefined),
      ["webauthnChallenge", "flow"].map((key) => [key, 900])
    )
    assert.strictEqual(Cookie.flowMaxAge, 900)
  })
  it("P221 gives the session a name that no other host can set, where that is the default one over https", () => {
    const nameOf = (secure: boolean, sessionToken?: Cookie.CookieOverrides["sessionToken"], isDropIn = false) =>
      Cookie.policy(secure, { sessionToken }, isDropIn).sessionToken.name
    assert.strictEqual(nameOf(true), "__Host-authjs.session-token")
    assert.strictEqual(nameOf(true, { options: { sameSite: "strict" } }), "__Host-authjs.session-token")
    assert.strictEqual(nameOf(true, undefined, true), "__Secure-authjs.session-token")
    assert.strictEqual(nameOf(false), "authjs.session-token")
    assert.strictEqual(nameOf(true, { name: "s" }), "s")
    for (const options of [{ domain: "app.example" }, { path: "/app" }, { secure: false }]) {
      assert.strictEqual(nameOf(true, { options }), "__Secure-authjs.session-token")
    }
  })
  it("lets every cookie that an override may name have another name", () => {
    const keys = ["sessionToken", "callbackUrl", "csrfToken", "state", "webauthnChallenge"] as const
    const made = Cookie.policy(true, Object.fromEntries(keys.map((key) => [key, { name: `my.${key}` }])))
    for (const key of keys) assert.strictEqual(made[key === "state" ? "flow" : key].name, `my.${key}`)
  })
  it("names nothing by the other two cookies of Auth.js for an attempt", () => {
    const overrides = { nonce: { name: "n; x" }, pkceCodeVerifier: { options: { domain: ";" } } }
    assert.deepStrictEqual(Cookie.policy(true, overrides), Cookie.policy(true))
  })
})

describe("Cookie.serialize", () => {
  const written = (value: string, options: Cookie.CookieOptions = {}) =>
    Cookie.serialize(Cookie.set({ name: "a", options: {} }, value, options))

  it("writes each of the characters that percent-encoding leaves alone as it is", () => {
    const plain = "AZaz09._~!'()*-"
    assert.strictEqual(written(plain, { encode: () => "other" }), `a=${plain}`)
    for (const bad of ["=x", "x="]) assert.strictEqual(written(bad), `a=${encodeURIComponent(bad)}`)
  })
  it("encodes a value itself when the encoder of the application throws", () => {
    const encode = () => {
      throw new Error("no")
    }
    assert.strictEqual(written("a=b", { encode }), "a=a%3Db")
  })
  it("takes every octet that a value may have from an encoder, and none beside", () => {
    const octets = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code))
    for (const octet of octets) {
      const may = octet > " " && octet !== "\u007f" && !'",;\\'.includes(octet)
      for (const text of [`${octet}x`, `x${octet}`]) {
        assert.strictEqual(written("=", { encode: () => text }), may ? `a=${text}` : "a=%3D", JSON.stringify(text))
      }
    }
  })
  it("writes the attributes that are on, and no others", () => {
    const off = { httpOnly: false, partitioned: false, sameSite: false, secure: false } as const
    assert.strictEqual(written("v", off), "a=v")
    assert.strictEqual(written("v", { priority: "low" }), "a=v; Priority=Low")
    assert.strictEqual(written("v", { sameSite: "lax" }), "a=v; SameSite=Lax")
    assert.strictEqual(written("v", { maxAge: 0 }), "a=v; Max-Age=0")
  })
})
