import { assert, describe, it } from "@effect/vitest"
import * as Headers from "effect/http/Headers"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Option from "effect/Option"
import { clientOf, hostPolicy } from "../../src/config/HostPolicy.ts"
import * as PublicAddress from "../../src/access/PublicAddress.ts"

/** What Effect makes of a message of `node:http`; the real server is in `NodeServer.test.ts`. */
const ofSocket = (
  target: string,
  host: string | undefined,
  { encrypted, headers, protocol }: { encrypted?: boolean; headers?: object; protocol?: "http" | "https" } = {},
  address?: string
): HttpServerRequest.HttpServerRequest => {
  const peer = Option.fromNullishOr(address)
  const absolute = /^https?:/i.test(target) && URL.canParse(target) ? new URL(target) : undefined
  const name = absolute?.host ?? host
  return {
    source: { socket: { encrypted: encrypted === true }, url: target },
    url: absolute === undefined ? target : `${absolute.pathname}${absolute.search}`,
    originalUrl: target.startsWith("/") && host !== undefined ? `http://${host}${target}` : target,
    protocol,
    peerAddress: peer,
    remoteAddress: peer,
    headers: Headers.fromInput({ ...(name === undefined ? {} : { host: name }), ...headers })
  } as unknown as HttpServerRequest.HttpServerRequest
}

const read = (request: HttpServerRequest.HttpServerRequest, origin?: string): string | undefined => {
  const found = PublicAddress.of(request, hostPolicy({ origin, trustHost: true }))
  return found._tag === "Success" ? found.success.href : undefined
}

const web = (url: string, headers: Record<string, string> = {}): HttpServerRequest.HttpServerRequest =>
  HttpServerRequest.fromWeb(new Request(url, { headers }))

describe("the public address", () => {
  it("is the host of the Host header and the scheme of the connection", () => {
    assert.strictEqual(read(ofSocket("/a?b", "app.example")), "http://app.example/a?b")
    assert.strictEqual(read(ofSocket("/a", "app.example:8443", { encrypted: true })), "https://app.example:8443/a")
    assert.strictEqual(read(ofSocket("/a", "[::1]:3000")), "http://[::1]:3000/a")
    assert.strictEqual(read(ofSocket("/a", "APP.example")), "http://app.example/a")
    const source = { socket: {}, url: undefined }
    assert.strictEqual(read(Object.assign(ofSocket("/a", "app.example"), { source })), "http://app.example/a")
  })

  it("H040, H043, H046 reads no forwarding header", () => {
    const headers = {
      "x-forwarded-host": "evil.example",
      "x-forwarded-proto": "https",
      "x-forwarded-prefix": "/evil",
      "x-original-url": "/evil",
      "x-rewrite-url": "/evil",
      forwarded: "host=evil.example;proto=https"
    }
    assert.strictEqual(read(ofSocket("/a", "app.example", { headers })), "http://app.example/a")
    assert.strictEqual(read(web("http://app.example/a", headers)), "http://app.example/a")
  })

  const hostile = [
    "",
    "a b",
    "user@app.example",
    "user:pw@app.example",
    "app.example/path",
    "app.example?x",
    "app.example#x",
    "app.example\\@evil.example",
    "app.example,evil.example",
    "app.example:",
    "app.example:99999",
    "app.example:port",
    "[::1",
    "[:::::]",
    "[::1]x",
    "::1",
    ".",
    "-",
    "%61pp.example",
    "äpp.example",
    "app.example\t",
    "x".repeat(300)
  ]
  for (const host of hostile) {
    it(`H039 is none for the host ${JSON.stringify(host.slice(0, 40))}`, () => {
      assert.isUndefined(read(ofSocket("/a", host)))
      // Whatever the header says, it takes no part where the origin is known.
      assert.strictEqual(read(ofSocket("/a?b=//c", host), "https://app.example"), "https://app.example/a?b=//c")
    })
  }

  it("H044 is none without a host, but for a configured origin", () => {
    assert.isUndefined(read(ofSocket("/a", undefined)))
    const refused = PublicAddress.of(ofSocket("/a", undefined), hostPolicy({ trustHost: true }))
    assert.include(refused._tag === "Failure" ? refused.failure.detail : "", "names no host")
    assert.strictEqual(read(ofSocket("/a", undefined), "https://app.example"), "https://app.example/a")
  })

  it("H039 takes the authority of an absolute target, and never its scheme", () => {
    assert.strictEqual(read(ofSocket("http://app.example/a?b", "other.example")), "http://app.example/a?b")
    assert.strictEqual(read(ofSocket("https://app.example/a", "other.example")), "http://app.example/a")
    assert.strictEqual(read(ofSocket("http://evil.example/a", "x"), "https://app.example"), "https://app.example/a")
  })

  for (const target of [
    "*",
    "app.example:443",
    "http://user@app.example/a",
    "http://user:pw@app.example/a",
    "http://[/a",
    "http://a b/a",
    "http:///a",
    "ftp://app.example/a",
    "javascript:alert(1)"
  ]) {
    it(`H039 is none for the target ${target}`, () => {
      assert.isUndefined(read(ofSocket(target, "app.example")))
      assert.isUndefined(read(ofSocket(target, "app.example"), "https://app.example"))
    })
  }

  it("stays under the origin when the path looks like another one", () => {
    for (const path of ["//evil.example/a", "/\\evil.example", "/@evil.example", "/a/..//evil.example"]) {
      const found = read(ofSocket(path, "app.example"))
      assert.match(found ?? "", /^http:\/\/app\.example\//)
    }
  })

  it("is that of a web request, whose Host header counts for nothing", () => {
    assert.strictEqual(read(web("https://app.example/a?b#c")), "https://app.example/a?b")
    assert.strictEqual(read(web("https://app.example/a", { host: "evil.example" })), "https://app.example/a")
    assert.strictEqual(read(web("http://x.example/a"), "https://app.example"), "https://app.example/a")
  })

  it("H041 is what a middleware took from a proxy that the application names", () => {
    const given = web("http://inner.example/a", { host: "inner.example" })
    const named = given.modify({ headers: Headers.set(given.headers, "host", "app.example"), protocol: "https" })
    assert.strictEqual(read(named), "https://app.example/a")
    const hostOnly = given.modify({ headers: Headers.set(given.headers, "host", "app.example") })
    assert.strictEqual(read(hostOnly), "http://app.example/a")
    assert.strictEqual(read(given.modify({ protocol: "https" })), "https://inner.example/a")
    assert.strictEqual(read(ofSocket("/a", "app.example", { protocol: "https" })), "https://app.example/a")
    const broken = given.modify({ headers: Headers.set(given.headers, "host", "app.example, evil.example") })
    assert.isUndefined(read(broken))
  })

  it("H040, H041 is what a proxy of trustedProxies forwards, and no other peer", () => {
    const policy = hostPolicy({ trustHost: true, trustedProxies: ["10.0.0.0/8"] })
    const headers = {
      "x-forwarded-for": "198.51.100.9, 203.0.113.7, 10.0.0.2",
      "x-forwarded-proto": "http, https, https",
      "x-forwarded-host": "evil.example, app.example, inner.example"
    }
    const from = (peer: string) => {
      const request = ofSocket("/a", "inner.example", { headers }, peer)
      const found = PublicAddress.of(request, policy)
      return [
        found._tag === "Success" ? found.success.href : undefined,
        clientOf(policy, PublicAddress.senderOf(request))
      ]
    }
    assert.deepStrictEqual(from("10.0.0.1"), ["https://app.example/a", { address: "203.0.113.7" }])
    assert.deepStrictEqual(from("203.0.113.9"), ["http://inner.example/a", { address: "203.0.113.9" }])
  })

  it("has the client that a middleware took from a proxy", () => {
    const policy = hostPolicy({ trustHost: true })
    const given = web("http://inner.example/a", { "x-forwarded-for": "203.0.113.7" })
    const named = given.modify({ remoteAddress: Option.some("203.0.113.7"), peerAddress: Option.some("10.0.0.1") })
    assert.deepStrictEqual(clientOf(policy, PublicAddress.senderOf(named)), { address: "203.0.113.7" })
  })

  it("is that of a client inside the process", () => {
    const get = HttpClientRequest.get("https://app.example/a", { urlParams: { b: "c" } })
    assert.strictEqual(read(HttpServerRequest.fromClientRequest(get)), "https://app.example/a?b=c")
    for (const url of ["/a", "a"])
      assert.isUndefined(read(HttpServerRequest.fromClientRequest(HttpClientRequest.get(url))))
  })

  it("H039 below the prefix of a router is the rest of the path, and none where the whole has none", () => {
    const policy = hostPolicy({ trustHost: true })
    const routed = (request: HttpServerRequest.HttpServerRequest, url: string) => {
      const found = PublicAddress.routed(Object.assign(request, { url }), policy)
      return found._tag === "Success" ? found.success.href : undefined
    }
    assert.strictEqual(routed(ofSocket("/app/a?b", "app.example"), "/a?b"), "http://app.example/a?b")
    assert.isUndefined(routed(ofSocket("/app/a", "app.example"), "a"))
    assert.isUndefined(routed(ofSocket("http://user@app.example/app/a", undefined), "/a"))
  })
})
