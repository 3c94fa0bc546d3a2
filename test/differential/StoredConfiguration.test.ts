/**
 * Holds what is refused for lack of storage to `docs/compatibility.md`. A file of its own, and its scenarios in their order:
 * in one process, a configuration with an email or a WebAuthn provider may change what is asked of the ones after it.
 */
import { assert, describe, it } from "vitest"
import { storedConfigurations } from "./corpus/StoredConfiguration.ts"
import { deviations } from "./Deviations.ts"
import { ours, peer } from "./Implementation.ts"
import { report, run } from "./Run.ts"
import { storageDeviations } from "./StorageDeviations.ts"

describe("configurations with storage beside Auth.js", () => {
  it("every difference is documented", async () => {
    const rows = [...deviations, ...storageDeviations]
    const { unexplained } = await run(storedConfigurations, peer, await ours(), rows)
    assert.strictEqual(report(unexplained), "")
  }, 240_000)

  it("sees no difference between an implementation and itself", async () => {
    const { requests, unexplained } = await run(storedConfigurations, peer, { ...peer, name: "again" }, [])
    assert.strictEqual(report(unexplained), "")
    assert.isAbove(requests, 150)
  }, 240_000)
})
