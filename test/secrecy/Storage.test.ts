/**
 * Plays every flow that uses a store, with success and with each of its methods failing, and looks for what must stay
 * secret in all that leaves.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { allMethods } from "../../src/storage/MethodTable.ts"
import type { AdapterMethod } from "../../src/storage/AdapterShape.ts"
import { look } from "./Look.ts"
import { makeSite, type Site, type StorageFlow, storageFlows } from "./StorageFlows.ts"
import { of, talkativeStore, type Way } from "./TalkativeStore.ts"

/** Plays a flow, with a method that fails; the methods that the flow called. */
const played = Effect.fnUntraced(function* (
  { before, options = {}, play }: StorageFlow,
  way: Way,
  broken?: AdapterMethod,
  code?: string
) {
  const store = talkativeStore(way)
  const site = makeSite(store, options)
  const { world } = site
  return yield* Effect.gen(function* () {
    const person = world.person()
    if (before !== undefined) yield* before(site, person)
    const earlier = store.calls.length
    if (broken !== undefined) store.breaks(broken, code)
    yield* play(site, person)
    const entries = world.lines.filter(({ level }) => level !== "Debug")
    if (broken !== undefined) {
      assert.isAbove(entries.length, 0, `${broken} failed, and nobody was told`)
      // One line for each request that failed, and one for each step that could not be taken back.
      assert.isAtMost(entries.length, 2 * world.seen.length)
    }
    yield* looked(site)
    return new Set(store.calls.slice(earlier))
  }).pipe(Effect.provide(world.layer))
})

const looked = Effect.fnUntraced(function* ({ keys, mails, store, world }: Site) {
  const links = (yield* mails).map(({ url }) => new URL(url).searchParams.get("token") ?? "")
  const addresses = of(store, "email", "identifier")
  look(world, {
    secrets: of(store, "sessionToken", "token", "access_token", "refresh_token", "id_token", "credentialPublicKey"),
    links,
    personal: [
      ...addresses,
      ...addresses.map(encodeURIComponent),
      ...of(store, "name", "providerAccountId", "credentialID"),
      ...keys.map(({ id }) => id.toString("base64url"))
    ]
  })
})

/** The ways in turn, with the codes of PostgreSQL for a connection that broke and for a row that is there already. */
const faults: ReadonlyArray<readonly [Way, string]> = [
  ["rejects", "08006"],
  ["fails", "23505"],
  ["dies", "08006"],
  ["rejects", "23505"],
  ["throws", "08006"],
  ["fails", "08006"]
]

describe("what a store was given", () => {
  for (const [index, flow] of storageFlows.entries()) {
    it.gen(`H277, H280, H283, H285 stays with it in ${flow.title}, whichever of its methods fails`, function* () {
      for (const way of ["rejects", "fails"] as const) {
        const called = [...(yield* played(flow, way))]
        assert.isAbove(called.length, 0)
        for (const [at, method] of called.entries()) {
          const [how, code] = faults[(index + at) % faults.length] ?? [way, "08006"]
          if ((how === "rejects" || how === "throws") === (way === "rejects")) yield* played(flow, how, method, code)
        }
      }
    })
  }

  it.gen("H277 is looked for at every method that the library calls in these flows", function* () {
    const called = new Set<AdapterMethod>()
    for (const flow of storageFlows) for (const method of yield* played(flow, "fails")) called.add(method)
    assert.deepStrictEqual(
      [...allMethods].filter((method) => !called.has(method)),
      ["deleteUser", "unlinkAccount", "listAccounts", "listSessions", "endSession", "deleteSessions", "sweep"]
    )
  })
})
