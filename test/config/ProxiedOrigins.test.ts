import * as Result from "effect/Result"
import { assert, describe, it } from "@effect/vitest"
import { proxiedOrigins } from "../../src/config/ProxiedOrigins.ts"

const isProxied = (list: ReadonlyArray<string> | undefined, origin: string) =>
  Result.getOrThrow(proxiedOrigins(list))(origin)

describe("the origins that answers may be forwarded to", () => {
  it("are all of them without a list", () => assert.isTrue(isProxied(undefined, "https://any.example")))

  const list = ["https://preview.example.com", "https://*.example.org:8443", "http://localhost:3000"]
  for (const [origin, expected] of [
    ["https://preview.example.com", true],
    ["http://localhost:3000", true],
    ["https://a.example.org:8443", true],
    ["http://preview.example.com", false],
    ["https://localhost:3000", false],
    ["https://a.b.example.org:8443", false],
    ["https://a.example.org", false],
    ["https://example.org:8443", false],
    ["ftp://preview.example.com", false],
    ["xhttps://preview.example.com", false],
    ["preview.example.com", false],
    ["", false]
  ] as const) {
    it(`${expected ? "include" : "do not include"} ${JSON.stringify(origin)}`, () => {
      assert.strictEqual(isProxied(list, origin), expected)
    })
  }

  for (const pattern of [
    "preview.example.com",
    "https://",
    "https://preview.example.com/",
    "https://preview.example.com:443",
    "https://Preview.example.com",
    "https://a.*.example.com",
    "https://*.*.example.com",
    "xhttps://preview.example.com",
    "ftp://preview.example.com",
    "https://preview.example.com\n",
    "*"
  ]) {
    it(`cannot be listed as ${JSON.stringify(pattern)}`, () => {
      const failure = Result.getOrUndefined(Result.flip(proxiedOrigins(["https://preview.example.com", pattern])))
      assert.strictEqual(failure?._tag, "InvalidConfiguration")
      assert.strictEqual(Reflect.get(failure ?? {}, "field"), "redirectProxyOrigins")
      assert.include(failure?.detail, "https://*.example.com")
    })
  }
})
