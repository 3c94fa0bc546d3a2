/** How much is compared: the requests that are written down, as `docs/compatibility.md` says it. */
import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { corpus } from "./corpus/Corpus.ts"
import { emailLinks } from "./corpus/EmailLinks.ts"
import { keyScenarios } from "./corpus/Keys.ts"
import { linking } from "./corpus/Linking.ts"
import { storedConfigurations } from "./corpus/StoredConfiguration.ts"
import { storedSessions } from "./corpus/StoredSessions.ts"
import { storedSignIns } from "./corpus/StoredSignIns.ts"

const all = [
  ...corpus,
  ...storedSessions,
  ...linking,
  ...storedSignIns,
  ...emailLinks,
  ...keyScenarios,
  ...storedConfigurations
]

describe("the corpus", () => {
  it("has the requests that the document counts, in scenarios with a name of their own", () => {
    const requests = all.reduce((sum, scenario) => sum + scenario.steps.length, 0)
    const document = readFileSync(new URL("../../docs/compatibility.md", import.meta.url), "utf8")
    const [, said = ""] = /([0-9 ]+) written requests/.exec(document) ?? []
    assert.strictEqual(requests, Number(said.replaceAll(" ", "")))
    assert.isAtLeast(requests, 1500)
    assert.strictEqual(new Set(all.map(({ name }) => name)).size, all.length)
  })

  it("asks every action by every way that is its own, with cookies of every kind", () => {
    const asked = new Set<string>()
    for (const { steps } of all) {
      for (const { make } of steps) {
        if (typeof make === "function") continue
        const [, action] = /\/auth\/([a-z-]+)/.exec(make.path) ?? []
        if (action !== undefined) asked.add(`${make.method ?? "GET"} ${action}`)
      }
    }
    for (const expected of [
      "GET session",
      "POST session",
      "GET csrf",
      "GET providers",
      "GET signin",
      "POST signin",
      "GET signout",
      "POST signout",
      "GET callback",
      "POST callback",
      "GET error",
      "GET verify-request",
      "GET webauthn-options"
    ])
      assert.isTrue(asked.has(expected), expected)
    assert.isAtLeast(new Set(all.flatMap(({ given }) => given)).size, 29)
  })
})
