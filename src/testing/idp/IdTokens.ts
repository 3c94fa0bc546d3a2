/**
 * Makes the ID tokens of the provider (OpenID Connect Core section 2) and knows them again.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { applyChanges, type Changes } from "./Fault.ts"
import type { Grant } from "./Grants.ts"
import { type ProviderUser, visibleMembers } from "./Users.ts"
import type { Members, Signer } from "./Signing.ts"

/** The subject of a token. */
export interface Subject {
  readonly grant: Grant
  readonly person: ProviderUser
  /** The access token beside it. */
  readonly access: string
  /** Seconds since 1970. */
  readonly now: number
  /** Refreshed tokens have no nonce (OpenID Connect Core section 12.2). */
  readonly withNonce: boolean
}

/** The ID tokens of one provider. */
export interface IdTokens {
  /** A token, or none when a fault removes it. */
  readonly issue: (subject: Subject) => Effect.Effect<string | undefined>
  /** The grant that a token was issued for. */
  readonly grantOf: (token: string) => Grant | undefined
}

/** Lifetime of a token, in seconds. */
const age = 300

/** Makes and remembers the tokens of a provider. */
export const make = (of: {
  readonly issuer: string
  readonly signer: Signer
  readonly changes: () => Changes
}): IdTokens => {
  const { issuer, signer } = of
  const first = signer.publicKey("first")
  const second = signer.publicKey("second")
  const grantsByToken = new Map<string, Grant>()

  const sign = (honest: Members, now: number, changes: Changes): Effect.Effect<string> => {
    const claims = changes.reduce(
      (made, { claims }) => applyChanges(made, claims?.({ now, claims: made }) ?? {}),
      honest
    )
    const header = changes.reduce<Members>((made, { header }) => applyChanges(made, header?.(second) ?? {}), {
      alg: signer.algorithm,
      kid: first["kid"],
      typ: "JWT"
    })
    const text = changes.reduce((made, { payload }) => payload?.(made) ?? made, JSON.stringify(claims))
    return signer.sign(header, text, changes.findLast(({ key }) => key !== undefined)?.key ?? "first")
  }

  const issue = Effect.fnUntraced(function* ({ access, grant, now, person, withNonce }: Subject) {
    const honest: Members = {
      ...visibleMembers(person, grant.scope),
      iss: issuer,
      aud: grant.clientId,
      sub: grant.sub,
      iat: now,
      exp: now + age,
      auth_time: grant.at,
      at_hash: yield* signer.halfDigest(access),
      ...(withNonce && grant.nonce !== undefined ? { nonce: grant.nonce } : {})
    }
    const changes = of.changes()
    const token = yield* sign(honest, now, changes)
    grantsByToken.set(token, grant)
    return changes.reduce<string | undefined>(
      (made, { idToken }) => (made === undefined || idToken === undefined ? made : idToken(made)),
      token
    )
  })

  return { issue, grantOf: (token) => grantsByToken.get(token) }
}
