import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { createHash } from "node:crypto"
import { Script } from "node:vm"
import { passkeyScript } from "../../src/pages/PasskeyScript.ts"
import { at, browser, config } from "../Browser.ts"
import { password } from "../Visitor.ts"
import { passkeys, person } from "./Person.ts"

const scriptsOf = (html: string): ReadonlyArray<string> =>
  [...html.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)].map(([, code = ""]) => code)

const markupOf = (html: string): string => html.replace(/<script[\s\S]*<\/script>/, "")

const directives = (policy: string | null): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (policy ?? "").split("; ").map((one) => [one.slice(0, one.indexOf(" ")), one.slice(one.indexOf(" ") + 1)])
  )

describe("the script for keys", () => {
  it.gen("is named by its hash in the policy of its page, and runs nothing else", at(passkeys().options), function* () {
    const seen = yield* browser().get("/auth/signin")
    const [script = "", ...more] = scriptsOf(seen.body)
    assert.deepStrictEqual([script, more], [passkeyScript, []])
    const policy = directives(seen.headers.get("content-security-policy"))
    assert.strictEqual(policy["script-src"], `'sha256-${createHash("sha256").update(script).digest("base64")}'`)
    assert.strictEqual(policy["connect-src"], "'self'")
    assert.strictEqual(policy["default-src"], "'none'")
    assert.notMatch(seen.body, /unpkg|https?:\/\/(?!app\.example)/)
  })

  it.gen("is not on pages that have no keys", at(config({ providers: [password()] })), function* () {
    const seen = yield* browser().get("/auth/signin")
    assert.deepStrictEqual(scriptsOf(seen.body), [])
    assert.notMatch(seen.headers.get("content-security-policy") ?? "", /script-src|connect-src/)
  })

  it("is a script, in plain characters that end no element", () => {
    assert.doesNotThrow(() => new Script(passkeyScript))
    assert.notInclude(passkeyScript, "<")
    assert.match(passkeyScript, /^[\n\x20-\x7e]*$/)
  })
})

describe("the form for keys", () => {
  it.gen("stays hidden behind a text until the script has run", at(passkeys().options), function* () {
    const body = markupOf((yield* browser().get("/auth/signin")).body)
    assert.match(body, /<p class="message">To use a passkey, this page needs JavaScript[^<]*<\/p><form [^>]*hidden>/)
    assert.match(body, /<form action="\/auth\/callback\/passkey" method="POST" id="passkey-form"/)
    assert.include(body, 'data-passkey="/auth/webauthn-options/passkey"')
    assert.include(body, " data-conditional")
    assert.notInclude(body, " data-names")
    assert.match(body, /<input [^>]*name="email" type="email"[^>]*required[^>]*data-form-field/)
    assert.match(body, /<input [^>]*autocomplete="username webauthn"/)
    assert.include(body, "Create a passkey")
  })

  it.effect("says what its provider is called, and what it may tell the site", () =>
    Effect.gen(function* () {
      const body = markupOf((yield* browser().get("/auth/signin")).body)
      assert.include(body, "Sign in with <bdi>Acme &lt;key&gt;</bdi>")
      assert.include(body, " data-names")
      assert.notInclude(body, " data-conditional")
    }).pipe(at(passkeys({}, { name: "Acme <key>", usernameFirst: true, enableConditionalUI: false }).options))
  )

  it.gen("adds a key for a signed-in user, and asks them for nothing else", at(passkeys().options), function* () {
    const visitor = person()
    const mine = Effect.map(visitor.browser.get("/auth/signin"), ({ body }) => markupOf(body))
    assert.notInclude(yield* mine, "Add a passkey")
    yield* visitor.register("ada@example.com")
    const signedIn = yield* mine
    assert.include(signedIn, "Add a passkey")
    assert.notMatch(signedIn, /Create a passkey|data-form-field|data-conditional/)
    yield* visitor.leave
    assert.include(yield* mine, "Create a passkey")
  })

  it.effect("is left out where the configuration has no fields", () =>
    Effect.gen(function* () {
      const { body } = yield* browser().get("/auth/signin")
      assert.notInclude(body, "passkey-form")
      assert.deepStrictEqual(scriptsOf(body), [])
    }).pipe(at(passkeys({}, { enableConditionalUI: false, formFields: {} }).options))
  )

  it.effect("keeps its own hidden fields, for any names of other fields in the configuration", () =>
    Effect.gen(function* () {
      const body = markupOf((yield* browser().get("/auth/signin")).body)
      assert.notMatch(body, /name="(action|data)"/)
    }).pipe(
      at(passkeys({}, { formFields: { email: { autocomplete: "username webauthn" }, action: {}, data: {} } }).options)
    )
  )
})
