/** What one sign-in writes: users, accounts and sessions of a store, for each decision of the linking rules. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { TestClock } from "effect/testing"
import { dateAt } from "../../src/internal/DateAt.ts"
import { makeMemory } from "../../src/Adapter.ts"
import type { Options } from "../../src/config/Settings.ts"
import { AdapterError } from "../../src/Errors.ts"
import { AuthRequest, fromWeb } from "../../src/http/AuthRequest.ts"
import type { Services } from "../../src/composition/Services.ts"
import type { Account, AdapterUser } from "../../src/Models.ts"
import { asUserId } from "../../src/models/Id.ts"
import { Email } from "../../src/Provider/Email.ts"
import { Google } from "../../src/Provider/Google.ts"
import { unknownAuthentication } from "../../src/session/Authentication.ts"
import { type CurrentUser, SessionStore } from "../../src/session/SessionStore.ts"
import { hasProven } from "../../src/signin/ProvenAddress.ts"
import type { Attempt, OneTimeUse, VerifiedIdentity } from "../../src/signin/ResolveUser.ts"
import { layer as layerOfPolicy, type Decision, type Situation } from "../../src/signin/LinkingRules.ts"
import { resolveUser, startSession } from "../../src/signin/ResolveUser.ts"
import type { AdapterMethod, AdapterShape } from "../../src/storage/AdapterShape.ts"
import { acme, layer, options, site } from "../Visitor.ts"

const address = "ada@example.com"
const ada = asUserId("ada")
const instant = 1_800_000_000_000
const authentication = { at: instant, amr: ["pwd"], acr: "urn:example:2" }
const ofSession = { at: 5, amr: ["otp"], acr: undefined }

const account = (more: Partial<Account> = {}): Account => ({
  provider: "acme",
  providerAccountId: "acme-1",
  type: "oauth",
  ...more
})

/** An identity of a redirect provider, that says nothing of the address. */
const identity = (more: Partial<VerifiedIdentity> = {}): VerifiedIdentity => ({
  user: { id: asUserId("new"), email: address, name: "Ada" },
  account: account(),
  linked: account(),
  known: undefined,
  proof: "claimed",
  isRemembered: true,
  authentication,
  ...more
})

const byMail = (more: Partial<VerifiedIdentity> = {}): VerifiedIdentity =>
  identity({
    account: account({ provider: "email", providerAccountId: address, type: "email" }),
    linked: undefined,
    proof: "proven",
    ...more
  })

const byKey = (more: Partial<VerifiedIdentity> = {}): VerifiedIdentity => {
  const key = account({ provider: "passkey", providerAccountId: "key-1", type: "webauthn" })
  return identity({ account: key, linked: key, ...more })
}

const signedIn = (user: AdapterUser, subject: string | undefined = "a session"): CurrentUser => ({
  user,
  subject,
  sessionToken: "the token before",
  authentication: ofSession
})

/** With sessions in the store. */
const stored =
  (adapter: AdapterShape, more: Partial<Options> = {}) =>
  <A, E>(program: Effect.Effect<A, E, Services>) =>
    Effect.provide(
      program,
      layer(options({ adapter, session: { strategy: "database" }, providers: [acme(), Email()], ...more }))
    )

/** The store, and what was written to it. */
const world = (lacking: ReadonlyArray<AdapterMethod> = []) => {
  const memory = makeMemory()
  const writes: Array<readonly [string, unknown]> = []
  const seen =
    <A, B>(name: string, call: (argument: A) => Effect.Effect<B, AdapterError>) =>
    (argument: A): Effect.Effect<B, AdapterError> =>
      Effect.suspend(() => {
        writes.push([name, argument])
        return call(argument)
      })
  const adapter: AdapterShape = {
    ...memory,
    methods: new Set([...memory.methods].filter((method) => !lacking.includes(method))),
    createUser: seen("createUser", memory.createUser),
    updateUser: seen("updateUser", memory.updateUser),
    deleteUser: seen("deleteUser", memory.deleteUser),
    linkAccount: seen("linkAccount", memory.linkAccount),
    unlinkAccount: seen("unlinkAccount", memory.unlinkAccount),
    updateAccount: seen("updateAccount", memory.updateAccount),
    createSession: seen("createSession", memory.createSession),
    deleteSession: seen("deleteSession", memory.deleteSession)
  }
  const user = (more: Partial<AdapterUser> = {}) =>
    memory.createUser({ id: ada, email: address, emailVerified: null, ...more })
  const linked = (more: Partial<Account> = {}) => memory.linkAccount({ ...account(more), type: "oauth", userId: ada })
  return { memory, adapter, writes, user, linked, named: () => writes.map(([name]) => name), at: stored(adapter) }
}

/** A store whose transactions end in a failure after they were written, or before. */
const uncertain = (isWritten: boolean) => {
  const here = world()
  const failure = new AdapterError({ method: "transaction", reason: "unavailable", detail: "the connection is gone" })
  const adapter: AdapterShape = {
    ...here.adapter,
    transaction: (program) =>
      isWritten
        ? Effect.andThen(here.memory.transaction(program), Effect.fail(failure))
        : Effect.andThen(
            Effect.ignore(here.memory.transaction(Effect.andThen(program, Effect.fail(failure)))),
            Effect.fail(failure)
          )
  }
  return { ...here, adapter, at: stored(adapter) }
}

/** Resolves the user of an identity, in a request with the session of a user. */
const resolve = (adapter: AdapterShape, person: VerifiedIdentity, current?: CurrentUser) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(instant)
    const request = yield* fromWeb(new Request(`${site}/auth/session`), "/auth")
    const sessions = yield* SessionStore
    return yield* resolveUser(adapter, person).pipe(
      Effect.provideService(SessionStore, { ...sessions, user: () => Effect.succeed(current) }),
      Effect.provideService(AuthRequest, request)
    )
  })

const failureOf = (adapter: AdapterShape, person: VerifiedIdentity, current?: CurrentUser) =>
  Effect.flip(resolve(adapter, person, current))

describe("a new account", () => {
  for (const [proof, emailVerified] of [
    ["proven", instant],
    ["claimed", undefined],
    ["denied", undefined]
  ] as const) {
    it.play(`with an address that is ${proof} makes a user, the account and a session`, world(), function* (scene) {
      const { adapter, memory, named } = scene
      const {
        authentication: worth,
        events,
        isAddition,
        isNewUser,
        session,
        user
      } = yield* resolve(adapter, identity({ proof }))
      assert.deepStrictEqual(named(), ["createUser", "linkAccount", "createSession"])
      const row = Option.getOrThrow(yield* memory.getUserByAccount(account()))
      assert.strictEqual(row.id, "new")
      assert.strictEqual(row.name, "Ada")
      assert.strictEqual(row.emailVerified?.getTime(), emailVerified)
      assert.deepStrictEqual(user, row)
      assert.deepStrictEqual(events, [
        ["createUser", { user }],
        ["linkAccount", { user, account: account(), profile: identity().user }]
      ])
      assert.isTrue(isNewUser)
      assert.isFalse(isAddition)
      assert.strictEqual(session?.userId, "new")
      assert.deepStrictEqual(worth, authentication)
    })
  }

  for (const email of ["", null, undefined]) {
    it.play(`with ${JSON.stringify(email)} for an address makes a user without one`, world(), function* (scene) {
      const { adapter, memory } = scene
      yield* memory.createUser({ id: ada, email: undefined, emailVerified: null })
      const { user } = yield* resolve(adapter, identity({ proof: "proven", user: { id: asUserId("new"), email } }))
      assert.strictEqual(user.id, "new")
      assert.isNull(Option.getOrThrow(yield* memory.getUser(asUserId("new"))).emailVerified)
    })
  }

  for (const [type, expected] of [
    ["credentials", "oauth"],
    ["oidc", "oidc"]
  ] as const) {
    it.play(`of the type ${type} is stored as one of ${expected}`, world(), function* ({ adapter, memory }) {
      yield* resolve(adapter, identity({ linked: account({ type }) }))
      const rows = yield* memory.listAccounts(asUserId("new"))
      assert.deepStrictEqual(
        rows.map((row) => row.type),
        [expected]
      )
    })
  }

  it.effect("of a platform that verifies addresses is remembered", () => {
    const { adapter, memory } = world()
    return Effect.gen(function* () {
      const ofGoogle = account({ provider: "google", type: "oidc" })
      const { user } = yield* resolve(adapter, identity({ account: ofGoogle, linked: ofGoogle }))
      const row = Option.getOrThrow(yield* memory.getUser(asUserId(user.id ?? "")))
      assert.isFalse(yield* hasProven(memory, row, address))
    }).pipe(stored(adapter, { providers: [Google({ clientId: "client", clientSecret: "a client secret" })] }))
  })

  it.play("that was chosen before is made where no user has the address", world(), function* ({ adapter }) {
    const held = { id: "proof", provider: "email", email: address, holder: "ada", target: "/", until: 2e9 }
    const { isNewUser } = yield* resolve(adapter, byMail({ held: { ...held, startsAnew: true } }))
    assert.isTrue(isNewUser)
  })

  it.play("of a mailbox is a user without an account, or with the passkey that waited", world(), function* (scene) {
    const { adapter, memory } = scene
    const credential = {
      credentialID: "key-1",
      providerAccountId: "key-1",
      credentialPublicKey: "key",
      counter: 0,
      credentialDeviceType: "singleDevice",
      credentialBackedUp: false,
      transports: ""
    }
    const passkey = { provider: "passkey", person: { name: "Ada L.", image: "" }, credential }
    const without = world()
    const { events, user } = yield* resolve(adapter, byMail({ passkey }))
    const row = Option.getOrThrow(yield* memory.getUser(asUserId("new")))
    assert.strictEqual(row.name, "Ada L.")
    assert.deepStrictEqual(events, [
      ["createUser", { user: row }],
      [
        "linkAccount",
        {
          user,
          account: { provider: "passkey", providerAccountId: "key-1", type: "webauthn" },
          profile: passkey.person
        }
      ]
    ])
    assert.isTrue(Option.isSome(yield* memory.getAuthenticator("key-1")))
    assert.lengthOf(yield* memory.listAccounts(asUserId("new")), 1)
    yield* resolve(without.adapter, byMail()).pipe(stored(without.adapter))
    assert.deepStrictEqual(without.named(), ["createUser", "createSession"])
  })

  it.effect("has no session in the unit of work where sessions are tokens", () => {
    const { adapter, named } = world()
    return Effect.gen(function* () {
      const { session } = yield* resolve(adapter, identity())
      assert.isUndefined(session)
      assert.deepStrictEqual(named(), ["createUser", "linkAccount"])
    }).pipe(stored(adapter, { session: { strategy: "jwt" } }))
  })
})

describe("a known account", () => {
  it.play("signs in its user, and the store keeps the newest tokens", world(), function* (scene) {
    const { adapter, linked, user, writes } = scene
    const row = yield* user()
    yield* linked()
    const tokens = {
      access_token: "access",
      refresh_token: "refresh",
      id_token: "id",
      scope: "a",
      token_type: "bearer" as const
    }
    const result = yield* resolve(adapter, identity({ linked: account({ ...tokens, expires_at: 7 }) }))
    assert.strictEqual(result.user.id, row.id)
    assert.isFalse(result.isNewUser)
    assert.deepStrictEqual(result.events, [])
    const [first, second] = writes
    assert.strictEqual(second?.[0], "createSession")
    assert.deepStrictEqual(first, [
      "updateAccount",
      { provider: "acme", providerAccountId: "acme-1", ...tokens, expires_at: 7 }
    ])
    yield* resolve(adapter, identity({ linked: account({ access_token: "access" }) }))
    assert.strictEqual(Reflect.get(Object(writes[2]?.[1]), "expires_at"), null)
  })

  it.effect("keeps its tokens where there are no new ones, and where the store cannot change them", () => {
    const able = world()
    const unable = world(["updateAccount"])
    return Effect.gen(function* () {
      for (const { linked, user } of [able, unable]) {
        yield* user()
        yield* linked()
      }
      yield* resolve(able.adapter, identity({ linked: account({ refresh_token: "refresh" }) }))
      yield* resolve(able.adapter, identity({ linked: undefined }))
      yield* resolve(unable.adapter, identity({ linked: account({ access_token: "access" }) }))
      assert.notInclude([...able.named(), ...unable.named()], "updateAccount")
    }).pipe(stored(able.adapter))
  })

  for (const [what, person, isMarked] of [
    ["a verified address of its user", identity({ proof: "proven" }), true],
    ["a claimed address of its user", identity({ proof: "claimed" }), false],
    [
      "a verified address of no user",
      identity({ proof: "proven", user: { id: asUserId("new"), email: "eve@example.com" } }),
      false
    ]
  ] as const) {
    it.play(`with ${what} ${isMarked ? "marks the address" : "marks nothing"}`, world(), function* (scene) {
      const { adapter, linked, memory, user } = scene
      yield* user()
      yield* linked()
      const result = yield* resolve(adapter, person)
      const row = Option.getOrThrow(yield* memory.getUser(ada))
      assert.strictEqual(row.emailVerified?.getTime(), isMarked ? instant : undefined)
      assert.deepStrictEqual(result.events, isMarked ? [["updateUser", { user: row }]] : [])
      yield* resolve(adapter, person)
      const times = yield* memory.getUser(ada)
      assert.deepStrictEqual(times, Option.some(row))
    })
  }

  it.play("does not mark an address again", world(), function* ({ adapter, linked, named, user }) {
    yield* user({ emailVerified: dateAt(1) })
    yield* linked()
    yield* resolve(adapter, identity({ proof: "proven" }))
    assert.notInclude(named(), "updateUser")
  })

  for (const [what, held, isMarked] of [
    ["of its user", { holder: "ada" }, true],
    ["of another user", { holder: "eve" }, false],
    ["of another address", { email: "eve@example.com" }, false]
  ] as const) {
    it.play(`marks the address once by a proof ${what}: ${isMarked}`, world(), function* (scene) {
      const { adapter, linked, memory, user } = scene
      const proof = { id: "proof", provider: "email", email: address, holder: "ada", target: "/", until: 2e9, ...held }
      yield* user()
      yield* linked()
      yield* resolve(adapter, identity({ held: proof }))
      assert.strictEqual(Option.getOrThrow(yield* memory.getUser(ada)).emailVerified !== null, isMarked)
      yield* memory.updateUser({ id: ada, emailVerified: null })
      yield* resolve(adapter, identity({ held: proof }))
      assert.isNull(Option.getOrThrow(yield* memory.getUser(ada)).emailVerified)
    })
  }

  it.effect("with the session of its user keeps that user, and has what the new sign-in is worth", () => {
    const { adapter, linked, memory, named, user } = world()
    return Effect.gen(function* () {
      const row = yield* user()
      yield* linked()
      yield* memory.createSession({ sessionToken: "the token before", userId: ada, expires: dateAt(2e12) })
      const result = yield* resolve(adapter, identity(), signedIn(row))
      assert.deepStrictEqual(result.authentication, authentication)
      assert.deepStrictEqual(named(), ["createSession", "deleteSession"])
      assert.isTrue(Option.isNone(yield* memory.getSessionAndUser("the token before")))
    }).pipe(stored(adapter))
  })
})

describe("an account that is linked in a session", () => {
  it.play("belongs to its user, and leaves the session what it was worth", world(), function* (scene) {
    const { adapter, memory, user } = scene
    const row = yield* user()
    const result = yield* resolve(adapter, identity({ startedBy: "a session", proof: "proven" }), signedIn(row))
    assert.deepStrictEqual(result.authentication, ofSession)
    assert.isFalse(result.isAddition)
    assert.isFalse(result.isNewUser)
    assert.strictEqual(result.session?.userId, "ada")
    const after = Option.getOrThrow(yield* memory.getUserByAccount(account()))
    assert.strictEqual(after.id, "ada")
    assert.strictEqual(after.emailVerified?.getTime(), instant)
    assert.deepStrictEqual(
      result.events.map(([name]) => name),
      ["linkAccount", "updateUser"]
    )
  })

  it.play("with an address of no user belongs to its user all the same", world(), function* (scene) {
    const { adapter, memory, user } = scene
    const row = yield* user()
    const other = { id: asUserId("new"), email: "eve@example.com" }
    yield* resolve(adapter, identity({ startedBy: "a session", user: other }), signedIn(row))
    assert.lengthOf(yield* memory.listAccounts(ada), 1)
  })

  it.play("by a key does not count when its unit of work fails at its end", uncertain(true), function* (scene) {
    const { adapter, user } = scene
    const row = yield* user()
    const failure = yield* failureOf(adapter, byKey({ startedBy: "a session" }), signedIn(row))
    assert.strictEqual(failure._tag, "AdapterError")
  })

  it.play("by a key is no sign-in: no session begins", world(), function* ({ adapter, named, user }) {
    const row = yield* user()
    const result = yield* resolve(adapter, byKey({ startedBy: "a session" }), signedIn(row))
    assert.isTrue(result.isAddition)
    assert.isUndefined(result.session)
    assert.deepStrictEqual(named(), ["linkAccount"])
  })

  for (const [what, startedBy, subject] of [
    ["another session than the one that began", "a session", "another session"],
    ["a session that has no name", undefined, undefined],
    ["a session that did not begin it", undefined, "a session"]
  ] as const) {
    it.play(`is refused in ${what}`, world(), function* ({ adapter, named, user }) {
      const row = yield* user({ email: "eve@example.com" })
      const current = { ...signedIn(row), subject }
      const redirect = yield* failureOf(adapter, identity({ startedBy }), current)
      assert.strictEqual(redirect._tag, "OAuthAccountNotLinked")
      assert.include(redirect.detail, "belongs to another user")
      const key = yield* failureOf(adapter, byKey({ startedBy }), current)
      assert.strictEqual(key._tag, "AccountNotLinked")
      assert.include(key.detail, "belongs to another user")
      assert.deepStrictEqual(named(), [])
    })
  }

  it.play("is refused when that session has ended", world(), function* ({ adapter, named }) {
    const failure = yield* failureOf(adapter, identity({ startedBy: "a session" }))
    assert.strictEqual(failure._tag, "OAuthAccountNotLinked")
    assert.deepStrictEqual(named(), [])
  })
})

describe("an address that a user holds", () => {
  for (const [trusting, isLinked] of [
    [true, true],
    [false, false],
    [undefined, false]
  ] as const) {
    it.play(`is linked by a provider only where the application trusts it: ${trusting}`, world(), function* (scene) {
      const { adapter, memory, user } = scene
      yield* user({ emailVerified: dateAt(1) })
      const person = identity({ trusting })
      if (isLinked) {
        const result = yield* resolve(adapter, person)
        assert.strictEqual(result.user.id, "ada")
        assert.deepStrictEqual(result.authentication, authentication)
      } else assert.strictEqual((yield* failureOf(adapter, person))._tag, "OAuthAccountNotLinked")
      assert.lengthOf(yield* memory.listAccounts(ada), isLinked ? 1 : 0)
    })
  }

  it.play("and has proven, is entered by its mailbox", world(), function* ({ adapter, memory, user }) {
    yield* user({ emailVerified: dateAt(1) })
    const result = yield* resolve(adapter, byMail())
    assert.strictEqual(result.user.id, "ada")
    assert.deepStrictEqual(result.authentication, authentication)
    assert.strictEqual(Option.getOrThrow(yield* memory.getUser(ada)).emailVerified?.getTime(), instant)
    assert.deepStrictEqual(
      result.events.map(([name]) => name),
      ["updateUser"]
    )
  })

  it.effect("in whose session it is proven, becomes theirs, and the session stays what it was worth", () => {
    const { adapter, linked, memory, user } = world()
    return Effect.gen(function* () {
      const row = yield* user()
      yield* linked()
      const result = yield* resolve(adapter, byMail(), signedIn(row))
      assert.deepStrictEqual(result.authentication, ofSession)
      assert.isNotNull(Option.getOrThrow(yield* memory.getUser(ada)).emailVerified)
      assert.isFalse(result.isAddition)
    }).pipe(stored(adapter))
  })

  const second = account({ providerAccountId: "acme-2" })
  const ofProvider = identity({ proof: "proven", account: second, linked: second })
  const releasing = byMail({ user: { id: asUserId("new"), email: address, name: "Not stored" } })
  for (const [unprovenAddress, person, outcome] of [
    ["ask", releasing, "UnprovenAddress"],
    [undefined, releasing, "UnprovenAddress"],
    ["keep", releasing, "ada"],
    ["release", releasing, "another"],
    ["ask", ofProvider, "UnprovenAddress"],
    ["keep", ofProvider, "OAuthAccountNotLinked"],
    ["release", ofProvider, "another"]
  ] as const) {
    it.effect(`without proof, leads by ${person.account.type} with the option ${unprovenAddress} to ${outcome}`, () => {
      const { adapter, linked, memory, user } = world()
      return Effect.gen(function* () {
        yield* user()
        yield* linked()
        const result = yield* Effect.result(resolve(adapter, person))
        if (result._tag === "Failure") {
          assert.strictEqual(result.failure._tag, outcome)
          if (result.failure._tag === "UnprovenAddress") assert.strictEqual(result.failure.holder, "ada")
          return
        }
        const { events, isNewUser, user: entered } = result.success
        assert.strictEqual(entered.id === "ada" ? "ada" : "another", outcome)
        assert.strictEqual(isNewUser, outcome === "another")
        if (outcome !== "another") return
        const holder = Option.getOrThrow(yield* memory.getUserByEmail(address))
        assert.strictEqual(holder.id, entered.id)
        assert.isNotNull(holder.emailVerified)
        assert.strictEqual(holder.name, person.account.type === "email" ? undefined : "Ada")
        assert.deepStrictEqual(events.at(-1), [
          "addressReleased",
          { email: address, userId: holder.id, previousUserId: ada }
        ])
      }).pipe(stored(adapter, unprovenAddress === undefined ? {} : { unprovenAddress }))
    })
  }

  const held = { id: "proof", provider: "email", email: address, holder: "ada", target: "/", until: 2e9 }
  for (const [what, more, tag] of [
    ["a new account was chosen", { startsAnew: true }, undefined],
    ["nothing was chosen", {}, "UnprovenAddress"],
    ["the choice was about another user", { startsAnew: true, holder: "eve" }, "Verification"],
    ["the choice was about another address", { startsAnew: true, email: "eve@example.com" }, "Verification"],
    ["the choice was made with another provider", { startsAnew: true, provider: "idp" }, "UnprovenAddress"]
  ] as const) {
    it.play(`without proof, when ${what}, ${tag === undefined ? "is released" : "stays"}`, world(), function* (scene) {
      const { adapter, linked, memory, user } = scene
      yield* user()
      yield* linked()
      const person = byMail({ held: { ...held, ...more } })
      const result = yield* Effect.result(resolve(adapter, person))
      assert.strictEqual(result._tag === "Failure" ? result.failure._tag : undefined, tag)
      const holder = Option.getOrThrow(yield* memory.getUserByEmail(address))
      assert.strictEqual(holder.id === "ada", tag !== undefined)
    })
  }

  it.play("by now, when a new account was chosen before, signs in no user", world(), function* (scene) {
    const { adapter, named, user } = scene
    yield* user({ emailVerified: dateAt(1) })
    const failure = yield* failureOf(adapter, byMail({ held: { ...held, startsAnew: true } }))
    assert.strictEqual(failure._tag, "Verification")
    assert.strictEqual(Reflect.get(failure, "provider"), "email")
    assert.deepStrictEqual(named(), [])
  })
})

describe("a policy of the application", () => {
  const decided = (decision: Decision) => Effect.provide(layerOfPolicy(() => decision))

  it.effect("hears what is known of each situation", () => {
    const { adapter, linked, memory, user } = world()
    const heard: Array<Situation> = []
    const listening = layerOfPolicy((situation) => {
      heard.push(situation)
      return "refuse"
    })
    return Effect.gen(function* () {
      const row = yield* user()
      yield* linked()
      yield* memory.linkAccount({ provider: "email", providerAccountId: address, type: "email", userId: ada })
      const eve = yield* memory.createUser({ id: asUserId("eve"), email: "eve@example.com", emailVerified: dateAt(1) })
      yield* memory.createUser({ id: asUserId("bob"), email: "bob@example.com", emailVerified: null })
      const second = { account: account({ providerAccountId: "acme-2" }) }
      const ofBob = { user: { id: asUserId("new"), email: "bob@example.com" } }
      const ofEve = { user: { id: asUserId("new"), email: "eve@example.com" } }
      const hear = Effect.fnUntraced(function* (person: VerifiedIdentity, current?: CurrentUser) {
        yield* Effect.flip(resolve(adapter, person, current))
        const { account, address, isOwnAddress, proof, session, trusting } = heard.at(-1) ?? {}
        return [account, address, isOwnAddress, session, proof, trusting].join(" ")
      })
      assert.strictEqual(yield* hear(identity()), "foreign free false none claimed false")
      assert.strictEqual(yield* hear(identity(), signedIn(row)), "own free false other claimed false")
      assert.strictEqual(yield* hear(identity(), signedIn(eve)), "foreign free false other claimed false")
      assert.strictEqual(yield* hear(identity(second)), "unknown unproven false none claimed false")
      assert.strictEqual(
        yield* hear(identity({ ...second, startedBy: "a session", trusting: true }), signedIn(row)),
        "unknown unproven true same claimed true"
      )
      assert.strictEqual(
        yield* hear(identity({ ...second, ...ofEve, startedBy: "a session" })),
        "unknown proven false ended claimed false"
      )
      assert.strictEqual(
        yield* hear(identity({ ...second, ...ofEve, proof: "denied" }), signedIn(row)),
        "unknown proven false other denied false"
      )
      assert.strictEqual(yield* hear(identity({ ...second, ...ofBob })), "unknown unproven false none claimed false")
      assert.strictEqual(yield* hear(byMail(ofBob)), "unknown proven false none proven false")
      assert.strictEqual(yield* hear(byMail(), signedIn(row)), "unknown unproven true other proven false")
    }).pipe(Effect.provide(listening), stored(adapter, { providers: [Email()] }))
  })

  it.effect("cannot link without a session", () => {
    const { adapter, named } = world()
    return Effect.gen(function* () {
      const failure = yield* failureOf(adapter, identity())
      assert.strictEqual(failure._tag, "OAuthAccountNotLinked")
      assert.deepStrictEqual(named(), [])
    }).pipe(decided("link"), stored(adapter))
  })

  it.effect("cannot sign in a user who does not exist", () => {
    const { adapter } = world()
    return Effect.gen(function* () {
      const failure = yield* failureOf(adapter, byMail())
      assert.strictEqual(failure._tag, "AdapterError")
      assert.strictEqual(Reflect.get(failure, "method"), "getUser")
      assert.strictEqual(Reflect.get(failure, "reason"), "missing")
    }).pipe(decided("enterByAddress"), stored(adapter))
  })

  it.effect("that proves an address without a session leaves nothing known of the authentication", () => {
    const { adapter, user } = world()
    return Effect.gen(function* () {
      yield* user()
      assert.deepStrictEqual((yield* resolve(adapter, byMail())).authentication, unknownAuthentication)
    }).pipe(decided("proveAddress"), stored(adapter))
  })
})

describe("a session that starts for a user who exists", () => {
  const start = (adapter: AdapterShape, id: string) =>
    Effect.gen(function* () {
      const request = yield* fromWeb(new Request(`${site}/auth/session`), "/auth")
      const sessions = yield* SessionStore
      const prepared = yield* sessions.prepare(undefined, true)
      assert.isDefined(prepared)
      return yield* startSession(adapter, prepared, asUserId(id), authentication).pipe(
        Effect.provideService(AuthRequest, request)
      )
    })

  it.play("is that user's, and a user whom the store does not know gets none", world(), function* (scene) {
    const { adapter, named, user } = scene
    yield* user()
    assert.strictEqual((yield* start(adapter, "ada")).userId, "ada")
    const failure = yield* Effect.flip(start(adapter, "eve"))
    assert.strictEqual(failure._tag, "CallbackRouteError")
    assert.include(failure.detail, "authorize must return a user")
    assert.deepStrictEqual(named(), ["createSession"])
  })

  for (const isWritten of [true, false]) {
    it.effect(`counts where the unit of work fails at its end and the session is there: ${isWritten}`, () => {
      const { adapter, user } = uncertain(isWritten)
      return Effect.gen(function* () {
        yield* user()
        assert.strictEqual((yield* Effect.result(start(adapter, "ada")))._tag === "Success", isWritten)
      }).pipe(stored(adapter))
    })
  }
})

describe("an address that is released", () => {
  const released = (reason: AdapterError["reason"] | undefined, lacking: ReadonlyArray<AdapterMethod> = []) => {
    const here = world(lacking)
    const emails: Array<unknown> = []
    const adapter: AdapterShape = {
      ...here.adapter,
      updateUser: (change) =>
        Effect.suspend(() => {
          if ("email" in change) emails.push(change.email)
          return change.email === null && reason !== undefined
            ? Effect.fail(new AdapterError({ method: "updateUser", reason, detail: "no null" }))
            : here.adapter.updateUser(change)
        })
    }
    return { ...here, adapter, emails, at: stored(adapter) }
  }
  const run = (here: ReturnType<typeof released>) =>
    Effect.gen(function* () {
      yield* here.user()
      yield* here.linked()
      return yield* Effect.result(resolve(here.adapter, byMail()))
    }).pipe(stored(here.adapter, { unprovenAddress: "release" }))

  for (const reason of ["invalid", "unavailable", "stale"] as const) {
    it.gen(`is replaced by one that cannot exist where the store refuses null: ${reason}`, function* () {
      const here = released(reason)
      assert.strictEqual((yield* run(here))._tag, "Success")
      assert.isNull(here.emails[0])
      assert.match(String(here.emails[1]), /^[0-9a-f-]{36}@released\.invalid$/)
      assert.lengthOf(here.emails, 2)
    })
  }

  for (const reason of ["missing", "timeout"] as const) {
    it.gen(`stays where the store fails: ${reason}`, function* () {
      const here = released(reason)
      const result = yield* run(here)
      assert.strictEqual(result._tag === "Failure" ? Reflect.get(result.failure, "reason") : "none", reason)
      assert.deepStrictEqual(here.emails, [null])
    })
  }

  it.gen("must not be found any more: a store that ignores the change fails the sign-in", function* () {
    const here = world()
    const adapter: AdapterShape = {
      ...here.adapter,
      updateUser: ({ id, name }) => here.adapter.updateUser({ id, name })
    }
    const result = yield* run({ ...released(undefined), ...here, adapter })
    const failure = result._tag === "Failure" ? result.failure : undefined
    assert.strictEqual(failure?._tag, "AdapterError")
    assert.strictEqual(Reflect.get(failure ?? {}, "method"), "updateUser")
    assert.strictEqual(Reflect.get(failure ?? {}, "reason"), "invalid")
  })

  it.gen("is given back where a later step fails and the store has no transactions", function* () {
    const here = released(undefined, ["transaction"])
    const adapter: AdapterShape = {
      ...here.adapter,
      transaction: (program) => program,
      createUser: () => Effect.fail(new AdapterError({ method: "createUser", reason: "invalid", detail: "no" }))
    }
    assert.strictEqual((yield* run({ ...here, adapter }))._tag, "Failure")
    assert.deepStrictEqual(here.emails, [null, address])
    assert.strictEqual(Option.getOrThrow(yield* here.memory.getUserByEmail(address)).id, "ada")
  })
})

describe("what callbacks.signIn decided about", () => {
  for (const [what, known, isAllowed] of [
    ["the same user", "ada", true],
    ["another user", "eve", false],
    ["no known user", undefined, true]
  ] as const) {
    it.play(`is compared with the user who is found: ${what}`, world(), function* ({ adapter, linked, user }) {
      yield* user({ emailVerified: dateAt(1) })
      yield* linked()
      for (const person of [identity({ known }), byMail({ known })]) {
        const result = yield* Effect.result(resolve(adapter, person))
        assert.strictEqual(result._tag === "Success", isAllowed)
        if (result._tag === "Success") continue
        assert.strictEqual(result.failure._tag, "AdapterError")
        assert.strictEqual(Reflect.get(result.failure, "method"), "getUser")
        assert.strictEqual(Reflect.get(result.failure, "reason"), "missing")
      }
    })
  }
})

describe("a one-time proof", () => {
  const token = "8c2d4a1e-3b5f-4c6d-9e7a-0f1b2c3d4e5f"
  const attempt = (isRecorded: boolean): Attempt => ({
    sessionToken: token,
    record: Effect.void,
    isRecorded: Effect.succeed(isRecorded),
    remember: Effect.void
  })
  const once = (more: Partial<OneTimeUse> = {}) => {
    const uses: Array<string> = []
    const use = Effect.sync(() => void uses.push("used"))
    return { uses, once: { use, isTakenBack: true, attempt: undefined, repeats: false, ...more } }
  }

  for (const [isTakenBack, found, isUsed] of [
    [true, true, true],
    [true, false, true],
    [false, true, false],
    [false, false, true]
  ] as const) {
    it.effect(`is used once (taken back: ${isTakenBack}, the user exists: ${found}): ${isUsed}`, () => {
      const { adapter, user } = world()
      const proof = once({ isTakenBack })
      return Effect.gen(function* () {
        if (found) yield* user({ emailVerified: dateAt(1) })
        yield* resolve(adapter, byMail({ once: proof.once }))
        assert.lengthOf(proof.uses, isUsed ? 1 : 0)
      }).pipe(stored(adapter))
    })
  }

  it.play("decides the token of the session, and is answered with that session again", world(), function* (scene) {
    const { adapter, memory, named, user } = scene
    yield* user({ emailVerified: dateAt(1) })
    const first = yield* resolve(adapter, byMail({ once: once({ attempt: attempt(false) }).once }))
    assert.strictEqual(first.session?.sessionToken, token)
    const before = named().filter((name) => name === "createSession").length
    const again = yield* resolve(adapter, byMail({ once: once({ attempt: attempt(true), repeats: true }).once }))
    assert.strictEqual(again.session?.sessionToken, token)
    assert.lengthOf(
      named().filter((name) => name === "createSession"),
      before
    )
    yield* memory.deleteSession(token)
    const failure = yield* failureOf(adapter, byMail({ once: once({ attempt: attempt(true), repeats: true }).once }))
    assert.strictEqual(failure._tag, "Verification")
  })

  for (const isWritten of [true, false]) {
    it.effect(`whose unit of work fails at its end counts where its session is there: ${isWritten}`, () => {
      const { adapter } = uncertain(isWritten)
      return Effect.gen(function* () {
        const result = yield* Effect.result(resolve(adapter, byMail()))
        assert.strictEqual(result._tag === "Success", isWritten)
      }).pipe(stored(adapter))
    })

    it.effect(`counts where its use is recorded, with sessions that are tokens: ${isWritten}`, () => {
      const { adapter } = uncertain(isWritten)
      return Effect.gen(function* () {
        const proof = once({ attempt: attempt(isWritten) }).once
        const result = yield* Effect.result(resolve(adapter, byMail({ once: proof })))
        assert.strictEqual(result._tag === "Success", isWritten)
        const failure = yield* failureOf(adapter, byMail({ once: once().once }))
        assert.strictEqual(failure._tag, "AdapterError")
      }).pipe(stored(adapter, { session: { strategy: "jwt" } }))
    })
  }
})

describe("on a store without transactions", () => {
  const failing = (method: "linkAccount" | "createSession") => {
    const here = world(["transaction"])
    const failure = Effect.fail(new AdapterError({ method, reason: "invalid", detail: "no" }))
    const adapter: AdapterShape = { ...here.adapter, transaction: (program) => program, [method]: () => failure }
    return { ...here, adapter, at: stored(adapter) }
  }

  it.play("a user whose account cannot be linked is removed again", failing("linkAccount"), function* (scene) {
    const { adapter, memory } = scene
    assert.strictEqual((yield* failureOf(adapter, identity()))._tag, "AdapterError")
    assert.isTrue(Option.isNone(yield* memory.getUserByEmail(address)))
  })

  it.effect("a user to whom the store gave another id is removed by that id", () => {
    const { adapter, memory, named } = failing("linkAccount")
    const naming: AdapterShape = {
      ...adapter,
      createUser: (row) => adapter.createUser({ ...row, id: asUserId("other") })
    }
    return Effect.gen(function* () {
      yield* failureOf(naming, identity())
      assert.isTrue(Option.isNone(yield* memory.getUser(asUserId("other"))))
      assert.include(named(), "deleteUser")
    }).pipe(stored(naming))
  })

  it.effect("an account whose session cannot begin is unlinked again, and its tokens are kept", () => {
    const { adapter, linked, memory, user } = failing("createSession")
    return Effect.gen(function* () {
      assert.strictEqual((yield* failureOf(adapter, identity()))._tag, "AdapterError")
      assert.isTrue(Option.isNone(yield* memory.getUserByEmail(address)))
      assert.isTrue(Option.isNone(yield* memory.getUserByAccount(account())))
      const row = yield* user()
      yield* failureOf(adapter, identity({ startedBy: "a session" }), signedIn(row))
      assert.deepStrictEqual(yield* memory.listAccounts(ada), [])
      yield* linked()
      yield* failureOf(adapter, identity())
      assert.lengthOf(yield* memory.listAccounts(ada), 1)
    }).pipe(stored(adapter))
  })

  it.effect("a user whose creation failed is removed by the id that was asked for", () => {
    const here = world(["transaction"])
    const adapter: AdapterShape = {
      ...here.adapter,
      transaction: (program) => program,
      createUser: (row) =>
        Effect.andThen(
          here.memory.createUser(row),
          Effect.fail(new AdapterError({ method: "createUser", reason: "unavailable", detail: "no answer" }))
        )
    }
    return Effect.gen(function* () {
      yield* failureOf(adapter, identity())
      assert.isTrue(Option.isNone(yield* here.memory.getUserByEmail(address)))
      assert.deepStrictEqual(here.named(), ["deleteUser"])
      const other: AdapterShape = {
        ...adapter,
        createUser: () =>
          Effect.fail(new AdapterError({ method: "createUser", reason: "unavailable", detail: "no answer" }))
      }
      yield* failureOf(other, identity())
      assert.deepStrictEqual(here.named(), ["deleteUser"])
    }).pipe(stored(adapter))
  })
})

describe("further writes", () => {
  it.play("belong to the unit of work, with the resolved user", world(), function* ({ adapter, memory }) {
    const users: Array<string> = []
    const also = (user: AdapterUser) =>
      Effect.andThen(
        Effect.sync(() => void users.push(user.id)),
        Effect.fail(new AdapterError({ method: "linkAccount", reason: "invalid", detail: "no" }))
      )
    assert.strictEqual((yield* failureOf(adapter, identity({ also })))._tag, "AdapterError")
    assert.deepStrictEqual(users, ["new"])
    assert.isTrue(Option.isNone(yield* memory.getUserByEmail(address)))
  })

  it.play("nothing is known of the authentication of a session that says nothing", world(), function* (scene) {
    const { adapter, user } = scene
    const row = yield* user()
    const current = { ...signedIn(row), authentication: unknownAuthentication }
    const result = yield* resolve(adapter, identity({ startedBy: "a session" }), current)
    assert.deepStrictEqual(result.authentication, unknownAuthentication)
  })
})
