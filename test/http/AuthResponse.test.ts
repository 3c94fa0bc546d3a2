import { assert, describe, it } from "@effect/vitest"
import { getRequestListener } from "@hono/node-server"
import * as AuthResponse from "../../src/http/AuthResponse.ts"
import * as Cookie from "../../src/http/Cookie.ts"

const cookies = [Cookie.set({ name: "a", options: { path: "/" } }, "1"), Cookie.set({ name: "b", options: {} }, "2")]

/** The headers of a built-in page are a constant of its configuration. */
const policy = Object.freeze({ "content-type": "text/html; charset=utf-8", "x-frame-options": "DENY" })

const all = [
  AuthResponse.json({ a: 1 }),
  AuthResponse.empty(204),
  AuthResponse.redirect("https://app.example/"),
  AuthResponse.page({ status: 200, headers: { "content-type": "text/html; charset=utf-8" }, body: "<p>" })
]

describe("AuthResponse", () => {
  it("answers a page of the application without headers as one with the usual ones", () => {
    const { headers, status } = AuthResponse.toWeb(AuthResponse.page({ status: 404, body: "<p>" }))
    assert.deepStrictEqual([status, headers.get("cache-control")], [404, "private, no-cache, no-store"])
  })

  it("H069 lets no cache keep an answer of any kind", () => {
    for (const answer of all) {
      const { headers } = AuthResponse.toWeb(answer)
      assert.strictEqual(headers.get("cache-control"), "private, no-cache, no-store")
      assert.strictEqual(headers.get("vary"), "Cookie")
      if (answer.redirect !== undefined) continue
      assert.strictEqual(headers.get("expires"), "0")
      assert.strictEqual(headers.get("pragma"), "no-cache")
      assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
    }
  })

  const kinds = [
    ["JSON", AuthResponse.json(null)],
    ["JSON with cookies", AuthResponse.json(null, cookies)],
    ["a built-in page", AuthResponse.page({ status: 200, headers: policy, body: "<p>" })]
  ] as const
  for (const server of ["the platform", "@hono/node-server, which keeps the headers that it is given"]) {
    it.each(kinds)(`keeps what is changed in one response out of the next, at ${server}: %s`, (_, answer) => {
      const platform = { Request: globalThis.Request, Response: globalThis.Response }
      try {
        if (server !== "the platform") getRequestListener(() => platform.Response.json(null))
        const [first, second] = [AuthResponse.toWeb(answer), AuthResponse.toWeb(answer)]
        const before = [...second.headers]
        first.headers.set("cache-control", "public")
        first.headers.append("set-cookie", "c=3")
        assert.deepStrictEqual([...second.headers], before)
        assert.deepStrictEqual([...AuthResponse.toWeb(answer).headers], before)
      } finally {
        Object.assign(globalThis, platform)
      }
    })
  }

  it("P013 sends no referrer with a redirect", () => {
    assert.strictEqual(
      AuthResponse.toWeb(AuthResponse.redirect("https://app.example/")).headers.get("referrer-policy"),
      "no-referrer"
    )
  })

  it("writes JSON, null and text of JSON alike", async () => {
    for (const body of [{ a: 1 }, null, "text", [], 0, false]) {
      const response = AuthResponse.toWeb(AuthResponse.json(body))
      assert.strictEqual(response.status, 200)
      assert.strictEqual(response.headers.get("content-type"), "application/json")
      assert.deepStrictEqual(await response.json(), body)
    }
    assert.strictEqual(AuthResponse.toWeb(AuthResponse.json(null, [], 400)).status, 400)
  })

  it("P015 redirects with 302, or with 303 where a form used up the token of a link", () => {
    assert.strictEqual(AuthResponse.toWeb(AuthResponse.redirect("https://app.example/")).status, 302)
    assert.strictEqual(AuthResponse.toWeb(AuthResponse.redirect("https://app.example/", [], 303)).status, 303)
  })

  it("sets each cookie in a header of its own, also on redirects and pages", () => {
    for (const answer of all) {
      const response = AuthResponse.toWeb(AuthResponse.withCookies(answer, cookies))
      assert.deepStrictEqual(response.headers.getSetCookie(), ["a=1; Path=/", "b=2"])
    }
    assert.strictEqual(AuthResponse.withCookies(all[0]!, []), all[0])
  })

  it("constructs every response with all of its headers, for servers that replace the global Response", () => {
    const lists: Array<ReadonlyArray<string>> = []
    const { Response: platform } = globalThis
    globalThis.Response = class extends platform {
      constructor(body?: BodyInit | null, init?: ResponseInit) {
        super(body, init)
        assert.instanceOf(init?.headers, Headers)
        lists.push([...new Headers(init?.headers)].map(([name, value]) => `${name}: ${value}`))
      }
    }
    try {
      for (const answer of all) AuthResponse.toWeb(AuthResponse.withCookies(answer, cookies))
    } finally {
      globalThis.Response = platform
    }
    assert.lengthOf(lists, all.length)
    for (const list of lists) assert.includeMembers([...list], ["set-cookie: a=1; Path=/", "set-cookie: b=2"])
    assert.isTrue(lists.flat().includes("location: https://app.example/"))
  })

  it("writes the headers of the answer only, whatever the prototype of objects holds", () => {
    Object.defineProperty(Object.prototype, "access-control-allow-origin", {
      value: "*",
      enumerable: true,
      writable: true,
      configurable: true
    })
    try {
      for (const answer of all) {
        const response = AuthResponse.toWeb(AuthResponse.withCookies(answer, cookies))
        assert.isFalse(response.headers.has("access-control-allow-origin"))
      }
    } finally {
      Reflect.deleteProperty(Object.prototype, "access-control-allow-origin")
    }
  })

  it("H010 gives the address of a redirect as JSON, with status 200 and the same cookies", async () => {
    const answer = AuthResponse.returningRedirect(AuthResponse.redirect("https://app.example/x", cookies, 303))
    const response = AuthResponse.toWeb(answer)
    assert.strictEqual(response.status, 200)
    assert.deepStrictEqual(await response.json(), { url: "https://app.example/x" })
    assert.strictEqual(response.headers.get("location"), "https://app.example/x")
    assert.strictEqual(response.headers.getSetCookie().length, 2)
    const [json] = all
    assert.isDefined(json)
    if (json !== undefined) assert.strictEqual(AuthResponse.returningRedirect(json), json)
  })

  it("H019 cannot write a line break into a header", () => {
    for (const url of ["https://app.example/\r\nSet-Cookie: a=b", "https://app.example/\u0000"]) {
      assert.throws(() => AuthResponse.toWeb(AuthResponse.redirect(url)), TypeError)
    }
  })
})
