/**
 * What an authorization request asks of the sign-in at the provider, and the ID token must then show.
 *
 * It is read from the parameters that were sent, wherever they come from: the server's own call, the configuration or the browser. A
 * provider that does not know a parameter ignores it, so the library compares the request with the answer.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { isJsonObject, type JsonObject, parseJson } from "../internal/JsonText.ts"

/** The requested parameters, as the record of an attempt keeps them. */
export const RequestedSignIn = Schema.Struct({
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

/** What these parameters ask for. */
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
