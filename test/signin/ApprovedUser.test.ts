/**
 * `callbacks.signIn` decides about one user. When the account or the address belongs to another one, or to nobody, by the
 * time that the store is written, nobody is let in.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { asUserId } from "../../src/models/Id.ts"
import { makeMemory } from "../../src/Adapter.ts"
import type { AdapterError } from "../../src/Errors.ts"
import { at, browser, config, signInAt } from "../Browser.ts"
import { oauth } from "../faults/Scene.ts"
import { ask, mailed, press } from "../Mailed.ts"
import { memoryProvider } from "../MemoryProvider.ts"

const key = { provider: "idp", providerAccountId: "person-1" }

/** A callback that allows everybody, and during which something else happens from the second call on. */
const during = (happening: Effect.Effect<unknown, AdapterError>) => {
  const asked: Array<string | undefined> = []
  return {
    asked,
    callbacks: {
      signIn: async ({ user }: { readonly user: { readonly id?: string | undefined } }) => {
        asked.push(user.id)
        if (asked.length > 1) await Effect.runPromise(happening)
        return true
      }
    }
  }
}

describe("the user whom callbacks.signIn allowed", () => {
  for (const [what, happening] of [
    [
      "was unlinked",
      Effect.fnUntraced(function* (store) {
        yield* store.unlinkAccount(key)
      })
    ],
    [
      "was linked to another user",
      Effect.fnUntraced(function* (store) {
        const eve = yield* store.createUser({ id: asUserId("eve"), email: "eve@example.com", emailVerified: null })
        yield* store.unlinkAccount(key)
        yield* store.linkAccount({ ...key, userId: eve.id, type: "oauth" })
      })
    ],
    [
      "was removed with its user",
      Effect.fnUntraced(function* (store) {
        const owner = yield* store.getUserByAccount(key)
        if (Option.isSome(owner)) yield* store.deleteUser(owner.value.id)
      })
    ]
  ] satisfies ReadonlyArray<
    readonly [string, (store: ReturnType<typeof makeMemory>) => Effect.Effect<void, AdapterError>]
  >) {
    it.effect(`is the only one who is let in: an account that ${what} meanwhile`, () => {
      const store = makeMemory()
      const provider = memoryProvider()
      const { asked, callbacks } = during(happening(store))
      return Effect.gen(function* () {
        assert.isUndefined((yield* signInAt(browser(), provider)).failure)
        const visitor = browser()
        const { failure } = yield* signInAt(visitor, provider)
        assert.include(String(failure?.detail), "while callbacks.signIn decided")
        assert.lengthOf(asked, 2)
        assert.isNull(yield* visitor.session)
      }).pipe(at(config({ adapter: store, providers: [oauth()], callbacks }), provider))
    })
  }

  for (const [lookups, title, more] of [
    [1, "without the callback once, in the unit of work", {}],
    [2, "with the callback twice: for it, and in the unit of work", { callbacks: { signIn: () => true } }]
  ] as const) {
    it.effect(`is looked up by the account ${title}`, () => {
      const store = makeMemory()
      let count = 0
      const adapter = {
        ...store,
        getUserByAccount: (account: Parameters<typeof store.getUserByAccount>[0]) => {
          count++
          return store.getUserByAccount(account)
        }
      }
      const provider = memoryProvider()
      return Effect.gen(function* () {
        for (const _ of ["a new user", "a known user"]) {
          count = 0
          assert.isUndefined((yield* signInAt(browser(), provider)).failure)
          assert.strictEqual(count, lookups)
        }
      }).pipe(at(config({ adapter, providers: [oauth()], ...more }), provider))
    })
  }

  it.gen("is the only one who is let in: an address that is another user's meanwhile", function* () {
    const store = makeMemory()
    const { callbacks } = during(
      Effect.gen(function* () {
        const ann = Option.getOrThrow(yield* store.getUserByEmail("ann@example.com"))
        yield* store.updateUser({ id: ann.id, email: "elsewhere@example.com" })
        yield* store.createUser({ id: asUserId("eve"), email: "ann@example.com", emailVerified: null })
      })
    )
    const world = mailed({ more: { adapter: store, callbacks: { signIn: () => true } } })
    const later = mailed({ more: { adapter: store, callbacks } })
    const first = browser()
    yield* ask(first, "ann@example.com").pipe(world.at)
    assert.isUndefined((yield* Effect.flatMap(world.link, (link) => press(first, link)).pipe(world.at)).failure)
    yield* Effect.gen(function* () {
      const visitor = browser()
      yield* ask(visitor, "ann@example.com")
      // The first call of the callback is that of the mail.
      const { failure } = yield* press(visitor, yield* later.link)
      assert.include(String(failure?.detail), "while callbacks.signIn decided")
      assert.isNull(yield* visitor.session)
    }).pipe(later.at)
  })
})
