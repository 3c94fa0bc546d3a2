import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import * as Duration from "effect/Duration"
import type { ActiveSession } from "../../src/access/CurrentSession.ts"
import { budgets } from "../../src/signin/Limits.ts"
import type { Endpoint } from "../../src/telemetry/Signals.ts"

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8")

/** The rows of the first table of a page below a heading, each a list of its cells. */
const tableBelow = (page: string, heading: string): ReadonlyArray<ReadonlyArray<string>> => {
  const [, text = ""] = read(page).split(`\n${heading}\n`)
  const lines = text.split("\n")
  const rows = lines.slice(lines.findIndex((line) => line.startsWith("|")))
  return rows
    .slice(
      2,
      rows.findIndex((line) => !line.startsWith("|"))
    )
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim())
    )
}

/** What a cell has between backticks. */
const codesIn = (cell = ""): ReadonlyArray<string> => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code)

describe("tables of the documentation", () => {
  it("have the layers of layers.config.mjs", () => {
    const [, layers = ""] = /const layers = \[([^\]]*)\]/.exec(read("layers.config.mjs")) ?? []
    const foldersOf = (layer: string) => [...layer.matchAll(/(\w+)\//g)].map(([, folder = ""]) => folder).sort()
    assert.deepStrictEqual(
      tableBelow("docs/concepts.md", "## Layers").map(([, folders]) => [...codesIn(folders)].sort()),
      [...layers.matchAll(/"([^"]+)"/g)].map(([, layer = ""]) => foldersOf(layer)).reverse()
    )
  })

  it("have the gates of scripts/check.mjs, in their order", () => {
    const [, gates = ""] = /const all = \[([^\]]*)\]/.exec(read("scripts/check.mjs")) ?? []
    assert.deepStrictEqual(
      tableBelow("docs/contributing.md", "## The gates").flatMap(([gate]) => codesIn(gate)),
      [...gates.matchAll(/"([^"]+)"/g)].map(([, gate = ""]) => gate)
    )
  })

  it("have the budgets, with their numbers", () => {
    assert.deepStrictEqual(
      tableBelow("docs/limits.md", "## Budgets").map(([name, , attempts = "", refill = ""]) => ({
        name: codesIn(name)[0],
        limit: Number.parseInt(attempts, 10),
        refill: Duration.toMillis(Duration.fromInputUnsafe(refill.replace("milliseconds", "millis") as Duration.Input))
      })),
      Object.values(budgets).map(({ limit, purpose, window }) => ({
        name: purpose,
        limit,
        refill: Duration.toMillis(window) / limit
      }))
    )
  })

  it("have every member of the current session", () => {
    const members: Readonly<Record<keyof ActiveSession, true>> = {
      user: true,
      userId: true,
      id: true,
      generation: true,
      expires: true,
      authenticatedAt: true,
      amr: true,
      acr: true,
      via: true,
      claims: true
    }
    assert.sameMembers(
      tableBelow("docs/tasks/protect-an-endpoint.md", "### The current session").flatMap(([member]) => codesIn(member)),
      Object.keys(members)
    )
  })

  it("have every endpoint of a provider that requests are counted by", () => {
    const endpoints: Readonly<Record<Endpoint, true>> = {
      discovery: true,
      keys: true,
      par: true,
      revocation: true,
      token: true,
      userinfo: true
    }
    const latency = tableBelow("docs/observe.md", "## Metrics").find(([metric]) => metric?.includes("latency"))
    assert.deepStrictEqual(codesIn(latency?.[3]), Object.keys(endpoints))
  })
})
