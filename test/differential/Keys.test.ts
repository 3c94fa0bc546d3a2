/**
 * Holds the endpoints for passkeys to `docs/compatibility.md`. A file of its own: in one process, a configuration with a
 * WebAuthn provider may change what is asked of the ones after it.
 */
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { keyScenarios } from "./corpus/Keys.ts"
import { deviations } from "./Deviations.ts"
import { ours, peer } from "./Implementation.ts"
import { keyDeviations } from "./KeyDeviations.ts"
import { type Outcome, report, run } from "./Run.ts"
import { storageDeviations } from "./StorageDeviations.ts"

const rows = [...deviations, ...storageDeviations, ...keyDeviations]

// Ours says on the console what a store without further methods cannot do.
beforeAll(() => void vi.spyOn(console, "warn").mockImplementation(() => undefined))
afterAll(() => vi.restoreAllMocks())

let played: Promise<Outcome> | undefined
const outcome = (): Promise<Outcome> => (played ??= ours().then((library) => run(keyScenarios, peer, library, rows)))

describe("passkeys beside Auth.js", () => {
  it("every difference is documented", async () => {
    assert.strictEqual(report((await outcome()).unexplained), "")
  }, 240_000)

  it("no row about passkeys is stale", async () => {
    const { used } = await outcome()
    assert.deepStrictEqual(
      keyDeviations.map(({ id }) => id).filter((id) => !used.has(id)),
      []
    )
  }, 240_000)

  it("plays each scenario under a name of its own", () => {
    assert.strictEqual(new Set(keyScenarios.map(({ name }) => name)).size, keyScenarios.length)
  })

  it("sees no difference between an implementation and itself", async () => {
    const { unexplained } = await run(keyScenarios, peer, { ...peer, name: "again" }, [])
    assert.strictEqual(report(unexplained), "")
  }, 240_000)
})
