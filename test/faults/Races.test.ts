import { assert, describe, it } from "@effect/vitest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { TestClock } from "effect/testing"
import { createHash } from "node:crypto"
import { asUserId } from "../../src/models/Id.ts"
import { unlink } from "../../src/actions/UserAccounts.ts"
import { UserId } from "../../src/Models.ts"
import type { Options } from "../../src/config/Settings.ts"
import { capture } from "../../src/Mailer.ts"
import { Email } from "../../src/Provider/Email.ts"
import { Passkey } from "../../src/Provider/Passkey.ts"
import type { Services } from "../../src/composition/Services.ts"
import { type Browser, browser, config, type Log, type Seen, start, world } from "../Browser.ts"
import { ask, fieldsOf, press } from "../Mailed.ts"
import { type MemoryProvider, memoryProvider } from "../MemoryProvider.ts"
import { password } from "../Visitor.ts"
import { optionsOf } from "../webauthn/Person.ts"
import {
  create,
  type CreationOptions,
  type Credential,
  get,
  type RequestOptions
} from "../webauthn/SoftwareAuthenticator.ts"
import { type Gates, makeGates } from "./Gates.ts"
import { oauth, type Played, sessionCookie, sessionOf } from "./Scene.ts"
import { makeVault, type Vault } from "./Store.ts"
import { repetitions } from "../Repetitions.ts"

/** Bytes of which no two draws are alike, however many there are. */
const hashedBytes = (): Layer.Layer<SecureRandom.SecureRandom> =>
  Layer.sync(SecureRandom.SecureRandom, () => {
    let draws = 0
    return SecureRandom.make((size) => {
      const whole = Array.from({ length: Math.ceil(size / 32) }, (_, part) =>
        createHash("sha256").update(`${draws} ${part}`).digest()
      )
      draws++
      return new Uint8Array(Buffer.concat(whole).subarray(0, size))
    })
  })

const day = 24 * 60 * 60

interface Track {
  readonly vault: Vault
  readonly gates: Gates
  readonly provider: MemoryProvider
  readonly lastLink: Effect.Effect<URL>
  /** The answers of those who asked the site. */
  readonly race: (racers: ReadonlyArray<Played<Seen | undefined>>) => Played<ReadonlyArray<Seen>>
}

const site = "https://app.example"

/** In how many orders of the calls to the store a race is played. */
const fewest = repetitions(15, 50)

/** Plays a race again and again, in as many orders as it takes. */
const inManyOrders = ({
  least = fewest,
  times = 500,
  ...more
}: { least?: number; times?: number } & Partial<Options> = {}) => ({
  use: (play: (track: Track) => Effect.Effect<unknown, unknown, Services>) =>
    Effect.forEach(["transactions", "steps"] as const, (kind) =>
      Effect.gen(function* () {
        const orders = new Set<string>()
        for (let seed = 0; seed < times && orders.size < least; seed++) {
          const vault = makeVault()
          const gates = makeGates(vault.store, kind === "transactions")
          const provider = memoryProvider()
          const mails = capture()
          const log: Log = { entries: [] }
          const options = config({
            adapter: gates.store,
            mailer: mails,
            providers: [oauth(), oauth({ id: "other" }), Email(), Passkey(), password()],
            experimental: { enableWebAuthn: true },
            ...more
          })
          const track: Track = {
            vault,
            gates,
            provider,
            lastLink: Effect.map(mails.mails, (all) => new URL(all.at(-1)?.url ?? site)),
            race: Effect.fnUntraced(function* (racers) {
              const { exits, order } = yield* gates.race(seed, racers)
              orders.add(order)
              const ends = yield* Effect.forEach(exits, (exit) => exit)
              return ends.filter((seen) => seen !== undefined)
            })
          }
          yield* Effect.provide(
            play(track),
            world(options, provider, log, hashedBytes()).pipe(Layer.provideMerge(TestClock.layer()))
          )
          const defects = log.entries.filter(
            ({ message }) => Reflect.get(Object(message), "_tag") === "UnexpectedError"
          )
          assert.deepStrictEqual(defects, [])
          const { sessions, users } = yield* vault.rows
          assert.isTrue(sessions.every(({ userId }) => users.some(({ id }) => id === userId)))
        }
        assert.isAtLeast(orders.size, least)
      })
    )
})

const winners = (seen: ReadonlyArray<Seen>) => seen.filter((one) => sessionOf(one) !== undefined)
const failures = (seen: ReadonlyArray<Seen>) =>
  seen.flatMap(({ failure }) => (failure === undefined ? [] : [failure._tag]))

/** Goes to the provider and comes back to the door; what is answered goes in. */
const toTheDoor = ({ provider }: Track, who: Browser, providerId = "idp"): Played<Played<Seen>> =>
  Effect.map(who.leave(providerId), (away) => who.get(provider.agree(away)))

const signedIn = (track: Track, who: Browser = browser()): Played<Browser> =>
  Effect.gen(function* () {
    const enter = yield* toTheDoor(track, who)
    yield* enter
    assert.isTrue(who.cookies.has(sessionCookie))
    return who
  })

const as = (provider: MemoryProvider, id: string, email: string) =>
  Effect.sync(() => Object.assign(provider.claims, { id, sub: id, email }))

/** Opens the page of a link; what its button does. */
const toTheButton = Effect.fnUntraced(function* (who: Browser, link: URL) {
  const page = yield* who.get(link)
  return who.send("POST", link.pathname, {
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(fieldsOf(page.body)).toString()
  })
})

const askedFor = Effect.fnUntraced(function* (track: Track, email = "ann@example.com") {
  yield* ask(browser(), email)
  return yield* track.lastLink
})

const cookieOf = (who: Browser): string => [...who.cookies].map((pair) => pair.join("=")).join("; ")

const postKey = (who: Browser, action: string, data: unknown) =>
  who.send("POST", "/auth/callback/passkey", {
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ action, data: JSON.stringify(data) }).toString()
  })

const madeKey = (email: string): Played<Credential> =>
  Effect.gen(function* () {
    const who = browser()
    const asked = yield* who.get(`/auth/webauthn-options/passkey?action=register&email=${encodeURIComponent(email)}`)
    const { credential, data } = create(optionsOf<CreationOptions>(asked), site)
    yield* postKey(who, "register", data)
    assert.isTrue(who.cookies.has(sessionCookie))
    return credential
  })

/** Proves to have a key, up to the answer; the counter is the authenticator's. */
const provesKey = (key: Credential, who = browser()): Played<Played<Seen>> =>
  Effect.map(who.get("/auth/webauthn-options/passkey?action=authenticate"), (asked) =>
    postKey(who, "authenticate", get(key, optionsOf<RequestOptions>(asked), site))
  )

const after = (seconds: number): Date => new Date(start + seconds * 1000)

const several = <A, E, R>(count: number, make: Effect.Effect<A, E, R>) =>
  Effect.forEach(Array.from({ length: count }), () => make)

describe("in many orders of the calls to the store", () => {
  it.use(
    "H247 a link that is pressed four times at once makes one session and one user",
    inManyOrders(),
    function* (track) {
      const link = yield* askedFor(track)
      const seen = yield* track.race(yield* several(4, toTheButton(browser(), link)))
      assert.strictEqual(winners(seen).length, 1)
      assert.deepStrictEqual(failures(seen), ["Verification", "Verification", "Verification"])
      const { sessions, users } = yield* track.vault.rows
      assert.deepStrictEqual([users.length, sessions.length], [1, 1])
    }
  )

  it.use("H248 one address that comes from two providers at once makes one user", inManyOrders(), function* (track) {
    const seen = yield* track.race([yield* toTheDoor(track, browser()), yield* toTheDoor(track, browser(), "other")])
    assert.strictEqual(winners(seen).length, 1)
    assert.deepStrictEqual(failures(seen), ["OAuthAccountNotLinked"])
    const { accounts, sessions, users } = yield* track.vault.rows
    assert.deepStrictEqual([users.length, accounts.length, sessions.length], [1, 1, 1])
  })

  it.use("H248 one person who comes three times at once is one user", inManyOrders(), function* (track) {
    const seen = yield* track.race(
      yield* Effect.forEach([browser(), browser(), browser()], (who) => toTheDoor(track, who))
    )
    const { accounts, sessions, users } = yield* track.vault.rows
    assert.deepStrictEqual([users.length, accounts.length], [1, 1])
    assert.isAtLeast(winners(seen).length, 1)
    assert.strictEqual(sessions.length, winners(seen).length)
    assert.isTrue(failures(seen).every((tag) => tag === "OAuthAccountNotLinked"))
  })

  it.use(
    "H248, H236 two links and a provider that names the address in capitals make one user",
    inManyOrders(),
    function* (track) {
      track.provider.claims["email"] = "ANN@Example.com"
      const link = yield* askedFor(track)
      const other = yield* askedFor(track)
      yield* track.race([
        yield* toTheDoor(track, browser()),
        yield* toTheButton(browser(), link),
        yield* toTheButton(browser(), other)
      ])
      const { users } = yield* track.vault.rows
      assert.strictEqual(users.length, 1)
      assert.strictEqual(users[0]?.email, "ann@example.com")
    }
  )

  it.use("H238 of two users who link one account, one does", inManyOrders(), function* (track) {
    const people = [browser(), browser()]
    for (const [index, who] of people.entries()) {
      yield* as(track.provider, `person-${index}`, `person-${index}@example.com`)
      yield* signedIn(track, who)
    }
    yield* as(track.provider, "shared", "shared@example.com")
    const seen = yield* track.race(yield* Effect.forEach(people, (who) => toTheDoor(track, who, "other")))
    assert.strictEqual(winners(seen).length, 1)
    assert.deepStrictEqual(failures(seen), ["OAuthAccountNotLinked"])
    const { accounts, users } = yield* track.vault.rows
    assert.deepStrictEqual([users.length, accounts.length], [2, 3])
  })

  it.use(
    "H250 a link that is swept and pressed at once signs in before its end, and never after",
    inManyOrders(),
    function* (track) {
      const sweep = track.gates.store.sweep
      const { useVerificationToken } = track.vault.store
      const first = yield* askedFor(track)
      yield* TestClock.adjust("599 seconds")
      const clean = Effect.as(sweep(after(599), 10), undefined)
      const [seen] = yield* track.race([yield* toTheButton(browser(), first), clean, clean, clean])
      assert.isDefined(seen === undefined ? undefined : sessionOf(seen))
      const second = yield* askedFor(track)
      yield* TestClock.adjust("600 seconds")
      const cleanLater = Effect.as(sweep(after(1199), 10), undefined)
      const [late] = yield* track.race([yield* toTheButton(browser(), second), cleanLater, cleanLater, cleanLater])
      assert.strictEqual(late?.failure?._tag, "Verification")
      const left = yield* useVerificationToken({ identifier: "ann@example.com", token: "any" })
      assert.isTrue(Option.isNone(left))
    }
  )

  it.use(
    "H251, P133 a user who signs out while their session is read and renewed is signed out",
    inManyOrders(),
    function* (track) {
      const who = yield* signedIn(track)
      const token = who.cookies.get(sessionCookie) ?? ""
      yield* TestClock.adjust(2 * day * 1000)
      const { body } = yield* who.get("/auth/csrf")
      const { csrfToken } = JSON.parse(body) as { csrfToken: string }
      const cookie = cookieOf(who)
      const out = who.send("POST", "/auth/signout", {
        headers: { "content-type": "application/x-www-form-urlencoded", cookie },
        body: new URLSearchParams({ csrfToken }).toString()
      })
      yield* track.race([out, ...Array.from({ length: 3 }, () => browser().get("/auth/session", { cookie }))])
      const thief = browser()
      thief.cookies.set(sessionCookie, token)
      assert.isNull(yield* thief.session)
      assert.deepStrictEqual((yield* track.vault.rows).sessions, [])
    }
  )

  it.use(
    "H253, H244 a user who is deleted while signing in and linking stays deleted",
    inManyOrders(),
    function* (track) {
      const who = yield* signedIn(track)
      const [user] = (yield* track.vault.rows).users
      const id = asUserId(user?.id ?? "")
      const again = yield* toTheDoor(track, browser())
      yield* as(track.provider, "person-2", "second@example.com")
      const link = yield* toTheDoor(track, who, "other")
      const remove = Effect.as(track.gates.store.deleteUser(id), undefined)
      yield* track.race([again, link, remove])
      const { accounts, sessions, users } = yield* track.vault.rows
      assert.isFalse(users.some((one) => one.id === id))
      assert.isFalse(accounts.some(({ userId }) => userId === id))
      assert.isFalse(sessions.some(({ userId }) => userId === id))
      assert.deepStrictEqual(yield* track.vault.strays, [])
      const next = yield* signedIn(track)
      assert.isNotNull(yield* next.session)
    }
  )

  it.use("H254 of updates of one session none brings it back when it is ended", inManyOrders(), function* (track) {
    const who = yield* signedIn(track)
    yield* TestClock.adjust(2 * day * 1000)
    const { body } = yield* who.get("/auth/csrf")
    const { csrfToken } = JSON.parse(body) as { csrfToken: string }
    const token = who.cookies.get(sessionCookie) ?? ""
    const cookie = cookieOf(who)
    const update = (name: string) =>
      browser().send("POST", "/auth/session", {
        headers: { "content-type": "application/json", cookie },
        body: JSON.stringify({ csrfToken, data: { name } })
      })
    const end = Effect.as(track.gates.store.deleteSession(token), undefined)
    yield* track.race([update("one"), update("two"), update("three"), end])
    assert.isTrue(Option.isNone(yield* track.vault.store.getSessionAndUser(token)))
  })

  it.use(
    "H255, H239 linking and unlinking at once leave a user with a way to sign in",
    inManyOrders(),
    function* (track) {
      const who = yield* signedIn(track)
      const [user] = (yield* track.vault.rows).users
      const id = user?.id ?? ""
      yield* as(track.provider, "person-2", "second@example.com")
      const link = yield* toTheDoor(track, who, "other")
      const remove = Effect.as(
        Effect.exit(unlink(track.gates.store, UserId.make(id), { provider: "idp", providerAccountId: "person-1" })),
        undefined
      )
      const read = browser().get("/auth/session", { cookie: cookieOf(who) })
      yield* track.race([link, remove, read, read])
      const { accounts, users } = yield* track.vault.rows
      assert.strictEqual(users.length, 1)
      assert.isAtLeast(accounts.length, 1)
      assert.isTrue(accounts.every(({ userId }) => userId === id))
    }
  )

  it.use(
    "H256 of three proofs of a key at one count, one counts",
    inManyOrders({ providers: [Passkey()] }),
    function* (track) {
      const key = yield* madeKey("ann@example.com")
      key.counter = 7
      const seen = yield* track.race(yield* several(3, provesKey(key)))
      assert.strictEqual(winners(seen).length, 1)
      assert.deepStrictEqual(failures(seen), ["WebAuthnVerificationError", "WebAuthnVerificationError"])
      const { authenticators, sessions } = yield* track.vault.rows
      assert.deepStrictEqual([authenticators[0]?.counter, sessions.length], [7, 2])
    }
  )

  it.use("three clicks of one browser that begin a new account begin one", inManyOrders(), function* (track) {
    yield* track.vault.store.createUser({ id: asUserId("before"), email: "ann@example.com", emailVerified: null })
    const who = browser()
    yield* ask(who, "ann@example.com")
    yield* press(who, yield* track.lastLink)
    const { csrfToken } = JSON.parse((yield* who.get("/auth/csrf")).body) as { csrfToken: string }
    const cookie = cookieOf(who)
    const choose = browser().send("POST", "/auth/signin/email", {
      headers: { "content-type": "application/x-www-form-urlencoded", cookie },
      body: new URLSearchParams({ csrfToken, account: "new" }).toString()
    })
    const seen = yield* track.race([choose, choose, choose])
    assert.strictEqual(new Set(winners(seen).map(sessionOf)).size, 1)
    const { sessions, users } = yield* track.vault.rows
    assert.deepStrictEqual([users.length, sessions.length], [2, 1])
  })

  it.use("H260 three tabs that sign in at once all get there", inManyOrders(), function* (track) {
    yield* signedIn(track)
    const who = browser()
    const seen = yield* track.race(
      yield* several(
        3,
        Effect.suspend(() => toTheDoor(track, who))
      )
    )
    assert.strictEqual(winners(seen).length, 3)
    assert.isNotNull(yield* who.session)
  })

  it.use(
    "H259 tokens that two tabs fetch at once are the same, and good in both",
    inManyOrders({ least: 1, times: 1 }),
    function* (track) {
      const who = yield* signedIn(track)
      const fetched = yield* track.race([who.get("/auth/csrf"), who.get("/auth/csrf"), who.get("/auth/csrf")])
      const tokens = new Set(fetched.map(({ body }) => body))
      assert.strictEqual(tokens.size, 1)
      const seen = yield* who.submit("/auth/signout")
      assert.strictEqual(seen.failure, undefined)
    }
  )
})

describe("many at once", () => {
  const crowd = 64

  const inCrowd = (more: Partial<Options> = {}) => inManyOrders({ least: 2, times: 2, ...more })

  it.use("H247 of sixty-four who press one link, one is signed in", inCrowd(), function* (track) {
    const link = yield* askedFor(track)
    const seen = yield* track.race(
      yield* several(
        crowd,
        Effect.suspend(() => toTheButton(browser(), link))
      )
    )
    assert.strictEqual(winners(seen).length, 1)
    assert.strictEqual((yield* track.vault.rows).sessions.length, 1)
  })

  it.use("H248 sixty-four first sign-ins with one account make one user", inCrowd(), function* (track) {
    const racers = yield* several(
      crowd,
      Effect.suspend(() => toTheDoor(track, browser()))
    )
    const seen = yield* track.race(racers)
    const { accounts, sessions, users } = yield* track.vault.rows
    assert.deepStrictEqual([users.length, accounts.length], [1, 1])
    assert.strictEqual(sessions.length, winners(seen).length)
    assert.isAtLeast(sessions.length, 1)
    assert.isTrue(failures(seen).every((tag) => tag === "OAuthAccountNotLinked"))
  })

  it.use(
    "H256 of sixty-four answers to one ceremony, one counts",
    inCrowd({ providers: [Passkey()] }),
    function* (track) {
      const key = yield* madeKey("ann@example.com")
      key.counter = 7
      const who = browser()
      const asked = yield* who.get("/auth/webauthn-options/passkey?action=authenticate")
      const data = get(key, optionsOf<RequestOptions>(asked), site)
      const cookie = cookieOf(who)
      const body = new URLSearchParams({ action: "authenticate", data: JSON.stringify(data) }).toString()
      const post = browser().send("POST", "/auth/callback/passkey", {
        headers: { "content-type": "application/x-www-form-urlencoded", cookie },
        body
      })
      const seen = yield* track.race(Array.from({ length: crowd }, () => post))
      assert.strictEqual(winners(seen).length, 1)
    }
  )
})
