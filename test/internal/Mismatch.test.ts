/**
 * Both sides of a comparison that failed: what is shown of a value that anybody may have written.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { addresses, names, showAddress } from "../../src/internal/Mismatch.ts"
import { at, browser, config, type Log } from "../Browser.ts"
import { idp, memoryProvider } from "../MemoryProvider.ts"
import { facade, listener, options, visitor } from "../Visitor.ts"

const token = "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJ4In0.c2lnbmF0dXJl"

describe("addresses", () => {
  const shown: ReadonlyArray<readonly [unknown, string]> = [
    ["https://idp.example", "https://idp.example"],
    ["https://idp.example/", "https://idp.example/"],
    ["https://idp.example:8443/realms/a", "https://idp.example:8443/realms/a"],
    [
      "https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0",
      "https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0"
    ],
    ["https://user:password@idp.example/a?code=1#b", "https://idp.example/a?…"],
    ["https://idp.example/0123456789abcdefghijklmnopqrstuvwxyz/x", "https://idp.example/…/x"],
    ["accounts.google.com", "accounts.google.com"],
    ["null", "null"],
    [undefined, "nothing"],
    ["", "nothing"],
    ["a text\nwith lines", "a text of another form, of 17 characters"],
    [token, `a text of another form, of ${token.length} characters`],
    [{ iss: "x" }, "an object"]
  ]
  for (const [value, text] of shown) it(`${JSON.stringify(value)}`, () => assert.strictEqual(showAddress(value), text))

  it("are bounded", () => {
    assert.isAtMost(showAddress(`https://idp.example/${"a/".repeat(5000)}`).length, 201)
    assert.isAtMost(showAddress("a".repeat(5000)).length, 60)
  })

  it("stand at the end of a sentence", () => {
    assert.strictEqual(
      addresses("https://a.example", "https://b.example"),
      ": expected https://a.example, got https://b.example"
    )
  })
})

describe("names", () => {
  it("are shown as they are, and several of them", () => {
    assert.strictEqual(
      names("client-1", ["client-2", "https://api.example"]),
      ": expected client-1, got client-2, https://api.example"
    )
  })
  it("that are none are described", () => {
    assert.strictEqual(
      names("client-1", [token, "a b"]),
      `: expected client-1, got a text of another form, of ${token.length} characters, a text of another form, of 3 characters`
    )
  })
})

describe("the log of a sign-in names both values of", () => {
  const visit = (
    prepare: (provider: ReturnType<typeof memoryProvider>) => void,
    said: string | RegExp,
    change: (back: URL) => void = () => undefined
  ) => {
    const log: Log = { entries: [] }
    const provider = memoryProvider()
    prepare(provider)
    const person = browser()
    return Effect.gen(function* () {
      const { csrfToken } = JSON.parse((yield* person.get("/auth/csrf")).body) as { csrfToken: string }
      const { location } = yield* person.send("POST", "/auth/signin/idp", {
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({ csrfToken }).toString()
      })
      if (location?.startsWith("https://idp.example/") === true) {
        const back = provider.agree(location, "code-1")
        change(back)
        yield* person.get(back)
      }
      const text = log.entries.map(({ message }) => (message instanceof Error ? message.message : "")).join("\n")
      if (typeof said === "string") assert.include(text, said)
      else assert.match(text, said)
    }).pipe(at(config({ providers: [idp()] }), provider, log))
  }

  it.effect("the issuer of the metadata", () =>
    visit((provider) => {
      provider.script["/.well-known/openid-configuration"] = () => Response.json({ issuer: "https://old.example/a" })
    }, /is not the configured one: expected https:\/\/idp\.example\/?, got https:\/\/old\.example\/a/)
  )

  it.effect("the audience of the ID token", () =>
    visit((provider) => {
      provider.claims["aud"] = "another-client"
    }, "is for another client: expected client-1, got another-client")
  )

  it.effect("the issuer of the ID token", () =>
    visit((provider) => {
      provider.claims["iss"] = "https://idp.example/other"
    }, /comes from another issuer: expected https:\/\/idp\.example\/?, got https:\/\/idp\.example\/other/)
  )

  it.effect("the issuer of the answer", () =>
    visit(
      () => undefined,
      /the answer comes from another issuer: expected https:\/\/idp\.example\/?, got https:\/\/evil\.example/,
      (back) => back.searchParams.set("iss", "https://evil.example")
    )
  )

  it.effect("the redirect URI that the provider does not know", () =>
    visit(
      () => undefined,
      /\(redirect_uri_mismatch\): register https:\/\/app\.example\/auth\/callback\/idp there/,
      (back) => {
        back.searchParams.delete("code")
        back.searchParams.set("error", "redirect_uri_mismatch")
      }
    )
  )
})

describe("the log of a form names both values of", () => {
  it("the origin", async () => {
    const { logger, told } = listener()
    await visitor(facade(options({ logger }))).submit("/auth/signout", {}, { origin: "https://other.example" })
    assert.include(told.messages.join("\n"), "another site: expected https://app.example, got https://other.example")
  })
})
