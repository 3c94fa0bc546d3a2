import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { compile, type Options } from "../../src/config/Settings.ts"
import { pageUrl } from "../../src/actions/PageAddress.ts"
import { skipCSRFCheck } from "../../src/index.ts"
import { at, browser, config, cookieOf } from "../Browser.ts"
import { password, site } from "../Visitor.ts"

const pages = ["signin", "signout", "error", "verify-request"]

const own: Partial<Options> = {
  pages: {
    signIn: "/login?tenant=1#form",
    signOut: "/logout",
    error: "https://status.example/oops",
    verifyRequest: "/check-mail"
  }
}

/** Value of a hidden field of the page. */
const hidden = (body: string, name: string): string | undefined =>
  new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(body)?.[1] ??
  new RegExp(`value="([^"]*)"[^>]*name="${name}"`).exec(body)?.[1]

describe("Pages as actions", () => {
  it.gen("H217, H218, H219, P025 carry the security headers, their encoding, and are never stored", at(), function* () {
    for (const page of pages) {
      const { headers, status } = yield* browser().get(`/auth/${page}`)
      assert.strictEqual(status, 200, page)
      assert.strictEqual(headers.get("content-type"), "text/html; charset=utf-8")
      assert.match(headers.get("cache-control") ?? "", /\bno-store\b/)
      assert.strictEqual(headers.get("x-frame-options"), "DENY")
      assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
      assert.isNotNull(headers.get("referrer-policy"))
      const policy = headers.get("content-security-policy") ?? ""
      assert.include(policy, "default-src 'none'")
      assert.include(policy, "frame-ancestors 'none'")
      assert.include(policy, "base-uri 'none'")
      assert.notMatch(policy, /script-src(?! 'none')|unsafe-inline/)
    }
  })

  it.gen("P013 refuse to be framed and send no referrer when they explain a refusal", at(), function* () {
    const seen = yield* browser().get("/auth/callback/credentials?code=secret-code", { accept: "text/html" })
    assert.strictEqual(seen.status, 405)
    assert.include(seen.headers.get("content-security-policy") ?? "", "frame-ancestors 'none'")
    assert.isNotNull(seen.headers.get("referrer-policy"))
    assert.notInclude(seen.body, "secret-code")
    assert.notMatch(seen.body, /(?:src|href)="(?:https?:)?\/\/(?!app\.example)/)
  })

  it.gen("H211, H212 show the server's values, for any query", at(), function* () {
    const evil = encodeURIComponent(`"><script>alert(1)</script>`)
    for (const page of ["signin", "signout"]) {
      const person = browser()
      const { csrfToken } = JSON.parse((yield* person.get("/auth/csrf")).body)
      const query = `csrfToken=${evil}&callbackUrl=${evil}&providers=x&theme=${evil}&email=${evil}&error=${evil}&code=${evil}`
      const { body, status } = yield* person.get(`/auth/${page}?${query}`)
      assert.strictEqual(status, 200)
      assert.strictEqual(hidden(body, "csrfToken"), csrfToken)
      assert.strictEqual(hidden(body, "callbackUrl"), site)
      assert.notInclude(body, "alert(1)")
    }
  })

  it.gen("H221 post to paths of this site, for any host of the request", at(), function* () {
    for (const origin of [site, "https://other.example"]) {
      const { body } = yield* browser(origin).get("/auth/signin")
      const actions = [...body.matchAll(/action="([^"]*)"/g)].map(([, action]) => action)
      assert.deepStrictEqual(actions, ["/auth/signin/idp", "/auth/callback/credentials"])
    }
  })

  it.effect("H213 escape the names of providers and fields", () =>
    Effect.gen(function* () {
      const { body } = yield* browser().get("/auth/signin")
      assert.notInclude(body, "<b>")
      assert.include(body, "&lt;b&gt;bold")
    }).pipe(
      at(
        config({
          providers: [password(undefined, { name: "<b>bold", credentials: { '"><b>': { label: "<b>bold" } } })]
        })
      )
    )
  )

  it.gen("issue a token with its cookie, and the same one while it is good", at(), function* () {
    const person = browser()
    const first = yield* person.get("/auth/signin")
    assert.deepStrictEqual(
      first.lines.map((line) => cookieOf(line).name),
      ["__Host-authjs.csrf-token"]
    )
    const second = yield* person.get("/auth/signout")
    assert.deepStrictEqual(second.lines, [])
    assert.strictEqual(hidden(second.body, "csrfToken"), hidden(first.body, "csrfToken"))
  })

  it.gen("hold no token when the framework checks itself", at(config({ skipCSRFCheck })), function* () {
    const seen = yield* browser().get("/auth/signin")
    assert.deepStrictEqual(seen.lines, [])
    assert.notInclude(seen.body, "csrfToken")
  })

  it.gen("remember a target of this site in the form, and remove a remembered one that is invalid", at(), function* () {
    const person = browser()
    person.cookies.set("__Secure-authjs.callback-url", encodeURIComponent("javascript:alert(1)"))
    const seen = yield* person.get("/auth/signin?callbackUrl=/welcome")
    assert.strictEqual(hidden(seen.body, "callbackUrl"), `${site}/welcome`)
    assert.isFalse(person.cookies.has("__Secure-authjs.callback-url"))
  })

  it.gen("H015, H281 explain known failures and ignore invented ones", at(), function* () {
    const plain = (yield* browser().get("/auth/error")).body
    for (const error of ["Invented", "toString", "__proto__", "accessdenied", "AccessDenied "]) {
      assert.strictEqual((yield* browser().get(`/auth/error?error=${encodeURIComponent(error)}`)).body, plain, error)
    }
    const denied = yield* browser().get("/auth/error?error=AccessDenied")
    assert.strictEqual(denied.status, 403)
    assert.notStrictEqual(denied.body, plain)
    assert.strictEqual((yield* browser().get("/auth/error?error=Configuration")).status, 500)
  })

  it.gen("answer POST with 405 where nothing can be sent", at(), function* () {
    for (const page of ["error", "verify-request"]) {
      const seen = yield* browser().send("POST", `/auth/${page}`)
      assert.strictEqual(seen.status, 405)
      assert.strictEqual(seen.headers.get("allow"), "GET")
    }
  })
})

describe("Pages of the application", () => {
  it.effect("H016 are reached with what they need in their query, their own query and fragment kept", () =>
    Effect.gen(function* () {
      const locations = yield* Effect.forEach(
        [
          "signin?callbackUrl=/x&error=OAuthCallbackError&code=flow_expired",
          "signin?error=Invented&code=%3Cscript%3E",
          "signout",
          "error?error=AccessDenied",
          "error?error=Invented",
          "verify-request?provider=mail&type=email"
        ],
        (path) => Effect.map(browser().get(`/auth/${path}`), ({ location }) => location)
      )
      assert.deepStrictEqual(locations, [
        `${site}/login?tenant=1&callbackUrl=${encodeURIComponent(`${site}/x`)}&error=OAuthCallbackError&code=flow_expired#form`,
        `${site}/login?tenant=1&callbackUrl=${encodeURIComponent(site)}#form`,
        `${site}/logout`,
        "https://status.example/oops?error=AccessDenied",
        "https://status.example/oops",
        `${site}/check-mail?provider=mail&type=email`
      ])
    }).pipe(at(config(own)))
  )

  it.gen("H015 are where failures lead", at(config(own)), function* () {
    const wrong = yield* browser().submit("/auth/callback/credentials", { username: "ann", password: "no" })
    assert.strictEqual(wrong.location, `${site}/login?tenant=1&error=CredentialsSignin&code=credentials#form`)
  })

  const refused: ReadonlyArray<readonly [string, string]> = [
    ["an address without a slash", "login"],
    ["another scheme", "javascript:alert(1)"],
    ["another host in disguise", "//evil.example"],
    ["a backslash", "/\\evil.example"],
    ["a space", "/log in"],
    ["a line break", "/login\r\nX: y"],
    ["nothing", ""]
  ]
  for (const [title, page] of refused) {
    it(`H016 are left out with ${title}, and the log names the option`, () => {
      for (const name of ["signIn", "signOut", "error", "verifyRequest", "newUser"]) {
        const { problems, settings } = compile(config({ pages: { [name]: page } }))
        assert.deepStrictEqual(Result.getOrThrow(settings).pages, {})
        assert.deepStrictEqual(
          problems().map(({ error }) => error.field),
          [`pages.${name}`]
        )
      }
    })
  }

  it("H016 are written in ASCII when they are not", () => {
    assert.strictEqual(
      pageUrl("/größe?ü=1", site, { error: "ä&b" }),
      `${site}/gr%C3%B6%C3%9Fe?%C3%BC=1&error=%C3%A4%26b`
    )
  })
})
