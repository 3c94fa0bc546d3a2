/**
 * What the library itself keeps of a session: a claim of the token, or the end of the token of a session in a database.
 *
 * Callbacks and clients never see it. Members that this version does not know are kept as they are
 * (docs/decisions/session-cookie.md).
 */
/** The claim. Applications and clients cannot set it. */
export const markName = "effect-doorman"

/**
 * The claim by its members.
 *
 * | member    | meaning                                                                                   |
 * | --------- | ----------------------------------------------------------------------------------------- |
 * | `v`       | version of this format; absent where only `end` was written                               |
 * | `sid`     | id of the session, the same through all renewals                                          |
 * | `end`     | absolute end of the session, in seconds since 1970                                        |
 * | `retired` | a retired secret opened the session: an attacker who knows that secret can have made it   |
 * | `temp`    | the session ends with the browser: its cookie has no end                                  |
 * | `epoch`   | generation of the user's sessions at the sign-in, for revocation                          |
 *
 * @category models
 * @since 0.1.0
 */
export type SessionMark = Readonly<Record<string, unknown>>

type Claims = Readonly<Record<string, unknown>>

const version = 1

/**
 * Why the session of this mark does not count at `now`, in milliseconds. A newer version may rely on members that this one does
 * not check.
 */
export const refusalOf = (mark: SessionMark | undefined, now: number): "version_unknown" | "expired" | undefined => {
  if (mark === undefined) return undefined
  const { v } = mark
  if (v !== undefined && v !== version) return "version_unknown"
  return (endOf(mark) ?? Number.POSITIVE_INFINITY) <= now ? "expired" : undefined
}

/** The mark of a session that begins. */
export const firstMark = (sid: string): SessionMark => ({ v: version, sid })

/** The mark after a renewal. A session that has no id gets `sid`; without one it stays as it is. */
export const nextMark = (former: SessionMark | undefined, sid: string | undefined): SessionMark | undefined => {
  const id = sidOf(former) ?? sid
  return id === undefined ? former : { ...former, v: version, sid: id }
}

/** The mark of a session with the generation of the user's sessions; a user none of whose sessions were revoked has none. */
export const withEpoch = (mark: SessionMark | undefined, epoch: number | undefined): SessionMark | undefined =>
  epoch === undefined ? mark : { ...mark, epoch }

/** The generation of the user's sessions at the sign-in. */
export const epochOf = (mark: SessionMark | undefined): number | undefined => {
  const epoch = mark?.["epoch"]
  return typeof epoch === "number" && Number.isFinite(epoch) ? epoch : undefined
}

/** The id of a session. */
export const sidOf = (mark: SessionMark | undefined): string | undefined => asSid(mark?.["sid"])

/** A text that can be the id of a session. */
export const asSid = (value: unknown): string | undefined =>
  typeof value === "string" && /^[\w-]{16,64}$/.test(value) ? value : undefined

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
export const withoutMark = <A extends Claims>(claims: A): Omit<A, typeof markName> => {
  if (claims[markName] === undefined) return claims
  const { [markName]: _, ...rest } = claims
  return rest
}

/** The token of a session in a database with its absolute end, which adapters have no column for. In milliseconds. */
export const endingToken = (token: string, end: number): string => `${token}~${Math.floor(end / 1000).toString(36)}`

/** The absolute end that a token of a session in a database names, in milliseconds. */
export const endOfToken = (token: string): number | undefined => {
  const digits = /~([0-9a-z]{1,9})$/.exec(token)?.[1]
  return digits === undefined ? undefined : Number.parseInt(digits, 36) * 1000
}

/** Identifies the person of claims. Tokens without a person belong to one person only when they say the same. */
export const ownerOf = (claims: Claims): string => {
  const { email, exp: _exp, iat: _iat, jti: _jti, sub, ...rest } = claims
  const name = sub ?? email
  return typeof name === "string" || typeof name === "number" ? String(name) : JSON.stringify([name, rest])
}
