import { assert, describe, it } from "@effect/vitest"
import { frame as frameOf } from "../../src/pages/Frame.ts"
import { all, callbackUrl, credentials, csp, csrfToken, frame, redirects, signIn } from "./Samples.ts"

const other = "0".repeat(64)

const formAction = (page: ReturnType<typeof signIn>): string | undefined => csp(page).get("form-action")

describe("the sign-in page, drawn once for a frame", () => {
  it("has the token and the target of its own request in every form, and those of no other", () => {
    const of = frame()
    const first = signIn({}, of)
    const second = signIn({ csrfToken: other, callbackUrl: "https://app.example.com/<b>" }, of)
    const forms = second.body.split("<form").length - 1
    assert.strictEqual(forms, all.length)
    assert.strictEqual(second.body.split(`value="${other}"`).length - 1, forms)
    assert.strictEqual(second.body.split('value="https://app.example.com/&lt;b&gt;"').length - 1, forms)
    assert.notInclude(second.body, csrfToken)
    assert.notInclude(second.body, "/dashboard")
    assert.strictEqual(signIn({}, of).body, first.body)
    assert.strictEqual(signIn().body, first.body)
    assert.strictEqual(second.headers, first.headers)
    assert.notInclude(first.body, "\0")
  })

  const ofOneRequest: ReadonlyArray<Parameters<typeof signIn>[0]> = [
    { error: "CredentialsSignin" },
    { error: "EmailSignin", code: "email_invalid" },
    { email: "ann@example.com" },
    { authorization: { prompt: "login" } },
    { problems: ["This page came from http://127.0.0.1:3000."] },
    { unproven: { providerId: "github", email: "ann@example.com" } }
  ]
  it.each(ofOneRequest)("shows what belongs to one request in its page alone: %o", (content) => {
    const of = frame()
    assert.notStrictEqual(signIn(content, of).body, signIn().body)
    assert.strictEqual(signIn({}, of).body, signIn().body)
    assert.strictEqual(signIn(content, of).body, signIn(content).body)
  })

  it.each(["https://other.example/", "com.example.app:/done", "https://app.example.com.evil.example/"])(
    "H215 admits another target in its page alone: %s",
    (target) => {
      const of = frame()
      const own = signIn({ providers: [credentials] }, of)
      assert.strictEqual(formAction(own), "'self' https:")
      const away = signIn({ providers: [credentials], callbackUrl: target }, of)
      assert.strictEqual(
        formAction(away),
        target.startsWith("https:") ? "'self' https:" : "'self' https: com.example.app:"
      )
      assert.deepStrictEqual(signIn({ providers: [credentials] }, of), own)
    }
  )

  it("shows the providers that it is given, however it was drawn before", () => {
    const of = frame()
    for (const providers of [all, redirects, [credentials], [], all])
      assert.strictEqual(signIn({ providers }, of).body, signIn({ providers }).body)
  })
})

describe("the frame of a page", () => {
  const settings = { basePath: "/auth", theme: frame().theme }

  it("is the same one for a configuration and a host", () => {
    const at = (url: string) => frameOf(settings, new URL(url))
    const first = at("https://app.example.com/auth/signin")
    assert.deepStrictEqual(first, frame())
    assert.strictEqual(at("https://app.example.com/auth/signout?a=1"), first)
    assert.deepInclude(at("https://b.example.com:8443/"), {
      homeUrl: "https://b.example.com:8443",
      homeLabel: "b.example.com:8443"
    })
    assert.deepStrictEqual(at("https://app.example.com/"), first)
    assert.deepInclude(frameOf({ ...settings, basePath: "" }, new URL(callbackUrl)), { basePath: "" })
  })
})
