/**
 * An address opens the user who has exactly that address, whatever rows the store takes for it.
 */
import { asUserId } from "../../src/models/Id.ts"
import { dateAt } from "../../src/internal/DateAt.ts"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { makeMemory } from "../../src/Adapter.ts"
import type { AdapterUser } from "../../src/Models.ts"
import { Email } from "../../src/Provider/Email.ts"
import { userByEmail } from "../../src/storage/UserByEmail.ts"
import { ask, browser, mailed, press } from "../Mailed.ts"
import { password } from "../Visitor.ts"

const unicode = "ann@b\u00fccher.example"
const ascii = "ann@xn--bcher-kva.example"
const other = "ann@bucher.example"

/** A store that compares addresses as the collation of a database does: without case, accents, and blanks at the end. */
const collated = () => {
  const memory = makeMemory()
  const users = new Map<string, AdapterUser>()
  const { compare } = new Intl.Collator("en", { sensitivity: "base" })
  const kept = (user: Effect.Effect<AdapterUser>) =>
    Effect.tap(user, (row) => Effect.sync(() => users.set(row.id, row)))
  return {
    ...memory,
    createUser: (user: Parameters<typeof memory.createUser>[0]) => kept(Effect.orDie(memory.createUser(user))),
    updateUser: (change: Parameters<typeof memory.updateUser>[0]) => kept(Effect.orDie(memory.updateUser(change))),
    getUserByEmail: (email: string) =>
      Effect.sync(() =>
        Option.fromUndefinedOr([...users.values()].find((user) => compare(user.email.trimEnd(), email) === 0))
      )
  }
}

describe("the user of an address", () => {
  const rows: ReadonlyArray<readonly [stored: string, asked: string, isTheirs: boolean]> = [
    ["ann@example.com", "ann@example.com", true],
    ["Ann@Example.com", "ann@example.com", true],
    ["ann@example.com ", "ann@example.com", true],
    [unicode, ascii, true],
    ["Ann@B\u00fccher.example", ascii, true],
    ["ann@bu\u0308cher.example", ascii, true],
    [ascii, ascii, true],
    ["ann@\u0430\u0440\u0440\u04cf\u0435.com", "ann@xn--80ak6aa92e.com", true],
    ["j\u00f6rg@example.com", "j\u00f6rg@example.com", true],
    ["ann@mailhost", "ann@mailhost", true],
    ['"ann smith"@example.com', '"ann smith"@example.com', true],
    [other, ascii, false],
    [unicode, other, false],
    ["j\u00f6rg@example.com", "jorg@example.com", false],
    ["jorg@example.com", "j\u00f6rg@example.com", false],
    ["\u00e1nn@example.com", "ann@example.com", false]
  ]
  for (const [stored, asked, isTheirs] of rows) {
    it.gen(`with ${asked} ${isTheirs ? "is" : "is not"} that of the row with ${stored}`, function* () {
      const store = collated()
      yield* store.createUser({ id: asUserId("row"), email: stored, emailVerified: null })
      const found = yield* userByEmail(store, asked)
      assert.strictEqual(Option.getOrUndefined(found)?.id, isTheirs ? "row" : undefined)
    })
  }

  it.effect("is no user when the store returns one with another address, and the log says so", () => {
    const world = mailed()
    return Effect.gen(function* () {
      const store = makeMemory()
      const eve = yield* store.createUser({ id: asUserId("eve"), email: "eve@example.com", emailVerified: null })
      const careless = { ...store, getUserByEmail: () => Effect.succeedSome(eve) }
      assert.isTrue(Option.isNone(yield* userByEmail(careless, "ann@example.com")))
      const told = world.log.entries.filter(({ level }) => level === "Error")
      assert.lengthOf(told, 1)
      assert.match(String(told[0]?.message), /getUserByEmail answered the user of another address/)
      assert.notInclude(String(told[0]?.message), "@")
    }).pipe(world.at)
  })
})

describe("a link to an address that the store takes for another", () => {
  it.effect("signs in to a user of its own, and the other user keeps what they have", () => {
    const store = collated()
    const world = mailed({ more: { adapter: store } })
    return Effect.gen(function* () {
      yield* store.createUser({ id: asUserId("victim"), email: other, emailVerified: dateAt(0), name: "Victim" })
      const visitor = browser()
      yield* ask(visitor, unicode)
      assert.strictEqual((yield* world.mails).at(-1)?.to, ascii)
      assert.isUndefined((yield* press(visitor, yield* world.link)).failure)
      assert.strictEqual((yield* visitor.session)?.user?.["email"], ascii)
      assert.notStrictEqual((yield* visitor.session)?.user?.["name"], "Victim")
    }).pipe(world.at)
  })

  it.effect("takes no address from the other user", () => {
    const store = collated()
    const world = mailed({ more: { adapter: store, providers: [Email(), password()], session: { strategy: "jwt" } } })
    return Effect.gen(function* () {
      yield* store.createUser({ id: asUserId("victim"), email: other, emailVerified: null })
      const visitor = browser()
      yield* ask(visitor, unicode)
      assert.isUndefined((yield* press(visitor, yield* world.link)).failure)
      assert.strictEqual(
        (yield* visitor.submit("/auth/signin/email", { account: "new" })).failure?._tag,
        "Verification"
      )
      const victim = Option.getOrThrow(yield* store.getUser(asUserId("victim")))
      assert.strictEqual(victim.email, other)
      assert.isNull(victim.emailVerified)
    }).pipe(world.at)
  })

  it.effect("gives a new user the address that was mailed, not the spelling of the row", () => {
    const store = collated()
    const world = mailed({ more: { adapter: store, providers: [Email(), password()], session: { strategy: "jwt" } } })
    return Effect.gen(function* () {
      yield* store.createUser({ id: asUserId("before"), email: "Ann@B\u00fccher.example", emailVerified: null })
      const visitor = browser()
      yield* ask(visitor, ascii)
      assert.strictEqual((yield* press(visitor, yield* world.link)).failure?._tag, "UnprovenAddress")
      assert.isUndefined((yield* visitor.submit("/auth/signin/email", { account: "new" })).failure)
      assert.strictEqual((yield* visitor.session)?.user?.["email"], ascii)
      assert.notInclude(Option.getOrThrow(yield* store.getUser(asUserId("before"))).email.toLowerCase(), "cher.example")
    }).pipe(world.at)
  })
})

describe("the calls for an address", () => {
  it.gen("H196 are the same with and without a user, for any spelling of the row", function* () {
    const asked: Array<ReadonlyArray<string>> = []
    for (const stored of [unicode, ascii, other]) {
      const memory = makeMemory()
      yield* memory.createUser({ id: asUserId("row"), email: stored, emailVerified: null })
      const calls: Array<string> = []
      yield* userByEmail(
        {
          getUserByEmail: (email) => {
            calls.push(email)
            return memory.getUserByEmail(email)
          }
        },
        ascii
      )
      asked.push(calls)
    }
    assert.deepStrictEqual(asked, [
      [ascii, unicode],
      [ascii, unicode],
      [ascii, unicode]
    ])
  })
})
