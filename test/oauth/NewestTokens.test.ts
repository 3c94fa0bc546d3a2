/** Each sign-in leaves the newest tokens of the provider in the store. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import { asUserId } from "../../src/models/Id.ts"
import { make, makeMemory } from "../../src/Adapter.ts"
import { at, browser, config, signInAt } from "../Browser.ts"
import { idp, memoryProvider } from "../MemoryProvider.ts"

const tokensOf = ({ access_token, expires_at, refresh_token, scope }: Readonly<Record<string, unknown>>) => ({
  access_token,
  refresh_token,
  scope,
  expires_at
})

const begin = 1_800_000_000

describe("the tokens of an account at a sign-in", () => {
  it.effect("replace those of the sign-in before, and a refresh token that the provider leaves out stays", () => {
    const store = makeMemory()
    const provider = memoryProvider()
    const stored = Effect.flatMap(store.getUserByEmail("ada@example.com"), (user) =>
      Effect.map(store.listAccounts(user._tag === "Some" ? user.value.id : asUserId("")), ([account]) =>
        tokensOf(account ?? {})
      )
    )
    return Effect.gen(function* () {
      yield* TestClock.setTime(begin * 1000)
      yield* signInAt(browser(), provider)
      const first = { access_token: "access-token-1", refresh_token: "refresh-token-1", scope: "openid profile email" }
      assert.deepStrictEqual(yield* stored, { ...first, expires_at: begin + 3600 })
      Object.assign(provider.tokens, { access: "access-token-2", refresh: undefined })
      yield* TestClock.adjust("1 minute")
      yield* signInAt(browser(), provider)
      assert.deepStrictEqual(yield* stored, { ...first, access_token: "access-token-2", expires_at: begin + 3660 })
      Object.assign(provider.tokens, { access: "access-token-3", refresh: "refresh-token-3" })
      yield* signInAt(browser(), provider)
      assert.deepInclude(yield* stored, { access_token: "access-token-3", refresh_token: "refresh-token-3" })
    }).pipe(at(config({ adapter: store, providers: [idp()] }), provider))
  })

  for (const [title, change, more, expected] of [
    ["account() picks none of them", {}, { account: () => ({}) }, undefined],
    ["the store cannot change them", { updateAccount: undefined }, {}, "access-token-1"]
  ] as const) {
    it.effect(`stay as they are where ${title}`, () => {
      const store = makeMemory()
      const provider = memoryProvider()
      return Effect.gen(function* () {
        for (const access of ["access-token-1", "access-token-2"]) {
          provider.tokens.access = access
          assert.isUndefined((yield* signInAt(browser(), provider)).failure)
        }
        const account = yield* store.getAccount("person-1", "idp")
        assert.isTrue(account._tag === "Some" && account.value.access_token === expected)
      }).pipe(at(config({ adapter: make({ ...store, ...change }), providers: [idp(more)] }), provider))
    })
  }
})
