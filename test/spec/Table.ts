/**
 * The table: every sentence of the specification that says something, as rows that run against the library.
 */
import { readFileSync } from "node:fs"
import { isDeepStrictEqual } from "node:util"
import type { Library } from "./Library.ts"
import type { Row, Section, TypeRow } from "./Row.ts"
import { listening } from "./Site.ts"
import { section1 } from "./Section1.ts"
import { section2 } from "./Section2.ts"
import { section3 } from "./Section3.ts"
import { section4 } from "./Section4.ts"
import { section5 } from "./Section5.ts"
import { section6 } from "./Section6.ts"
import { section7 } from "./Section7.ts"
import { section8 } from "./Section8.ts"
import { section9 } from "./Section9.ts"
import { compileRows } from "./Types.ts"

export const sections: ReadonlyArray<Section> = [
  section1,
  section2,
  section3,
  section4,
  section5,
  section6,
  section7,
  section8,
  section9
]

const isType = (row: Row): row is TypeRow => "holds" in row

/** The result of a row: `found` is the actual answer of the library. */
export interface Result {
  readonly row: Row
  readonly holds: boolean
  readonly found?: unknown
}

const runRow = async (row: Row, library: Library, typeProblems: ReadonlyMap<Row, string>): Promise<Result> => {
  if (isType(row)) {
    const found = typeProblems.get(row) ?? "not compiled"
    return found === "" ? { row, holds: true } : { row, holds: false, found }
  }
  try {
    const found: unknown = await row.run(library)
    return isDeepStrictEqual(found, row.expected) ? { row, holds: true } : { row, holds: false, found }
  } catch (error) {
    return { row, holds: false, found: error }
  }
}

/** Runs the rows of a section one after the other; rows about types only with `typeProblems`. */
export const runSection = async (
  section: Section,
  library: Library,
  typeProblems: ReadonlyMap<Row, string>
): Promise<ReadonlyArray<Result>> => {
  const results: Array<Result> = []
  await listening([], async () => {
    for (const row of section.rows) results.push(await runRow(row, library, typeProblems))
  })
  return results
}

/** Compiles the rows about types of all sections. */
export const compileAll = async (): Promise<ReadonlyMap<Row, string>> => {
  const rows = sections.flatMap((section) => section.rows).filter(isType)
  const problems = await compileRows(rows)
  return new Map(rows.map((row, index): [Row, string] => [row, problems[index] ?? ""]))
}

/** The rows of a section that find its fault: `results` are those of the library without it. */
export const findFault = async (
  section: Section,
  library: Library,
  results: ReadonlyArray<Result>
): Promise<ReadonlyArray<Result>> => {
  const rows = results.flatMap(({ holds, row }) => (holds && !isType(row) ? [row] : []))
  const faulty = await runSection({ ...section, rows }, section.fault(library), new Map())
  return faulty.filter(({ holds }) => !holds)
}

const text = readFileSync(new URL("specification.txt", import.meta.url), "utf8")

/** The sentences, list items and table rows of each section, by its number. */
export const sentences: ReadonlyMap<number, ReadonlyArray<string>> = new Map(
  text
    .split(/^## (?=\d)/m)
    .slice(1)
    .map((part) => [Number.parseInt(part, 10), sentencesOf(part)])
)

function sentencesOf(part: string): ReadonlyArray<string> {
  const [, ...lines] = part.split("\n")
  return lines.flatMap((line, index) => {
    // A heading says something where it has words in parentheses; the other ones, and "Rules:", only name what follows.
    if (line.trim() === "" || /^(?:#[^(]*|[A-Z]\w*(?: \w+)?:)$/.test(line)) return []
    if (line.startsWith("|"))
      return /^\|[-| ]+\|$/.test(line) || /^\|[-| ]+\|$/.test(lines[index + 1] ?? "") ? [] : [line]
    return line
      .replace(/^(?:- |\d+\. )/, "")
      .split(/(?<=[a-z0-9)`]{2}[.]) (?=[A-Z`])/)
      .map((sentence) => sentence.trim())
  })
}

/** Sentences without a row and without a reason, and quotes that do not stand in the section. */
export const gaps = (section: Section): ReadonlyArray<string> => {
  const all = sentences.get(section.number) ?? []
  const quotes = [...section.rows, ...section.silent].map(({ quote }) => quote)
  return [
    ...all.filter((sentence) => !quotes.some((quote) => sentence.includes(quote))).map((one) => `no row: ${one}`),
    ...quotes.filter((quote) => !all.some((sentence) => sentence.includes(quote))).map((one) => `no sentence: ${one}`)
  ]
}
