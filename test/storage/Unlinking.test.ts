/**
 * Taking ways to sign in away, on stores with and without transactions: whatever happens at once, one is left.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { asUserId } from "../../src/models/Id.ts"
import { unlink, waysOf } from "../../src/actions/UserAccounts.ts"
import { makeMemory } from "../../src/Adapter.ts"
import { type AdapterAccount, type AdapterAuthenticator, UserId } from "../../src/Models.ts"
import type { AdapterShape } from "../../src/storage/AdapterShape.ts"
import { makeGates } from "../faults/Gates.ts"
import { openPostgres } from "../sql/OpenStore.ts"
import { isPostgresHere, type PostgresServer, startPostgres } from "../sql/PostgresServer.ts"

const on = (milliseconds: number): Date => new Date(milliseconds)

const account = (provider: string): AdapterAccount => ({
  userId: asUserId("ada"),
  type: provider.startsWith("key") ? "webauthn" : "oidc",
  provider,
  providerAccountId: `${provider} of ada`
})

const credential = (provider: string): AdapterAuthenticator => ({
  userId: asUserId("ada"),
  credentialID: `${provider} of ada`,
  providerAccountId: `${provider} of ada`,
  credentialPublicKey: "cHVibGlj",
  counter: 7,
  credentialDeviceType: "multiDevice",
  credentialBackedUp: true,
  transports: "internal"
})

/** A store where Ada has these ways; names that begin with `key` are passkeys. */
const populated = Effect.fnUntraced(function* (...providers: ReadonlyArray<string>) {
  const store = makeMemory()
  yield* store.createUser({
    id: asUserId("ada"),
    email: "ada@app.example",
    emailVerified: null,
    image: "https://app.example/a"
  })
  for (const provider of providers) {
    yield* store.linkAccount(account(provider))
    if (provider.startsWith("key")) yield* store.createAuthenticator(credential(provider))
  }
  for (const sessionToken of ["here", "elsewhere"]) {
    yield* store.createSession({ sessionToken, userId: asUserId("ada"), expires: on(1e12) })
  }
  return store
})

/** This store without transactions. */
const inSteps = (store: AdapterShape): AdapterShape => ({
  ...store,
  methods: new Set([...store.methods].filter((method) => method !== "transaction")),
  transaction: (program) => program
})

/** A store whose calls of one method are preceded by something else, once. */
const meanwhile = (
  store: AdapterShape,
  method: "updateUser" | "unlinkAccount",
  happening: Effect.Effect<unknown, unknown>
): AdapterShape => {
  const state = { isOpen: true }
  const once = Effect.suspend(() => {
    if (!state.isOpen) return Effect.void
    state.isOpen = false
    return Effect.orDie(happening)
  })
  return method === "updateUser"
    ? { ...store, updateUser: (change) => Effect.andThen(once, store.updateUser(change)) }
    : { ...store, unlinkAccount: (key) => Effect.andThen(once, store.unlinkAccount(key)) }
}

const namesOf = (store: AdapterShape) =>
  Effect.map(waysOf(store, UserId.make("ada")), ({ accounts, authenticators }) => ({
    accounts: accounts.map(({ provider }) => provider).toSorted(),
    keys: authenticators.map(({ credentialID }) => credentialID).toSorted()
  }))

const refusal = (store: AdapterShape, provider: string, options?: Parameters<typeof unlink>[3]) =>
  Effect.map(Effect.flip(unlink(store, UserId.make("ada"), account(provider), options)), ({ _tag }) => _tag)

const stores: ReadonlyArray<readonly [string, (store: AdapterShape) => AdapterShape]> = [
  ["with transactions", (store) => store],
  ["without transactions", inSteps]
]

for (const [kind, form] of stores) {
  describe(`ways to sign in, in a store ${kind}`, () => {
    it.gen("H239 the last one stays, account or key", function* () {
      for (const provider of ["github", "key"]) {
        const store = form(yield* populated(provider))
        for (const options of [{}, { hasMailbox: true }, { hasPassword: false }])
          assert.strictEqual(yield* refusal(store, provider, options), "LastWayToSignIn")
        assert.deepStrictEqual((yield* namesOf(store)).accounts, [provider])
        assert.isTrue(Option.isSome(yield* store.getSessionAndUser("elsewhere")), "who is refused ends no session")
      }
    })

    it.gen("H239 the last account may go when the application knows of a password", function* () {
      const store = form(yield* populated("key"))
      yield* unlink(store, UserId.make("ada"), account("key"), { hasPassword: true, keep: "here" })
      assert.deepStrictEqual(yield* namesOf(store), { accounts: [], keys: [] })
      assert.isTrue(Option.isSome(yield* store.getSessionAndUser("here")))
      assert.isTrue(Option.isNone(yield* store.getSessionAndUser("elsewhere")))
    })

    it.gen("H239 a key without its credential is no way that could be left", function* () {
      const store = form(yield* populated("github"))
      yield* store.linkAccount(account("key"))
      assert.strictEqual(yield* refusal(store, "github"), "LastWayToSignIn")
      yield* store.createAuthenticator(credential("key"))
      yield* unlink(store, UserId.make("ada"), account("github"))
      assert.deepStrictEqual(yield* namesOf(store), { accounts: ["key"], keys: ["key of ada"] })
    })

    it.gen("a credential that has lost its account is not among them", function* () {
      const store = form(yield* populated("github", "key"))
      yield* store.createAuthenticator(credential("key without an account"))
      // An equal id at a provider of another kind makes no key of it.
      yield* store.linkAccount({ ...account("idp"), providerAccountId: "key without an account of ada" })
      assert.deepStrictEqual((yield* namesOf(store)).keys, ["key of ada"])
    })

    it.gen("keys are ways where the store cannot list them", function* () {
      const whole = form(yield* populated("github", "key"))
      const methods = new Set([...whole.methods].filter((method) => method !== "listAuthenticatorsByUserId"))
      const store = { ...whole, methods }
      assert.deepStrictEqual((yield* namesOf(store)).keys, [])
      yield* unlink(store, UserId.make("ada"), account("github"))
      assert.deepStrictEqual((yield* namesOf(store)).accounts, ["key"])
    })

    const pairs = [
      ["github", "google"],
      ["github", "key"],
      ["key one", "key two"]
    ] as const
    for (const pair of pairs) {
      it.gen(`H239, H255 of two who take ${pair.join(" and ")} away at once, at most one succeeds`, function* () {
        const successes = new Set<number>()
        for (let seed = 0; seed < 40; seed++) {
          const real = yield* populated(...pair)
          const gates = makeGates(real, kind === "with transactions")
          const { exits, order } = yield* gates.race(
            seed,
            pair.map((provider) => unlink(gates.store, UserId.make("ada"), account(provider)))
          )
          const taken = pair.filter((_, index) => exits[index] !== undefined && Exit.isSuccess(exits[index]))
          successes.add(taken.length)
          const refusals = exits.filter(Exit.isFailure).map((exit) => Exit.findErrorOption(exit))
          for (const failure of refusals) assert.strictEqual(Option.getOrThrow(failure)._tag, "LastWayToSignIn", order)
          // The refused person keeps the account, with its credential unchanged.
          const left = pair.filter((provider) => !taken.includes(provider))
          assert.isAtLeast(left.length, 1, order)
          assert.deepStrictEqual(
            yield* namesOf(real),
            {
              accounts: left.toSorted(),
              keys: left.filter((name) => name.startsWith("key")).map((name) => `${name} of ada`)
            },
            order
          )
          for (const name of left.filter((one) => one.startsWith("key"))) {
            const found = yield* real.getAuthenticator(`${name} of ada`)
            assert.deepStrictEqual(Option.getOrThrow(found), credential(name), order)
          }
        }
        assert.sameMembers([...successes], kind === "with transactions" ? [1] : [0, 1])
      })
    }
  })
}

describe("a store with transactions", () => {
  it.gen("keeps the proof of an address that came meanwhile", function* () {
    const real = yield* populated("github", "google")
    const proves = real.updateUser({ id: asUserId("ada"), emailVerified: on(5) })
    yield* unlink(meanwhile(real, "updateUser", proves), UserId.make("ada"), account("github"))
    const { emailVerified, image } = Option.getOrThrow(yield* real.getUser(asUserId("ada")))
    assert.deepStrictEqual([emailVerified, image], [on(5), "https://app.example/a"])
  })
})

describe("a store without transactions", () => {
  it.gen("puts nothing back for a user who is deleted meanwhile", function* () {
    const real = yield* populated("github", "google")
    const store = inSteps(meanwhile(real, "unlinkAccount", real.deleteUser(asUserId("ada"))))
    assert.strictEqual(yield* refusal(store, "github"), "LastWayToSignIn")
    assert.isTrue(Option.isNone(yield* real.getAccount("github of ada", "github")))
  })

  it.gen("writes nothing of the user", function* () {
    const real = yield* populated("github", "google")
    const store = inSteps({ ...real, updateUser: () => Effect.die("nothing holds a row here") })
    yield* unlink(store, UserId.make("ada"), account("github"))
    assert.deepStrictEqual((yield* namesOf(real)).accounts, ["google"])
  })
})

describe.skipIf(!isPostgresHere)("PostgreSQL", () => {
  let server: PostgresServer | undefined
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server?.stop())

  it("H239, H255 leaves one way of two that are taken away at once, and loses no proof of an address", async () => {
    const { adapter, close } = await openPostgres({ url: (await server?.database()) ?? "", maxConnections: 4 })
    const round = Effect.fnUntraced(function* (index: number) {
      const { id } = yield* adapter.createUser({
        id: asUserId(`${index}`),
        email: `${index}@app.example`,
        emailVerified: null
      })
      const accounts = ["github", "google"].map((provider) => ({
        ...account(provider),
        userId: id,
        providerAccountId: `${index}`
      }))
      yield* Effect.forEach(accounts, adapter.linkAccount)
      const [outcomes] = yield* Effect.all(
        [
          Effect.forEach(accounts, (one) => Effect.result(unlink(adapter, UserId.make(id), one)), { concurrency: 2 }),
          adapter.updateUser({ id, emailVerified: on(5000) })
        ],
        { concurrency: 2 }
      )
      const failures = outcomes.flatMap((one) => (one._tag === "Failure" ? [one.failure._tag] : []))
      assert.deepStrictEqual(failures, ["LastWayToSignIn"])
      assert.strictEqual((yield* waysOf(adapter, UserId.make(id))).accounts.length, 1)
      assert.deepStrictEqual(Option.getOrThrow(yield* adapter.getUser(id)).emailVerified, on(5000))
    })
    await Effect.runPromise(Effect.forEach(Array.from({ length: 30 }).keys(), round, { discard: true }))
    await close()
  })
})
