import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { canonical, isRemembered } from "../../src/browser/CallbackUrl.ts"
import { compile } from "../../src/config/Settings.ts"
import { fromWeb } from "../../src/http/AuthRequest.ts"
import { ownSite } from "../Visitor.ts"

const site = "https://app.example"

const read = (address: string) => canonical(address, site)

/** Characters of the longest address that is read. */
const longest = 3500

describe("canonical", () => {
  const accepted: ReadonlyArray<readonly [what: string, address: string, canonical?: string]> = [
    ["the root", "/"],
    ["a path", "/a/b-c_d~e/F9/"],
    ["a query", "/a?x=1&y=2.3"],
    ["a fragment", "/a#f"],
    ["two slashes within a path", "/a//b"],
    ["an encoded slash within a path", "/a/%2Fb"],
    ["a space in a path", "/my notes/a", "/my%20notes/a"],
    ["spaces in a query", "/search?q=a b  c", "/search?q=a%20b%20%20c"],
    ["a space at the end of a query before a fragment", "/search?q=a #f", "/search?q=a%20#f"],
    ["a space in a query alone", `${site}?q=a b`, `${site}/?q=a%20b`],
    ["a space in a URL of the site", `${site}/my notes`, `${site}/my%20notes`],
    ["a space behind a slash", "/a/ b", "/a/%20b"],
    ["a space in a URL of another site", "https://other.example/a b", "https://other.example/a%20b"],
    ["a space in the path of a native application", "com.example.app:/a b", "com.example.app:/a%20b"],
    ["encoded characters beside the control characters", "/a%0e%1a%20%5d"],
    ["a query with an encoded line break, which no path holds", "/a?x=%0d%0a"],
    ["dots, resolved", "/a/./b/../c", "/a/c"],
    ["another script, encoded", "/\u65e5", "/%E6%97%A5"],
    ["the origin", site],
    ["the origin with a query", `${site}?x=1`],
    ["a URL of the site", `${site}/a?x=1#f`],
    ["a URL with the port of its scheme", "https://app.example:443/a", `${site}/a`],
    ["a URL over http with the port of its scheme", "http://app.example:80/a", "http://app.example/a"],
    ["a URL with another port", "https://app.example:8443/a"],
    ["a URL with the port of another scheme", "https://app.example:80/a"],
    ["upper case in scheme and host", "HTTPS://APP.EXAMPLE/A", `${site}/A`],
    ["another site, for the callback to judge", "https://other.example/a/../b", "https://other.example/b"],
    ["a host that begins like the site", "https://app.example.other.example/"],
    ["a native application with an authority", "com.example.app://callback/a"],
    ["a native application without one", "com.example.app:/callback"],
    ["a native application whose scheme ends like a web one, as it came", "xhttps://Host/a"]
  ]
  for (const [what, address, expected = address] of accepted) {
    it(`reads ${what}`, () => assert.strictEqual(read(address), expected))
  }

  const refused: ReadonlyArray<readonly [what: string, address: string]> = [
    ["nothing", ""],
    ["text", "dash board"],
    ["G130 a space between slashes", "/ /other.example"],
    ["G130 spaces between slashes", "/  /other.example"],
    ["G130 a space between slashes behind the origin", `${site}/ /other.example`],
    ["R20 a space before slashes", " //other.example"],
    ["a space before a path", " /a"],
    ["a space before an encoded slash", "/ %2fother.example"],
    ["a space in a scheme", "java script:/a"],
    ["a space in a scheme of the site", `ht tps://app.example/a`],
    ["a space behind a scheme", "https: //app.example/a"],
    ["a space behind slashes", "https:// app.example/a"],
    ["a space in a host", "https://app.exa mple/a"],
    ["a space behind a host", `${site} /a`],
    ["a space in a fragment alone", "com.example.app:#a b"],
    ["a space in an authority of a native application", "com.example.app://a b/"],
    ["a word", "dashboard"],
    ["a blank at the end of a path", "/a "],
    ["a blank before a URL", ` ${site}/a`],
    ["a blank after a URL", `${site}/a `],
    ["a no-break space", "/a\u00a0b"],
    ["an ogham space", "/a\u1680b"],
    ["a zero-width space", "/a\u200bb"],
    ["a line separator", "/a\u2028b"],
    ["a mathematical space", "/a\u205fb"],
    ["an ideographic space", "/a\u3000b"],
    ["a byte order mark", "/a\ufeffb"],
    ["a backslash", "/a\\b"],
    ["a line break", "/a\nb"],
    ["a tab", "/a\tb"],
    ["an authority without a scheme", "//other.example/a"],
    ["a path that begins with three slashes", "///other.example"],
    ["a path that begins with an encoded slash", "/%2fother.example"],
    ["a path that begins with an encoded backslash", "/%5Cother.example"],
    ["dots before an authority", "/.//other.example"],
    ["dots before an encoded slash", "/a/../%2Fother.example"],
    ["an encoded backslash", "/a%5cb"],
    ["an encoded NUL", "/a%00"],
    ["an encoded tab", "/a%09"],
    ["an encoded line feed", "/a%0A"],
    ["an encoded carriage return", "/a%0d"],
    ["a URL with an encoded line feed", `${site}/a%0ab`],
    ["a URL whose path begins like an authority", `${site}//other.example`],
    ["a name before the host", "https://ann@app.example/"],
    ["a password before the host", "https://:secret@app.example/"],
    ["a dot after the host", "https://app.example./a"],
    ["a port with a zero before it", "https://app.example:0443/a"],
    ["the port 443 for http, written with a zero", "http://app.example:080/a"],
    ["an encoded letter in the host", "https://%61pp.example/a"],
    ["a host in another script", "https://b\u00fccher.example/a"],
    ["a number for an address", "https://2130706433/a"],
    ["one slash before the host", "https:/app.example/a"],
    ["no slash before the host", "https:app.example/a"],
    ["no slash before the host over http", "http:app.example/a"],
    ["three slashes before the host", "https:///app.example/a"],
    ["a URL without a host", "https://"],
    ["a script", "javascript:alert(1)"],
    ["data", "data:text/html,x"],
    ["a script of the past", "vbscript:x"],
    ["a blob", `blob:${site}/x`],
    ["a file", "file:///etc/passwd"],
    ["a page of the browser", "about:blank"],
    ["a file system of the browser", `filesystem:${site}/x`],
    ["FTP", "ftp://app.example/a"],
    ["the source of a page", `view-source:${site}`],
    ["a socket", "ws://app.example/a"],
    ["a secure socket", "wss://app.example/a"],
    ["a native application with an encoded line break", "com.example.app:/a%0d%0ab"]
  ]
  for (const [what, address] of refused) it(`refuses ${what}`, () => assert.isUndefined(read(address)))

  const grown = (start: string, length: number) => start + "x".repeat(length - start.length)
  for (const start of [`${site}/`, `${site}/?`, "https://other.example/", "https://other.example/a/%20", "app:/"]) {
    it(`reads ${longest} characters after ${start}, and no more`, () => {
      assert.strictEqual(read(grown(start, longest)), grown(start, longest))
      assert.isUndefined(read(grown(start, longest + 1)))
    })
  }
  it("counts the origin before a path, for simple paths and others alike", () => {
    for (const start of ["/", "/%20"]) {
      const path = grown(start, longest - site.length)
      assert.strictEqual(read(path), path)
      assert.isUndefined(read(`${path}x`))
    }
  })
  it("counts the canonical form, which is longer than what came", () => {
    for (const start of ["/", `${site}/`, "https://other.example/", "app:/"]) {
      assert.isString(read(start + "\u65e5".repeat(380)))
      assert.isUndefined(read(start + "\u65e5".repeat(400)))
    }
  })
  it("answers with what it reads again as the same", () => {
    for (const [, address] of accepted) {
      const once = read(address) ?? ""
      assert.strictEqual(read(once), once)
    }
  })
  it("refuses a path where the origin is none to resolve it against", () => {
    assert.isUndefined(canonical("/a%20b", "no origin"))
  })
})

describe("isRemembered", () => {
  it.gen("counts the characters of the percent-encoded address, and what the other cookies leave", function* () {
    const settings = yield* Effect.fromResult(compile(ownSite()).settings)
    const asking = (cookie: string) => fromWeb(new Request(`${site}/auth/signin`, { headers: { cookie } }), "/auth")
    const [alone, beside] = [yield* asking(""), yield* asking(`session=${"s".repeat(5000)}`)]
    const has = (url: string, request = alone) => isRemembered(settings, request, url)
    assert.isTrue(has("x".repeat(3900)))
    assert.isFalse(has("x".repeat(3901)))
    // Characters that a cookie may hold stay unchanged, where the whole would be too long.
    assert.isTrue(has("/".repeat(3900)))
    assert.isFalse(has("/".repeat(3901)))
    assert.isTrue(has(";".repeat(1300)))
    assert.isFalse(has(";".repeat(1301)))
    const room = 8182 - 1200 - 5010
    assert.isTrue(has("x".repeat(room), beside))
    assert.isFalse(has("x".repeat(room + 1), beside))
  })

  it.gen("leaves room for an ID token that the request does not show", function* () {
    const provider = {
      id: "idp",
      name: "IdP",
      type: "oidc" as const,
      issuer: "https://idp.example",
      clientId: "c",
      clientSecret: "s",
      logout: "provider" as const
    }
    const settings = yield* Effect.fromResult(compile(ownSite({ providers: [provider] })).settings)
    const cookie = `__Host-authjs.session-token=${"s".repeat(100)}`
    const request = yield* fromWeb(new Request(`${site}/auth/signin`, { headers: { cookie } }), "/auth")
    const room = 8182 - 1200 - (cookie.length + "; ".length) - 4096
    assert.isTrue(isRemembered(settings, request, "x".repeat(room)))
    assert.isFalse(isRemembered(settings, request, "x".repeat(room + 1)))
  })
})
