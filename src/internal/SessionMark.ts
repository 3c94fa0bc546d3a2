/**
 * What the library itself keeps of a session: a claim of the token, or the end of the token of a session in a database.
 *
 * Callbacks and clients never see it. Members that this version does not know are kept as they are
 * (docs/decisions/session-cookie.md).
 */

/** The claim. Applications and clients cannot set it. */
export const markName = "effect-doorman"

/**
 * `end` is the absolute end of the session, in seconds since 1970. `retired` says that a retired secret opened the session:
 * an attacker who knows that secret can have made it.
 */
export type SessionMark = Readonly<Record<string, unknown>>

type Claims = Readonly<Record<string, unknown>>

/** The mark of claims. */
export const markOf = (claims: Claims): SessionMark | undefined => {
  const mark = claims[markName]
  return typeof mark === "object" && mark !== null ? { ...mark } : undefined
}

/** The absolute end of a session, in milliseconds. */
export const endOf = (mark: SessionMark | undefined): number | undefined => {
  const end = mark?.["end"]
  return typeof end === "number" && Number.isFinite(end) ? end * 1000 : undefined
}

/**
 * The mark of a session as it is written at `now`, in milliseconds. A session that began before the option was set gets its
 * end from then on.
 */
export const markAt = (
  former: SessionMark | undefined,
  absoluteMaxAge: number | undefined,
  now: number
): SessionMark | undefined =>
  absoluteMaxAge === undefined || endOf(former) !== undefined
    ? former
    : { ...former, end: Math.floor(now / 1000) + absoluteMaxAge }

/** The mark of a session that a retired secret opened: it ends with the secret, whatever its token says. */
export const retiredMark = (former: SessionMark | undefined, until: number): SessionMark => ({
  ...former,
  end: Math.min(endOf(former) ?? until, until) / 1000,
  retired: true
})

/** Did a retired secret open the session? */
export const isRetired = (mark: SessionMark | undefined): boolean => mark?.["retired"] === true

/** Claims as callbacks see them. */
export const withoutMark = <A extends Claims>(claims: A): A => {
  if (!Object.hasOwn(claims, markName)) return claims
  const rest = { ...claims }
  Reflect.deleteProperty(rest, markName)
  return rest
}

/** The token of a session in a database with its absolute end, which adapters have no column for. In milliseconds. */
export const endingToken = (token: string, end: number): string => `${token}~${Math.floor(end / 1000).toString(36)}`

/** The absolute end that a token of a session in a database names, in milliseconds. */
export const endOfToken = (token: string): number | undefined => {
  const digits = /~([0-9a-z]{1,9})$/.exec(token)?.[1]
  return digits === undefined ? undefined : Number.parseInt(digits, 36) * 1000
}
