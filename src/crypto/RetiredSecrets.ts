/**
 * Earlier secrets that open session tokens until a date, and seal no token.
 *
 * @since 0.1.0
 */
import { isList } from "../internal/Merge.ts"

/**
 * A secret that still opens session tokens until a moment, and has no other use. It may be a weak one.
 *
 * @category models
 * @since 0.1.0
 */
export interface RetiredSecret<Secret = string> {
  readonly secret: Secret
  /** When it ends: a `Date`, or ISO 8601 with a time zone (`2026-12-31T18:00:00Z`); a day alone is its first moment in UTC. */
  readonly until: Date | string
}

/** Most retired secrets: each costs a key derivation for every name of a cookie. */
export const maxRetiredSecrets = 8

const iso = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/

/** The time in milliseconds since 1970; `undefined` for a value that names none. */
export const momentOf = (until: unknown): number | undefined => {
  const time = until instanceof Date ? until.getTime() : isIso(until) ? Date.parse(until) : Number.NaN
  return Number.isFinite(time) ? time : undefined
}

const isIso = (until: unknown): until is string => typeof until === "string" && iso.test(until)

/** The mistake of a list of them, as `[1].until: …`; `undefined` without one. */
export const retiredSecretsProblem = (list: unknown): string | undefined => {
  if (!isList(list)) return ": must be a list"
  if (list.length > maxRetiredSecrets) return `: must have at most ${maxRetiredSecrets} members`
  for (const [index, member] of list.entries()) {
    if (!isMembers(member)) return `[${index}]: must be an object with secret and until`
    const { secret, until } = member
    if (typeof secret !== "string" || secret === "") return `[${index}].secret: must be a text that is not empty`
    if (momentOf(until) === undefined) return `[${index}].until: must be a Date, or ISO 8601 with a time zone`
  }
  return undefined
}

/** Is it a list that can be used? */
export const areRetiredSecrets = (list: unknown): list is ReadonlyArray<RetiredSecret> =>
  retiredSecretsProblem(list) === undefined

const isMembers = (member: unknown): member is { readonly secret?: unknown; readonly until?: unknown } =>
  typeof member === "object" && member !== null

/** The secrets that still open tokens at the time `now`, in milliseconds since 1970. */
export const inForce = (list: ReadonlyArray<RetiredSecret>, now: number): ReadonlyArray<string> =>
  list.filter(({ until }) => now < (momentOf(until) ?? Number.NEGATIVE_INFINITY)).map(({ secret }) => secret)
