/**
 * A row of the table: words of the specification, the input of the library, and the expected result.
 */
import type * as Library from "./Library.ts"

/** The sentences that the library does not keep, for the safety of its users. These are all. */
export const deviations = {
  "weak-secret": "a weak secret is an error in production",
  "session-token-length": "session.generateSessionToken must return at least 16 characters",
  "server-claims": "claims that only the server sets are taken out of what a client sends",
  "user-name-email": "the video provider never takes a user name with an @ for an email",
  "one-attempt-cookie": "cookies.state names the one cookie of an attempt, which holds nonce and PKCE verifier too",
  "refused-configuration": "a configuration that is refused answers the session action with null"
} as const

interface Cell {
  /** Words of the specification, as they stand there, without line breaks. */
  readonly quote: string
  /** The input of the library. */
  readonly input: string
  readonly deviation?: keyof typeof deviations
}

/** A row that runs: what `run` answers must be `expected`. */
export interface BehaviourRow extends Cell {
  readonly expected: unknown
  readonly run: (library: Library.Library) => unknown
}

/** A row that is compiled: a type that must be assignable to `true`. */
export interface TypeRow extends Cell {
  readonly holds: string
}

export type Row = BehaviourRow | TypeRow

/** Words that say nothing that could fail, and why. */
export interface Silence {
  readonly quote: string
  readonly reason: string
}

export interface Section {
  readonly number: number
  readonly title: string
  readonly rows: ReadonlyArray<Row>
  readonly silent: ReadonlyArray<Silence>
  /** A library with one fault, which a row of this section must find. */
  readonly fault: (library: Library.Library) => Library.Library
}

/** Writes a row that runs. */
export const row = (
  quote: string,
  input: string,
  expected: unknown,
  run: BehaviourRow["run"],
  deviation?: keyof typeof deviations
): BehaviourRow => ({ quote, input, expected, run, ...(deviation === undefined ? {} : { deviation }) })

/** Writes a row that is compiled. */
export const type = (quote: string, holds: string): TypeRow => ({ quote, input: holds, holds })

/** The notation of the specification in TypeScript. */
const notation: Readonly<Record<string, string>> = {
  string: "string",
  number: "number",
  boolean: "boolean",
  "number, seconds": "number",
  "null or string": "string | null",
  "string or string[]": "string | Array<string>",
  "lowercase string": "Lowercase<string>"
}

/**
 * Writes rows for members of a type: `of` is the type, `members` maps a name to its type, in the notation of the
 * specification or in TypeScript, with `?` at the end where the member is optional. The quote of a row is `words(name, type)`.
 */
export const members = (
  of: string,
  members: Readonly<Record<string, string>>,
  words: (name: string, type: string, required: "yes" | "no") => string
): ReadonlyArray<TypeRow> =>
  Object.entries(members).map(([name, written]) => {
    const isOptional = written.endsWith("?")
    const word = isOptional ? written.slice(0, -1) : written
    return type(
      words(name, word, isOptional ? "no" : "yes"),
      `[Is<Value<${of}, "${name}">, ${notation[word] ?? word}>, Is<IsOptional<${of}, "${name}">, ${isOptional}>]`
    )
  })
