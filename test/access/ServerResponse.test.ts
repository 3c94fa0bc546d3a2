import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import { Doorman } from "../../src/Doorman.ts"
import * as AuthResponse from "../../src/http/AuthResponse.ts"
import { type CookieOptions, type CookieOverrides, type ResponseCookie, set } from "../../src/http/Cookie.ts"
import { toServerResponse, withCookies } from "../../src/access/ServerResponse.ts"
import { options } from "../Visitor.ts"
import { forLayer } from "../ForLayer.ts"

const attributes: ReadonlyArray<CookieOptions> = [
  {},
  { path: "/" },
  { path: "/a b", domain: "app.example" },
  { domain: ".app.example", maxAge: 60 },
  { maxAge: 0 },
  { maxAge: -1 },
  { maxAge: 1.9 },
  { maxAge: -1.9 },
  { maxAge: 34_560_000 },
  { expires: new Date(0), maxAge: 0 },
  { expires: new Date("2030-01-01T00:00:00.999Z"), path: "/" },
  { httpOnly: true, secure: true, sameSite: "none", partitioned: true },
  { httpOnly: false, secure: false, partitioned: false, sameSite: false },
  { sameSite: true },
  { sameSite: "strict", priority: "high" },
  { sameSite: "lax", priority: "medium", expires: new Date(0), path: "/", httpOnly: true, secure: true },
  { priority: "low", domain: "app.example", path: "/", maxAge: 5, partitioned: true, secure: true, sameSite: "none" },
  { domain: undefined, path: undefined, maxAge: undefined, expires: undefined, sameSite: undefined },
  { encode: (value) => value.toUpperCase() },
  { encode: (value) => `"${value}"` },
  {
    encode: () => {
      throw new Error("no")
    }
  }
]

const values = ["", "plain", "a b", 'ä;,="\\', "%20", "eyJ.a_b-c~", "|", "\u0000", "x".repeat(3936)]

const cookies: ReadonlyArray<ResponseCookie> = attributes.flatMap((option, row) =>
  values.map((value, column) => set({ name: `c.${row}.${column}`, options: option }, value))
)

const bothOf = (response: AuthResponse.AuthResponse) => [
  AuthResponse.toWeb(response),
  HttpServerResponse.toWeb(toServerResponse(response))
]

describe("an answer on a server of Effect", () => {
  it("writes every cookie as the facade does, attributes in the same order", () => {
    for (const cookie of cookies) {
      const [facade, server] = bothOf(AuthResponse.empty(204, [cookie])).map(({ headers }) => headers.getSetCookie())
      assert.deepStrictEqual(server, facade)
      assert.lengthOf(facade ?? [], 1)
    }
  })

  it("keeps the order of many cookies", () => {
    const [facade, server] = bothOf(AuthResponse.json({}, cookies)).map(({ headers }) => headers.getSetCookie())
    assert.deepStrictEqual(server, facade)
    assert.lengthOf(server ?? [], cookies.length)
  })

  it("has the status, headers and body of every kind of answer", async () => {
    const answers: ReadonlyArray<AuthResponse.AuthResponse> = [
      AuthResponse.json({ a: "ü" }),
      AuthResponse.json(null),
      AuthResponse.json("text", [], 400),
      AuthResponse.jsonResponse({}, "{ }", []),
      AuthResponse.empty(204),
      AuthResponse.empty(405, [], { allow: "GET" }),
      AuthResponse.redirect("https://app.example/?a=b#c"),
      AuthResponse.redirect("https://app.example/", [], 303),
      AuthResponse.returningRedirect(AuthResponse.redirect("https://app.example/")),
      AuthResponse.page({ status: 403, headers: { "content-type": "text/html; charset=utf-8" }, body: "<p>ü</p>" })
    ]
    for (const answer of answers) {
      const [facade, server] = bothOf(answer)
      if (facade === undefined || server === undefined) return assert.fail()
      assert.strictEqual(server.status, facade.status)
      const body = new Uint8Array(await server.arrayBuffer())
      assert.deepStrictEqual(body, new Uint8Array(await facade.arrayBuffer()))
      const { "content-length": length = "0", ...headers } = Object.fromEntries(server.headers)
      assert.deepStrictEqual(headers, Object.fromEntries(facade.headers))
      assert.strictEqual(Number(length), body.length)
    }
  })

  it("leaves a cookie of the application alone, and keeps the answer out of caches", () => {
    const own = HttpServerResponse.setCookieUnsafe(HttpServerResponse.text("own"), "a", "of the application")
    const answer = HttpServerResponse.toWeb(
      withCookies(own, [set({ name: "a", options: {} }, "1"), set({ name: "b", options: { path: "/" } }, "2")])
    )
    assert.deepStrictEqual(answer.headers.getSetCookie(), ["a=of%20the%20application", "b=2; Path=/"])
    assert.strictEqual(answer.headers.get("cache-control"), "private, no-store")
    assert.strictEqual(withCookies(own, []), own)
  })
})

const refused: ReadonlyArray<readonly [string, CookieOverrides]> = [
  ["sessionToken", { sessionToken: { name: "a b" } }],
  ["sessionToken", { sessionToken: { options: { path: "" } } }],
  ["sessionToken", { sessionToken: { options: { domain: "" } } }],
  ["nonce", { nonce: { options: { maxAge: Number.POSITIVE_INFINITY } } }],
  ["nonce", { nonce: { options: { maxAge: Number.NaN } } }],
  ["callbackUrl", { callbackUrl: { name: "" } }]
]

describe("cookies that cannot be written", () => {
  for (const [name, given] of refused) {
    it.gen(`fail the layer and name the field: ${JSON.stringify(given)}`, function* () {
      const failure = yield* Effect.flip(
        Effect.scoped(
          Layer.build(
            Doorman.layer(forLayer({ ...options(), cookies: given })).pipe(Layer.provide(FetchHttpClient.layer))
          )
        )
      )
      assert.strictEqual(failure._tag, "InvalidConfiguration")
      assert.include("field" in failure ? failure.field : "", `cookies.${name}`)
      assert.isNotEmpty(failure.remedy)
    })
  }
})
