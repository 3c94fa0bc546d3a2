/**
 * Chooses among several session cookies of one name.
 *
 * A browser sends several when they differ in domain or path (RFC 6265 section 5.3). Their order says nothing about which of
 * them this site set, so sessions of different people are refused together.
 */

/** A session that opened. */
export interface OpenSession {
  readonly token: string
  /** Identifies the person. */
  readonly owner: string
  /** Grows with every renewal. */
  readonly renewedAt: number
}

/** The session to go on with, or the people between whom it is not possible to choose. */
export type Choice = { readonly token: string } | { readonly owners: ReadonlyArray<string> }

/** The newest session of one person. With `isCut`, further cookies were not read: then no choice is safe. */
export const choose = (sessions: ReadonlyArray<OpenSession>, isCut: boolean): Choice | undefined => {
  const owners = [...new Set(sessions.map(({ owner }) => owner))]
  const [newest] = sessions.toSorted((one, other) => other.renewedAt - one.renewedAt)
  if (newest === undefined) return undefined
  return owners.length > 1 || isCut ? { owners } : { token: newest.token }
}

/** The session of a token. Tokens without a person belong to one person only when they say the same. */
export const openSession = (token: string, claims: { readonly [name: string]: unknown }): OpenSession => {
  const { email, exp: _exp, iat, jti: _jti, sub, ...rest } = claims
  const name = sub ?? email
  return {
    token,
    owner: typeof name === "string" || typeof name === "number" ? String(name) : JSON.stringify([name, rest]),
    renewedAt: typeof iat === "number" ? iat : 0
  }
}
