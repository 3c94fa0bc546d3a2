/**
 * Holds sign-in by email links to `docs/compatibility.md`. A file of its own: in one process, a configuration with an
 * email provider may change what is asked of the ones after it.
 *
 * `DOORMAN_DIFF_RUNS` sets how many random visits are played (30, and 100 in `npm run test:full`), `DOORMAN_DIFF_SEED` where their numbers begin (1).
 */
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { emailLinks, emailVisits } from "./corpus/EmailLinks.ts"
import { repetitions } from "../Repetitions.ts"
import type { Difference } from "./Compare.ts"
import { crossings, deviations } from "./Deviations.ts"
import { emailCrossings, emailDeviations } from "./EmailDeviations.ts"
import { altered, ours, peer } from "./Implementation.ts"
import { crossEverywhere, explain, type Outcome, report, run, tell } from "./Run.ts"
import { storageDeviations } from "./StorageDeviations.ts"
import { generateStored } from "./StorageGenerator.ts"

const rows = [...deviations, ...storageDeviations, ...emailDeviations]

// Ours says on the console what a store without further methods cannot do.
beforeAll(() => void vi.spyOn(console, "warn").mockImplementation(() => undefined))
afterAll(() => vi.restoreAllMocks())

let played: Promise<Outcome> | undefined
const outcome = (): Promise<Outcome> => (played ??= ours().then((library) => run(emailLinks, peer, library, rows)))

describe("email links beside Auth.js", () => {
  it("every difference is documented", async () => {
    const { unexplained } = await outcome()
    assert.strictEqual(report(unexplained), "")
  }, 240_000)

  it("no row about email links is stale", async () => {
    const { used } = await outcome()
    assert.deepStrictEqual(
      emailDeviations.map(({ id }) => id).filter((id) => !used.has(id)),
      []
    )
  }, 240_000)

  const runs = Number(process.env["DOORMAN_DIFF_RUNS"] ?? repetitions(30, 100))
  const first = Number(process.env["DOORMAN_DIFF_SEED"] ?? 1)
  it(
    `${runs} random visits differ only as documented`,
    async () => {
      const visits = Array.from({ length: runs }, (_, index) => generateStored(first + index, { mail: true }))
      const { requests, unexplained } = await run(visits, peer, await ours(), rows)
      assert.strictEqual(report(unexplained), "")
      tell(requests, "visits with storage and a mailbox")
    },
    Math.max(30_000, runs * 200)
  )

  it("plays each scenario under a name of its own", () => {
    assert.strictEqual(new Set(emailLinks.map(({ name }) => name)).size, emailLinks.length)
  })

  it("the rows do not explain a mail to another address, or a link to another site", async () => {
    const visits = emailLinks.filter(({ name }) => name === "email-link: https")
    assert.lengthOf(visits, 1)
    const library = await ours()
    const wrong = {
      ...library,
      Auth: (request: Request, config: Record<PropertyKey, unknown>) =>
        library.Auth(request, {
          ...config,
          providers: (config["providers"] as ReadonlyArray<Record<string, unknown>>).map((provider) => {
            const send = provider["sendVerificationRequest"]
            return typeof send === "function"
              ? {
                  ...provider,
                  sendVerificationRequest: (mail: Record<string, unknown>): unknown =>
                    Reflect.apply(send, undefined, [
                      { ...mail, identifier: "eve@example.com", url: String(mail["url"]).replace("app.", "evil.") }
                    ])
                }
              : provider
          })
        })
    }
    const aspects = (await run(visits, peer, wrong, rows)).unexplained.map((difference) => difference.aspect)
    assert.include(aspects, "callback.sendVerificationRequest.identifier")
    assert.include(aspects, "callback.sendVerificationRequest.url")
  })

  it("the rows do not explain another answer to who asks for a link", async () => {
    const visits = emailLinks.filter(({ name }) => name === "email-link: https")
    const elsewhere = altered(await ours(), (response) => {
      const headers = new Headers(response.headers)
      if (headers.get("location")?.includes("verify-request") === true) headers.set("location", "https://app.example/")
      return new Response(response.body, { status: response.status, headers })
    })
    const { unexplained } = await run(visits, peer, elsewhere, rows)
    assert.include(
      unexplained.map((difference) => difference.aspect),
      "location.target"
    )
  })
})

let crossed: Promise<ReadonlyMap<string, ReadonlyArray<Difference>>> | undefined
const crossing = (): Promise<ReadonlyMap<string, ReadonlyArray<Difference>>> =>
  (crossed ??= ours().then((library) => crossEverywhere(emailVisits, peer, library)))

describe("a visit by link that changes sides, cut at every request", () => {
  for (const visit of emailVisits) {
    for (const where of ["there", "here"]) {
      it(`${visit.name}, begun ${where}`, async () => {
        const differences = (await crossing()).get(`${visit.name}, begun ${where}`) ?? assert.fail()
        assert.strictEqual(report(explain(differences, [...crossings, ...emailCrossings]).unexplained), "")
      }, 240_000)
    }
  }

  it("no row about it is stale", async () => {
    const { used } = explain([...(await crossing()).values()].flat(), emailCrossings)
    assert.deepStrictEqual(
      emailCrossings.map(({ id }) => id).filter((id) => !used.has(id)),
      []
    )
  }, 240_000)
})
