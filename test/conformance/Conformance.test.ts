import { assert, describe, it } from "vitest"
import { examine, judge } from "./Judgement.ts"
import { refresh, signIn, signOut } from "./Journeys.ts"
import { plans, type Run } from "./Plans.ts"

const isRun = (row: object): row is Run => "part" in row

describe("the conformance suite for relying parties", () => {
  for (const { modules, name } of plans.filter(({ modules }) => modules.some(isRun))) {
    describe(name, () => {
      for (const row of modules.filter(isRun)) {
        it(row.module, async () => {
          const { passes, result } = await examine(row, "function")
          assert.isTrue(passes, `expected that it ${row.expected}; it ${result}`)
        })
      }
    })
  }

  const token = { claims: {}, algorithm: undefined }
  const overSockets = [
    ["a sign-in", signIn, {}],
    ["a sign-in that is refused", signIn, { dials: ["wrongSignature"] }],
    ["a refresh", refresh, { refreshed: {} }],
    ["a logout with a logout token", signOut, { logout: { token } }]
  ] as const
  for (const [title, journey, part] of overSockets) {
    it(`runs ${title} over real sockets as well`, async () => {
      const over = await journey(part, "sockets")
      const within = await journey(part, "function")
      assert.strictEqual(over.end, within.end)
      assert.deepStrictEqual(
        over.requests.map(({ path }) => path),
        within.requests.map(({ path }) => path)
      )
    })
  }

  it("finds a client that goes on, one that stops too early, and one that asks too much", async () => {
    const honest = await signIn({}, "function")
    const stopped = await signIn({ dials: ["wrongNonce"] }, "function")
    const refusal: Run = { module: "refusal", does: "signs in", expected: "refuses", part: {}, lastAsked: "token" }
    const success: Run = { module: "success", does: "signs in", expected: "signs in", part: {} }
    assert.isFalse(judge(refusal, honest).passes)
    assert.isFalse(judge(success, stopped).passes)
    assert.strictEqual(judge(refusal, { ...honest, end: "refused" }).result, "goes on after an error")
    assert.isFalse(judge(success, { ...honest, requests: [] }).passes)
  })

  it("names every module of a plan once", () => {
    for (const { modules } of plans) {
      const names = modules.map(({ module }) => module)
      assert.deepStrictEqual(names, [...new Set(names)])
    }
  })
})
