/**
 * Chooses among several session cookies of one name.
 *
 * A browser sends several when they differ in domain or path (RFC 6265 section 5.3). Their order says nothing about which of
 * them this site set, so sessions of different users are refused together.
 */

/** A session that opened. */
export interface OpenSession {
  readonly token: string
  /** Identifies the person. */
  readonly owner: string
  /** Grows with every renewal. */
  readonly renewedAt: number
  /** Does the browser name this session by a cookie that only this host can set? `undefined` where it cannot tell. */
  readonly isNamed?: boolean | undefined
}

/** The session to use, or the users between whom the library cannot choose. */
export type Choice = { readonly token: string } | { readonly owners: ReadonlyArray<string> }

/**
 * The session that the browser names, else the newest of one person. With `isCut`, further cookies were not read: then only
 * the named one is a safe choice. Where the browser names a session that is not among these, there is none.
 */
export const choose = (sessions: ReadonlyArray<OpenSession>, isCut: boolean): Choice | undefined => {
  const named = sessions.find(({ isNamed }) => isNamed === true)
  if (named !== undefined) return { token: named.token }
  if (sessions.length === 0) return undefined
  const owners = [...new Set(sessions.map(({ owner }) => owner))]
  const [newest] = sessions
    .filter(({ isNamed }) => isNamed !== false)
    .toSorted((one, other) => other.renewedAt - one.renewedAt)
  return owners.length > 1 || isCut || newest === undefined ? { owners } : { token: newest.token }
}

/** The session of a token. Tokens without a person belong to one person only when they say the same. */
export const openSession = (
  token: string,
  claims: { readonly [name: string]: unknown },
  isNamed?: boolean
): OpenSession => {
  const { email, exp: _exp, iat, jti: _jti, sub, ...rest } = claims
  const name = sub ?? email
  return {
    token,
    owner: typeof name === "string" || typeof name === "number" ? String(name) : JSON.stringify([name, rest]),
    renewedAt: typeof iat === "number" ? iat : 0,
    isNamed
  }
}
