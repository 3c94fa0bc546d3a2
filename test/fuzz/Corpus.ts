/**
 * The plays that are kept: one for each kind of answer, and every play that has failed.
 */
import { createHash } from "node:crypto"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Play } from "./Play.ts"

export const corpusFolder = fileURLToPath(new URL("corpus", import.meta.url))

/** A play and the kind of answer that it is kept for. */
export interface Kept {
  readonly class: string
  readonly play: Play
}

/** A play that failed. */
export interface Failure {
  readonly violation: string
  readonly seed: number
  readonly repeat: string
  readonly play: Play
}

const failures = (folder: string) => join(folder, "failures")

const coverage = (folder: string) => join(folder, "coverage.jsonl")

export const readCoverage = (folder = corpusFolder): ReadonlyArray<Kept> =>
  readFileSync(coverage(folder), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Kept)

export const writeCoverage = (all: ReadonlyArray<Kept>, folder = corpusFolder): void => {
  const lines = all.map((one) => JSON.stringify(one)).toSorted()
  writeFileSync(coverage(folder), `${lines.join("\n")}\n`)
}

export const readFailures = (folder = corpusFolder): ReadonlyArray<Failure> =>
  readdirSync(failures(folder))
    .filter((name) => name.endsWith(".json"))
    .map((name) => JSON.parse(readFileSync(join(failures(folder), name), "utf8")) as Failure)

/** Writes a play that failed; answers the path of the file. */
export const writeFailure = (failure: Failure, folder = corpusFolder): string => {
  const digest = createHash("sha256").update(JSON.stringify(failure.play)).digest("hex").slice(0, 12)
  const path = join(failures(folder), `${digest}.json`)
  mkdirSync(failures(folder), { recursive: true })
  writeFileSync(path, `${JSON.stringify(failure, null, 2)}\n`)
  return path
}
