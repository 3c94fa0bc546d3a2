/**
 * The provider's records of users who consented: codes, access tokens and refresh tokens.
 *
 * A code is good once and for a minute; one that comes again takes its tokens with it (RFC 9700 section 4.14). Refresh
 * tokens are replaced whenever one is used, and an old one takes the rest with it as well.
 *
 * @since 0.1.0
 */
import type * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Base64Url from "../../crypto/Base64Url.ts"

/** The consent of a person. */
export interface Grant {
  readonly sub: string
  readonly clientId: string
  readonly redirectUri: string
  readonly scope: ReadonlySet<string>
  readonly nonce: string | undefined
  /** PKCE challenge for the method `S256`. */
  readonly challenge: string
  /** Seconds since 1970. */
  readonly at: number
}

/** Tokens of a grant. */
export interface Issued {
  readonly grant: Grant
  readonly access: string
  readonly refresh: string
}

interface Kept {
  readonly grant: Grant
  readonly expires: number
}

/** Lifetime of a code, in seconds. */
const codeAge = 60

/** Lifetime of an access token, in seconds. */
export const accessAge = 3600

/** The memory of one provider. */
export interface Grants {
  /** Remembers a grant and gives the code for it. */
  readonly code: (grant: Grant) => Effect.Effect<string>
  /** The grant of a code that is used now for the first time. */
  readonly redeem: (code: string, now: number) => Grant | undefined
  /** The grant of a refresh token that is used now for the first time. */
  readonly renew: (refresh: string) => Grant | undefined
  readonly issue: (grant: Grant, now: number) => Effect.Effect<Issued>
  /** The grant of an access token. */
  readonly read: (access: string, now: number) => Grant | undefined
  /** Ends what a person agreed to, with one client or with all. */
  readonly revoke: (sub: string, clientId?: string) => void
}

/** An empty memory. */
export const make = (random: SecureRandom.SecureRandom["Service"]): Grants => {
  const codes = new Map<string, Kept>()
  const accesses = new Map<string, Kept>()
  const refreshes = new Map<string, Grant>()
  const spent = new Set<string>()
  const endedGrants = new Set<Grant>()

  const name = (kind: string): Effect.Effect<string> =>
    Effect.map(random.randomBytes(24), (bytes) => `${kind}-${Base64Url.encode(bytes)}`)

  /** Takes a grant for the one use that a text is good for. */
  const once = (text: string, grant: Grant | undefined): Grant | undefined => {
    if (grant === undefined || endedGrants.has(grant)) return undefined
    if (spent.has(text)) {
      endedGrants.add(grant)
      return undefined
    }
    spent.add(text)
    return grant
  }

  return {
    code: (grant) =>
      Effect.map(name("code"), (code) => {
        codes.set(code, { grant, expires: grant.at + codeAge })
        return code
      }),
    redeem: (code, now) => {
      const kept = codes.get(code)
      const grant = once(code, kept?.grant)
      return kept !== undefined && now < kept.expires ? grant : undefined
    },
    renew: (refresh) => once(refresh, refreshes.get(refresh)),
    issue: (grant, now) =>
      Effect.map(Effect.all([name("access"), name("refresh")]), ([access, refresh]) => {
        accesses.set(access, { grant, expires: now + accessAge })
        refreshes.set(refresh, grant)
        return { grant, access, refresh }
      }),
    read: (access, now) => {
      const grant = accesses.get(access)
      return grant !== undefined && now < grant.expires && !endedGrants.has(grant.grant) ? grant.grant : undefined
    },
    revoke: (sub, clientId) => {
      const grants = [...codes.values(), ...accesses.values()].map(({ grant }) => grant)
      for (const grant of grants) {
        if (grant.sub === sub && (clientId === undefined || grant.clientId === clientId)) endedGrants.add(grant)
      }
    }
  }
}
