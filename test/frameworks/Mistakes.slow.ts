/**
 * Mistakes that people make with the package as npm installs it: each row of `test/packed/mistakes/table.js` is made with a server of
 * its own, and the answer and the log are compared with the row. For every row holds: no status from 500 on without an entry of the
 * log, and no entry with an escaped line break.
 */
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { assert, beforeAll, describe, it } from "vitest"
import { folderOf, run, timed } from "./Packed.ts"

interface Row {
  readonly good: boolean
  readonly status?: number
  readonly shows?: ReadonlyArray<RegExp>
  readonly says?: ReadonlyArray<RegExp>
  readonly never?: ReadonlyArray<RegExp>
  readonly thrown?: RegExp
}

interface Seen {
  readonly mistake: string
  readonly status?: number
  readonly body?: string
  readonly thrown?: string
  readonly log: ReadonlyArray<string>
}

const folder = folderOf("mistakes")
const { table } = (await import(pathToFileURL(`${folder}/table.js`).href)) as {
  readonly table: Readonly<Record<string, Row>>
}
let seen: ReadonlyMap<string, Seen> = new Map()

beforeAll(async () => {
  const said = await timed("mistakes", run(folder, "program.js"))
  const lines = said.split("\n").filter((line) => line.startsWith("{"))
  seen = new Map(lines.map((line) => JSON.parse(line) as Seen).map((one) => [one.mistake, one]))
})

/** The words of a page. */
const wordsOf = (body: string): string =>
  body
    .replaceAll(/<style[^]*?<\/style>|<[^>]+>/g, " ")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")
    .replaceAll(/\s+/g, " ")
    .trim()

for (const good of [true, false]) {
  describe(good ? "mistakes that were explained in the first measurement" : "mistakes that were not", () => {
    for (const [mistake, row] of Object.entries(table).filter(([, row]) => row.good === good)) {
      it(mistake, () => {
        const { body = "", log = [], status = 0, thrown } = seen.get(mistake) ?? {}
        const entries = log.join("\n")
        if (row.thrown === undefined) assert.isUndefined(thrown)
        else assert.match(thrown ?? "", row.thrown)
        if (row.status !== undefined) assert.strictEqual(status, row.status)
        for (const shown of row.shows ?? []) assert.match(wordsOf(body), shown)
        for (const text of row.says ?? [])
          assert.isTrue(
            log.some((entry) => text.test(entry)),
            `${text}\n${entries}`
          )
        for (const text of row.never ?? []) assert.notMatch(entries + body, text)
        if (status >= 500) assert.isNotEmpty(log)
        assert.notInclude(entries, "\\u000a")
      })
    }
  })
}

describe("an unsupported Node", () => {
  const node = `${folder}/node_modules/node-18-x64/bin/node`
  it.skipIf(!existsSync(node))("is named, with the version that is needed", async () => {
    const program = 'const { createAuth } = await import("effect-doorman"); createAuth({ providers: [] })'
    const told = await promisify(execFile)(node, ["--input-type=module", "-e", program], { cwd: folder }).then(
      () => "",
      (error: { readonly stderr?: string }) => String(error.stderr)
    )
    assert.match(told, /effect-doorman needs Node 20\.19 or newer; this is Node 18\.\d+\.\d+/)
  })
})
