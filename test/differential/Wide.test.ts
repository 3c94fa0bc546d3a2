/**
 * Random visits from the whole range of options, cookies, requests and bodies: what differs is documented.
 *
 * `DOORMAN_DIFF_RUNS` sets how many are played (50, and 500 in `npm run test:full`), `DOORMAN_DIFF_SEED` where their numbers begin (1).
 */
import { assert, describe, it } from "vitest"
import { repetitions } from "../Repetitions.ts"
import type { Difference } from "./Compare.ts"
import { deviations } from "./Deviations.ts"
import { altered, ours, peer } from "./Implementation.ts"
import { report, runTogether, tell } from "./Run.ts"
import { generateWide } from "./WideGenerator.ts"

const runs = Number(process.env["DOORMAN_DIFF_RUNS"] ?? repetitions(50, 500))
const first = Number(process.env["DOORMAN_DIFF_SEED"] ?? 1)

const visits = (count: number, from: number) => Array.from({ length: count }, (_, index) => generateWide(from + index))

describe("random visits of every kind beside Auth.js", () => {
  it(
    `${runs} visits from number ${first} on differ only as documented`,
    async () => {
      const { requests, unexplained } = await runTogether(visits(runs, first), peer, await ours(), deviations)
      assert.strictEqual(report(unexplained), "")
      assert.isAbove(requests, runs * 2)
      tell(requests, "visits of every kind")
    },
    Math.max(30_000, runs * 100)
  )

  it("are the same for the same number, and others for another", () => {
    const shape = (seed: number): string =>
      JSON.stringify(generateWide(seed), (_, value: unknown) => (typeof value === "function" ? String(value) : value))
    assert.strictEqual(shape(7), shape(7))
    assert.isAbove(new Set(visits(300, 1).map((_, index) => shape(index + 1))).size, 290)
  })

  it("find no difference between an implementation and itself", async () => {
    const { unexplained } = await runTogether(visits(60, 1), peer, { ...peer, name: "again" }, [])
    assert.strictEqual(report(unexplained), "")
  }, 30_000)

  const planted: ReadonlyArray<readonly [string, string, (response: Response, request: Request) => Response]> = [
    [
      "a refusal that is none",
      "status",
      (response, request) =>
        response.status === 405 || (request.method === "POST" && response.status === 400)
          ? new Response(null, { status: 204, headers: response.headers })
          : response
    ],
    [
      "a session cookie for scripts",
      "cookie.session-token.attribute.httponly",
      (response) => {
        const headers = new Headers(response.headers)
        headers.delete("set-cookie")
        for (const field of response.headers.getSetCookie())
          headers.append("set-cookie", field.replace("; HttpOnly", ""))
        return new Response(response.body, { status: response.status, headers })
      }
    ],
    [
      "a way out",
      "location.target",
      (response) => {
        const headers = new Headers(response.headers)
        if (headers.has("location")) headers.set("location", "https://evil.example/")
        return new Response(response.body, { status: response.status, headers })
      }
    ]
  ]
  for (const [name, aspect, change] of planted) {
    it(`the rows do not explain ${name}`, async () => {
      const wrong = altered(await ours(), change)
      const { unexplained } = await runTogether(visits(60, 1), peer, wrong, deviations)
      assert.include(
        unexplained.map((difference: Difference) => difference.aspect),
        aspect
      )
    }, 30_000)
  }
})
