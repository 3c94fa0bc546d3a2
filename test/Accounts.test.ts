import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { asUserId } from "../src/models/Id.ts"
import { unlink, waysOf } from "../src/actions/UserAccounts.ts"
import { makeMemory } from "../src/Adapter.ts"
import { type AdapterAccount, UserId } from "../src/Models.ts"
import type { AdapterShape } from "../src/storage/AdapterShape.ts"

const on = (milliseconds: number): Date => new Date(milliseconds)

const account = (provider: string, providerAccountId = "1"): AdapterAccount => ({
  userId: asUserId("ada"),
  type: "oidc",
  provider,
  providerAccountId
})

const populated = (emailVerified: Date | null, ...providers: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const adapter = makeMemory()
    yield* adapter.createUser({ id: asUserId("ada"), email: "ada@app.example", emailVerified })
    yield* adapter.createUser({ id: asUserId("ben"), email: "ben@app.example", emailVerified: null })
    for (const provider of providers) yield* adapter.linkAccount(account(provider))
    for (const sessionToken of ["here", "elsewhere"]) {
      yield* adapter.createSession({ sessionToken, userId: asUserId("ada"), expires: on(1e12) })
    }
    return adapter
  })

const names = (adapter: AdapterShape) =>
  Effect.map(waysOf(adapter, UserId.make("ada")), ({ accounts }) => accounts.map(({ provider }) => provider).toSorted())

describe("ways to sign in", () => {
  it.gen("are accounts, keys, and a mailbox that was proven", function* () {
    const adapter = yield* populated(null, "github", "google")
    const ways = yield* waysOf(adapter, UserId.make("ada"))
    assert.deepStrictEqual([ways.accounts.length, ways.authenticators.length, ways.mailbox], [2, 0, undefined])
    yield* adapter.updateUser({ id: asUserId("ada"), emailVerified: on(0) })
    assert.strictEqual((yield* waysOf(adapter, UserId.make("ada"))).mailbox, "ada@app.example")
    assert.deepStrictEqual((yield* waysOf(adapter, UserId.make("nobody"))).accounts, [])
  })

  it.gen("H063 can be taken away, which ends the other sessions", function* () {
    const adapter = yield* populated(null, "github", "google")
    yield* unlink(adapter, UserId.make("ada"), account("github"), { keep: "here" })
    assert.deepStrictEqual(yield* names(adapter), ["google"])
    assert.isTrue(Option.isSome(yield* adapter.getSessionAndUser("here")))
    assert.isTrue(Option.isNone(yield* adapter.getSessionAndUser("elsewhere")))
  })

  it.gen("a key goes with its account, and can be registered again", function* () {
    const adapter = yield* populated(null, "github")
    const key = { ...account("passkey", "a2V5"), type: "webauthn" as const }
    const authenticator = {
      userId: asUserId("ada"),
      credentialID: "a2V5",
      providerAccountId: "a2V5",
      credentialPublicKey: "cHVibGlj",
      counter: 0,
      credentialDeviceType: "singleDevice",
      credentialBackedUp: false
    }
    const register = Effect.andThen(adapter.linkAccount(key), adapter.createAuthenticator(authenticator))
    yield* register
    yield* unlink(adapter, UserId.make("ada"), key)
    assert.deepStrictEqual((yield* waysOf(adapter, UserId.make("ada"))).authenticators, [])
    yield* register
  })

  it.gen("H239 the last one stays", function* () {
    const adapter = yield* populated(null, "github")
    const failure = yield* Effect.flip(unlink(adapter, UserId.make("ada"), account("github"), { hasMailbox: true }))
    assert.strictEqual(failure._tag, "LastWayToSignIn")
    assert.deepStrictEqual(yield* names(adapter), ["github"])
  })

  it.gen("H239 the last account may go when a link can be sent to a proven mailbox", function* () {
    const adapter = yield* populated(on(0), "github")
    assert.strictEqual(
      (yield* Effect.flip(unlink(adapter, UserId.make("ada"), account("github"))))._tag,
      "LastWayToSignIn"
    )
    yield* unlink(adapter, UserId.make("ada"), account("github"), { hasMailbox: true })
    assert.deepStrictEqual(yield* names(adapter), [])
  })

  it.gen("of another user are not touched", function* () {
    const adapter = yield* populated(null, "github", "google")
    const failure = yield* Effect.flip(unlink(adapter, UserId.make("ben"), account("github")))
    assert.strictEqual(failure._tag === "AdapterError" ? failure.reason : failure._tag, "missing")
    assert.deepStrictEqual(yield* names(adapter), ["github", "google"])
  })

  it.gen("H255 of two who take the last two away at once, one is refused", function* () {
    const adapter = yield* populated(null, "github", "google")
    const outcomes = yield* Effect.forEach(
      ["github", "google"],
      (provider) => Effect.result(unlink(adapter, UserId.make("ada"), account(provider))),
      { concurrency: "unbounded" }
    )
    assert.strictEqual(outcomes.filter(({ _tag }) => _tag === "Failure").length, 1)
    assert.strictEqual((yield* names(adapter)).length, 1)
  })
})
