/**
 * Signed authorization responses (JWT Secured Authorization Response Mode, JARM): the parameters are claims of a JWT in the
 * parameter `response`, and nothing beside it counts.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { addresses, names } from "../internal/Mismatch.ts"
import type { RedirectProvider } from "../Provider/internal/Provider.ts"
import type { Metadata } from "./Discovery.ts"
import { invalidAnswer, invalidToken } from "./Fault.ts"
import { isTenantOf } from "./Platform.ts"
import { read, readClaims, type SignedClaims, verify } from "./SignedToken.ts"
import type { Transport } from "./Transport.ts"

const what = "authorization response"

/** The claims that are parameters: texts, and all but the audience, which the JWT alone has. */
const toParameters = (claims: SignedClaims): URLSearchParams =>
  new URLSearchParams(
    Object.fromEntries(
      Object.entries(claims).filter(
        (claim): claim is [string, string] => claim[0] !== "aud" && typeof claim[1] === "string"
      )
    )
  )

/**
 * What the answer says, before anything is verified: enough to find the attempt. An answer without signature is found as well,
 * so that the attempt fails for the right reason.
 */
export const readUnverified = (parameters: URLSearchParams): URLSearchParams => {
  const [text, ...more] = parameters.getAll("response")
  if (text === undefined) return parameters
  return toParameters((more.length === 0 ? readClaims(text) : undefined) ?? {})
}

/** The parameters of an answer whose signature, issuer, audience and expiry are verified (JARM section 2.4). */
export const verifyResponse = Effect.fnUntraced(function* (
  transport: Transport,
  provider: RedirectProvider,
  { authorization_signing_alg_values_supported: announced, issuer, jwks_uri: jwksUri, tenants }: Metadata,
  parameters: URLSearchParams
) {
  const [text, ...more] = parameters.getAll("response")
  if (text === undefined) return yield* invalidAnswer("the answer is not signed, which its response_mode asks for")
  if (more.length > 0) return yield* invalidAnswer("the answer carries response twice")
  const expected = {
    what,
    registered: provider.clientMetadata["authorization_signed_response_alg"],
    announced,
    jwksUri
  }
  const token = yield* read(expected, text)
  yield* verify(transport, provider, expected, token)
  const { aud, exp, iss } = token.claims
  const comesFromIssuer = typeof iss === "string" && (tenants === undefined ? iss === issuer : isTenantOf(tenants, iss))
  if (!comesFromIssuer) return yield* invalidToken(`the ${what} comes from another issuer${addresses(issuer, iss)}`)
  const isForClient = Array.isArray(aud) ? aud.includes(provider.clientId) : aud === provider.clientId
  if (!isForClient) return yield* invalidToken(`the ${what} is for another client${names(provider.clientId, aud)}`)
  if (typeof exp !== "number") return yield* invalidToken(`the ${what} does not say when it expires`)
  return toParameters(token.claims)
})
