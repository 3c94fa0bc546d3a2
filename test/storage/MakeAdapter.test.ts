/** An adapter of its author's methods: what it has is read off the object, once. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { expectTypeOf } from "vitest"
import { asUserId } from "../../src/models/Id.ts"
import { Adapter, fromPromises, layer, make, makeMemory, toPromises } from "../../src/Adapter.ts"
import type { AdapterMethod } from "../../src/storage/AdapterShape.ts"
import { compile } from "../../src/config/Settings.ts"
import type { AdapterUser } from "../../src/Models.ts"
import { Email } from "../../src/Provider/Email.ts"
import { GitHub } from "../../src/Provider/GitHub.ts"
import { Passkey } from "../../src/Provider/Passkey.ts"
import { allMethods } from "../../src/storage/MethodTable.ts"
import { withCheckedRows } from "../../src/storage/AskedRow.ts"
import { secret } from "../Visitor.ts"

const ann: AdapterUser = { id: asUserId("u1"), email: "ann@example.com", emailVerified: null }
const getUser = () => Effect.succeedSome(ann)

describe("make", () => {
  it.gen("has the methods that were given, and fails as unsupported for the others", function* () {
    const store = make({ getUser })
    assert.sameMembers([...store.methods], ["getUser"])
    assert.deepStrictEqual(yield* store.getUser(asUserId("u1")), Option.some(ann))
    for (const name of allMethods) {
      if (name === "getUser" || name === "transaction") continue
      const call: (...args: ReadonlyArray<never>) => Effect.Effect<unknown, unknown> = store[name]
      const error = yield* Effect.flip(call())
      assert.deepInclude(error, { _tag: "AdapterError", reason: "unsupported", method: name })
    }
    assert.strictEqual(yield* store.transaction(Effect.succeed(1)), 1)
  })

  it.gen("calls the methods of a class on its instance", function* () {
    class Store {
      readonly #row = ann
      getUser() {
        return Effect.succeedSome(this.#row)
      }
    }
    const store = make(new Store())
    assert.sameMembers([...store.methods], ["getUser"])
    assert.deepStrictEqual(yield* store.getUser(asUserId("u1")), Option.some(ann))
  })

  it("takes a copy of another store for what that one has, with the changes", () => {
    const small = make({ getUser })
    assert.sameMembers([...make({ ...small }).methods], ["getUser"])
    assert.sameMembers([...make({ ...small, deleteUser: () => Effect.void }).methods], ["getUser", "deleteUser"])
    const held = withCheckedRows(small)
    assert.sameMembers([...make({ ...held }).methods], ["getUser"])
    assert.sameMembers([...make({ ...fromPromises({ getUser: () => null }) }).methods], ["getUser"])
    const without = make({ ...makeMemory(), useOnce: undefined, transaction: undefined })
    assert.sameMembers(
      [...without.methods],
      [...allMethods].filter((name) => name !== "useOnce" && name !== "transaction")
    )
  })

  it("is what adapters of promises come from and go to", () => {
    const there = toPromises(make({ getUser }))
    assert.sameMembers(Object.keys(there), ["getUser"])
    assert.sameMembers([...fromPromises(there).methods], ["getUser"])
  })

  it("says in its type what it has", () => {
    expectTypeOf(make({ getUser }).methods).toEqualTypeOf<ReadonlySet<"getUser">>()
    expectTypeOf(make({ getUser, useOnce: undefined }).methods).toEqualTypeOf<ReadonlySet<"getUser">>()
    expectTypeOf(makeMemory().methods).toEqualTypeOf<ReadonlySet<AdapterMethod>>()
    // @ts-expect-error no such method
    make({ getUser, getUserById: getUser })
    // @ts-expect-error a method answers what it is asked for
    make({ getUser: () => Effect.succeed(5) })
    // @ts-expect-error a promise is for `fromPromises`
    make({ getUser: () => Promise.resolve(null) })
  })

  it.gen("makes the service as a layer", Effect.provide(layer({ getUser })), function* () {
    assert.sameMembers([...(yield* Adapter).methods], ["getUser"])
  })
})

describe("a configuration that needs more than the adapter has", () => {
  const adapter = make({ getUser })
  const more = { secret, adapter, origin: "https://app.example", experimental: { enableWebAuthn: true } }
  it.each([
    ["Database sessions", { providers: [GitHub] }, ["createSession", "getSessionAndUser"]],
    [
      "Email providers",
      { providers: [Email({ sendVerificationRequest: () => undefined })], session: { strategy: "jwt" as const } },
      ["createVerificationToken", "useVerificationToken"]
    ],
    [
      "WebAuthn providers",
      { providers: [Passkey], session: { strategy: "jwt" as const } },
      ["createAuthenticator", "getAuthenticator"]
    ]
  ])("is told of the feature and the methods: %s", (feature, options, methods) => {
    const problem = compile({ ...more, ...options })
      .problems()
      .find(({ error }) => error._tag === "MissingAdapterMethods" && error.message.includes(feature))
    assert.isDefined(problem)
    for (const method of methods) assert.include(problem?.error.message, method)
    assert.notInclude(problem?.error.message, "getUser,")
    assert.isNotEmpty(problem?.error.remedy)
  })
})
