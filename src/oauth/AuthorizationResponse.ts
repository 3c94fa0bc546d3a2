/**
 * Reads what the browser brings back from a provider: a code, or an error (RFC 6749 section 4.1.2, RFC 9207). Its form is
 * checked here, and `oauth4webapi` validates what it says.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { isJsonObject } from "../internal/JsonText.ts"
import { addresses } from "../internal/Mismatch.ts"
import { isLine, longest } from "../internal/Text.ts"
import type { RedirectProvider } from "../Provider/internal/Provider.ts"
import type { Metadata } from "./Discovery.ts"
import {
  accessDenied,
  invalidAnswer,
  loginRequired,
  nameOf,
  type OAuthFault,
  providerError,
  unavailable,
  unregistered
} from "./Fault.ts"
import type { Flow } from "./Flow.ts"
import { call } from "./Library.ts"
import { isTenantOf } from "./Platform.ts"

/** What the browser brought, well formed but not believed yet. */
export interface AuthorizationResponse {
  readonly code: string
  readonly error: string | undefined
  readonly state: string | undefined
  readonly iss: string | undefined
}

/** Parameters that decide something and may therefore be there only once. */
const single = ["code", "error", "state", "iss", "response", "id_token", "token", "access_token", "user"]

/** Reads the parameters of an authorization response. */
export const read = (parameters: URLSearchParams): Effect.Effect<AuthorizationResponse, OAuthFault> => {
  const repeated = single.find((name) => parameters.getAll(name).length > 1)
  if (repeated !== undefined) return Effect.fail(invalidAnswer(`the answer carries ${repeated} twice`))
  const foreign = ["response", "id_token", "token", "access_token"].find((name) => parameters.has(name))
  if (foreign !== undefined) return Effect.fail(invalidAnswer(`the answer carries ${foreign}, which was not asked for`))
  const code = parameters.get("code")
  const error = parameters.get("error") ?? undefined
  if (code !== null && error !== undefined) return Effect.fail(invalidAnswer("the answer carries a code and an error"))
  if ((error ?? "") === "" && (code ?? "") === "") return Effect.fail(invalidAnswer("the answer carries no code"))
  // RFC 6749 appendix A.11 allows visible characters; beyond ASCII they are sent on encoded.
  if (code !== null && !isLine(code, longest.code)) {
    return Effect.fail(invalidAnswer("the code in the answer is malformed"))
  }
  return Effect.succeed({
    code: code ?? "",
    error,
    state: parameters.get("state") ?? undefined,
    iss: parameters.get("iss") ?? undefined
  })
}

/**
 * Lets `oauth4webapi` validate the answer to an attempt: `iss` (RFC 9207 section 2.4), `state` and the error of the provider.
 * Gives the parameters that the token request is made of.
 */
export const validate = (
  provider: RedirectProvider,
  response: AuthorizationResponse,
  metadata: Metadata | undefined,
  { redirectUri, state }: Flow
): Effect.Effect<URLSearchParams, OAuthFault> => {
  const { iss } = response
  const { issuer = provider.issuer, tenants } = metadata ?? {}
  const isForeign = iss !== undefined && tenants !== undefined && !isTenantOf(tenants, iss)
  // An issuer that stands for many tenants answers as one of them, and a provider without issuer as it likes.
  const expected = iss !== undefined && !isForeign && (tenants !== undefined || issuer === undefined) ? iss : issuer
  const server = {
    issuer: expected === undefined || expected === "" ? provider.id : expected,
    authorization_response_iss_parameter_supported:
      metadata?.authorization_response_iss_parameter_supported === true || (iss !== undefined && issuer !== undefined)
  }
  const refuse = () =>
    invalidAnswer(
      iss === undefined
        ? "the answer does not say from which issuer it comes"
        : `the answer comes from another issuer${addresses(issuer, iss)}`
    )
  if (isForeign) return Effect.fail(refuse())
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(response)) if (typeof value === "string") parameters.set(name, value)
  return call(
    ({ expectNoState, validateAuthResponse }) =>
      validateAuthResponse(server, { client_id: provider.clientId }, parameters, state === "" ? expectNoState : state),
    (error) =>
      response.error !== undefined && isJsonObject(error) && error["code"] === "OAUTH_AUTHORIZATION_RESPONSE_ERROR"
        ? errorFault(response.error, redirectUri)
        : refuse()
  )
}

/** The fault behind an error that the provider reports; its own words are not repeated. */
const errorFault = (error: string, redirectUri: string): OAuthFault => {
  switch (error) {
    case "redirect_uri_mismatch":
      return providerError(unregistered(redirectUri))
    case "access_denied":
    case "user_cancelled_authorize":
    case "user_cancelled_login":
      return accessDenied("the person or the provider refused (access_denied)")
    case "login_required":
    case "interaction_required":
    case "consent_required":
    case "account_selection_required":
      return loginRequired(`the provider would have to ask the person (${nameOf(error)})`)
    case "temporarily_unavailable":
      return unavailable("the provider reports that it is overloaded (temporarily_unavailable)")
    case "unauthorized_client":
      return providerError("the provider does not know this client (unauthorized_client); check the client id")
    default:
      return providerError(`the provider reports ${nameOf(error)}`)
  }
}
