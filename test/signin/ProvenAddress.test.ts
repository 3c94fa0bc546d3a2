/** Which facts of a store prove the address of a user, one at a time. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { dateAt } from "../../src/internal/DateAt.ts"
import { makeMemory } from "../../src/Adapter.ts"
import type { Options } from "../../src/config/Settings.ts"
import { asUserId } from "../../src/models/Id.ts"
import { Email } from "../../src/Provider/Email.ts"
import { GitHub } from "../../src/Provider/GitHub.ts"
import { Google } from "../../src/Provider/Google.ts"
import { hasProven, isAddressOf, rememberAccount, rememberOwnSignIn } from "../../src/signin/ProvenAddress.ts"
import type { AdapterMethod, AdapterShape } from "../../src/storage/AdapterShape.ts"
import { acme, layer, options, password } from "../Visitor.ts"

const client = { clientId: "client-1", clientSecret: "a client secret" }
const vouching = [Google(client), GitHub(client), Email()]
const address = "ada@example.com"
const ada = asUserId("ada")

const account = (provider: string, providerAccountId = "1") => ({ provider, providerAccountId, type: "oauth" as const })

/** A store with one user, that lacks these methods, and what it was asked to use once. */
const storeWith = Effect.fnUntraced(function* (
  lacking: ReadonlyArray<AdapterMethod> = [],
  accounts: ReadonlyArray<ReturnType<typeof account>> = [],
  emailVerified: Date | null = null
) {
  const memory = makeMemory()
  const uses: Array<readonly [key: string, until: number]> = []
  const store: AdapterShape = {
    ...memory,
    methods: new Set([...memory.methods].filter((method) => !lacking.includes(method))),
    useOnce: (key, until) => {
      uses.push([key, until.getTime()])
      return memory.useOnce(key, until)
    }
  }
  const user = yield* memory.createUser({ id: ada, email: address, emailVerified })
  for (const row of accounts) yield* memory.linkAccount({ ...row, userId: ada })
  const contradiction = memory.getUserByAccount({ provider: "unproven address", providerAccountId: "ada" })
  return { store, memory, user, uses, contradiction, isProven: hasProven(store, user, address) }
})

const withProviders = (providers: Options["providers"]) =>
  Effect.provide(layer(options({ providers, adapter: makeMemory() })))

describe("an address that emailVerified says is proven", () => {
  it.gen("is proven, for any other columns of the store", withProviders([acme(), password()]), function* () {
    const { isProven, uses } = yield* storeWith([], [account("acme")], dateAt(0))
    assert.isTrue(yield* isProven)
    assert.deepStrictEqual(uses, [])
  })
})

describe("on a store that lists accounts", () => {
  it.effect("an account of a platform that verifies addresses proves it once, and each account for itself", () =>
    Effect.gen(function* () {
      const { memory, isProven, store, user, uses } = yield* storeWith([], [account("google")])
      yield* rememberAccount(store, account("google", "2"), user)
      yield* rememberAccount(store, account("github"), user)
      assert.isTrue(yield* isProven)
      assert.isFalse(yield* isProven)
      assert.lengthOf(new Set(uses.map(([key]) => key)), 3)
      for (const [key, until] of uses) {
        assert.match(key, /^account seen [\w-]{43}$/)
        assert.strictEqual(until, 8.64e15)
      }
      yield* memory.linkAccount({ ...account("google", "3"), userId: ada })
      assert.isFalse(yield* isProven)
    }).pipe(withProviders(vouching))
  )

  it.gen("an account that signed in here proves nothing any more", withProviders(vouching), function* () {
    const { contradiction, isProven, store, user } = yield* storeWith([], [account("google")])
    yield* rememberAccount(store, account("google"), user)
    assert.isFalse(yield* isProven)
    assert.isTrue(Option.isNone(yield* contradiction))
  })

  const stating = (provider: string, claims: object) => {
    const payload = Buffer.from(JSON.stringify(claims)).toString("base64url")
    return { ...account(provider), id_token: `e30.${payload}.signature` }
  }
  for (const [what, accounts, isProven] of [
    ["an ID token without an address", [stating("google", { sub: "1" })], true],
    ["an ID token with a text that is no address", [stating("google", { email: "nothing" })], false],
    ["one ID token with another address", [account("github"), stating("google", { email: "eve@example.com" })], false],
    ["an ID token that denies it", [stating("google", { email: address, email_verified: false })], false],
    ["an ID token that denies it in a text", [stating("google", { email: address, email_verified: "false" })], false],
    ["an ID token that verifies it", [stating("google", { email: address, email_verified: true })], true],
    ["one ID token with the address", [account("github"), stating("google", { email: address })], true]
  ] as const) {
    it.gen(`${what} ${isProven ? "does not contradict it" : "contradicts it"}`, withProviders(vouching), function* () {
      const here = yield* storeWith([], accounts)
      assert.strictEqual(yield* here.isProven, isProven)
    })
  }

  it.gen("accounts prove nothing where there are passwords", withProviders([...vouching, password()]), function* () {
    const here = yield* storeWith([], [account("google")])
    assert.isFalse(yield* here.isProven)
  })

  it.effect("nothing is remembered of an account of another provider", () =>
    Effect.gen(function* () {
      const { contradiction, store, user, uses } = yield* storeWith()
      yield* rememberAccount(store, account("acme"), user)
      yield* rememberAccount(store, account("former"), user)
      yield* rememberAccount(store, account("credentials"), user)
      assert.deepStrictEqual(uses, [])
      assert.isTrue(Option.isNone(yield* contradiction))
    }).pipe(withProviders([...vouching, acme(), password()]))
  )

  it.effect("a user without accounts has proven it, until the application signs them in by itself", () =>
    Effect.gen(function* () {
      const before = yield* storeWith()
      assert.isTrue(yield* before.isProven)
      const after = yield* storeWith()
      yield* rememberOwnSignIn(after.store, ada)
      assert.isFalse(yield* after.isProven)
      assert.isTrue(Option.isNone(yield* after.contradiction))
      for (const [key, until] of after.uses) {
        assert.match(key, /^signed in by the application [\w-]{43}$/)
        assert.strictEqual(until, 8.64e15)
      }
    }).pipe(withProviders(vouching))
  )

  it.effect("that remembers no uses, accounts prove nothing, and a user without accounts has proven it", () =>
    Effect.gen(function* () {
      const linked = yield* storeWith(["useOnce"], [account("google")])
      assert.isFalse(yield* linked.isProven)
      const alone = yield* storeWith(["useOnce"])
      assert.isTrue(yield* alone.isProven)
      assert.deepStrictEqual([...linked.uses, ...alone.uses], [])
      yield* rememberOwnSignIn(alone.store, ada)
      assert.isFalse(yield* alone.isProven)
      assert.isTrue(Option.isSome(yield* alone.contradiction))
    }).pipe(withProviders(vouching))
  )
})

describe("on a store that does not list accounts", () => {
  for (const [what, providers, isProven] of [
    ["every method proves addresses", vouching, true],
    ["one method proves none", [...vouching, acme()], false],
    ["there are passwords", [...vouching, password()], false]
  ] as const) {
    it.effect(`where ${what}, an address counts as ${isProven ? "" : "not "}proven`, () =>
      Effect.gen(function* () {
        const here = yield* storeWith(["listAccounts"], [account("google")])
        assert.strictEqual(yield* here.isProven, isProven)
        yield* rememberAccount(here.store, account("google"), here.user)
        assert.strictEqual(Option.isSome(yield* here.contradiction), isProven)
        assert.isFalse(yield* here.isProven)
        assert.deepStrictEqual(here.uses, [])
      }).pipe(withProviders(providers))
    )
  }

  it.gen("a sign-in by the application contradicts it, and is written once", withProviders(vouching), function* () {
    const here = yield* storeWith(["listAccounts"])
    yield* rememberOwnSignIn(here.store, asUserId("someone else"))
    assert.deepStrictEqual(yield* here.memory.listAccounts(ada), [])
    yield* rememberOwnSignIn(here.store, ada)
    yield* rememberOwnSignIn(here.store, ada)
    const rows = yield* here.memory.listAccounts(ada)
    assert.deepStrictEqual(
      rows.map(({ provider, providerAccountId, type }) => [provider, providerAccountId, type]),
      [["unproven address", "ada", "oauth"]]
    )
    assert.isFalse(yield* here.isProven)
  })

  it.gen("nothing is written of a proven address, and of a user without one", withProviders(vouching), function* () {
    const proven = yield* storeWith(["listAccounts"], [], dateAt(0))
    yield* rememberOwnSignIn(proven.store, ada)
    assert.isTrue(Option.isNone(yield* proven.contradiction))
    const memory = makeMemory()
    const bob = yield* memory.createUser({ id: asUserId("bob"), email: undefined, emailVerified: null })
    yield* rememberAccount({ ...proven.store, linkAccount: memory.linkAccount }, account("google"), bob)
    assert.deepStrictEqual(yield* memory.listAccounts(bob.id), [])
  })
})

describe("isAddressOf", () => {
  it("compares whole addresses, and is false for none", () => {
    assert.isTrue(isAddressOf({ email: address }, "Ada@Example.com"))
    assert.isFalse(isAddressOf({ email: address }, "eve@example.com"))
    assert.isFalse(isAddressOf({ email: null }, address))
    assert.isFalse(isAddressOf({ email: address }, undefined))
    assert.isFalse(isAddressOf({}, undefined))
  })
})
