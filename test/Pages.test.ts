import { assert, describe, it } from "@effect/vitest"
import type { FailureCode } from "../src/Errors.ts"
import * as Pages from "../src/pages/BuiltInPages.ts"
import {
  all,
  callbackUrl,
  credentials,
  csp,
  csrfToken,
  email,
  everyPage,
  frame,
  hostile,
  matches,
  redirects,
  signIn,
  signOut
} from "./pages/Samples.ts"

const message = (page: Pages.Page): string | undefined =>
  /<div class="error[^"]*" role="alert" id="signin-message"><svg.*?<\/svg><p>(.*?)<\/p>/.exec(page.body)?.[1]

describe("Pages", () => {
  describe("markup other software relies on", () => {
    it("wraps a page in its theme, page, kind and card", () => {
      const wrapped = (page: Pages.Page, theme: string, kind: string): void =>
        assert.match(
          page.body,
          new RegExp(
            `<body class="__next-auth-theme-${theme}"><main><div class="page"><div class="${kind}"><div class="card">`
          )
        )
      wrapped(signIn(), "auto", "signin")
      wrapped(signOut(frame({ colorScheme: "dark" })), "dark", "signout")
      wrapped(Pages.error(frame({ colorScheme: "light" }), {}), "light", "error")
      wrapped(Pages.verifyRequest(frame()), "auto", "verify-request")
    })

    it("sends a redirect provider's form to its sign-in path", () => {
      const { body } = signIn({ providers: redirects.slice(0, 1) })
      assert.include(body, '<div class="provider"><form action="/auth/signin/github" method="POST">')
      assert.match(body, /<button type="submit" class="button" id="submitButton-github">/)
      assert.strictEqual(
        body.slice(body.indexOf("<button"), body.indexOf("</button>")).replace(/<[^>]*>/g, ""),
        "Sign in with GitHub"
      )
    })

    it("sends credentials to the callback path and email to the sign-in path", () => {
      const { body } = signIn({ providers: [credentials, email] })
      assert.include(body, '<form action="/auth/callback/credentials" method="POST">')
      assert.include(body, '<form action="/auth/signin/email" method="POST">')
      assert.include(body, 'id="input-username-for-credentials-provider" name="username"')
      assert.include(body, 'id="input-email-for-email-provider" name="email" type="email"')
      assert.include(body, 'id="submitButton-credentials"')
    })

    it("carries token and destination in every form", () => {
      const page = signIn()
      const count = all.length
      assert.lengthOf(matches(page, /<form ()/g), count)
      assert.deepStrictEqual(matches(page, /name="csrfToken" value="([^"]*)"/g), Array(count).fill(csrfToken))
      assert.deepStrictEqual(
        matches(page, /name="callbackUrl" value="([^"]*)"/g),
        Array(count).fill("https://app.example.com/dashboard?a=1&amp;b=2")
      )
      assert.match(
        signOut().body,
        /<form action="\/auth\/signout" method="POST"><input type="hidden" name="csrfToken"[^>]*><input type="hidden" name="callbackUrl"/
      )
    })

    it("leaves the token out when there is none", () => {
      for (const page of [
        signIn({ csrfToken: undefined }),
        Pages.signOut(frame(), { csrfToken: undefined, callbackUrl })
      ]) {
        assert.notInclude(page.body, "csrfToken")
        assert.include(page.body, 'name="callbackUrl"')
      }
    })

    it("shows a logo as img.logo", () => {
      const page = signIn({}, frame({ logo: "https://cdn.example.com/logo.svg" }))
      assert.include(page.body, '<img class="logo" src="https://cdn.example.com/logo.svg" alt="Logo"')
      assert.strictEqual(csp(page).get("img-src"), "'self' https://cdn.example.com")
    })

    it("gives every element its own id", () => {
      const twin: Pages.SignInEntry = { ...credentials, name: "Staff" }
      const page = signIn({ providers: [...all, twin, email, { kind: "email", id: "signin message", name: "Mail" }] })
      const ids = matches(page, / id="([^"]*)"/g)
      assert.isAbove(ids.length, 20)
      assert.strictEqual(new Set(ids).size, ids.length)
      for (const id of ids) assert.notMatch(id, /\s/)
      const labels = matches(page, /<label for="([^"]*)"/g)
      assert.deepStrictEqual(
        labels.filter((id) => !ids.includes(id)),
        []
      )
      assert.strictEqual(new Set(labels).size, labels.length)
    })
  })

  describe("messages", () => {
    const errors = [
      "Signin",
      "OAuthSignin",
      "OAuthCallbackError",
      "OAuthCreateAccount",
      "EmailCreateAccount",
      "Callback",
      "OAuthAccountNotLinked",
      "EmailSignin",
      "CredentialsSignin",
      "SessionRequired",
      "MissingCSRF"
    ]
    const general = message(signIn({ error: "Anything" }))

    it("has a text of its own for every sign-in error", () => {
      const texts = errors.map((error) => message(signIn({ error })))
      assert.isString(general)
      assert.strictEqual(new Set([...texts, general]).size, errors.length + 1)
      for (const text of texts) assert.match(text ?? "", /^[A-Z].*\.$/)
    })

    it("says nothing without an error", () => {
      assert.notInclude(signIn().body, 'role="alert"')
      assert.notInclude(signIn({ error: "" }).body, 'role="alert"')
      assert.notInclude(signIn({ code: "flow_used" }).body, 'role="alert"')
    })

    it("refines a failed flow by its code", () => {
      const codes: ReadonlyArray<FailureCode> = [
        "flow_missing",
        "flow_mismatch",
        "flow_expired",
        "flow_other_host",
        "flow_used",
        "flow_unknown_key",
        "access_denied",
        "login_required",
        "provider_unavailable",
        "provider_error",
        "invalid_response",
        "invalid_token",
        "profile_invalid"
      ]
      for (const error of ["OAuthCallbackError", "OAuthSignin", "InvalidCheck"]) {
        const texts = new Set(codes.map((code) => message(signIn({ error, code }))))
        assert.strictEqual(texts.size, codes.length)
        assert.isFalse(texts.has(message(signIn({ error }))))
      }
      assert.strictEqual(
        message(signIn({ error: "CredentialsSignin", code: "flow_used" })),
        message(signIn({ error: "CredentialsSignin" }))
      )
      assert.strictEqual(
        message(signIn({ error: "CredentialsSignin", code: "credentials" })),
        message(signIn({ error: "CredentialsSignin" }))
      )
    })

    it("H015 never repeats an unknown error or code, names of Object.prototype included", () => {
      for (const value of [
        "__proto__",
        "toString",
        "constructor",
        "hasOwnProperty",
        "valueOf",
        hostile,
        "Konfig-7f3a"
      ]) {
        const page = signIn({ error: value, code: value })
        assert.strictEqual(message(page), general)
        assert.strictEqual(
          message(signIn({ error: "OAuthCallbackError", code: value })),
          message(signIn({ error: "OAuthCallbackError" }))
        )
        assert.notInclude(page.body, value)
        const errorPage = Pages.error(frame(), { error: value, code: value })
        assert.strictEqual(errorPage.status, 200)
        assert.strictEqual(errorPage.body, Pages.error(frame(), {}).body)
      }
    })

    it("ties the message of a failed form to its fields", () => {
      const invalid = (page: Pages.Page): ReadonlyArray<string> =>
        matches(page, / id="([^"]*)"[^>]* aria-invalid="true" aria-describedby="signin-message"/g)
      assert.deepStrictEqual(invalid(signIn({ error: "CredentialsSignin" })), [
        "input-username-for-credentials-provider",
        "input-password-for-credentials-provider"
      ])
      assert.deepStrictEqual(invalid(signIn({ error: "EmailSignin", code: "email_invalid" })), [
        "input-email-for-email-provider"
      ])
      // The mail server failed: nothing is wrong with the address.
      assert.deepStrictEqual(invalid(signIn({ error: "EmailSignin" })), [])
      assert.deepStrictEqual(invalid(signIn({ error: "OAuthCallbackError" })), [])
    })

    it("answers the error page with the status of its cause and a way on", () => {
      const status = (error?: string): number => Pages.error(frame(), { error }).status
      assert.deepStrictEqual(
        [status("Configuration"), status("AccessDenied"), status("Verification"), status("x"), status()],
        [500, 403, 403, 200, 200]
      )
      for (const error of ["AccessDenied", "Verification", undefined]) {
        assert.include(
          Pages.error(frame(), { error }).body,
          '<a class="button primary" href="/auth/signin">Sign in</a>'
        )
      }
      assert.include(Pages.error(frame(), { error: "Configuration" }).body, 'href="https://app.example.com"')
      const headings = ["Configuration", "AccessDenied", "Verification", "x"].map(
        (error) => /<h1>(.*?)<\/h1>/.exec(Pages.error(frame(), { error }).body)?.[1]
      )
      assert.strictEqual(new Set(headings).size, 4)
    })

    it("shows a reference made by the server, and only one that looks like it", () => {
      assert.include(Pages.error(frame(), { requestId: "req_01J9:Z6" }).body, "<code>req_01J9:Z6</code>")
      for (const requestId of [hostile, "", "a b", "x".repeat(65)]) {
        assert.notInclude(Pages.error(frame(), { requestId }).body, "Reference")
      }
    })

    it("H038 answers a refused request with its own status and its own words", () => {
      const titles = [400, 403, 404, 405, 408, 413, 415, 429].map((status) => {
        const page = Pages.clientError(frame(), { status })
        assert.strictEqual(page.status, status)
        return /<h1>(.*?)<\/h1>/.exec(page.body)?.[1]
      })
      assert.strictEqual(new Set(titles).size, 8)
      assert.deepStrictEqual(
        [200, 302, 500, 4.5, NaN, 418].map((status) => Pages.clientError(frame(), { status }).status),
        [400, 400, 400, 400, 400, 418]
      )
      assert.notInclude(Pages.clientError(frame(), { status: 404 }).body, "set up")
    })
  })

  describe("people and machines that fill forms", () => {
    const attributesOf = (field: Pages.CredentialsField, more: ReadonlyArray<Pages.CredentialsField> = []): string => {
      const { body } = signIn({
        providers: [...redirects.slice(0, 1), { kind: "credentials", id: "c", name: "c", fields: [field, ...more] }]
      })
      return /<input id="input-[^>]*>/.exec(body)?.[0] ?? ""
    }
    const password: Pages.CredentialsField = { name: "password", type: "password", attributes: {} }

    it("H220 tells a password manager what each field is", () => {
      const autocomplete = (...of: Parameters<typeof attributesOf>): string | undefined =>
        / autocomplete="([^"]*)"/.exec(attributesOf(...of))?.[1]
      assert.strictEqual(autocomplete({ name: "username", attributes: {} }), "username")
      assert.strictEqual(autocomplete({ name: "user_name", attributes: {} }), "username")
      assert.strictEqual(autocomplete(password), "current-password")
      assert.strictEqual(autocomplete({ name: "email", type: "email", attributes: {} }, [password]), "username")
      assert.strictEqual(autocomplete({ name: "email", type: "email", attributes: {} }), "email")
      assert.strictEqual(autocomplete({ name: "totp", attributes: {} }), "one-time-code")
      assert.strictEqual(
        autocomplete({ name: "password", type: "password", attributes: { autocomplete: "new-password" } }),
        "new-password"
      )
      assert.isUndefined(autocomplete({ name: "shoeSize", type: "number", attributes: {} }))
      assert.include(attributesOf(password), 'type="password"')
    })

    it("H220 labels every input, from its name if need be", () => {
      const { body } = signIn({
        providers: [
          {
            kind: "credentials",
            id: "c",
            name: "c",
            fields: [
              { name: "companyCode", attributes: {} },
              { name: "stay", label: "Stay", type: "checkbox", attributes: {} },
              { name: "h", type: "hidden", value: "1", attributes: {} }
            ]
          }
        ]
      })
      assert.include(body, '<label for="input-companyCode-for-c-provider"><bdi>Company code</bdi></label>')
      assert.include(body, '<input type="hidden" name="h" value="1">')
      assert.lengthOf([...body.matchAll(/<label /g)], 2)
    })

    it("gives every page a language, a title, one main landmark and one heading", () => {
      for (const [name, page] of everyPage(frame())) {
        assert.match(page.body, /^<!doctype html><html lang="en"><head><meta charset="utf-8">/, name)
        assert.match(page.body, /<title>[^<]+ &middot; app\.example\.com<\/title>/, name)
        assert.lengthOf([...page.body.matchAll(/<main>/g)], 1, name)
        assert.lengthOf([...page.body.matchAll(/<h1>/g)], 1, name)
      }
    })

    it("contains no script, no handler, no style attribute and no foreign address", () => {
      for (const [name, page] of everyPage(frame({ brandColor: "tomato" }))) {
        assert.notMatch(page.body, /<script|<link|<iframe|<object|\sstyle=|javascript:|\son[a-z]+=/i, name)
        for (const address of matches(page, /(?:src|href|action)="([^"]*)"/g))
          assert.match(address, /^(\/[^/]|https:\/\/app\.example\.com)/, name)
      }
    })

    it("asks a foreign origin for an image only where a provider's configuration names one", () => {
      const page = signIn({
        providers: [{ kind: "redirect", id: "x", name: "X", style: { logo: "https://cdn.example.net/x.svg" } }]
      })
      assert.include(page.body, '<img src="https://cdn.example.net/x.svg" alt=""')
      assert.strictEqual(csp(page).get("img-src"), "'self' https://cdn.example.net")
    })
  })

  it("renders the same markup from kept and from new configuration objects", () => {
    const kept = signIn()
    const anew = Pages.signIn(frame(), { providers: structuredClone(all), csrfToken, callbackUrl })
    assert.strictEqual(anew.body, kept.body)
    assert.strictEqual(signIn({}, frame({}, { basePath: "/other" })).body, kept.body.replaceAll('"/auth/', '"/other/'))
    assert.strictEqual(signIn().body, kept.body)
  })
})
