/**
 * Bounds of one request at a site with a store, mail and keys: its cost, the server's calls, the memory.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import { TestClock } from "effect/testing"
import { makeMemory as makeStore } from "../../src/Adapter.ts"
import type { Options } from "../../src/config/Settings.ts"
import { isRevoked, revoke } from "../../src/session/Revocation.ts"
import { layerMemory, SharedState } from "../../src/SharedState.ts"
import { useOnce } from "../../src/storage/AdapterState.ts"
import { budgets, spendCode, spendMail } from "../../src/signin/Limits.ts"
import * as Mailer from "../../src/Mailer.ts"
import { redactedMail } from "../../src/Mailer.ts"
import { Email } from "../../src/Provider/Email.ts"
import { Passkey } from "../../src/Provider/Passkey.ts"
import { Resend } from "../../src/Provider/Resend.ts"
import type { AdapterShape } from "../../src/storage/AdapterShape.ts"
import { type Browser, browser, config, type Seen, start, world } from "../Browser.ts"
import { fieldsOf } from "../Mailed.ts"
import { idp, memoryProvider } from "../MemoryProvider.ts"
import { facade, listener, options, password, site, visitor, type Visitor } from "../Visitor.ts"
import { challengeCookie, optionsOf, person, passkeys } from "../webauthn/Person.ts"
import type { Cbor } from "../webauthn/Cbor.ts"
import { create, type CreationOptions, type Credential, get, type Lies } from "../webauthn/SoftwareAuthenticator.ts"

const full = (character: string, size = 65_000) => character.repeat(size)
const base64url = (data: Uint8Array | string) => Buffer.from(data).toString("base64url")

const form = "application/x-www-form-urlencoded"

/** A site over the facade, with somebody who has a session in the store. */
const makeSite = async () => {
  const store = makeStore()
  const mailer = Mailer.capture()
  const at = facade(
    options({
      providers: [idp(), password(() => null), Email(), Passkey()],
      experimental: { enableWebAuthn: true },
      adapter: store,
      mailer,
      logger: listener().logger
    })
  )
  const who = visitor(at)
  await who.submit("/auth/signin/email", { email: "ada@mail.example" })
  const [mail] = await Effect.runPromise(mailer.mails)
  const link = new URL(mail?.url ?? site)
  const page = await who.get(link.pathname + link.search)
  await who.post(link.pathname, fieldsOf(await page.text()))
  assert.strictEqual((await who.session())?.user?.["email"], "ada@mail.example")
  const asked = (await (await who.get("/auth/webauthn-options/passkey?action=register")).json()) as {
    options: CreationOptions
  }
  const { credential, data } = create(asked.options, site)
  const made = await who.submit("/auth/callback/passkey", { action: "register", data: JSON.stringify(data) })
  assert.notInclude(made.headers.get("location") ?? "", "error")
  return { at, who, credential }
}

interface Prepared {
  /** Somebody with a session. */
  readonly who: Visitor
  /** Somebody without, who has begun a ceremony. */
  readonly stranger: Visitor
  readonly csrfToken: string
  readonly challenge: string
  /** The key of whoever has the session. */
  readonly credential: Credential
}

type Make = (prepared: Prepared) => Promise<Response>

const json = (value: unknown) => ({ headers: { "content-type": "application/json" }, body: JSON.stringify(value) })

/** The end of a ceremony whose challenge is right. */
const proof =
  (response: Readonly<Record<string, unknown>>, more: Readonly<Record<string, unknown>> = {}): Make =>
  ({ challenge, stranger }) => {
    const client = { type: "webauthn.get", challenge, origin: site, crossOrigin: false }
    const data = {
      id: base64url("key"),
      rawId: base64url("key"),
      type: "public-key",
      response: {
        clientDataJSON: base64url(JSON.stringify(client)),
        authenticatorData: base64url(Buffer.alloc(37)),
        signature: base64url(Buffer.alloc(70)),
        ...response
      },
      ...more
    }
    return stranger.post("/auth/callback/passkey", { action: "authenticate", data: JSON.stringify(data) })
  }

/** A proof by a key that is there, with more in it than there should be. */
const knownProof =
  (lies: () => Lies): Make =>
  ({ challenge, credential, stranger }) => {
    credential.counter++
    const data = get(credential, { challenge, rpId: credential.rpId }, site, lies())
    return stranger.post("/auth/callback/passkey", { action: "authenticate", data: JSON.stringify(data) })
  }

const statement =
  (attestationObject: string, more: Readonly<Record<string, unknown>> = {}): Make =>
  ({ challenge, stranger }) => {
    const client = { type: "webauthn.create", challenge, origin: site, ...more }
    const data = {
      id: base64url("key"),
      rawId: base64url("key"),
      type: "public-key",
      response: { clientDataJSON: base64url(JSON.stringify(client)), attestationObject, transports: ["usb"] }
    }
    return stranger.post("/auth/callback/passkey", { action: "register", data: JSON.stringify(data) })
  }

/** A statement that is well formed, with a credential whose id fills it. */
const filled = (() => {
  const id = Buffer.alloc(45_000, 5)
  const length = Buffer.alloc(2)
  length.writeUInt16BE(id.length)
  const authData = Buffer.concat([Buffer.alloc(32), Buffer.from([0x41]), Buffer.alloc(20), length, id])
  const size = Buffer.alloc(2)
  size.writeUInt16BE(authData.length)
  return base64url(
    Buffer.concat([Buffer.from("a363666d74646e6f6e656761747453746d74a068617574684461746159", "hex"), size, authData])
  )
})()

/** Requests of the largest size that is read, at the actions that came with the store. */
const largest: ReadonlyArray<readonly [string, Make]> = [
  [
    "a link with a long token",
    ({ stranger }) => stranger.get(`/auth/callback/email?email=a@b.example&token=${full("a")}`)
  ],
  [
    "a link with a long address",
    ({ stranger }) => stranger.get(`/auth/callback/email?token=x&email=${full("a")}@b.example`)
  ],
  [
    "a link with an address of dots",
    ({ stranger }) => stranger.get(`/auth/callback/email?token=x&email=${full("a.", 32_000)}`)
  ],
  [
    "a link with an address of escapes",
    ({ stranger }) => stranger.get(`/auth/callback/email?token=x&email=${full("%C3%BC", 10_000)}@b.example`)
  ],
  [
    "a link that says everything often",
    ({ stranger }) => stranger.get(`/auth/callback/email?${full("token=x&", 8000)}`)
  ],
  [
    "a link that was followed, with a long token",
    ({ stranger }) => stranger.post("/auth/callback/email", { email: "a@b.example", token: full("t", 64_000) })
  ],
  [
    "a link that was followed, with everything long",
    ({ csrfToken, stranger }) =>
      stranger.post("/auth/callback/email", {
        csrfToken,
        email: full("@", 7000),
        token: full("t", 14_000),
        callbackUrl: `/${full("c", 30_000)}`
      })
  ],
  [
    "an address to send a link to",
    ({ csrfToken, stranger }) =>
      stranger.post("/auth/signin/email", { csrfToken, email: `${full("a", 64_000)}@b.example` })
  ],
  [
    "an address of quotes",
    ({ csrfToken, stranger }) =>
      stranger.send("POST", "/auth/signin/email", json({ csrfToken, email: `"${full("\\", 30_000)}"@b.example` }))
  ],
  [
    "an address of labels in other scripts",
    ({ csrfToken, stranger }) =>
      stranger.send("POST", "/auth/signin/email", json({ csrfToken, email: `a@${full("ü.", 20_000)}example` }))
  ],
  [
    "options for a long address",
    ({ stranger }) => stranger.get(`/auth/webauthn-options/passkey?action=register&email=${full("a")}@b.example`)
  ],
  [
    "options for many actions",
    ({ stranger }) => stranger.get(`/auth/webauthn-options/passkey?${full("action=register&", 4000)}`)
  ],
  ["options for a long action", ({ stranger }) => stranger.get(`/auth/webauthn-options/passkey?action=${full("a")}`)],
  ["options at a long provider", ({ stranger }) => stranger.get(`/auth/webauthn-options/${full("a")}`)],
  [
    "options with many ceremonies open",
    ({ stranger }) =>
      stranger.get("/auth/webauthn-options/passkey?action=authenticate", { cookie: `${challengeCookie}=${full("e")}` })
  ],
  [
    "a key that is no JSON",
    ({ stranger }) => stranger.post("/auth/callback/passkey", { action: "register", data: full("{", 21_000) })
  ],
  [
    "a key in brackets",
    ({ stranger }) =>
      stranger.send("POST", "/auth/callback/passkey", json({ action: "register", data: full("[", 64_000) }))
  ],
  ["a proof with a long signature", proof({ signature: full("A", 60_000) })],
  ["a proof with a long head", proof({ authenticatorData: full("A", 60_000) })],
  ["a proof with a long handle", proof({ userHandle: full("A", 60_000) })],
  ["a proof with a long id", proof({}, { id: full("A", 30_000), rawId: full("A", 30_000) })],
  ["a proof with extensions", proof({}, { clientExtensionResults: { more: full("A", 60_000) } })],
  ["a proof by a known key with a long signature", knownProof(() => ({ signature: Buffer.alloc(45_000, 0x30) }))],
  [
    "a proof by a known key with long extensions",
    knownProof(() => ({ extensions: new Map<Cbor, Cbor>([["more", Buffer.alloc(45_000)]]) }))
  ],
  [
    "a proof by a known key with extensions in extensions",
    knownProof(() => ({
      extensions: new Map<Cbor, Cbor>([
        ["more", Array.from({ length: 500 }).reduce<Cbor>((inner) => new Map<Cbor, Cbor>([[1, inner]]), 1)]
      ])
    }))
  ],
  ["a statement of lists in lists", statement(base64url(Buffer.alloc(45_000, 0x81)))],
  ["a statement of maps in maps", statement(base64url(Buffer.alloc(45_000, 0xa1)))],
  ["a statement of tags of tags", statement(base64url(Buffer.alloc(45_000, 0xc0)))],
  ["a statement of lists without an end", statement(base64url(Buffer.alloc(45_000, 0x9f)))],
  [
    "a statement of many members",
    statement(base64url(Buffer.concat([Buffer.from([0xb9, 0xff, 0xff]), Buffer.alloc(44_000, 1)])))
  ],
  ["a statement with a long id", statement(filled)],
  ["a statement with long client data", statement("oA", { padding: full("p", 40_000) })],
  [
    "an update of a session",
    ({ csrfToken, who }) => who.send("POST", "/auth/session", json({ csrfToken, data: full("b", 60_000) }))
  ],
  [
    "an update of a session with many members",
    ({ csrfToken, who }) =>
      who.send(
        "POST",
        "/auth/session",
        json({ csrfToken, data: Object.fromEntries(Array.from({ length: 4500 }, (_, index) => [`m${index}`, index])) })
      )
  ],
  [
    "an update of a session in brackets",
    ({ csrfToken, who }) =>
      who.send("POST", "/auth/session", {
        headers: { "content-type": "application/json" },
        body: `{"csrfToken":"${csrfToken}","data":${full("[", 30_000)}${full("]", 30_000)}}`
      })
  ],
  [
    "a long session token",
    ({ stranger }) => stranger.get("/auth/session", { cookie: `__Secure-authjs.session-token=${full("s")}` })
  ],
  [
    "many session tokens",
    ({ stranger }) =>
      stranger.get("/auth/session", {
        cookie: Array.from({ length: 2000 }, (_, index) => `__Secure-authjs.session-token=${index}`).join("; ")
      })
  ]
]

describe("one request at a site with a store", () => {
  for (const [name, make] of largest) {
    it(`H297 of the largest size costs little: ${name}`, async () => {
      const { at, credential, who } = await makeSite()
      // Each answer is one to a new ceremony: whatever it was, it is used up.
      const prepared = async (): Promise<Prepared> => {
        const isRegistration = name.startsWith("a statement")
        const query = isRegistration ? "?action=register&email=eve@mail.example" : "?action=authenticate"
        const stranger = visitor(at)
        const asked = await stranger.get(`/auth/webauthn-options/passkey${query}`)
        const { options } = (await asked.json()) as { options: { challenge: string } }
        const isUpdate = name.startsWith("an update")
        const csrfToken = await (isUpdate ? who : stranger).csrfToken()
        return { who, stranger, csrfToken, credential, challenge: options.challenge }
      }
      const answer = async (): Promise<number> => {
        const one = await prepared()
        const before = process.cpuUsage()
        const response = await make(one)
        const body = await response.text()
        const { system, user } = process.cpuUsage(before)
        const headers = JSON.stringify([...response.headers]).length
        assert.isBelow(response.status, 500)
        assert.notStrictEqual(response.status, 413, "it is read, not refused for its size")
        if (!name.includes("at a long provider"))
          assert.notInclude(response.headers.get("location") ?? "", "error=Configuration")
        assert.isAtMost(body.length + headers, 20_000)
        return user + system
      }
      await answer()
      // The time of the processor, not of the wall, and far from what is measured elsewhere: this finds what explodes.
      // Of thirty answers the least: other work of the machine only adds to it.
      let least = Number.POSITIVE_INFINITY
      for (let count = 0; count < 30 && least >= 20_000; count++) least = Math.min(least, await answer())
      assert.isBelow(least, 20_000)
    })
  }

  it("H297 answers and pages of the longest address that there is are small", async () => {
    const { at } = await makeSite()
    const who = visitor(at)
    const address = `${full("a", 64)}@${[full("b", 60), full("c", 60), full("d", 59)].join(".")}.example`
    for (const response of [
      await who.submit("/auth/signin/email", { email: address }),
      await who.get(`/auth/callback/email?token=${full("t", 512)}&email=${address}`),
      await who.get(`/auth/webauthn-options/passkey?action=register&email=${address}`),
      await who.get("/auth/verify-request"),
      await who.get("/auth/signin?error=OAuthAccountNotLinked")
    ]) {
      assert.isBelow(response.status, 400)
      assert.isAtMost((await response.text()).length + JSON.stringify([...response.headers]).length, 20_000)
    }
  })
})

/** A network that counts: the provider, and the service that sends the mails. */
const counted = (mailStatus: number) => {
  const provider = memoryProvider()
  const asked: Array<string> = []
  const client = HttpClient.make((request) =>
    Effect.suspend(() => {
      asked.push(request.url)
      return request.url.startsWith("https://api.resend.com")
        ? Effect.succeed(HttpClientResponse.fromWeb(request, new Response("{}", { status: mailStatus })))
        : provider.client.execute(request)
    })
  )
  return { asked, provider: { ...provider, layer: Layer.succeed(HttpClient.HttpClient, client) } }
}

type Asks = (who: Browser) => Effect.Effect<Seen, unknown, Layer.Success<ReturnType<typeof world>>>

const sends = (who: Browser, path: string, fields: Readonly<Record<string, string>>) =>
  who.send("POST", path, { headers: { "content-type": form }, body: new URLSearchParams(fields).toString() })

const client = base64url(JSON.stringify({ type: "webauthn.get", challenge: "AAAA", origin: site }))
const keyData = JSON.stringify({
  id: "AAAA",
  rawId: "AAAA",
  type: "public-key",
  response: { clientDataJSON: client, authenticatorData: "AAAA", signature: "AAAA", attestationObject: "oA" }
})

/** Requests of somebody without a session, and how many calls each may cause. */
const strangers: ReadonlyArray<readonly [title: string, calls: 0 | 1, ask: Asks]> = [
  ["asks for a link", 1, (who) => who.submit("/auth/signin/resend", { email: "ada@mail.example" })],
  ["asks for a link to no address", 0, (who) => who.submit("/auth/signin/resend", { email: "ada" })],
  ["asks for a link without a token", 0, (who) => sends(who, "/auth/signin/resend", { email: "ada@mail.example" })],
  ["opens a link", 0, (who) => who.get(`/auth/callback/resend?token=${full("a", 64)}&email=ada@mail.example`)],
  [
    "opens a link without looking",
    0,
    (who) => who.send("HEAD", `/auth/callback/resend?token=${full("a", 64)}&email=ada@mail.example`)
  ],
  [
    "follows a link",
    0,
    (who) => who.submit("/auth/callback/resend", { token: full("a", 64), email: "ada@mail.example" })
  ],
  ["guesses a code", 0, (who) => who.submit("/auth/callback/resend", { token: "123456", email: "ada@mail.example" })],
  ["asks for options to sign in", 0, (who) => who.get("/auth/webauthn-options/passkey?action=authenticate")],
  ["asks for options", 0, (who) => who.get("/auth/webauthn-options/passkey")],
  [
    "asks for options to make a key",
    0,
    (who) => who.get("/auth/webauthn-options/passkey?action=register&email=ada@mail.example")
  ],
  ["proves a key", 0, (who) => sends(who, "/auth/callback/passkey", { action: "authenticate", data: keyData })],
  ["makes a key", 0, (who) => sends(who, "/auth/callback/passkey", { action: "register", data: keyData })],
  ["updates a session", 0, (who) => who.submit("/auth/session", { data: "x" })],
  ["reads a session", 0, (who) => who.get("/auth/session", { cookie: "__Secure-authjs.session-token=made-up" })],
  ["signs out", 0, (who) => who.submit("/auth/signout")],
  ["comes back from nowhere", 0, (who) => who.get("/auth/callback/idp?code=c&state=s")],
  ["sets out for a provider", 1, (who) => who.submit("/auth/signin/idp")]
]

describe("what a stranger makes a site with a store ask", () => {
  for (const mailStatus of [200, 429, 500, 302]) {
    for (const [title, calls, ask] of strangers) {
      it.effect(`H302 is at most one call when a visitor ${title}, and the mail service answers ${mailStatus}`, () => {
        const { asked, provider } = counted(mailStatus)
        const settings = config({
          providers: [idp(), Resend({ apiKey: "re_test_key_0123456789" }), Passkey()],
          experimental: { enableWebAuthn: true },
          adapter: makeStore()
        })
        return Effect.gen(function* () {
          const seen = yield* ask(browser())
          assert.isBelow(seen.status, 500)
          yield* TestClock.adjust("1 minute")
          assert.strictEqual(asked.length, calls, asked.join(", "))
        }).pipe(Effect.provide(world(settings, provider)))
      })
    }
  }

  it.effect("H302 is no mail at all once a mailbox had its share, and none for its aliases", () => {
    const { asked, provider } = counted(200)
    const settings = config({ providers: [Resend({ apiKey: "re_test_key_0123456789" })], adapter: makeStore() })
    return Effect.gen(function* () {
      const seen: Array<unknown> = []
      for (let index = 0; index < 30; index++) {
        const email = index % 2 === 0 ? "ada@mail.example" : `ada+${index}@mail.example`
        const { location, status } = yield* browser().submit("/auth/signin/resend", { email })
        seen.push([status, location])
      }
      assert.strictEqual(asked.length, 5)
      assert.deepStrictEqual(
        seen,
        Array.from({ length: 30 }, () => seen[0]),
        "nobody is told"
      )
    }).pipe(Effect.provide(world(settings, provider)))
  })
})

describe("what is remembered beside a store", () => {
  const limits = { basePath: "/auth", secrets: [] }
  const isAllowed = (mailbox: string) =>
    Effect.catch(spendMail(limits, mailbox, undefined), () => Effect.succeed(undefined))

  it.gen("H303 mailboxes and codes: others do not make a count vanish", Effect.provide(layerMemory), function* () {
    yield* TestClock.setTime(start)
    const { limit } = yield* SharedState
    for (const name of ["first", ...Array.from({ length: 20_001 }, (_, index) => `${index}`)]) {
      for (let count = 0; count < 10; count++) {
        yield* limit(budgets.mailbox, name)
        yield* limit(budgets.othercode, name)
        if (name !== "first") break
      }
    }
    assert.isFalse(yield* isAllowed("first"))
    assert.strictEqual((yield* Effect.flip(spendCode("first", undefined, false)))._tag, "TooManyAttempts")
  })

  it.effect("H157 a mailbox that is asked for without end gets five mails an hour, twelve minutes apart", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const sent: Array<number> = []
      for (let minute = 0; minute < 600; minute++) {
        for (let count = 0; count < 20; count++) if (yield* isAllowed("one")) sent.push(minute)
        yield* TestClock.adjust("1 minute")
      }
      assert.deepStrictEqual(sent.slice(0, 8), [0, 0, 0, 0, 0, 12, 24, 36])
      assert.lengthOf(sent, 5 + 49)
    }).pipe(Effect.provide(layerMemory))
  )

  it.effect("H303 revoked sessions: others do not make one valid, and time removes it", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const state = yield* SharedState
      const rejected = (token: string) => isRevoked(state, token)
      yield* revoke("first", start + 1000)
      yield* revoke("past", start - 1000)
      for (let index = 0; index < 20_001; index++) yield* revoke(`${index}`, start + 2000)
      // Revoked again is no shorter time.
      yield* revoke("1", start + 500)
      assert.deepStrictEqual([yield* rejected("first"), yield* rejected("past")], [true, false])
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual([yield* rejected("first"), yield* rejected("1")], [false, true])
    }).pipe(Effect.provide(layerMemory))
  )

  it.effect("H303 answered challenges: as many as fit, and none is accepted again", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const use = (index: number) => useOnce(undefined, "webauthn", `challenge ${index}`, start + 300_000)
      for (let index = 0; index < 250_000; index++) assert.isTrue(yield* use(index))
      assert.strictEqual((yield* Effect.flip(use(250_000)))._tag, "SharedStateError")
      for (const index of [0, 39_000, 249_999]) assert.isFalse(yield* use(index), `${index}`)
    }).pipe(Effect.provide(layerMemory))
  )

  /** Without a ledger in the store, the process remembers which challenges were answered. */
  const withoutLedger = (store: AdapterShape): AdapterShape => ({
    ...store,
    methods: new Set([...store.methods].filter((method) => method !== "useOnce")),
    useOnce: () => Effect.die("there is none")
  })

  const runs = (settings: Options) => Effect.provide(world(settings))

  it.effect("H303 a challenge counts once, also where the process remembers it", () => {
    const { options: settings } = passkeys({}, {}, withoutLedger(makeStore()))
    const who = person()
    return Effect.gen(function* () {
      const { credential } = yield* who.register("ada@mail.example")
      yield* who.leave
      const asked = yield* who.request()
      const cookies = new Map(who.browser.cookies)
      credential.counter++
      const data = get(credential, asked, site)
      assert.isUndefined((yield* who.post("authenticate", data)).failure)
      for (const [name, value] of cookies) who.browser.cookies.set(name, value)
      credential.counter++
      const again = yield* who.post("authenticate", get(credential, asked, site))
      assert.strictEqual(again.failure?._tag, "InvalidCheck")
    }).pipe(runs(settings))
  })

  it.effect("H303 a browser keeps three ceremonies, in a cookie of one size, and the last one works", () => {
    const { options: settings } = passkeys()
    const who = person()
    const email = `${full("a", 64)}@${full("b", 60)}.${full("c", 60)}.example`
    return Effect.gen(function* () {
      const begun: Array<CreationOptions> = []
      const sizes = new Set<number>()
      for (let count = 0; count < 40; count++) {
        begun.push(optionsOf<CreationOptions>(yield* who.ask(`?action=register&email=${email}`)))
        const size = who.browser.cookies.get(challengeCookie)?.length ?? 0
        assert.isAtMost(size, 3900)
        if (count > 3) sizes.add(size)
      }
      assert.strictEqual(sizes.size, 1)
      const cookies = new Map(who.browser.cookies)
      const outcomes: Array<string | undefined> = []
      for (const options of begun.slice(-4)) {
        who.browser.cookies.clear()
        for (const [name, value] of cookies) who.browser.cookies.set(name, value)
        const { failure } = yield* who.post("register", create(options, site).data)
        outcomes.push(failure?._tag)
      }
      // The first of the four was pushed out; of the others the first made the user, whom the address now is.
      assert.deepStrictEqual(outcomes, ["InvalidCheck", undefined, "AccountNotLinked", "AccountNotLinked"])
    }).pipe(runs(settings))
  })

  it.gen("H303 mails that a capturing mailer keeps are the last ones", function* () {
    const { mails, send } = Mailer.capture(10)
    for (let index = 0; index < 100; index++) {
      yield* send(
        redactedMail({ to: "a@b.example", from: "c@d.example", subject: `${index}`, text: "", html: "", url: "" })
      )
    }
    const kept = yield* mails
    assert.deepStrictEqual([kept.length, kept[0]?.subject, kept.at(-1)?.subject], [10, "90", "99"])
  })
})
