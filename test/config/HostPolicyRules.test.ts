/** The rules of hosts one by one, without a server. */
import { assert, describe, it } from "@effect/vitest"
import {
  hostPolicy,
  isEncrypted,
  maySeal,
  parseHosts,
  parseNetworks,
  parseOrigin,
  publicUrl,
  publicUrlOf,
  requestUrl
} from "../../src/config/HostPolicy.ts"
import { routedByHost } from "../../src/internal/Markers.ts"
import { isHostPattern, matchesHost, parseSite, parseTarget } from "../../src/http/Host.ts"

describe("a pinned origin", () => {
  for (const [text, origin] of [
    ["https://app.example", "https://app.example"],
    ["https://app.example/", "https://app.example"],
    ["https://app.example/a", undefined],
    ["https://APP.example", undefined],
    ["https://app.example?x", undefined],
    ["ftp://app.example", undefined],
    ["httpsx://app.example", undefined],
    ["app.example", undefined],
    [undefined, undefined],
    [7, undefined]
  ] as const) {
    it(`${text} is ${origin}`, () => assert.strictEqual(parseOrigin(text), origin))
  }

  it("is scheme and host by the grammar", () => {
    assert.strictEqual(parseSite("https://app.example/a")?.href, "https://app.example/a")
    assert.strictEqual(parseSite("http://app.example/a")?.href, "http://app.example/a")
    for (const text of [
      "https://app.example./",
      "httpx://app.example",
      "xhttps://app.example",
      "blob:https://app.example/x"
    ]) {
      assert.isUndefined(parseSite(text), text)
    }
  })
})

describe("the policy of options", () => {
  for (const [options, voucher] of [
    [{ origin: "https://app.example", trustHost: false }, "origin"],
    [{ trustedHosts: ["app.example"], trustHost: false }, "trustedHosts"],
    [{ trustHost: true }, "trustHost"],
    [{ trustHost: false }, "distrust"],
    [{ trustHost: null }, "nothing"],
    [{ [routedByHost]: true }, "platform"],
    [{ [routedByHost]: true, trustHost: false }, "distrust"],
    [{}, "nothing"]
  ] as const) {
    it(`${JSON.stringify(options)} vouches by ${voucher}`, () => {
      const policy = hostPolicy(options as never)
      assert.strictEqual(policy.voucher, voucher)
      assert.strictEqual(policy.origin, voucher === "origin" ? "https://app.example" : undefined)
      assert.deepStrictEqual(policy.hosts, voucher === "trustedHosts" ? parseHosts(["app.example"]) : undefined)
    })
  }

  it("takes a list of patterns alone", () => {
    assert.lengthOf(parseHosts(["app.example", "*.example", "https://*.example", "http://localhost:3000"]) ?? [], 4)
    for (const list of [
      ["app.example", "a b"],
      [7],
      "app.example",
      undefined,
      ["*.*.example"],
      ["ftp://app.example"],
      ["https://app.example/"],
      ["https://app.example:443"],
      ["HTTPS://app.example"]
    ]) {
      assert.isUndefined(parseHosts(list), JSON.stringify(list))
    }
    assert.isFalse(isHostPattern("a.*.example"))
    assert.isTrue(matchesHost("*.example", "a.example"))
    for (const host of ["a.b.example", ".example", "example", "a.examplex"])
      assert.isFalse(matchesHost("*.example", host))
  })

  it("takes a list of networks alone, and none of them as no list", () => {
    assert.lengthOf(parseNetworks(["10.0.0.0/8", "127.0.0.1", "::1", "fd00::/8", "::ffff:10.0.0.0/104"]) ?? [], 5)
    for (const list of [
      ["10/8"],
      ["10.0.0.0/33"],
      ["010.0.0.1"],
      ["::1/129"],
      ["a.example"],
      [""],
      [7],
      "10.0.0.0/8",
      undefined
    ])
      assert.isUndefined(parseNetworks(list), JSON.stringify(list))
    assert.isUndefined(hostPolicy({ trustedProxies: [] }).proxies)
  })

  it("lets a host be sealed that is vouched for, or this machine in development", () => {
    const url = (host: string) => new URL(`http://${host}`)
    assert.isTrue(maySeal(hostPolicy({ trustHost: true }), true, url("app.example")))
    assert.isTrue(maySeal(hostPolicy({}), false, url("localhost")))
    assert.isFalse(maySeal(hostPolicy({}), true, url("localhost")))
    assert.isFalse(maySeal(hostPolicy({}), false, url("app.example")))
  })
})

describe("the public URL", () => {
  const pinned = hostPolicy({ origin: "https://app.example" })
  const listed = hostPolicy({ trustedHosts: ["app.example", "*.preview.example"] })
  const schemes = hostPolicy({ trustedHosts: ["https://app.example", "https://*.preview.example", "plain.example"] })

  for (const [what, policy, url, expected] of [
    ["has the pinned origin", pinned, "http://evil.example/a?b#c", "https://app.example/a?b"],
    ["stays as it is at the pinned origin", pinned, "https://app.example/a?b#c", "https://app.example/a?b#c"],
    ["keeps a path of two slashes", pinned, "http://evil.example//other/a", "https://app.example//other/a"],
    ["has no userinfo", pinned, "https://ann@app.example/", undefined],
    ["has no password", pinned, "https://:secret@app.example/", undefined],
    ["has a scheme of the web", pinned, "ftp://app.example/", undefined],
    ["has the scheme of its entry", schemes, "http://app.example/a?b", "https://app.example/a?b"],
    ["has the scheme of its entry, whatever the port", schemes, "http://app.example:443/a", "https://app.example/a"],
    ["has the scheme of a pattern", schemes, "http://a.preview.example/", "https://a.preview.example/"],
    ["keeps its scheme without one", schemes, "http://plain.example/", "http://plain.example/"],
    ["has no other host", schemes, "http://evil.example/", undefined],
    ["has a listed host", listed, "https://app.example/", "https://app.example/"],
    ["has a host of a pattern", listed, "https://a.preview.example/", "https://a.preview.example/"],
    ["has no other host", listed, "https://evil.example/", undefined],
    ["has a host by the grammar", hostPolicy({}), "https://app.example./", undefined]
  ] as const) {
    it(what, () => assert.strictEqual(publicUrl(policy, new URL(url))?.href, expected))
  }

  it("is put together of its parts", () => {
    const parts = { host: "app.example", path: "/a", protocol: "http" } as const
    assert.strictEqual(publicUrlOf(hostPolicy({}), parts)?.href, "http://app.example/a")
    assert.isUndefined(publicUrlOf(hostPolicy({}), { ...parts, host: undefined }))
    assert.strictEqual(publicUrlOf(pinned, { ...parts, host: undefined })?.href, "https://app.example/a")
    assert.isUndefined(publicUrlOf(hostPolicy({}), { ...parts, host: "app.example:99999" }))
    assert.isUndefined(publicUrlOf(hostPolicy({}), { ...parts, host: "undefined:x" }))
  })
})

describe("the URL of a request", () => {
  const of = (request: object, config: object = {}) => requestUrl(request as never, config)?.href

  for (const [what, request, expected] of [
    ["is at the host of the header", { url: "/a", headers: { host: "app.example" } }, "http://app.example/a"],
    ["is the root without a target", { headers: { host: "app.example" } }, "http://app.example/"],
    [
      "is at the host of HTTP/2",
      { url: "/a", headers: { ":authority": "two.example", host: "x" } },
      "http://two.example/a"
    ],
    ["is that of the target", { url: "http://app.example/a", headers: { host: "x" } }, "http://app.example/a"],
    [
      "is encrypted where the socket is",
      { url: "/a", headers: { host: "app.example" }, socket: { encrypted: true } },
      "https://app.example/a"
    ],
    [
      "counts one host alone",
      { url: "/a", headers: { host: "app.example" }, headersDistinct: { host: ["app.example", "x"] } },
      undefined
    ],
    [
      "counts one host",
      { url: "/a", headers: { host: "a.example" }, headersDistinct: { host: ["a"] } },
      "http://a.example/a"
    ],
    [
      "counts no list of headers",
      { url: "/a", headers: { host: "a.example" }, headersDistinct: {} },
      "http://a.example/a"
    ],
    ["is none without a host", { url: "/a", headers: {} }, undefined],
    ["is none of another form", { url: "*", headers: { host: "app.example" } }, undefined],
    ["is that of a web request", new Request("https://web.example/a"), "https://web.example/a"],
    [
      "is no web request by a header of this name",
      { url: "/a", headers: { host: "app.example", get: "x" } },
      "http://app.example/a"
    ]
  ] as const) {
    it(what, () => assert.strictEqual(of(request), expected))
  }

  it("has the pinned origin, for any host that it names", () => {
    const config = { origin: "https://app.example" }
    assert.strictEqual(of({ url: "/a", headers: { host: "a b" } }, config), "https://app.example/a")
    assert.strictEqual(of({ url: "http://evil.example/a", headers: {} }, config), "https://app.example/a")
  })

  for (const [socket, expected] of [
    [{ encrypted: true }, true],
    [{ encrypted: "true" }, false],
    [{}, false],
    [null, false],
    [undefined, false],
    ["encrypted", false]
  ] as const) {
    it(`is encrypted by ${JSON.stringify(socket)}: ${expected}`, () =>
      assert.strictEqual(isEncrypted({ socket }), expected))
  }

  for (const [target, host, path] of [
    ["/a", undefined, "/a"],
    ["?a", undefined, "?a"],
    ["", undefined, ""],
    ["HTTP://App.example?x", "app.example", "?x"],
    ["https://app.example", "app.example", ""],
    ["https://app.example/a#b", "app.example", "/a#b"]
  ] as const) {
    it(`of the target ${JSON.stringify(target)} is ${host} and ${path}`, () => {
      assert.deepStrictEqual(parseTarget(target), { host, path })
    })
  }

  for (const target of [
    "*",
    "app.example:80",
    "https://app.example#a",
    "https://app.example\\a",
    "xhttps://app.example/",
    "1234567app.example/http://",
    "https:///a"
  ]) {
    it(`is none of the target ${target}`, () => assert.isUndefined(parseTarget(target)))
  }
})
