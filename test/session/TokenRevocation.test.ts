import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { TestClock } from "effect/testing"
import { asUserId } from "../../src/models/Id.ts"
import * as Jwe from "../../src/crypto/Jwe.ts"
import { keyring } from "../../src/crypto/Keyring.ts"
import { createAuth } from "../../src/index.ts"
import { Credentials } from "../../src/Provider/Credentials.ts"
import * as UserSessions from "../../src/actions/UserSessions.ts"
import * as SharedState from "../../src/SharedState.ts"
import * as TokenRevocation from "../../src/session/TokenRevocation.ts"
import { at, type Browser, browser, config, cookieOf, type Log, start, world } from "../Browser.ts"
import { makeStore } from "../StateStore.ts"
import { forFunctions } from "../ForFunctions.ts"
import { password, secret } from "../Visitor.ts"

const name = "__Host-authjs.session-token"

const options = (store: SharedState.StateStore, session: object = { revocation: true }) =>
  config({ providers: [password()], session, sharedState: store })

/** These cookies in another browser: a copy of the session. */
const copyOf = (original: Browser): Browser => {
  const copy = browser()
  for (const [key, value] of original.cookies) copy.cookies.set(key, value)
  return copy
}

/** A browser's cookies after an answer, whenever it comes. */
const receive = (person: Browser, lines: ReadonlyArray<string>): void => {
  for (const { gone, name, value } of lines.map(cookieOf)) {
    if (gone) person.cookies.delete(name)
    else person.cookies.set(name, value)
  }
}

type Step = readonly [request: string, step: "answered" | "sent"]

/** Every order in which requests can be sent and answered. */
const interleavings = (waiting: ReadonlyArray<string>, open: ReadonlyArray<string> = []): Array<Array<Step>> =>
  waiting.length + open.length === 0
    ? [[]]
    : [
        ...waiting.flatMap((one) =>
          interleavings(
            waiting.filter((other) => other !== one),
            [...open, one]
          ).map((rest): Array<Step> => [[one, "sent"], ...rest])
        ),
        ...open.flatMap((one) =>
          interleavings(
            waiting,
            open.filter((other) => other !== one)
          ).map((rest): Array<Step> => [[one, "answered"], ...rest])
        )
      ]

const signOut = (person: Browser) => person.submit("/auth/signout", {})

const markOf = (person: Browser): unknown => {
  const opened = Jwe.open(keyring([secret], name), person.cookies.get(name) ?? "", { now: start / 1000 })
  return opened !== undefined && "claims" in opened ? opened.claims["effect-doorman"] : undefined
}

describe("session.revocation", () => {
  it.effect("is off by default: a copy of a session outlives the sign-out, and no read asks the store", () => {
    const { calls, store } = makeStore()
    const person = browser()
    return Effect.gen(function* () {
      yield* person.signInWithPassword()
      const copy = copyOf(person)
      calls.get = 0
      yield* signOut(person)
      assert.strictEqual((yield* copy.session)?.user?.name, "ann")
      assert.strictEqual(calls.get, 0)
    }).pipe(at(options(store, {})))
  })

  it.effect("H059 ends every copy of the token at the sign-out, and what a copy was renewed to", () => {
    const { store } = makeStore()
    const log: Log = { entries: [] }
    const person = browser()
    return Effect.gen(function* () {
      yield* person.signInWithPassword()
      const copy = copyOf(person)
      yield* TestClock.adjust("5 seconds")
      assert.isNotNull(yield* copy.session)
      yield* signOut(person)
      assert.isNull(yield* copy.session)
      assert.isFalse(copy.cookies.has(name))
      // A session that ended as it should is no warning of a wrong secret.
      assert.notInclude(
        log.entries.map(({ level }) => level.toLowerCase()),
        "warn"
      )
    }).pipe(at(options(store), undefined, log))
  })

  for (const [seconds, session] of [
    [60, { revocation: true }],
    [10, { revocation: true, revocationCheck: 10 }]
  ] as const) {
    it.gen(`another process rejects the session ${seconds} seconds after its last check`, function* () {
      const { calls, store } = makeStore()
      const person = browser()
      const here = world(options(store, session))
      const there = world(options(store, session))
      yield* Effect.provide(person.signInWithPassword(), here)
      const copy = copyOf(person)
      yield* Effect.gen(function* () {
        assert.isNotNull(yield* copy.session)
        yield* Effect.provide(signOut(person), here)
        calls.get = 0
        yield* TestClock.adjust(`${seconds * 1000 - 1} millis`)
        assert.isNotNull(yield* copy.session)
        assert.strictEqual(calls.get, 0)
        yield* TestClock.adjust("1 millis")
        assert.isNull(yield* copy.session)
      }).pipe(Effect.provide(there))
    })
  }

  it.gen("P133 no late answer revives a session, in any order of a read, an update and a sign-out", function* () {
    const orders = interleavings(["read", "update", "leave"])
    assert.strictEqual(orders.length, 90)
    for (const order of orders) {
      const { store } = makeStore()
      // Built once each: building a world sets the clock.
      const [here, there] = [yield* Layer.build(world(options(store))), yield* Layer.build(world(options(store)))]
      const person = browser()
      yield* Effect.provideContext(person.signInWithPassword(), here)
      const late = new Map<string, ReadonlyArray<string>>()
      yield* Effect.gen(function* () {
        for (const [request, step] of order) {
          yield* TestClock.adjust("1 seconds")
          if (step === "answered") receive(person, late.get(request) ?? [])
          else {
            const tab = copyOf(person)
            const seen =
              request === "read"
                ? tab.get("/auth/session")
                : request === "update"
                  ? tab.submit("/auth/session", { data: "{}" })
                  : Effect.provideContext(signOut(tab), here)
            late.set(request, (yield* seen).lines)
          }
        }
        yield* TestClock.adjust("60 seconds")
        assert.isNull(yield* person.session, JSON.stringify(order))
      }).pipe(Effect.provideContext(there))
    }
  })

  it.gen("asks at every request that changes something", function* () {
    const { store } = makeStore()
    const person = browser()
    const here = world(options(store))
    yield* Effect.provide(person.signInWithPassword(), here)
    const copy = copyOf(person)
    yield* Effect.gen(function* () {
      assert.isNotNull(yield* copy.session)
      yield* Effect.provide(signOut(person), here)
      assert.isNotNull(yield* copy.session)
      const changed = yield* copy.submit("/auth/session", { data: "{}" })
      assert.notInclude(changed.body, "ann")
    }).pipe(Effect.provide(world(options(store))))
  })

  it.effect("revokeAll ends the sessions of one user that began before, and none that begins later", () => {
    const { store } = makeStore()
    const [phone, laptop, other] = [browser(), browser(), browser()]
    return Effect.gen(function* () {
      yield* phone.signInWithPassword()
      yield* laptop.signInWithPassword()
      yield* other.signInWithPassword("bob")
      yield* UserSessions.revokeAll(asUserId("id of ann"))
      assert.isNull(yield* phone.session)
      assert.isNull(yield* laptop.session)
      assert.strictEqual((yield* other.session)?.user?.name, "bob")
      yield* phone.signInWithPassword()
      assert.strictEqual((yield* phone.session)?.user?.name, "ann")
      assert.deepInclude(markOf(phone), { epoch: start })
      // Twice within a millisecond.
      yield* UserSessions.revokeAll(asUserId("id of ann"))
      assert.isNull(yield* phone.session)
      yield* phone.signInWithPassword()
      yield* TestClock.adjust("2 minutes")
      assert.strictEqual((yield* phone.session)?.user?.name, "ann")
    }).pipe(at(options(store)))
  })

  it.effect("rejects every session of a user whose generation in the store is no number, until revokeAll", () => {
    const { store, values } = makeStore()
    const person = browser()
    return Effect.gen(function* () {
      yield* person.signInWithPassword()
      const copy = copyOf(person)
      yield* UserSessions.revokeAll(asUserId("id of ann"))
      for (const text of ["", "none", "NaN", "-1", "Infinity", "1e3"]) {
        for (const key of values.keys()) if (key.startsWith("value.token-epoch:")) values.set(key, text)
        assert.isNull(yield* copy.session, text)
        assert.strictEqual((yield* person.submit("/auth/session", { data: "{}" })).body, "null", text)
      }
      yield* UserSessions.revokeAll(asUserId("id of ann"))
      yield* person.signInWithPassword()
      assert.strictEqual((yield* person.session)?.user?.name, "ann")
    }).pipe(at(options(store)))
  })

  it.gen("64 of revokeAll at once begin a generation each: none puts back an older one", function* () {
    const { store } = makeStore()
    const revocation = TokenRevocation.make(SharedState.make(store), 60, 3600)
    yield* TestClock.setTime(start)
    const all = Array.from({ length: 64 }, () => revocation.revokeAll("ann"))
    yield* Effect.all(all, { concurrency: "unbounded", discard: true })
    assert.strictEqual(yield* revocation.epochFor("ann"), start + 63)
  })

  it.gen("H076 the session to keep stays as it is: one that has ended does not become valid again", function* () {
    const { store, values } = makeStore()
    const revocation = TokenRevocation.make(SharedState.make(store), 60, 3600)
    const session = (sid: string, epoch = 0) => ({ claims: { sub: "ann" }, mark: { sid, epoch } })
    const kept = (one: ReturnType<typeof session>) => ({
      id: TokenRevocation.tokenSessionId(one),
      generation: one.mark.epoch
    })
    const isOver = (one: ReturnType<typeof session>) => revocation.isRevoked(one, true)
    yield* TestClock.setTime(start)
    const [stolen, older] = [session("stolen-session-0001"), session("older-session-00001")]
    yield* revocation.revokeAll("ann", kept(older))
    assert.deepStrictEqual([yield* isOver(older), yield* isOver(stolen)], [false, true])
    yield* revocation.revokeAll("ann", kept(stolen))
    assert.deepStrictEqual([yield* isOver(older), yield* isOver(stolen)], [true, true], "ended by a former exception")
    // A session of a sign-in since then, which keeps itself twice.
    const recent = session("recent-session-0001", start + 1)
    yield* revocation.revokeAll("ann", kept(recent))
    yield* revocation.revokeAll("ann", kept(recent))
    assert.isFalse(yield* isOver(recent))
    yield* revocation.revokeAll("ann")
    yield* revocation.revokeAll("ann", kept(recent))
    assert.isTrue(yield* isOver(recent), "ended by all")
    const last = session("last-session-000001", start + 5)
    yield* revocation.revoke(last)
    yield* revocation.revokeAll("ann", kept(last))
    assert.isTrue(yield* isOver(last), "ended alone")
    for (const key of values.keys()) if (key.startsWith("value.token-epoch:")) values.set(key, "damaged")
    const hidden = session("hidden-session-0001", start + 9)
    yield* revocation.revokeAll("ann", kept(hidden))
    assert.notInclude([...values.values()].join(), kept(hidden).id ?? "", "an entry that cannot be read keeps none")
  })

  for (const scheme of ["https", "http"] as const) {
    it.effect(`ends the session of a bearer without a form, which signed in over ${scheme}`, () => {
      const { store } = makeStore()
      const events: Array<unknown> = []
      const person = browser(scheme === "https" ? undefined : "http://app.example")
      return Effect.gen(function* () {
        yield* person.signInWithPassword()
        const [token = ""] = [...person.cookies].flatMap(([key, value]) => (key.endsWith("session-token") ? value : []))
        const authorization = `Bearer ${token}`
        const ended = yield* browser().send("POST", "/auth/signout", { headers: { authorization } })
        assert.isUndefined(ended.failure)
        assert.strictEqual(events.length, 1)
        assert.isNull(yield* person.session)
        // A second time it is no token of a session.
        const again = yield* browser().send("POST", "/auth/signout", { headers: { authorization } })
        assert.strictEqual(again.failure?._tag, "MissingCsrf")
      }).pipe(at({ ...options(store), events: { signOut: (message: unknown) => void events.push(message) } }))
    })
  }

  it.effect("asks for the form where a cookie stands beside the bearer, and ends both sessions", () => {
    const { store } = makeStore()
    const [person, phone] = [browser(), browser()]
    return Effect.gen(function* () {
      yield* person.signInWithPassword()
      yield* phone.signInWithPassword("bob")
      const headers = { authorization: `Bearer ${phone.cookies.get(name) ?? ""}`, "content-type": "application/json" }
      const refused = yield* person.send("POST", "/auth/signout", { headers, body: "{}" })
      assert.strictEqual(refused.failure?._tag, "MissingCsrf")
      assert.isNotNull(yield* phone.session)
      const { csrfToken } = JSON.parse((yield* person.get("/auth/csrf")).body)
      const done = yield* person.send("POST", "/auth/signout", { headers, body: JSON.stringify({ csrfToken }) })
      assert.isUndefined(done.failure)
      assert.isFalse(person.cookies.has(name))
      // The phone renewed its token meanwhile: the session is the same.
      assert.isNull(yield* phone.session)
    }).pipe(at(options(store)))
  })

  it("createAuth ends the sessions of a user that are tokens", async () => {
    const { store } = makeStore()
    const auth = createAuth({
      env: {},
      secret,
      trustHost: true,
      providers: [Credentials({ credentials: {}, authorize: () => ({ id: "ann", name: "Ann" }) })],
      session: { revocation: true },
      sharedState: forFunctions({ sharedState: store }).sharedState
    })
    const request = (headers: Readonly<Record<string, string>> = {}) => new Request("https://app.example/", { headers })
    const headers = await auth.signIn(request(), { id: "ann", name: "Ann" })
    const cookie = headers
      .getSetCookie()
      .map((line) => line.split(";", 1)[0])
      .join("; ")
    assert.strictEqual((await auth.getSession(request({ cookie })))?.user?.name, "Ann")
    await auth.sessions.revokeAll("ann")
    assert.isNull(await auth.getSession(request({ cookie })))
    await auth.dispose()
  })

  it.effect("while the store is down: keeps the cookie, serves what was checked, and reports a sign-out", () => {
    const { faults, store } = makeStore()
    const person = browser()
    return Effect.gen(function* () {
      yield* person.signInWithPassword()
      assert.isNotNull(yield* person.session)
      faults.isDown = true
      yield* TestClock.adjust("59 seconds")
      assert.isNotNull(yield* person.session)
      yield* TestClock.adjust("1 seconds")
      assert.isNull(yield* person.session)
      assert.isTrue(person.cookies.has(name))
      faults.isDown = false
      assert.isNotNull(yield* person.session)
      faults.isDown = true
      const ended = yield* signOut(person)
      assert.strictEqual(ended.failure?._tag, "SignOutError")
      assert.isFalse(person.cookies.has(name))
    }).pipe(at(options(store)))
  })
})
