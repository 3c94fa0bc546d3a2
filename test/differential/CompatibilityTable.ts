/**
 * Reads the tables of deviations in `docs/compatibility.md`: the document is what users read and what the differential
 * tests hold both sides to. A table counts when its first two columns are headed `id` and `where`.
 */
import { readFileSync } from "node:fs"

/** One documented deviation. */
export interface Row {
  readonly id: string
  readonly where: string
  readonly ours: string
  readonly reason: string
}

const cells = (line: string): ReadonlyArray<string> =>
  line
    .trim()
    .replace(/^\|/, "")
    .replace(/\|$/, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"))

/** The rows of every table of deviations in a Markdown text, in order. */
export const readRows = (markdown: string): ReadonlyArray<Row> => {
  const rows: Array<Row> = []
  let inside = false
  for (const line of markdown.split("\n")) {
    if (!line.trim().startsWith("|")) {
      inside = false
      continue
    }
    const [id = "", where = "", ours = "", reason = ""] = cells(line)
    if (id === "id" && where === "where") inside = true
    else if (inside && !/^[-: ]+$/.test(id)) rows.push({ id: id.replaceAll("`", ""), where, ours, reason })
  }
  return rows
}

/** The rows of the document of this repository. */
export const documentedRows = (): ReadonlyArray<Row> =>
  readRows(readFileSync(new URL("../../docs/compatibility.md", import.meta.url), "utf8"))
