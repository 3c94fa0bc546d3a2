/**
 * Reads what the browser brings back from a provider: a code, or an error (RFC 6749 section 4.1.2, RFC 9207). Its form is
 * checked here, and `oauth4webapi` validates what it says.
 *
 * The parameters of a signed answer (JWT Secured Authorization Response Mode, JARM) are claims of a JWT in the parameter
 * `response`, which `jose` verifies. Nothing beside it counts.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { addresses, kinds, memberNames } from "../internal/Mismatch.ts"
import { isLine, longest } from "../internal/Text.ts"
import { member } from "../internal/ThrownValue.ts"
import { errorFault, invalidAnswer, invalidToken, type OAuthFault } from "./Fault.ts"
import type { Flow } from "./Flow.ts"
import type { Connection, Sending } from "./Request.ts"
import { readClaims, type SignedClaims, verifyJwt } from "./SignedToken.ts"

const what = "authorization response"

/** Parameters of an authorization response in the code flow. */
const expected: ReadonlySet<string> = new Set(["code", "error", "state", "iss"])

/** Parameters that it may not carry. */
const foreign: ReadonlySet<string> = new Set(["response", "id_token", "token", "access_token"])

/** The expected parameters of an authorization response, well formed but not verified yet: a code, or an error. */
export const read = (parameters: URLSearchParams): Effect.Effect<URLSearchParams, OAuthFault> => {
  const refuse = (reason: string) => Effect.fail(invalidAnswer(reason))
  const found = new Set<string>()
  const answer = new URLSearchParams()
  let repeated: string | undefined
  // Each of them decides something and may be there only once, as the user that Apple adds.
  parameters.forEach((value, name) => {
    if (found.has(name)) repeated ??= name
    else if (expected.has(name) || foreign.has(name) || name === "user") found.add(name)
    if (expected.has(name)) answer.append(name, value)
  })
  if (repeated !== undefined) return refuse(`the answer carries ${repeated} twice`)
  for (const name of foreign) if (found.has(name)) return refuse(`the answer carries ${name}, which was not asked for`)
  const [code, error] = [answer.get("code"), answer.get("error")]
  if (code !== null && error !== null) return refuse("the answer carries a code and an error")
  if ((error ?? "") === "" && (code ?? "") === "") {
    return refuse(
      `the answer carries no code: expected code and state, got ${memberNames(Object.fromEntries(parameters))}`
    )
  }
  // RFC 6749 appendix A.11 allows visible characters; beyond ASCII they are sent on encoded.
  if (code !== null && !isLine(code, longest.code)) {
    return refuse(`the code in the answer is malformed${kinds(`1 to ${longest.code} visible characters`, code)}`)
  }
  return Effect.succeed(answer)
}

/** The issuer that an answer must come from; `undefined` when `iss` is no tenant of an issuer that stands for many. */
const issuerOf = ({ server, shared }: Connection, iss: unknown): string | undefined => {
  if (shared === undefined || iss === undefined) return server.issuer
  return typeof iss === "string" && shared.isIssuer(iss) ? iss : undefined
}

/**
 * Lets `oauth4webapi` validate the answer to an attempt: `iss` (RFC 9207 section 2.4), `state` and the error of the provider.
 * Gives the parameters that the token request is made of.
 */
export const validate = (
  sending: Sending,
  response: URLSearchParams,
  { redirectUri, state }: Flow
): Effect.Effect<URLSearchParams, OAuthFault> => {
  const { client, protocol, provider, server } = sending
  const iss = response.get("iss") ?? undefined
  const hasIssuer = provider.issuer !== undefined
  const refusal = () =>
    invalidAnswer(
      `the answer ${iss === undefined ? "does not say from which issuer it comes (iss)" : "comes from another issuer"}${addresses(server.issuer, iss)}`
    )
  // A provider without issuer answers as it likes.
  const issuer = hasIssuer ? issuerOf(sending, iss) : (iss ?? "")
  if (issuer === undefined) return Effect.fail(refusal())
  const judge = {
    issuer: issuer === "" ? provider.id : issuer,
    authorization_response_iss_parameter_supported:
      server.authorization_response_iss_parameter_supported === true || (iss !== undefined && hasIssuer)
  }
  return Effect.try({
    try: () => protocol.validateAuthResponse(judge, client, response, state === "" ? protocol.expectNoState : state),
    catch: (thrown) =>
      member(thrown, "code") === "OAUTH_AUTHORIZATION_RESPONSE_ERROR"
        ? errorFault("provider", response.get("error"), redirectUri)
        : refusal()
  })
}

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
 * Reads the answer before anything is verified: enough to find the attempt. An answer without signature is found as well,
 * so that the attempt fails for the right reason.
 */
export const readUnverified = (parameters: URLSearchParams): URLSearchParams => {
  const [text, ...more] = parameters.getAll("response")
  if (text === undefined) return parameters
  return toParameters((more.length === 0 ? readClaims(text) : undefined) ?? {})
}

/** The parameters of an answer whose signature, issuer, audience and expiry are verified (JARM section 2.4). */
export const verifySigned = Effect.fnUntraced(function* (connection: Connection, parameters: URLSearchParams) {
  const { provider, server } = connection
  const [text, ...more] = parameters.getAll("response")
  if (text === undefined)
    return yield* invalidAnswer(
      `the answer is not signed, which its response_mode asks for: expected response, got ${memberNames(Object.fromEntries(parameters))}`
    )
  if (more.length > 0) return yield* invalidAnswer("the answer carries response twice")
  const { iss } = readClaims(text) ?? {}
  const issuer = issuerOf(connection, iss)
  if (issuer === undefined) {
    return yield* invalidToken(`the ${what} comes from another issuer${addresses(server.issuer, iss)}`)
  }
  const expected = {
    what,
    registered: provider.clientMetadata["authorization_signed_response_alg"],
    announced: server.authorization_signing_alg_values_supported,
    jwksUri: server.jwks_uri,
    compared: { iss: issuer, aud: provider.clientId },
    required: ["exp"]
  }
  return toParameters((yield* verifyJwt(connection, expected, text)).claims)
})
