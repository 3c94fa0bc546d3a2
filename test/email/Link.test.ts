/**
 * A link in the store and in the browser, and its reading.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { TestClock } from "effect/testing"
import { createHash } from "node:crypto"
import * as Link from "../../src/email/Link.ts"
import { makeMemory } from "../../src/Adapter.ts"
import { AuthRequest, fromWeb } from "../../src/http/AuthRequest.ts"
import * as Mailer from "../../src/Mailer.ts"
import type { EmailProvider } from "../../src/Provider/internal/Provider.ts"
import { Email, type EmailOptions } from "../../src/Provider/Email.ts"
import { Seal } from "../../src/browser/Seal.ts"
import { type Options, Settings } from "../../src/config/Settings.ts"
import { layer, options, otherSecret, secret, site } from "../Visitor.ts"

const dateAt = (milliseconds: number): Date => new Date(milliseconds)

const hex = (text: string): string => createHash("sha256").update(text).digest("hex")

/** The keyed digest, as its documentation says it. */
const keyed = (purpose: string, key: string, text: string): string => {
  const inner = hex(`effect-doorman ${purpose} ${key}`)
  return hex(inner + hex(inner + text))
}

const at = (more: Partial<Options> = {}, provider: EmailOptions = {}) =>
  Effect.provide(
    layer(options({ providers: [Email(provider)], adapter: makeMemory(), mailer: Mailer.capture(), ...more }))
  )

const emailIn = (settings: Settings["Service"], id = "email"): EmailProvider => {
  const provider = Result.getOrThrow(settings.providers.get(id) ?? Result.fail("none"))
  assert(provider.type === "email")
  return provider
}

const token = "0123456789abcdef".repeat(4)

describe("what the store keeps of a token", () => {
  const oldest = `${secret} of before`

  it.gen(
    "is a digest with the newest secret and the provider",
    at({ secret: [otherSecret, secret, oldest] }),
    function* () {
      const settings = yield* Settings
      const stored = Link.storedToken(settings, emailIn(settings), token)
      assert.strictEqual(stored, keyed("sign-in link", otherSecret, `email ${token}`))
      assert.strictEqual(
        Link.mailboxKey(settings, "Ann+x@Example.com"),
        keyed("mailbox", otherSecret, "Ann@Example.com")
      )
      assert.strictEqual(Link.addressKey(settings, "ann+x@a.example"), keyed("address", otherSecret, "ann+x@a.example"))
      // Auth.js hashes with all secrets that it has, which may have been fewer.
      assert.include(Link.storedTokens(settings, emailIn(settings), token), hex(`${token}${secret},${oldest}`))
    }
  )

  it.effect("is one with the secret of the provider, where it has its own", () =>
    Effect.gen(function* () {
      const settings = yield* Settings
      const ofProvider = "provider-secret-0123456789-abcdefghijklm"
      const stored = Link.storedToken(settings, emailIn(settings), token)
      assert.strictEqual(stored, keyed("sign-in link", ofProvider, `email ${token}`))
    }).pipe(at({}, { secret: "provider-secret-0123456789-abcdefghijklm" }))
  )

  it.effect("is looked for under every secret, in our form and in all of Auth.js, ours first for a token of ours", () =>
    Effect.gen(function* () {
      const settings = yield* Settings
      const ours = [otherSecret, secret].map((key) => keyed("sign-in link", key, `email ${token}`))
      const own = Link.ownToken("ab".repeat(32))
      const foreign = (text: string) => [
        hex(`${text}${otherSecret},${secret}`),
        hex(text + otherSecret),
        hex(text + secret)
      ]
      assert.deepStrictEqual(Link.storedTokens(settings, emailIn(settings), token), [...foreign(token), ...ours])
      assert.deepStrictEqual(Link.storedTokens(settings, emailIn(settings), own), [
        ...[otherSecret, secret].map((key) => keyed("sign-in link", key, `email ${own}`)),
        ...foreign(own)
      ])
    }).pipe(at({ secret: [otherSecret, secret] }))
  )

  it.effect("and in our form first where the provider makes its tokens", () =>
    Effect.gen(function* () {
      const settings = yield* Settings
      const [first] = Link.storedTokens(settings, emailIn(settings), token)
      assert.strictEqual(first, keyed("sign-in link", secret, `email ${token}`))
    }).pipe(at({}, { generateVerificationToken: () => "123456" }))
  )

  it("is told from a token of Auth.js by its last four digits", () => {
    const digits = "ab".repeat(30)
    assert.strictEqual(Link.ownToken(`${digits}0000`), digits + hex(`effect-doorman sign-in link ${digits}`).slice(60))
  })
})

const readAt = (path: string, init?: RequestInit) =>
  Effect.gen(function* () {
    const settings = yield* Settings
    const request = yield* fromWeb(new Request(`${site}/auth/callback/email${path}`, init), "/auth")
    return Link.linkOf(request, emailIn(settings))
  }).pipe(at())

describe("a link that is read", () => {
  it.gen("has a token of at most 512 characters and an address", function* () {
    const longest = "t".repeat(512)
    const link = yield* readAt(`?token=${longest}&email=Ann@Example.com`)
    assert.deepStrictEqual(Result.getOrThrow(link), { token: longest, identifier: "ann@example.com" })
    for (const path of ["", `?token=${longest}t&email=a@b.de`, "?token=&email=a@b.de", "?token=t", "?email=a@b.de"]) {
      const failure = Result.merge(yield* readAt(path))
      assert.deepInclude(failure, { _tag: "Verification", provider: "email" }, path)
    }
  })

  it.gen("H149 is refused when a parameter is there twice, and when one is no text", function* () {
    const json = (body: object): RequestInit => ({
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body)
    })
    const rows: ReadonlyArray<readonly [path: string, init?: RequestInit]> = [
      ["?token=t&token=t&email=a@b.de"],
      ["?token=t&token=u&email=a@b.de"],
      ["?token=t&email=a@b.de&email=c@d.de"],
      ["?token=t&email=a@b.de", json({ token: "u" })],
      ["?email=a@b.de", json({ token: ["t"] })],
      ["?email=a@b.de", json({ token: { toString: "t" } })],
      ["?token=t", json({ email: 5 })]
    ]
    for (const [path, init] of rows) {
      const failure = yield* Effect.match(readAt(path, init), { onFailure: (error) => error, onSuccess: Result.merge })
      assert.strictEqual("_tag" in failure ? failure._tag : "a link", "MalformedRequest", path + String(init?.body))
      assert.match("message" in failure ? failure.message : "", /(?:token|email) is there more than once/)
    }
    const twice = yield* readAt("?token=t&email=a@b.de", json({ token: "t", email: "a@b.de" }))
    assert.deepStrictEqual(Result.getOrThrow(twice), { token: "t", identifier: "a@b.de" })
  })
})

describe("what a browser remembers of a link", () => {
  const waiting = {
    provider: "passkey",
    person: { name: "Ann", image: undefined },
    credential: {
      credentialID: "id",
      providerAccountId: "id",
      credentialPublicKey: "key",
      counter: 0,
      credentialDeviceType: "singleDevice",
      credentialBackedUp: false,
      transports: "usb"
    }
  }

  const requestWith = (cookie: string) =>
    fromWeb(new Request(`${site}/auth/callback/email`, { headers: { cookie } }), "/auth")

  const rememberedBy = (id: string, cookie: string) =>
    Effect.gen(function* () {
      const settings = yield* Settings
      return yield* Effect.provideService(
        Link.askedLink(emailIn(settings, id)),
        AuthRequest,
        yield* requestWith(cookie)
      )
    })

  it.effect("is there for the provider that sent it, with its end and its passkey, and for no other", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_800_000_000_000)
      const settings = yield* Settings
      const asked = { identifier: "ann@example.com", stored: "digest", passkey: waiting }
      const cookie = yield* Effect.provideService(
        Link.rememberLink(emailIn(settings), asked),
        AuthRequest,
        yield* requestWith("")
      )
      assert.strictEqual(cookie.name, "__Host-authjs.link")
      const ends = dateAt(1_800_000_000_000 + 600_000)
      assert.deepInclude(cookie.options, { maxAge: 600, expires: ends })
      const line = `${cookie.name}=${cookie.value}`
      const found = yield* rememberedBy("email", line)
      assert.deepStrictEqual(
        JSON.parse(JSON.stringify(found)),
        JSON.parse(JSON.stringify({ ...asked, isRemembered: true, expires: ends, cookie: cookie.value }))
      )
      assert.isUndefined(yield* rememberedBy("other", line))
      for (const other of ["", `${cookie.name}=`, `${cookie.name}=x`, `${line}; ${cookie.name}=x`])
        assert.isUndefined(yield* rememberedBy("email", other), other)
    }).pipe(at({ providers: [Email({ maxAge: 600 }), Email({ id: "other" })] }))
  )

  it.gen("has no end in a cookie of an earlier version, and is nothing in one of another form", at(), function* () {
    const { seal } = yield* Seal
    const open = (claims: Readonly<Record<string, unknown>>) =>
      Effect.flatMap(seal("__Host-authjs.link", claims, 600), (value) =>
        rememberedBy("email", `__Host-authjs.link=${value}`)
      )
    const good = { provider: "email", identifier: "ann@example.com", stored: "digest" }
    const found = yield* open(good)
    assert.deepInclude(found, { identifier: "ann@example.com", stored: "digest", expires: undefined })
    const late = yield* open({ ...good, until: 9e15 })
    assert.strictEqual(late?.expires?.getTime(), 8.64e15)
    const wrong: ReadonlyArray<Readonly<Record<string, unknown>>> = [
      { ...good, stored: undefined },
      { ...good, identifier: 5 },
      { ...good, until: "soon" },
      { ...good, passkey: {} },
      { ...good, passkey: { ...waiting, person: { name: 5 } } },
      { ...good, passkey: { ...waiting, credential: { ...waiting.credential, counter: "0" } } }
    ]
    for (const claims of wrong) assert.isUndefined(yield* open(claims), JSON.stringify(claims))
  })

  it.gen("is forgotten where the browser has it", at(), function* () {
    const settings = yield* Settings
    assert.deepStrictEqual(Link.forgetLink(settings, yield* requestWith("")), [])
    const [cookie] = Link.forgetLink(settings, yield* requestWith("__Host-authjs.link=x"))
    assert.deepInclude(cookie, { name: "__Host-authjs.link", value: "" })
  })
})
