import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HandleAction from "../../src/composition/HandleAction.ts"
import { AuthRequest, fromWeb } from "../../src/http/AuthRequest.ts"
import { makeMemory } from "../../src/Adapter.ts"
import type { Options } from "../../src/config/Settings.ts"
import { skipCSRFCheck } from "../../src/internal/Markers.ts"
import { Passkey } from "../../src/Provider/Passkey.ts"
import { at, browser, config } from "../Browser.ts"
import { idp, memoryProvider } from "../MemoryProvider.ts"
import { password, site } from "../Visitor.ts"

const form = { "content-type": "application/x-www-form-urlencoded" }
const elsewhere = { ...form, "sec-fetch-site": "cross-site", origin: "https://evil.example" }

const options = (more: Partial<Options> = {}) =>
  config({
    adapter: makeMemory(),
    session: { strategy: "jwt" },
    experimental: { enableWebAuthn: true },
    providers: [
      idp(),
      password(),
      Passkey,
      {
        id: "mail",
        name: "Mail",
        type: "email",
        from: "site@example.com",
        sendVerificationRequest: () => Promise.resolve()
      } as never
    ],
    skipCSRFCheck,
    ...more
  })

/** Everything that changes something when it is posted. */
const posts = [
  ["signin/idp", ""],
  ["signin/mail", "email=ann%40example.com"],
  ["callback/credentials", "username=ann&password=pw"],
  ["callback/passkey", "action=authenticate&data=%7B%7D"],
  ["callback/mail", "email=ann%40example.com&token=t"],
  ["session", "data=x"],
  ["signout", ""]
] as const

describe("H088 one gate before every change", () => {
  for (const [path, body] of posts) {
    it.effect(`H088 refuses POST ${path} of another site, also where the framework checks the token`, () =>
      Effect.gen(function* () {
        for (const headers of [
          elsewhere,
          { ...form, origin: "https://evil.example" },
          { ...elsewhere, origin: "null" }
        ]) {
          const seen = yield* browser().send("POST", `/auth/${path}`, { headers, body })
          assert.strictEqual(seen.failure?._tag, "MissingCsrf")
        }
        for (const headers of [form, { ...form, origin: site }, { ...form, "sec-fetch-site": "same-origin" }]) {
          const seen = yield* browser().send("POST", `/auth/${path}`, { headers, body })
          assert.notStrictEqual(seen.failure?._tag, "MissingCsrf")
        }
      }).pipe(at(options()))
    )
  }

  it.effect("a provider with form_post answers from its own site", () => {
    const provider = memoryProvider()
    const person = browser()
    return Effect.gen(function* () {
      const seen = yield* person.send("POST", "/auth/signin/idp", { headers: form, body: "" })
      const back = provider.agree(seen.location ?? "")
      const done = yield* person.send("POST", back.pathname, { headers: elsewhere, body: back.search.slice(1) })
      assert.isUndefined(done.failure)
    }).pipe(at(options({ providers: [idp({ authorization: { params: { response_mode: "form_post" } } })] }), provider))
  })

  it.gen("a navigation whose headers server code copied is the application's own request", at(options()), function* () {
    const asks = Effect.fnUntraced(function* (headers: Readonly<Record<string, string>>, fromServer: boolean) {
      const read = yield* fromWeb(new Request(`${site}/auth/signin/idp`, { method: "POST", headers }), "/auth")
      const { failure } = yield* Effect.provideService(HandleAction.handle, AuthRequest, { ...read, fromServer })
      return failure?._tag
    })
    const navigation = { "sec-fetch-site": "cross-site", referer: "https://mail.example/" }
    assert.isUndefined(yield* asks(navigation, true))
    assert.strictEqual(yield* asks(navigation, false), "MissingCsrf")
    assert.strictEqual(yield* asks({ ...navigation, origin: "https://evil.example" }, true), "MissingCsrf")
  })
})
