/**
 * The record of one sign-in attempt at a provider: what the browser keeps, sealed, between leaving and coming back.
 *
 * Everything that must be equal on both legs stands here (RFC 9700 sections 2.1 and 4.4): the provider and its issuer, the
 * redirect URI, the state, the PKCE verifier, the nonce. The record is written and read by `Checks.ts`; the protocol code
 * only compares with it.
 *
 * The record also holds what the authorization request asked for, wherever a parameter came from: the server's own call, the
 * configuration or the browser. A provider that does not know a parameter ignores it, so the ID token is compared with the record.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { isJsonObject, type JsonObject, parseJson } from "../internal/JsonText.ts"

/** The requested parameters, as the record of an attempt keeps them. */
const RequestedSignIn = Schema.Struct({
  /** Seconds since the person last signed in (OpenID Connect Core section 3.1.2.1). */
  maxAge: Schema.optionalKey(Schema.Finite),
  /** Values of an essential `acr`; an empty list for any (OpenID Connect Core section 5.5.1). */
  acr: Schema.optionalKey(Schema.Array(Schema.String)),
  /** The hosted domain of Google. */
  hd: Schema.optionalKey(Schema.String),
  /** The scope of this attempt, where it is not the configured one. */
  scope: Schema.optionalKey(Schema.String)
})
export type RequestedSignIn = typeof RequestedSignIn.Type

const text = Schema.optional(Schema.String)

/** The record as the cookie has it. */
const FlowRecord = Schema.Struct({
  /** Id of the provider that the browser was sent to. */
  provider: Schema.String,
  /** Issuer that the provider had then, when it has one. */
  issuer: text,
  /** The `redirect_uri` of the authorization request; the token request repeats it (RFC 6749 section 4.1.3). */
  redirectUri: text,
  /** Value of the `state` parameter; empty for an attempt that Auth.js began with PKCE or a nonce alone. */
  state: Schema.String,
  /** PKCE verifier (RFC 7636 section 4.1). */
  codeVerifier: text,
  /** Nonce of the ID token (OIDC Core section 3.1.2.1). */
  nonce: text,
  /** The requirements of the authorization request; absent for an attempt that Auth.js began. */
  requested: Schema.optional(RequestedSignIn),
  /** Where the person goes after signing in; validated when it was written. */
  target: text,
  /** Names the session that started the attempt, where accounts can be linked to it. */
  session: text,
  /** Does the session outlive the browser? A record has `false` alone; absent for an attempt that Auth.js began. */
  isRemembered: Schema.optional(Schema.Boolean),
  /** When the browser was sent away, in milliseconds since 1970, where the provider can end sessions. */
  begun: Schema.optional(Schema.Number),
  /** The host where the attempt began. */
  host: text
})

/**
 * One sign-in attempt.
 *
 * @category models
 * @since 0.1.0
 */
export interface Flow extends Schema.Schema.Type<typeof FlowRecord> {
  /** Random name of this attempt; also the key under which its use is remembered. */
  readonly id: string
  readonly redirectUri: string
  readonly target: string
}

/** Reads the record from the claims of its cookie. */
export const decodeRecord = Schema.decodeUnknownOption(FlowRecord)

/** The member `acr` of a `claims` parameter that requests it as essential. */
const essentialAcr = (claims: string | undefined): JsonObject | undefined => {
  const request = claims === undefined ? undefined : parseJson(claims)
  const idToken = isJsonObject(request) ? request["id_token"] : undefined
  const acr = isJsonObject(idToken) ? idToken["acr"] : undefined
  return isJsonObject(acr) && acr["essential"] === true ? acr : undefined
}

/** Accepted values: those of the claim, else those of `acr_values`. */
const acceptedAcr = ({ value, values }: JsonObject, acrValues: string | undefined): ReadonlyArray<string> =>
  Array.isArray(values)
    ? values.filter((one) => typeof one === "string")
    : typeof value === "string"
      ? [value]
      : (acrValues ?? "").split(" ").filter((one) => one !== "")

/** The requirements in these parameters of an authorization request. */
export const requestedBy = (parameters: ReadonlyMap<string, string>): RequestedSignIn => {
  const maxAge = parameters.get("max_age") ?? ""
  const acr = essentialAcr(parameters.get("claims"))
  const hd = parameters.get("hd") ?? ""
  return {
    ...(maxAge.trim() !== "" && Number(maxAge) >= 0 && Number(maxAge) < Infinity ? { maxAge: Number(maxAge) } : {}),
    ...(acr === undefined ? {} : { acr: acceptedAcr(acr, parameters.get("acr_values")) }),
    // An asterisk is any domain.
    ...(hd === "" || hd === "*" ? {} : { hd })
  }
}
