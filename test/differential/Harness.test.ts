/** The harness itself: it must see nothing between equal sides, and every planted alteration between unequal ones. */
import { assert, describe, it } from "vitest"
import { repetitions } from "../Repetitions.ts"
import { readRows } from "./CompatibilityTable.ts"
import { corpus } from "./corpus/Corpus.ts"
import { visits } from "./corpus/Sequences.ts"
import { altered, peer } from "./Implementation.ts"
import { cross, explain, report, run } from "./Run.ts"

const header =
  (name: string, value: string) =>
  (response: Response): Response => {
    const headers = new Headers(response.headers)
    headers.set(name, value)
    return new Response(response.body, { status: response.status, headers })
  }

describe("the differential harness", () => {
  it("sees no difference between an implementation and itself", async () => {
    const sample = corpus.filter((_, index) => index % repetitions(4, 1) === 0)
    const outcome = await run(sample, peer, peer, [])
    assert.strictEqual(report(outcome.unexplained), "")
    assert.isAtLeast(corpus.length, 300)
    assert.isAtLeast(outcome.requests, 400)
  }, 240_000)

  it("plays each scenario under a name of its own", () => {
    assert.strictEqual(new Set(corpus.map(({ name }) => name)).size, corpus.length)
  })

  const planted = [
    [
      "a status",
      "status",
      (response: Response) => new Response(response.body, { status: 203, headers: response.headers })
    ],
    ["a header", "header.x-planted", header("x-planted", "1")],
    [
      "a target",
      "location.target",
      (response: Response) =>
        response.headers.has("location") ? header("location", "http://localhost:3000/planted")(response) : response
    ],
    [
      "a cookie",
      "cookie.planted",
      (response: Response) => {
        const headers = new Headers(response.headers)
        headers.append("set-cookie", "planted=1; Path=/")
        return new Response(response.body, { status: response.status, headers })
      }
    ],
    [
      "a lost cookie",
      "cookie.session-token",
      (response: Response) => {
        const headers = new Headers(response.headers)
        headers.delete("set-cookie")
        for (const field of response.headers.getSetCookie())
          if (!field.includes("session-token")) headers.append("set-cookie", field)
        return new Response(response.body, { status: response.status, headers })
      }
    ],
    [
      "a cookie attribute",
      "cookie.session-token.attribute.samesite",
      (response: Response) => {
        const headers = new Headers(response.headers)
        headers.delete("set-cookie")
        for (const field of response.headers.getSetCookie())
          headers.append("set-cookie", field.replace("SameSite=Lax", "SameSite=None"))
        return new Response(response.body, { status: response.status, headers })
      }
    ]
  ] as const
  for (const [name, aspect, change] of planted) {
    it(`finds ${name} that was planted`, async () => {
      const outcome = await run(visits.slice(0, 1), peer, altered(peer, change), [])
      assert.include(
        outcome.differences.map((difference) => difference.aspect),
        aspect
      )
    })
  }

  it("finds planted words of a body, of a log and of a page", async () => {
    const outcome = await run(
      visits.slice(0, 1),
      peer,
      {
        ...peer,
        Auth: async (request, config) => {
          const logger = config["logger"] as { readonly warn: (code: string) => void }
          logger.warn("planted")
          const answer = await peer.Auth(request, config)
          if (!(answer instanceof Response)) return answer
          const text = (await answer.text())
            .replace('"Ada"', '"Eve"')
            .replace("<title>", "<title>Planted ")
            .replace('name="csrfToken"', 'name="token"')
          return new Response(answer.status === 302 ? null : text, { status: answer.status, headers: answer.headers })
        }
      },
      []
    )
    const aspects = outcome.differences.map((difference) => difference.aspect)
    for (const aspect of ["logs", "body.user.name", "page.title", "page.form.fields"]) assert.include(aspects, aspect)
  })

  it("finds no difference when a visit goes on at an equal side", async () => {
    const differences = []
    const again = { ...peer, name: "again" }
    for (const visit of visits) {
      for (let cut = 1; cut < visit.steps.length; cut++) differences.push(...(await cross(visit, peer, again, cut)))
    }
    assert.strictEqual(report(differences), "")
  }, 30_000)

  it("finds a side that cannot read the other's cookies", async () => {
    const [visit] = visits
    if (visit === undefined) return assert.fail("no visit")
    const stranger = {
      ...peer,
      name: "stranger",
      Auth: (request: Request, config: Record<PropertyKey, unknown>) =>
        peer.Auth(request, { ...config, secret: "a-stranger-0123456789-abcdefghijklmnopqrst" })
    }
    assert.isAbove((await cross(visit, peer, stranger, 2)).length, 0)
  })

  it("explains a difference by the first deviation that covers it, and counts", async () => {
    const outcome = await run(visits.slice(0, 1), peer, altered(peer, header("x-planted", "1")), [])
    const sorted = explain(outcome.differences, [
      { id: "planted", covers: (difference) => difference.aspect === "header.x-planted" },
      { id: "never", covers: () => true }
    ])
    assert.deepStrictEqual([...sorted.used], [["planted", outcome.requests]])
    assert.deepStrictEqual(sorted.unexplained, [])
  })

  it("reads rows of deviation tables only", () => {
    const rows = readRows(
      "| a | b |\n|---|---|\n| 1 | 2 |\n\n| id | where | effect-doorman answers | reason |\n|---|---|---|---|\n| `x/y` | w | o \\| p | r |\n"
    )
    assert.deepStrictEqual(rows, [{ id: "x/y", where: "w", ours: "o | p", reason: "r" }])
  })
})
