import { assert, describe, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import { TestClock } from "effect/testing"
import { randomBytes } from "node:crypto"
import { compile } from "../../src/config/Settings.ts"
import { spendNewUser } from "../../src/signin/Limits.ts"
import { ClientAddress } from "../../src/telemetry/AuditEmitter.ts"
import type { SignInParams } from "../../src/Callbacks.ts"
import { AccessDenied, AdapterError } from "../../src/Errors.ts"
import { Passkey } from "../../src/Provider/Passkey.ts"
import { WebAuthn } from "../../src/Provider/WebAuthn.ts"
import type { AdapterShape } from "../../src/storage/AdapterShape.ts"
import { make as makeMemory } from "../../src/storage/MemoryAdapter.ts"
import { at, type Log, type Seen, settled, start } from "../Browser.ts"
import { site } from "../Visitor.ts"
import { challengeCookie, passkeys, person, sessionCookie } from "./Person.ts"
import { create, type Credential, get, type Lies } from "./SoftwareAuthenticator.ts"

const ada = "ada@example.com"
const bob = "bob@example.com"

const asRow = (credential: Credential) => credential.id.toString("base64")

/** The numbers of rows of one address in the store. */
const held = Effect.fnUntraced(function* (store: AdapterShape, email: string) {
  const user = Option.getOrUndefined(yield* store.getUserByEmail(email))
  if (user === undefined) return { users: 0, accounts: 0, keys: 0 }
  return {
    users: 1,
    accounts: (yield* store.listAccounts(user.id)).length,
    keys: (yield* store.listAuthenticatorsByUserId(user.id)).length
  }
})

/** Tag of the failure; the browser gets no session and forgets the ceremony. */
const refusalOf = (seen: Seen): string | undefined => {
  assert.isFalse(seen.lines.some((line) => line.startsWith(sessionCookie) && !/Max-Age=0/.test(line)))
  if (seen.failure?._tag !== "MalformedRequest" && seen.failure?._tag !== "MissingCsrf")
    assert.isTrue(seen.lines.every((line) => !line.startsWith(challengeCookie) || /Max-Age=0/.test(line)))
  assert.isBelow(seen.status, 500)
  return seen.failure?._tag
}

describe("a key of one's own", () => {
  for (const strategy of ["database", "jwt"] as const) {
    for (const algorithm of ["ES256", "EdDSA", "RS256"] as const) {
      it.effect(`P185 is made (${algorithm}, ${strategy}), and signs in afterwards`, () => {
        const { options, store } = passkeys({ session: { strategy } })
        const visitor = person()
        return Effect.gen(function* () {
          const { credential, seen } = yield* visitor.register(ada, {}, algorithm)
          assert.strictEqual(seen.failure, undefined)
          assert.deepStrictEqual([seen.status, seen.location], [302, site])
          assert.strictEqual((yield* visitor.browser.session)?.user?.["email"], ada)
          const row = Option.getOrThrow(yield* store.getAuthenticator(asRow(credential)))
          const user = Option.getOrThrow(yield* store.getUserByEmail(ada))
          assert.deepInclude(row, {
            userId: user.id,
            credentialID: asRow(credential),
            providerAccountId: asRow(credential),
            counter: 0,
            credentialDeviceType: "singleDevice",
            credentialBackedUp: false,
            transports: "internal,hybrid"
          })
          assert.deepStrictEqual(Reflect.get(row, "createdAt"), DateTime.toDateUtc(DateTime.makeUnsafe(start)))
          assert.notProperty(row, "lastUsedAt")
          assert.strictEqual(user.emailVerified, null)
          yield* visitor.leave
          yield* TestClock.adjust("1 hour")
          assert.strictEqual(yield* visitor.browser.session, null)
          const back = yield* visitor.signIn(credential)
          assert.strictEqual(back.failure, undefined)
          assert.deepStrictEqual([back.status, back.location], [302, site])
          assert.strictEqual((yield* visitor.browser.session)?.user?.["email"], ada)
          assert.isFalse(visitor.browser.cookies.has(challengeCookie))
          const counted = Option.getOrThrow(yield* store.getAuthenticator(asRow(credential)))
          assert.strictEqual(counted.counter, 1)
          assert.deepStrictEqual(
            Reflect.get(counted, "lastUsedAt"),
            DateTime.toDateUtc(DateTime.makeUnsafe(start + 3_600_000))
          )
        }).pipe(at(options))
      })
    }
  }

  it.effect("tells callbacks and events who came, once and in order", () => {
    const told: Array<string> = []
    const asked: Array<SignInParams> = []
    const { options } = passkeys({
      callbacks: {
        signIn: (params) => {
          asked.push(params)
          return true
        }
      },
      events: {
        createUser: ({ user }) => told.push(`createUser ${user.email}`),
        linkAccount: ({ account }) => told.push(`linkAccount ${account.type}`),
        signIn: ({ account, isNewUser, user }) => told.push(`signIn ${user.email} ${account?.type} ${isNewUser}`)
      }
    })
    const visitor = person()
    return Effect.gen(function* () {
      const { credential } = yield* visitor.register(ada)
      yield* visitor.leave
      yield* visitor.signIn(credential)
      assert.deepStrictEqual(told, [
        `createUser ${ada}`,
        "linkAccount webauthn",
        `signIn ${ada} webauthn true`,
        `signIn ${ada} webauthn false`
      ])
      assert.deepStrictEqual(
        asked.map(({ account, user }) => [user.email, account?.type, account?.provider, account?.providerAccountId]),
        [1, 2].map(() => [ada, "webauthn", "passkey", asRow(credential)])
      )
    }).pipe(at(options))
  })

  it.effect.each(["jwt", "database"] as const)(
    "of a further key for the user who is signed in is no sign-in (%s)",
    (strategy) => {
      const told: Array<string> = []
      const { options } = passkeys({
        session: { strategy },
        events: {
          linkAccount: ({ account }) => told.push(`linkAccount ${account.type}`),
          signIn: ({ account }) => told.push(`signIn ${account?.type}`)
        }
      })
      const visitor = person()
      return Effect.gen(function* () {
        yield* visitor.register(ada)
        told.length = 0
        const made = yield* visitor.creation()
        const seen = yield* visitor.post("register", create(made, site).data)
        assert.deepStrictEqual(told, ["linkAccount webauthn"])
        assert.isUndefined(seen.failure)
        assert.deepStrictEqual(
          seen.lines.filter((line) => line.includes("session")),
          []
        )
      }).pipe(at(options))
    }
  )

  it.play("goes on to where the person wanted to go", passkeys(), function* () {
    const visitor = person()
    const { data } = create(yield* visitor.creation(`?action=register&email=${ada}`), site)
    const seen = yield* visitor.post("register", data, { callbackUrl: "/welcome" })
    assert.strictEqual(seen.location, `${site}/welcome`)
  })

  it.effect("of new users spends the budget of the client, and the next one is refused", () => {
    const { options } = passkeys()
    return Effect.gen(function* () {
      const made: Array<string | undefined> = []
      for (let index = 0; index < 52; index++)
        made.push((yield* person().register(`ada${index}@example.com`)).seen.failure?._tag)
      assert.deepStrictEqual(made.slice(0, 50).filter(Boolean), [])
      assert.deepStrictEqual(made.slice(50), ["TooManyAttempts", "TooManyAttempts"])
    }).pipe(Effect.provideService(ClientAddress, "203.0.113.5"), at(options))
  })

  it.play("of new users spends the budget of the site, from any addresses", passkeys(), function* ({ options }) {
    const from = (index: number) =>
      Effect.provideService(ClientAddress, `203.0.${Math.floor(index / 200)}.${index % 200}`)
    const register = (index: number) =>
      Effect.map(person().register(`ada${index}@example.com`).pipe(from(index)), ({ seen }) => seen.failure?._tag)
    const settings = yield* Effect.fromResult(compile(options).settings)
    assert.isUndefined(yield* register(0))
    for (let index = 1; index < 299; index++) yield* spendNewUser(settings).pipe(from(index))
    assert.isUndefined(yield* register(299))
    assert.strictEqual(yield* register(300), "TooManyAttempts")
    // A key of a user who is signed in is not one of a new user.
    yield* TestClock.adjust("500 millis")
    const visitor = person()
    assert.isUndefined((yield* visitor.register("ada301@example.com").pipe(from(301))).seen.failure)
    assert.isUndefined((yield* visitor.add()).seen.failure)
    assert.strictEqual(yield* register(302), "TooManyAttempts")
  })

  it.play("is one of several, each added in the session of its owner", passkeys(), function* ({ store }) {
    const visitor = person()
    const first = yield* visitor.register(ada)
    const second = yield* visitor.add()
    assert.strictEqual(second.seen.failure, undefined)
    assert.deepStrictEqual(yield* held(store, ada), { users: 1, accounts: 2, keys: 2 })
    for (const { credential } of [first, second]) {
      yield* visitor.leave
      assert.strictEqual((yield* visitor.signIn(credential)).failure, undefined)
    }
  })

  it.play(
    "works with an id in the other spelling, as other software may have stored it",
    passkeys(),
    function* (scene) {
      const { store } = scene
      const visitor = person()
      const { credential } = yield* visitor.register(ada)
      const row = Option.getOrThrow(yield* store.getAuthenticator(asRow(credential)))
      const user = Option.getOrThrow(yield* store.getUserByEmail(ada))
      yield* store.unlinkAccount({ provider: "passkey", providerAccountId: row.providerAccountId })
      const id = credential.id.toString("base64url")
      yield* store.linkAccount({ provider: "passkey", providerAccountId: id, type: "webauthn", userId: user.id })
      yield* store.createAuthenticator({ ...row, credentialID: id, providerAccountId: id })
      yield* visitor.leave
      assert.strictEqual((yield* visitor.signIn(credential)).failure, undefined)
      assert.strictEqual(Option.getOrThrow(yield* store.getAuthenticator(id)).counter, 1)
    }
  )

  it.effect("of a user without an address is no reason to fail", () => {
    const { options, store } = passkeys({ session: { strategy: "jwt" } })
    const visitor = person()
    return Effect.gen(function* () {
      const { credential } = yield* visitor.register(ada)
      const user = Option.getOrThrow(yield* store.getUserByEmail(ada))
      yield* store.updateUser({ id: user.id, email: "" })
      const made = yield* visitor.creation()
      assert.strictEqual(made.user.name, "User")
      assert.strictEqual((yield* visitor.post("register", create(made, site).data)).failure, undefined)
      yield* visitor.leave
      assert.strictEqual((yield* visitor.signIn(credential)).failure, undefined)
    }).pipe(at(options))
  })
})

describe("a challenge", () => {
  it.play("P171, P200 counts once, whether the key counts or not", passkeys(), function* () {
    const visitor = person()
    const { credential } = yield* visitor.register(ada)
    for (const counter of [0, 1]) {
      yield* visitor.leave
      const made = yield* visitor.request()
      const cookie = `${challengeCookie}=${visitor.browser.cookies.get(challengeCookie)}`
      const data = get(credential, made, site, { counter })
      const again = () =>
        visitor.browser.send("POST", "/auth/callback/passkey", {
          headers: { cookie, "content-type": "application/x-www-form-urlencoded" },
          body: new URLSearchParams({ action: "authenticate", data: JSON.stringify(data) }).toString()
        })
      assert.strictEqual((yield* again()).failure, undefined)
      const second = yield* again()
      assert.strictEqual(refusalOf(second), "InvalidCheck")
      assert.strictEqual(second.failure?.code, "flow_used")
    }
  })

  for (const methods of ["all methods", "no memory of what was used"] as const) {
    it.effect(`P200, H256 of 64 uses at once lets one in (a store with ${methods})`, () => {
      const store = makeMemory()
      const lesser: AdapterShape =
        methods === "all methods"
          ? store
          : { ...store, methods: new Set([...store.methods].filter((one) => one !== "useOnce")) }
      const { options } = passkeys({}, {}, lesser)
      const visitor = person()
      return Effect.gen(function* () {
        const { credential } = yield* visitor.register(ada)
        yield* visitor.leave
        const made = yield* visitor.request()
        const cookie = `${challengeCookie}=${visitor.browser.cookies.get(challengeCookie)}`
        credential.counter = 7
        const body = new URLSearchParams({
          action: "authenticate",
          data: JSON.stringify(get(credential, made, site))
        }).toString()
        const headers = { cookie, "content-type": "application/x-www-form-urlencoded" }
        const all = yield* Effect.all(
          Array.from({ length: 64 }, () => visitor.browser.send("POST", "/auth/callback/passkey", { headers, body })),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(all.filter(({ failure }) => failure === undefined).length, 1)
        assert.strictEqual(all.filter(({ failure }) => failure?.code === "flow_used").length, 63)
      }).pipe(at(options))
    })
  }

  it.play("P167, P193 is good for five minutes", passkeys(), function* () {
    const visitor = person()
    const { credential } = yield* visitor.register(ada)
    yield* visitor.leave
    const made = yield* visitor.request()
    yield* TestClock.adjust("299 seconds")
    assert.strictEqual((yield* visitor.post("authenticate", get(credential, made, site, { counter: 1 }))).status, 302)
    yield* visitor.leave
    const late = yield* visitor.request()
    yield* TestClock.adjust("301 seconds")
    const seen = yield* visitor.post("authenticate", get(credential, late, site, { counter: 2 }))
    assert.deepStrictEqual([refusalOf(seen), seen.failure?.code], ["InvalidCheck", "flow_expired"])
  })

  it.play("P171, P193 belongs to one browser, one ceremony and one provider", passkeys(), function* () {
    const visitor = person()
    const other = person()
    const { credential } = yield* visitor.register(ada)
    yield* visitor.leave
    const mine = yield* visitor.request()
    // Nothing in the browser.
    const data = get(credential, mine, site, { counter: 1 })
    const nothing = yield* other.post("authenticate", data)
    assert.deepStrictEqual([refusalOf(nothing), nothing.failure?.code], ["InvalidCheck", "flow_missing"])
    // The record of another ceremony.
    yield* other.request()
    assert.strictEqual((yield* other.post("authenticate", data)).failure?.code, "flow_mismatch")
    // A challenge for a new key is none for a proof, even when it is signed.
    const made = yield* other.creation(`?action=register&email=${bob}`)
    const proof = get(credential, { challenge: made.challenge, rpId: made.rp.id }, site, { counter: 1 })
    assert.strictEqual((yield* other.post("authenticate", proof)).failure?.code, "flow_mismatch")
    // A cookie that was not sealed for this.
    other.browser.cookies.set(challengeCookie, "x.y.z")
    assert.strictEqual((yield* other.post("authenticate", data)).failure?.code, "flow_mismatch")
    // The one it belongs to is none the worse for that.
    assert.strictEqual((yield* visitor.post("authenticate", data)).failure, undefined)
  })

  it.effect("P171 is none for another provider of keys", () => {
    const { options } = passkeys({ providers: [Passkey(), WebAuthn({ enableConditionalUI: false })] })
    const visitor = person()
    const other = person(site, "webauthn")
    return Effect.gen(function* () {
      const made = create(yield* visitor.creation(`?action=register&email=${ada}`), site)
      other.browser.cookies.set(challengeCookie, visitor.browser.cookies.get(challengeCookie) ?? "")
      const seen = yield* other.post("register", made.data)
      assert.deepStrictEqual([refusalOf(seen), seen.failure?.code], ["InvalidCheck", "flow_mismatch"])
      // Nor is a key of one provider known at the other.
      const { credential } = yield* visitor.register(ada)
      assert.strictEqual(refusalOf(yield* other.signIn(credential)), "WebAuthnVerificationError")
    }).pipe(at(options))
  })

  it.play("may be one of three that a browser has open, of which any may be answered", passkeys(), function* () {
    const visitor = person()
    const { credential } = yield* visitor.register(ada)
    yield* visitor.leave
    const first = yield* visitor.request()
    const second = yield* visitor.request()
    yield* visitor.request()
    yield* visitor.request()
    const cookies = new Map(visitor.browser.cookies)
    const lost = yield* visitor.post("authenticate", get(credential, first, site, { counter: 1 }))
    assert.strictEqual(lost.failure?.code, "flow_mismatch")
    for (const [name, value] of cookies) visitor.browser.cookies.set(name, value)
    const seen = yield* visitor.post("authenticate", get(credential, second, site, { counter: 1 }))
    assert.strictEqual(seen.failure, undefined)
  })

  it.effect("P167 is remembered in a cookie that browsers keep, however many keys are allowed", () => {
    const { options, store } = passkeys()
    const visitor = person()
    return Effect.gen(function* () {
      const { credential } = yield* visitor.register(ada)
      const user = Option.getOrThrow(yield* store.getUserByEmail(ada))
      const row = Option.getOrThrow(yield* store.getAuthenticator(asRow(credential)))
      for (let count = 0; count < 49; count++) {
        const id = randomBytes(64).toString("base64")
        yield* store.createAuthenticator({ ...row, userId: user.id, credentialID: id, providerAccountId: id })
      }
      yield* visitor.request()
      yield* visitor.request()
      const made = yield* visitor.request()
      assert.strictEqual(made.allowCredentials?.length, 50)
      assert.isBelow(visitor.browser.cookies.get(challengeCookie)?.length ?? 0, 4000)
      const seen = yield* visitor.post("authenticate", get(credential, made, site, { counter: 1 }))
      assert.strictEqual(seen.failure, undefined)
    }).pipe(at(options))
  })

  it.effect("P205 is used up when the store fails, no user is signed in, and a new one works", () => {
    const store = makeMemory()
    const state = { down: false }
    const down = new AdapterError({ method: "updateAuthenticatorCounter", reason: "unavailable", detail: "down" })
    const { options } = passkeys(
      {},
      {},
      {
        ...store,
        updateAuthenticatorCounter: (id, counter) =>
          state.down ? Effect.fail(down) : store.updateAuthenticatorCounter(id, counter)
      }
    )
    const visitor = person()
    return Effect.gen(function* () {
      const { credential } = yield* visitor.register(ada)
      yield* visitor.leave
      state.down = true
      const made = yield* visitor.request()
      const cookie = visitor.browser.cookies.get(challengeCookie) ?? ""
      const data = get(credential, made, site, { counter: 1 })
      const failed = yield* visitor.post("authenticate", data)
      assert.strictEqual(failed.failure?._tag, "AdapterError")
      assert.isFalse(visitor.browser.cookies.has(sessionCookie))
      state.down = false
      visitor.browser.cookies.set(challengeCookie, cookie)
      assert.strictEqual((yield* visitor.post("authenticate", data)).failure?.code, "flow_used")
      credential.counter = 1
      assert.strictEqual((yield* visitor.signIn(credential)).failure, undefined)
    }).pipe(at(options))
  })
})

describe("a proof of a key", () => {
  const lies: ReadonlyArray<readonly [title: string, lies: Lies]> = [
    ["P193, H202 of another kind of ceremony", { type: "webauthn.create" }],
    ["P194, H202 made at another site", { origin: "https://evil.example" }],
    ["P194, H203 made in a frame of another site", { crossOrigin: true }],
    ["P194, H203 made below another site", { crossOrigin: true, topOrigin: "https://evil.example" }],
    ["P194, H203 that names a top origin without being framed", { topOrigin: site }],
    ["P195, H202 for another relying party", { rpId: "evil.example" }],
    ["P195 for the origin as an application id", { rpId: site }],
    ["P196, H202 without the person", { userPresent: false }],
    ["P196, H202 without verification of the person", { userVerified: false }],
    ["P197 that says it can be copied, which it could not", { backupEligible: true }],
    ["P197 that says it was copied although it cannot be", { backedUp: true }],
    ["H202 with a signature of nothing", { signature: Buffer.alloc(70, 1) }],
    ["H202 whose client data are not JSON", { clientData: "not JSON" }],
    ["H202 whose client data are a list", { clientData: "[]" }]
  ]
  for (const [title, lie] of lies) {
    it.play(`${title} is refused`, passkeys(), function* ({ store }) {
      const visitor = person()
      const { credential } = yield* visitor.register(ada)
      yield* visitor.leave
      const seen = yield* visitor.signIn(credential, lie)
      // Client data that cannot be read name no challenge, so they belong to no ceremony.
      const tag = title.includes("client data") ? "InvalidCheck" : "WebAuthnVerificationError"
      assert.strictEqual(refusalOf(seen), tag)
      assert.strictEqual(yield* visitor.browser.session, null)
      assert.strictEqual(Option.getOrThrow(yield* store.getAuthenticator(asRow(credential))).counter, 0)
      assert.strictEqual((yield* visitor.signIn(credential)).failure, undefined)
    })
  }

  for (const algorithm of ["ES256", "EdDSA", "RS256"] as const) {
    it.play(`H202 with the signature of another key (${algorithm}) is refused`, passkeys(), function* () {
      const visitor = person()
      const other = yield* visitor.register(bob, {}, algorithm)
      yield* visitor.leave
      const own = yield* visitor.register(ada, {}, algorithm)
      yield* visitor.leave
      const forged = { ...own.credential, privateKey: other.credential.privateKey }
      assert.strictEqual(refusalOf(yield* visitor.signIn(forged)), "WebAuthnVerificationError")
      assert.strictEqual((yield* visitor.signIn(own.credential)).failure, undefined)
    })
  }

  it.play("whose signature is short is taken", passkeys(), function* () {
    const visitor = person()
    const { credential } = yield* visitor.register(ada)
    yield* visitor.leave
    assert.strictEqual((yield* visitor.signIn(credential, { shortSignature: true })).failure, undefined)
  })

  it.play("P203 of a key, an account or a user that is gone is refused alike", passkeys(), function* ({ store }) {
    const visitor = person()
    const answers: Array<readonly [string | undefined, string | null, string | undefined]> = []
    const keep = (seen: Seen) => answers.push([refusalOf(seen), seen.location, seen.failure?.detail])
    const { credential } = yield* visitor.register(ada)
    yield* visitor.leave
    keep(yield* visitor.signIn(credential, { id: randomBytes(32) }))
    yield* store.unlinkAccount({ provider: "passkey", providerAccountId: asRow(credential) })
    keep(yield* visitor.signIn(credential))
    const again = yield* visitor.register(bob)
    yield* visitor.leave
    yield* store.deleteUser(Option.getOrThrow(yield* store.getUserByEmail(bob)).id)
    keep(yield* visitor.signIn(again.credential))
    assert.strictEqual(new Set(answers.map((answer) => JSON.stringify(answer))).size, 1)
    assert.deepStrictEqual(answers[0]?.slice(0, 2), [
      "WebAuthnVerificationError",
      `${site}/auth/error?error=WebAuthnVerificationError`
    ])
  })

  it.play("P190 by a key that was not asked for is refused", passkeys({}, { usernameFirst: true }), function* () {
    const visitor = person()
    const one = yield* visitor.register(ada)
    yield* visitor.leave
    const other = yield* visitor.register(bob)
    yield* visitor.leave
    const seen = yield* visitor.signIn(other.credential, {}, `?email=${ada}`)
    assert.strictEqual(refusalOf(seen), "WebAuthnVerificationError")
    assert.strictEqual((yield* visitor.signIn(one.credential, {}, `?email=${ada}`)).failure, undefined)
  })

  it.effect("P190 under an address is answered on a mark of the clock, after its line in the log", () => {
    const log: Log = { entries: [] }
    const { options } = passkeys({}, { usernameFirst: true })
    const visitor = person()
    return Effect.gen(function* () {
      const { credential } = yield* visitor.register(ada)
      yield* visitor.leave
      const data = get(credential, yield* visitor.request(`?email=${ada}`), site, { rpId: "other.example" })
      yield* TestClock.adjust("3 millis")
      const before = log.entries.length
      const answering = yield* Effect.forkChild(visitor.post("authenticate", data), { startImmediately: true })
      yield* TestClock.adjust("21 millis")
      while (log.entries.length === before) yield* settled
      yield* settled
      assert.isUndefined(answering.pollUnsafe())
      yield* TestClock.adjust("1 milli")
      assert.strictEqual(refusalOf(yield* Fiber.join(answering)), "WebAuthnVerificationError")
    }).pipe(at(options, undefined, log))
  })

  it.play("P191 by another user's key, in the session of a user, is refused", passkeys(), function* () {
    const visitor = person()
    const other = yield* visitor.register(bob)
    yield* visitor.leave
    yield* visitor.register(ada)
    const seen = yield* visitor.signIn(other.credential)
    assert.strictEqual(refusalOf(seen), "WebAuthnVerificationError")
    assert.strictEqual((yield* visitor.browser.session)?.user?.["email"], ada)
  })

  it.play("P191 that the authenticator keeps for another user is refused", passkeys(), function* () {
    const visitor = person()
    yield* visitor.register(bob)
    const { credential: ofBob } = yield* visitor.add()
    yield* visitor.leave
    yield* visitor.register(ada)
    const { credential } = yield* visitor.add()
    yield* visitor.leave
    const seen = yield* visitor.signIn(credential, { userHandle: ofBob.userHandle })
    assert.strictEqual(refusalOf(seen), "WebAuthnVerificationError")
    assert.strictEqual((yield* visitor.signIn(credential)).failure, undefined)
  })

  it.effect("P199 with a counter that has not grown is refused and written down", () => {
    const { options } = passkeys()
    const log: Log = { entries: [] }
    const visitor = person()
    return Effect.gen(function* () {
      const { credential } = yield* visitor.register(ada)
      yield* visitor.leave
      assert.strictEqual((yield* visitor.signIn(credential, { counter: 5 })).failure, undefined)
      for (const counter of [5, 4, 0]) {
        yield* visitor.leave
        log.entries.length = 0
        assert.strictEqual(refusalOf(yield* visitor.signIn(credential, { counter })), "WebAuthnVerificationError")
        assert.strictEqual(log.entries.filter(({ level }) => level === "Info").length, 1)
      }
      assert.strictEqual((yield* visitor.signIn(credential, { counter: 6 })).failure, undefined)
    }).pipe(at(options, undefined, log))
  })

  /** A store that keeps whatever counter it is given. */
  const trusting = (): AdapterShape => {
    const store = makeMemory()
    const counters = new Map<string, number>()
    return {
      ...store,
      getAuthenticator: (id) =>
        Effect.map(
          store.getAuthenticator(id),
          Option.map((row) => ({ ...row, counter: counters.get(id) ?? row.counter }))
        ),
      updateAuthenticatorCounter: (id, counter) =>
        Effect.flatMap(store.getAuthenticator(id), (row) => {
          counters.set(id, counter)
          return Effect.succeed({ ...Option.getOrThrow(row), counter })
        })
    }
  }
  const stores = [
    ["compares counters", makeMemory()],
    ["compares nothing", trusting()]
  ] as const
  for (const [what, store] of stores) {
    it.effect(`P199, H256 at the same count by many at once lets one in (the store ${what})`, () => {
      const { options } = passkeys({}, {}, store)
      const visitor = person()
      return Effect.gen(function* () {
        const { credential } = yield* visitor.register(ada)
        const ready = yield* Effect.forEach(Array.from({ length: 64 }), () =>
          Effect.gen(function* () {
            const one = person()
            return { one, data: get(credential, yield* one.request(), site, { counter: 9 }) }
          })
        )
        const all = yield* Effect.forEach(ready, ({ data, one }) => one.post("authenticate", data), {
          concurrency: "unbounded"
        })
        assert.strictEqual(all.filter(({ failure }) => failure === undefined).length, 1)
        assert.strictEqual(all.filter(({ failure }) => failure?._tag === "WebAuthnVerificationError").length, 63)
        assert.strictEqual(Option.getOrThrow(yield* store.getAuthenticator(asRow(credential))).counter, 9)
      }).pipe(at(options))
    })
  }

  for (const reason of ["stale", "missing", "unique"] as const) {
    it.effect(`P199, P203 that the store refuses (${reason}) is refused`, () => {
      const store = makeMemory()
      const failure = new AdapterError({ method: "updateAuthenticatorCounter", reason, detail: "no" })
      const { options } = passkeys({}, {}, { ...store, updateAuthenticatorCounter: () => Effect.fail(failure) })
      const visitor = person()
      return Effect.gen(function* () {
        const { credential } = yield* visitor.register(ada)
        yield* visitor.leave
        assert.strictEqual(refusalOf(yield* visitor.signIn(credential)), "WebAuthnVerificationError")
      }).pipe(at(options))
    })
  }

  const callbacks: ReadonlyArray<readonly [string, () => unknown, string | undefined, string]> = [
    ["says false", () => false, "AccessDenied", `${site}/auth/error?error=AccessDenied`],
    ["says nothing", () => undefined, "AccessDenied", `${site}/auth/error?error=AccessDenied`],
    ["names a page", () => "/sorry", undefined, `${site}/sorry`],
    [
      "fails",
      () => Effect.fail(new AccessDenied({ detail: "no" })),
      "AccessDenied",
      `${site}/auth/error?error=AccessDenied`
    ],
    ["rejects", () => Promise.reject(new Error("no")), "AccessDenied", `${site}/auth/error?error=AccessDenied`]
  ]
  for (const [what, answer, failure, location] of callbacks) {
    it.effect(`P202, H205 does not sign in when the application ${what}`, () => {
      const state: { answer: () => unknown } = { answer: () => true }
      const { options, store } = passkeys({ callbacks: { signIn: () => state.answer() as boolean } })
      const visitor = person()
      return Effect.gen(function* () {
        const { credential } = yield* visitor.register(ada)
        yield* visitor.leave
        state.answer = answer
        const seen = yield* visitor.signIn(credential)
        assert.deepStrictEqual([refusalOf(seen), seen.location], [failure, location])
        assert.strictEqual(Option.getOrThrow(yield* store.getAuthenticator(asRow(credential))).counter, 0)
        const made = yield* visitor.register(bob)
        assert.deepStrictEqual([refusalOf(made.seen), made.seen.location], [failure, location])
        assert.deepStrictEqual(yield* held(store, bob), { users: 0, accounts: 0, keys: 0 })
      }).pipe(at(options))
    })
  }
})

describe("a new key", () => {
  it.play("H231 for another user's address is refused, and leaves nothing", passkeys(), function* ({ store }) {
    const visitor = person()
    yield* visitor.register(ada)
    yield* visitor.leave
    const { credential, seen } = yield* visitor.register(ada)
    assert.strictEqual(refusalOf(seen), "AccountNotLinked")
    assert.deepStrictEqual(yield* held(store, ada), { users: 1, accounts: 1, keys: 1 })
    assert.strictEqual(refusalOf(yield* visitor.signIn(credential)), "WebAuthnVerificationError")
  })

  it.effect("P183, H200 whose id a user has is refused before anything is asked or written", () => {
    const asked: Array<unknown> = []
    const { options, store } = passkeys({ callbacks: { signIn: (params) => asked.push(params) > 0 } })
    const visitor = person()
    return Effect.gen(function* () {
      const { credential } = yield* visitor.register(ada)
      yield* visitor.leave
      const { seen } = yield* visitor.register(bob, { id: credential.id })
      assert.strictEqual(refusalOf(seen), "WebAuthnVerificationError")
      // Nor in one's own session, where it would be the second time.
      yield* visitor.signIn(credential)
      const made = asked.length
      const again = yield* visitor.add({ id: credential.id })
      assert.strictEqual(again.seen.failure?._tag, "WebAuthnVerificationError")
      assert.strictEqual(asked.length, made)
      assert.deepStrictEqual(yield* held(store, bob), { users: 0, accounts: 0, keys: 0 })
      assert.deepStrictEqual(yield* held(store, ada), { users: 1, accounts: 1, keys: 1 })
    }).pipe(at(options))
  })

  it.play("P183, H200 whose id is still that of an account opens no door to it", passkeys(), function* ({ store }) {
    const visitor = person()
    const { credential } = yield* visitor.register(ada)
    const user = Option.getOrThrow(yield* store.getUserByEmail(ada))
    const key = { provider: "passkey", providerAccountId: asRow(credential) }
    yield* store.unlinkAccount(key)
    yield* store.linkAccount({ ...key, type: "webauthn", userId: user.id })
    yield* visitor.leave
    for (const email of [ada, bob]) {
      const { seen } = yield* visitor.register(email, { id: credential.id })
      assert.strictEqual(refusalOf(seen), "WebAuthnVerificationError")
    }
  })

  it.play("H200 of one id, made by two people at once, is one's alone", passkeys(), function* ({ store }) {
    const id = randomBytes(32)
    const people = yield* Effect.forEach([ada, bob], (email) =>
      Effect.gen(function* () {
        const one = person()
        const made = create(yield* one.creation(`?action=register&email=${email}`), site, { id })
        return { one, made }
      })
    )
    const all = yield* Effect.forEach(people, ({ made, one }) => one.post("register", made.data), {
      concurrency: "unbounded"
    })
    assert.strictEqual(all.filter(({ failure }) => failure === undefined).length, 1)
    const rows = [yield* held(store, ada), yield* held(store, bob)]
    assert.strictEqual(
      rows.reduce((sum, { keys }) => sum + keys, 0),
      1
    )
    assert.strictEqual(
      rows.reduce((sum, { users }) => sum + users, 0),
      1
    )
  })

  it.play("P187, H199 is refused when another session, or none, finishes it", passkeys(), function* ({ store }) {
    const visitor = person()
    yield* visitor.register(bob)
    const ofBob = new Map(visitor.browser.cookies)
    yield* visitor.leave
    yield* visitor.register(ada)
    const made = yield* visitor.creation()
    const challenge = visitor.browser.cookies.get(challengeCookie) ?? ""
    yield* visitor.leave
    for (const [name, value] of ofBob) visitor.browser.cookies.set(name, value)
    visitor.browser.cookies.set(challengeCookie, challenge)
    const seen = yield* visitor.post("register", create(made, site).data)
    assert.deepStrictEqual([refusalOf(seen), seen.failure?.code], ["InvalidCheck", "flow_mismatch"])
    // Begun without a session, finished in one.
    yield* visitor.leave
    const alone = yield* visitor.creation("?action=register&email=eve@example.com")
    for (const [name, value] of ofBob) if (name === sessionCookie) visitor.browser.cookies.set(name, value)
    assert.strictEqual(refusalOf(yield* visitor.post("register", create(alone, site).data)), "InvalidCheck")
    for (const email of [ada, bob]) assert.strictEqual((yield* held(store, email)).keys, 1)
    assert.strictEqual((yield* held(store, "eve@example.com")).users, 0)
  })

  it.play("P189 beyond the fiftieth is refused, at the beginning and at the end", passkeys(), function* ({ store }) {
    const visitor = person()
    yield* visitor.register(ada)
    const user = Option.getOrThrow(yield* store.getUserByEmail(ada))
    const [row] = yield* store.listAuthenticatorsByUserId(user.id)
    const fill = (count: number) =>
      Effect.forEach(Array.from({ length: count }), () => {
        const id = randomBytes(16).toString("base64")
        return store.createAuthenticator({ ...(row ?? assert.fail("no key")), credentialID: id, providerAccountId: id })
      })
    yield* fill(48)
    const fiftieth = create(yield* visitor.creation(), site)
    const meanwhile = yield* visitor.creation()
    yield* fill(1)
    assert.strictEqual((yield* visitor.ask("?action=register")).body, '{"error":"Invalid request"}')
    const cookie = visitor.browser.cookies.get(challengeCookie) ?? ""
    for (const data of [fiftieth.data, create(meanwhile, site).data]) {
      visitor.browser.cookies.set(challengeCookie, cookie)
      assert.strictEqual(refusalOf(yield* visitor.post("register", data)), "WebAuthnVerificationError")
    }
    assert.strictEqual((yield* held(store, ada)).keys, 50)
    assert.strictEqual((yield* held(store, ada)).accounts, 1)
  })

  for (const method of ["createUser", "linkAccount", "createAuthenticator", "createSession"] as const) {
    for (const transactions of [true, false]) {
      it.effect(
        `H201, P185 leaves nothing when ${method} fails (${transactions ? "with" : "without"} transactions)`,
        () => {
          const store = makeMemory()
          const state = { down: true }
          const failing = () =>
            Effect.suspend(() => Effect.fail(new AdapterError({ method, reason: "unavailable", detail: "down" })))
          const original = store[method] as unknown as (row: never) => Effect.Effect<never, AdapterError>
          const { options } = passkeys(
            {},
            {},
            {
              ...store,
              methods: transactions
                ? store.methods
                : new Set([...store.methods].filter((one) => one !== "transaction")),
              transaction: transactions ? store.transaction : (program) => program,
              [method]: (row: never) => (state.down ? failing() : original(row))
            }
          )
          const visitor = person()
          return Effect.gen(function* () {
            const { seen } = yield* visitor.register(ada)
            assert.strictEqual(seen.failure?._tag, "AdapterError")
            assert.isFalse(visitor.browser.cookies.has(sessionCookie))
            assert.deepStrictEqual(yield* held(store, ada), { users: 0, accounts: 0, keys: 0 })
            state.down = false
            assert.strictEqual((yield* visitor.register(ada)).seen.failure, undefined)
          }).pipe(at(options))
        }
      )
    }
  }
})

describe("POST callback/<id>", () => {
  const good = { id: "AAAA", rawId: "AAAA", type: "public-key" }
  const response = { clientDataJSON: "e30", authenticatorData: "AAAA", signature: "AAAA" }
  const bodies: ReadonlyArray<readonly [title: string, action: string, data: string]> = [
    ["no action", "", JSON.stringify({ ...good, response })],
    ["another action", "delete", JSON.stringify({ ...good, response })],
    ["H197 a name that every object has", "__proto__", JSON.stringify({ ...good, response })],
    ["no data", "authenticate", ""],
    ["data that are no JSON", "authenticate", "{"],
    ["a text", "authenticate", '"text"'],
    ["a list", "authenticate", "[]"],
    ["null", "authenticate", "null"],
    ["no id", "authenticate", JSON.stringify({ type: "public-key", response })],
    ["a number for an id", "authenticate", JSON.stringify({ ...good, id: 1, response })],
    ["P169 an id with padding", "authenticate", JSON.stringify({ ...good, id: "AA==", response })],
    ["P169 an id in standard base64", "authenticate", JSON.stringify({ ...good, id: "A+/A", response })],
    ["P182 an empty id", "authenticate", JSON.stringify({ ...good, id: "", response })],
    ["P182 an id of 1024 bytes", "authenticate", JSON.stringify({ ...good, id: "A".repeat(1366), response })],
    ["P169 another type", "authenticate", JSON.stringify({ ...good, type: "password", response })],
    ["P169 no response", "authenticate", JSON.stringify(good)],
    ["P169 the other ceremony's response", "register", JSON.stringify({ ...good, response })],
    ["P206 nested members", "authenticate", JSON.stringify({ ...good, response: { ...response, signature: {} } })],
    ["P206 a prototype", "authenticate", `{"__proto__":{"id":"AAAA"},"response":${JSON.stringify(response)}}`],
    [
      "P206 a constructor inside",
      "authenticate",
      JSON.stringify({ ...good, response: { ...response, constructor: 1 } })
    ],
    ["P206 deep data", "authenticate", `${'{"a":'.repeat(1000)}1${"}".repeat(1000)}`],
    [
      "P206 an odd user handle",
      "authenticate",
      JSON.stringify({ ...good, response: { ...response, userHandle: ["AAAA"] } })
    ]
  ]
  for (const [title, action, data] of bodies) {
    it.gen(`answers 400 to ${title}`, at(passkeys().options), function* () {
      const visitor = person()
      yield* visitor.request()
      const seen = yield* visitor.post(action, data)
      assert.deepStrictEqual([seen.status, seen.failure?._tag], [400, "MalformedRequest"])
    })
  }

  for (const value of [{ id: "AAAA" }, 1, null, ["x"]]) {
    it.gen(`P206 answers 400 to data that are no text: ${JSON.stringify(value)}`, at(passkeys().options), function* () {
      const visitor = person()
      const seen = yield* visitor.browser.send("POST", "/auth/callback/passkey", {
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ action: "authenticate", data: value })
      })
      assert.strictEqual(seen.status, 400)
    })
  }

  it.gen("P206, H206 answers 413 to ten megabytes", at(passkeys().options), function* () {
    const visitor = person()
    const failure = yield* Effect.flip(visitor.post("authenticate", "a".repeat(10_000_000)))
    assert.strictEqual(failure.status, 413)
  })

  it.gen("answers POST alone", at(passkeys().options), function* () {
    const visitor = person()
    const seen = yield* visitor.browser.get("/auth/callback/passkey")
    assert.deepStrictEqual([seen.status, seen.headers.get("allow")], [405, "POST"])
  })

  it.effect("P207 refuses pages of other sites, and a token that is wrong; none at all is no reason", () => {
    const { options } = passkeys()
    const visitor = person()
    return Effect.gen(function* () {
      const { credential } = yield* visitor.register(ada)
      yield* visitor.leave
      const data = JSON.stringify(get(credential, yield* visitor.request(), site, { counter: 1 }))
      const cookies = new Map(visitor.browser.cookies)
      const send = (headers: Record<string, string>, more: Record<string, string> = {}) =>
        visitor.browser.send("POST", "/auth/callback/passkey", {
          headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
          body: new URLSearchParams({ action: "authenticate", data, ...more }).toString()
        })
      const foreign = [
        { "sec-fetch-site": "cross-site" },
        { origin: "https://evil.example" },
        { origin: "https://sub.app.example" },
        { referer: "https://evil.example/page" }
      ]
      for (const headers of foreign) assert.strictEqual(refusalOf(yield* send(headers)), "MissingCsrf")
      assert.strictEqual(refusalOf(yield* send({}, { csrfToken: "0".repeat(64) })), "MissingCsrf")
      assert.deepStrictEqual(visitor.browser.cookies, cookies)
      assert.strictEqual((yield* send({ "sec-fetch-site": "same-origin", origin: site })).failure, undefined)
    }).pipe(at(options))
  })

  it.play("takes the token of the page", passkeys(), function* () {
    const visitor = person()
    const { data } = create(yield* visitor.creation(`?action=register&email=${ada}`), site)
    const seen = yield* visitor.browser.submit("/auth/callback/passkey", {
      action: "register",
      data: JSON.stringify(data)
    })
    assert.strictEqual(seen.failure, undefined)
  })
})
