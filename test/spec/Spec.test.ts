import { assert, beforeAll, describe, it } from "vitest"
import { library } from "./Library.ts"
import { deviations, type Row } from "./Row.ts"
import { compileAll, findFault, gaps, runSection, sections } from "./Table.ts"

const shown = ({ input, quote }: Row) => `${quote}: ${input}`

describe("the specification", { timeout: 240_000 }, () => {
  let types: ReadonlyMap<Row, string>
  beforeAll(async () => {
    types = await compileAll()
  }, 240_000)

  for (const section of sections) {
    let results: Awaited<ReturnType<typeof runSection>> = []
    it(`section ${section.number} holds: ${section.title}`, async () => {
      results = await runSection(section, library, types)
      assert.deepStrictEqual(
        results.filter(({ holds }) => !holds).map(({ found, row }) => [shown(row), found]),
        []
      )
    })

    it(`section ${section.number} has a row or a reason for each sentence`, () => {
      assert.deepStrictEqual(gaps(section), [])
    })

    it(`a fault in section ${section.number} is found`, async () => {
      assert.isNotEmpty(await findFault(section, library, results))
    })
  }

  it("every deviation is shown by a row", () => {
    const used = new Set(sections.flatMap(({ rows }) => rows.flatMap(({ deviation }) => deviation ?? [])))
    assert.sameMembers([...used], Object.keys(deviations))
  })
})
