/**
 * Holds this library to `docs/compatibility.md`: played side by side with Auth.js, every difference is one the document
 * explains, and every row of the document is one that can be seen.
 *
 * `DOORMAN_DIFF_RUNS` sets how many random scenarios are played (100, and 1000 in `npm run test:full`), `DOORMAN_DIFF_SEED` where their numbers begin (1).
 */
import { assert, describe, it } from "vitest"
import { documentedRows } from "./CompatibilityTable.ts"
import { corpus, groups } from "./corpus/Corpus.ts"
import { visits } from "./corpus/Sequences.ts"
import type { Difference } from "./Compare.ts"
import { crossings, deviations } from "./Deviations.ts"
import { generate } from "./Generator.ts"
import { altered, ours, peer } from "./Implementation.ts"
import { emailCrossings, emailDeviations } from "./EmailDeviations.ts"
import { storageCrossings, storageDeviations } from "./StorageDeviations.ts"
import { keyDeviations } from "./KeyDeviations.ts"
import { cross, explain, type Outcome, report, run, tell } from "./Run.ts"
import { repetitions } from "../Repetitions.ts"

let played: Promise<Outcome> | undefined
const outcome = (): Promise<Outcome> => (played ??= ours().then((library) => run(corpus, peer, library, deviations)))

describe("beside Auth.js", () => {
  for (const group of groups) {
    it(`${group}: every difference is documented`, async () => {
      const { unexplained } = await outcome()
      assert.strictEqual(report(unexplained.filter((difference) => difference.group === group)), "")
    }, 240_000)
  }

  it("every row of docs/compatibility.md has a predicate, and every predicate a row, in the same order", () => {
    assert.deepStrictEqual(
      documentedRows().map((row) => row.id),
      [
        ...deviations,
        ...storageDeviations,
        ...emailDeviations,
        ...keyDeviations,
        ...crossings,
        ...storageCrossings,
        ...emailCrossings
      ].map((deviation) => deviation.id)
    )
  })

  it("every row says where, what both answer, and why", () => {
    for (const row of documentedRows()) {
      for (const cell of [row.where, row.ours, row.reason]) assert.isAbove(cell.length, 2, row.id)
    }
  })

  it("no row is stale", async () => {
    const { used } = await outcome()
    assert.deepStrictEqual(
      deviations.map(({ id }) => id).filter((id) => !used.has(id)),
      []
    )
  }, 240_000)

  const runs = Number(process.env["DOORMAN_DIFF_RUNS"] ?? repetitions(100, 1000))
  const first = Number(process.env["DOORMAN_DIFF_SEED"] ?? 1)
  it(
    `${runs} random visits differ only as documented`,
    async () => {
      const scenarios = Array.from({ length: runs }, (_, index) => generate(first + index))
      const { requests, unexplained } = await run(scenarios, peer, await ours(), deviations)
      assert.strictEqual(report(unexplained), "")
      tell(requests, "visits")
    },
    Math.max(30_000, runs * 100)
  )
})

const withHeaders =
  (change: (headers: Headers) => void) =>
  (response: Response): Response => {
    const headers = new Headers(response.headers)
    change(headers)
    return new Response(response.body, { status: response.status, headers })
  }

const withCookies = (change: (field: string) => string | undefined) =>
  withHeaders((headers) => {
    const fields = headers.getSetCookie()
    headers.delete("set-cookie")
    for (const field of fields) {
      const changed = change(field)
      if (changed !== undefined) headers.append("set-cookie", changed)
    }
  })

/** Alterations of our own answers, and the aspect each must be reported under: no row is wide enough to hide them. */
const planted: ReadonlyArray<readonly [string, string, (response: Response) => Response]> = [
  ["another status", "status", (response) => new Response(response.body, { status: 203, headers: response.headers })],
  [
    "a session cookie without HttpOnly",
    "cookie.session-token.attribute.httponly",
    withCookies((field) => field.replace("; HttpOnly", ""))
  ],
  [
    "a cookie for every site",
    "cookie.session-token.attribute.samesite",
    withCookies((field) => field.replace("SameSite=Lax", "SameSite=None"))
  ],
  [
    "no session cookie",
    "cookie.session-token",
    withCookies((field) => (field.includes("session-token") ? undefined : field))
  ],
  [
    "no callback cookie",
    "cookie.callback-url",
    withCookies((field) => (field.includes("callback-url") ? undefined : field))
  ],
  [
    "a cookie of its own",
    "cookie.planted",
    withHeaders((headers) => headers.append("set-cookie", "planted=1; Path=/"))
  ],
  [
    "another target",
    "location.target",
    withHeaders((headers) => headers.has("location") && headers.set("location", "https://planted.example/"))
  ],
  [
    "another content type",
    "header.content-type",
    withHeaders((headers) => headers.has("content-type") && headers.set("content-type", "text/plain"))
  ],
  ["a header of its own", "header.x-planted", withHeaders((headers) => headers.set("x-planted", "1"))]
]

describe("the rows", () => {
  for (const [name, aspect, change] of planted) {
    it(`do not explain ${name}`, async () => {
      const { unexplained } = await run(visits, peer, altered(await ours(), change), deviations)
      assert.include(
        unexplained.map((difference) => difference.aspect),
        aspect
      )
    })
  }
})

interface Crossing {
  readonly name: string
  readonly differences: ReadonlyArray<Difference>
}

const crossAll = async (): Promise<ReadonlyArray<Crossing>> => {
  const library = await ours()
  const all: Array<Crossing> = []
  for (const visit of visits) {
    for (const [before, behind] of [
      [peer, library],
      [library, peer]
    ] as const) {
      const differences: Array<Difference> = []
      for (let cut = 1; cut < visit.steps.length; cut++) differences.push(...(await cross(visit, before, behind, cut)))
      all.push({ name: crossingName(visit.name, before === peer), differences })
    }
  }
  return all
}
const crossingName = (visit: string, there: boolean): string =>
  `${visit}, begun ${there ? "there, finished here" : "here, finished there"}`

let crossed: Promise<ReadonlyArray<Crossing>> | undefined
const crossing = (): Promise<ReadonlyArray<Crossing>> => (crossed ??= crossAll())

describe("a visit that changes sides, cut at every request", () => {
  for (const visit of visits) {
    for (const there of [true, false]) {
      const name = crossingName(visit.name, there)
      it(
        name,
        async () => {
          const found = (await crossing()).find((one) => one.name === name)
          assert.strictEqual(report(explain(found?.differences ?? assert.fail(), crossings).unexplained), "")
        },
        60_000
      )
    }
  }

  it("no row about both is stale", async () => {
    const { used } = explain(
      (await crossing()).flatMap((one) => one.differences),
      crossings
    )
    assert.deepStrictEqual(
      crossings.map(({ id }) => id).filter((id) => !used.has(id)),
      []
    )
  }, 240_000)
})
