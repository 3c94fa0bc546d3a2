/**
 * Holds sign-in with storage to `docs/compatibility.md`: both sides get a store of the same rows and are sent the same
 * requests, and what they answer, call, write and tell differs only as documented.
 *
 * `DOORMAN_DIFF_RUNS` sets how many random visits are played (30, and 150 in `npm run test:full`), `DOORMAN_DIFF_SEED` where their numbers begin (1).
 */
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { linking } from "./corpus/Linking.ts"
import { storedSessions } from "./corpus/StoredSessions.ts"
import { storedSignIns, storedVisits } from "./corpus/StoredSignIns.ts"
import { repetitions } from "../Repetitions.ts"
import type { Difference } from "./Compare.ts"
import { crossings, deviations } from "./Deviations.ts"
import { type Config, type Implementation, ours, peer } from "./Implementation.ts"
import { crossEverywhere, explain, type Outcome, report, run, tell } from "./Run.ts"
import { storageCrossings, storageDeviations } from "./StorageDeviations.ts"
import { generateStored } from "./StorageGenerator.ts"
import type { Method } from "./Store.ts"

const corpus = [...storedSessions, ...linking, ...storedSignIns]
const rows = [...deviations, ...storageDeviations]

// Ours says on the console what a store without further methods cannot do.
beforeAll(() => void vi.spyOn(console, "warn").mockImplementation(() => undefined))
afterAll(() => vi.restoreAllMocks())

let played: Promise<Outcome> | undefined
const outcome = (): Promise<Outcome> => (played ??= ours().then((library) => run(corpus, peer, library, rows)))

describe("storage beside Auth.js", () => {
  for (const group of new Set(corpus.map((scenario) => scenario.group))) {
    it(`${group}: every difference is documented`, async () => {
      const { unexplained } = await outcome()
      assert.strictEqual(report(unexplained.filter((difference) => difference.group === group)), "")
    }, 240_000)
  }

  it("no row about storage is stale", async () => {
    const { used } = await outcome()
    assert.deepStrictEqual(
      storageDeviations.map(({ id }) => id).filter((id) => !used.has(id)),
      []
    )
  }, 240_000)

  const runs = Number(process.env["DOORMAN_DIFF_RUNS"] ?? repetitions(30, 150))
  const first = Number(process.env["DOORMAN_DIFF_SEED"] ?? 1)
  it(
    `${runs} random visits differ only as documented`,
    async () => {
      const visits = Array.from({ length: runs }, (_, index) => generateStored(first + index, { mail: false }))
      const { requests, unexplained } = await run(visits, peer, await ours(), rows)
      assert.strictEqual(report(unexplained), "")
      tell(requests, "visits with storage")
    },
    Math.max(30_000, runs * 200)
  )

  it("plays each scenario under a name of its own", () => {
    assert.strictEqual(new Set(corpus.map(({ name }) => name)).size, corpus.length)
  })
})

/** Our side, with a change of the adapter that it is given. */
const changed = (
  base: Implementation,
  change: (adapter: Record<string, Method>) => Record<string, Method>
): Implementation => {
  const known = new WeakMap<object, Config>()
  return {
    ...base,
    name: "changed",
    Auth: (request, config) => {
      const given = known.get(config) ?? { ...config, adapter: change(config["adapter"] as Record<string, Method>) }
      known.set(config, given)
      return base.Auth(request, given)
    }
  }
}

const instead =
  (name: string, make: (method: Method) => Method) =>
  (adapter: Record<string, Method>): Record<string, Method> => {
    const method = adapter[name]
    return method === undefined ? adapter : { ...adapter, [name]: make(method) }
  }

type Rows = Record<string, unknown>

/** Alterations of what reaches the store, and the aspect each must be reported under: no row is wide enough to hide them. */
const planted: ReadonlyArray<readonly [string, string, (adapter: Record<string, Method>) => Record<string, Method>]> = [
  [
    "a user with another name",
    "store.createUser.name",
    instead("createUser", (method) => (user: Rows) => Reflect.apply(method, undefined, [{ ...user, name: "Eve" }]))
  ],
  [
    "an account of another user",
    "store.linkAccount.userId",
    instead("linkAccount", (method) => (row: Rows) => Reflect.apply(method, undefined, [{ ...row, userId: "user-2" }]))
  ],
  [
    "an account that is linked twice",
    "store.times.linkAccount",
    instead("linkAccount", (method) => async (row: Rows) => {
      await Reflect.apply(method, undefined, [row])
      return Reflect.apply(method, undefined, [row])
    })
  ],
  ["an account that is not linked", "stored.accounts", instead("linkAccount", () => () => Promise.resolve(null))],
  [
    "a session that lasts longer",
    "store.createSession.expires",
    instead(
      "createSession",
      (method) => (row: Rows) => Reflect.apply(method, undefined, [{ ...row, expires: new Date("2035-01-01") }])
    )
  ],
  [
    "a lookup with more than the key",
    "lookups",
    instead("getUserByAccount", (method) => (key: Rows) => Reflect.apply(method, undefined, [{ ...key, more: 1 }]))
  ]
]

describe("the rows about storage", () => {
  for (const [name, aspect, change] of planted) {
    it(`do not explain ${name}`, async () => {
      const visits = storedSignIns.filter((scenario) => scenario.name.endsWith(": twice, database"))
      assert.lengthOf(visits, 1)
      const { unexplained } = await run(visits, peer, changed(await ours(), change), rows)
      assert.include(
        unexplained.map((difference) => difference.aspect),
        aspect
      )
    })
  }
})

let crossed: Promise<ReadonlyMap<string, ReadonlyArray<Difference>>> | undefined
const crossing = (): Promise<ReadonlyMap<string, ReadonlyArray<Difference>>> =>
  (crossed ??= ours().then((library) => crossEverywhere(storedVisits, peer, library, [2, 8, 15])))

describe("a visit over one store that changes sides, cut at every request", () => {
  for (const visit of storedVisits) {
    for (const where of ["there", "here"]) {
      it(`${visit.name}, begun ${where}`, async () => {
        const differences = (await crossing()).get(`${visit.name}, begun ${where}`) ?? assert.fail()
        assert.strictEqual(report(explain(differences, [...crossings, ...storageCrossings]).unexplained), "")
      }, 240_000)
    }
  }

  it("no row about it is stale", async () => {
    const { used } = explain([...(await crossing()).values()].flat(), storageCrossings)
    assert.deepStrictEqual(
      storageCrossings.map(({ id }) => id).filter((id) => !used.has(id)),
      []
    )
  }, 240_000)
})
