import { assert, describe, it } from "@effect/vitest"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { sources, subjects } from "../../tools/mutation/subjects.mjs"
import { start } from "../../tools/mutation/supervisor.mjs"

const root = fileURLToPath(new URL("../..", import.meta.url))

describe("npm run mutation", () => {
  it("finds files for every name of every subject, wherever they are", () => {
    const found = sources(root)
    assert.sameMembers([...new Set(found.map(({ subject }) => subject))], Object.keys(subjects))
    for (const { content, name } of found) assert.isNotEmpty(content, name)
  })

  it("ends a mutant that never yields, counts it as found by timeout, and goes on with the next", async () => {
    const folder = mkdtempSync(join(tmpdir(), "mutation-"))
    const workers = start({
      attempt: join(folder, "attempt"),
      codePath: join(folder, "code.json"),
      shortest: 300,
      worker: fileURLToPath(new URL("HangingWorker.mjs", import.meta.url)),
      workers: 1
    })
    const detected = new Map<string, { readonly how: "killed" | "timeout"; readonly by: string }>()
    const mutants = ["hangs 1", "survives", "hangs 2", "is noticed"].map((mutant) => [mutant, 1000] as const)
    try {
      const unsure = await workers.switch("a.test.ts", new Map([["the test", mutants]]), detected)
      assert.deepStrictEqual([...unsure], [])
    } finally {
      await workers.end()
      rmSync(folder, { recursive: true })
    }
    assert.deepStrictEqual(Object.fromEntries(detected), {
      "hangs 1": { how: "timeout", by: "a.test.ts" },
      "hangs 2": { how: "timeout", by: "a.test.ts" },
      "is noticed": { how: "killed", by: "the test" }
    })
  }, 240_000)
})
