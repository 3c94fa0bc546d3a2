import { assert, describe, it } from "@effect/vitest"
import { fileURLToPath } from "node:url"
import { sources, subjects } from "../../tools/mutation/subjects.mjs"

const root = fileURLToPath(new URL("../..", import.meta.url))

describe("npm run mutation", () => {
  it("finds files for every name of every subject, wherever they are", () => {
    const found = sources(root)
    assert.sameMembers([...new Set(found.map(({ subject }) => subject))], Object.keys(subjects))
    for (const { content, name } of found) assert.isNotEmpty(content, name)
  })
})
