import { assert, describe, it } from "@effect/vitest"
import * as Pages from "../../src/pages/BuiltInPages.ts"
import {
  all,
  callbackUrl,
  csrfToken,
  everyPage,
  frame,
  hostile,
  matches,
  redirects,
  signIn,
  signOut
} from "./Samples.ts"

const marks = /<script|onerror=alert\(1\)>|<img src=x|<!--(?!\s*$)/i

describe("hostile values", () => {
  it("H211 takes nothing but its arguments: a value in a content field it does not know changes nothing", () => {
    const more: object = {
      providers: all,
      csrfToken,
      callbackUrl,
      theme: { brandColor: "red" },
      signinUrl: "https://evil.example",
      basePath: "/evil"
    }
    // Spreads of unknown keys are what a careless caller would pass.
    assert.strictEqual(Pages.signIn(frame(), more as Pages.SignInContent).body, signIn().body)
  })

  it("H212 escapes destination, token and email address in attributes", () => {
    const page = signIn({ callbackUrl: hostile, csrfToken: hostile, email: hostile })
    assert.notMatch(page.body, marks)
    assert.include(page.body, 'value="&quot;&gt;&lt;img src=x onerror=alert(1)&gt;')
    assert.notMatch(Pages.signOut(frame(), { csrfToken: hostile, callbackUrl: hostile }).body, marks)
    assert.include(signIn({ email: "ann@example.com" }).body, ' value="ann@example.com"')
    assert.notInclude(signIn({ email: `${"a".repeat(250)}@example.com` }).body, "aaaa")
  })

  it("H213 escapes names, ids, labels and placeholders of providers", () => {
    const page = signIn({
      providers: [
        {
          kind: "redirect",
          id: hostile,
          name: hostile,
          style: { logo: hostile, brandColor: hostile, bg: hostile, text: hostile },
          actionOrigin: hostile
        },
        { kind: "email", id: hostile, name: hostile },
        { kind: "email", id: hostile, name: hostile },
        {
          kind: "credentials",
          id: hostile,
          name: hostile,
          fields: [
            {
              name: hostile,
              label: hostile,
              type: hostile,
              placeholder: hostile,
              value: hostile,
              attributes: { title: hostile, pattern: hostile, autocomplete: hostile }
            }
          ]
        }
      ]
    })
    assert.notMatch(page.body, marks)
    assert.notMatch(page.headers["content-security-policy"] ?? "", /img src|alert|["<>]/)
    for (const action of matches(page, /<form action="([^"]*)"/g))
      assert.match(action, /^\/auth\/(signin|callback)\/[\w%.!~*()-]*(&#39;[\w%.!~*()-]*)*$/)
  })

  it("H213 lets a field set known attributes only", () => {
    const attributes = {
      onfocus: "alert(1)",
      onClick: "alert(1)",
      style: "x",
      formaction: "https://evil.example",
      form: "f",
      "x onfocus": "1",
      src: "x",
      name: "csrfToken",
      id: "x",
      type: "image",
      value: "v",
      class: "c",
      '"><script>': "1",
      __proto__: "x",
      constructor: "x",
      autoComplete: "off",
      maxLength: "20",
      required: true,
      readOnly: false,
      inputMode: "numeric"
    }
    const { body } = signIn({
      providers: [{ kind: "credentials", id: "c", name: "Staff", fields: [{ name: "pin", attributes }] }]
    })
    const input = /<input id="input-pin[^>]*>/.exec(body)?.[0]
    assert.strictEqual(
      input,
      '<input id="input-pin-for-c-provider" name="pin" type="text" maxlength="20" required inputmode="numeric" autocomplete="off" autofocus>'
    )
  })

  it("H211 lets no credentials field take the name of a hidden field", () => {
    const fields = ["csrfToken", "callbackUrl", "pin"].map((name) => ({ name, attributes: {} }))
    const page = signIn({ providers: [{ kind: "credentials", id: "c", name: "c", fields }] })
    assert.lengthOf(matches(page, /name="csrfToken"()/g), 1)
    assert.lengthOf(matches(page, /name="callbackUrl"()/g), 1)
  })

  it("H214 leaves a hostile theme out of page and policy", () => {
    for (const value of [
      "red;}body{background:url(//evil.example)}",
      "</style><script>alert(1)</script>",
      "https://a;script-src",
      "//evil.example/x",
      hostile
    ]) {
      // Past the type checker on purpose: configurations are also written in JavaScript.
      const theme = {
        colorScheme: value,
        brandColor: value,
        buttonText: value,
        logo: value
      } as unknown as Pages.PageTheme
      const page = signIn({}, frame(theme))
      assert.strictEqual(page.body, signIn().body)
      assert.deepStrictEqual(page.headers, signIn().headers)
    }
  })

  it("H221 posts to paths of its own origin, for any base path", () => {
    for (const [basePath, action] of [
      ["/auth", "/auth/signin/github"],
      ["/api/auth/", "/api/auth/signin/github"],
      ["", "/signin/github"],
      ["/", "/signin/github"],
      ["//evil.example", "/evil.example/signin/github"],
      ["/\\evil.example", "/evil.example/signin/github"],
      ["auth", "/auth/signin/github"]
    ] as const) {
      const page = signIn(
        { providers: redirects.slice(0, 1) },
        frame({}, { basePath, homeUrl: "https://evil.example" })
      )
      assert.deepStrictEqual(matches(page, /<form action="([^"]*)"/g), [action])
    }
    const dotted = signIn({
      providers: [
        { kind: "redirect", id: "../signout?x#y/z", name: "x" },
        { kind: "redirect", id: "..", name: "x" }
      ]
    })
    assert.deepStrictEqual(matches(dotted, /<form action="([^"]*)"/g), [
      "/auth/signin/..%2Fsignout%3Fx%23y%2Fz",
      "/auth/signin/%252E%252E"
    ])
  })

  it("H221 links home by http or https only", () => {
    for (const homeUrl of ["javascript:alert(1)", "data:text/html,x", "//evil.example", "nonsense", ""]) {
      for (const [, page] of everyPage(frame({}, { homeUrl }))) {
        for (const href of matches(page, /href="([^"]*)"/g)) assert.match(href, /^\/($|auth\/)/)
      }
    }
  })

  it("H224 leaves template syntax as text", () => {
    const name = "{{constructor.constructor('x')()}}${7*7}<%= 1 %>"
    const { body } = signIn({ providers: [{ kind: "redirect", id: "x", name }] })
    assert.include(body, "<bdi>{{constructor.constructor(&#39;x&#39;)()}}${7*7}&lt;%= 1 %&gt;</bdi>")
  })

  it("H226 isolates names that may run right to left", () => {
    const name = "\u202Ekcatta\u202C بنك"
    const page = signIn({ providers: [{ kind: "redirect", id: "x", name }] }, frame({}, { homeLabel: name }))
    assert.include(page.body, `<span class="verb">Sign in with </span><bdi>${name}</bdi>`)
    const shown = page.body.slice(page.body.indexOf("<body"))
    assert.strictEqual(shown.split(name).length, shown.split(`<bdi>${name}</bdi>`).length)
  })

  it("H223 shows no address after a mail was sent", () => {
    const { body, status } = Pages.verifyRequest(frame())
    assert.strictEqual(status, 200)
    assert.notInclude(body.slice(body.indexOf("</style>")), "@")
    assert.include(body, '<a class="site" href="https://app.example.com">')
  })

  it("H227 offers sign-out as a POST form only", () => {
    const page = signOut()
    assert.deepStrictEqual(matches(page, /<form action="\/auth\/signout" method="([^"]*)"/g), ["POST"])
    for (const [, other] of everyPage(frame())) assert.notMatch(other.body, /(href|src)="[^"]*signout/)
  })
})
