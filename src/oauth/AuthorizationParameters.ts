/**
 * Parameters that a sign-in adds to the authorization request: `signIn(provider, options, authorizationParams)`.
 *
 * The server itself may set every parameter but those that bind the answer to this client and this attempt. A browser may set
 * none that changes who receives the code or what is granted; that table is closed, and every other name is accepted.
 *
 * @since 0.1.0
 */

import { isLine } from "../internal/Text.ts"

/** Name and value of each. */
export type Parameters = ReadonlyArray<readonly [name: string, value: string]>

/** The accepted parameters, and the names of the refused ones. */
export interface Chosen {
  readonly parameters: Parameters
  readonly refused: ReadonlyArray<string>
}

/** Parameters of the protocol, which only this library sets (RFC 6749 section 4.1.1, RFC 7636, OpenID Connect Core 3.1.2.1). */
const protocol = ["client_id", "nonce", "redirect_uri", "response_mode", "response_type", "state"]

/** Is it one of the parameters of the protocol, PKCE included? */
export const isProtocol = (name: string): boolean => protocol.includes(name) || name.startsWith("code_challenge")

/** A name as servers read it that ignore case, and turn dots, brackets and spaces into something else. */
const spelling = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "")

/** Parameters that a browser may not set. */
const serverOnly: ReadonlySet<string> = new Set(
  [
    ...protocol,
    "code_challenge",
    "code_challenge_method",
    "code_verifier",
    // They replace all other parameters (RFC 9101 section 5).
    "request",
    "request_uri",
    // They describe a client, with redirect URIs of its own (OpenID Connect Core section 7.2.1, OpenID4VP section 5.1).
    "registration",
    "client_metadata",
    "client_metadata_uri",
    // They authenticate a client (RFC 6749 section 2.3.1, RFC 7521 section 4.2).
    "client_secret",
    "client_assertion",
    "client_assertion_type",
    // They are `client_id`, `redirect_uri` and `request` in the words of single platforms.
    "client_key",
    "consumer_key",
    "return_to",
    "return_url",
    "override_default_response_type",
    "signed_request",
    // They bind the code to a key that the library does not have (RFC 9449 section 10).
    "dpop_jkt",
    // They say what is granted, and where it is good (RFC 9396, OpenID Connect Core section 5.5, RFC 8707).
    "authorization_details",
    "claims",
    "resource",
    "config_id",
    "grant_id",
    // It starts another action than a sign-in.
    "kc_action",
    // A member of the library's own forms.
    "csrfToken"
  ].map(spelling)
)

/** Parts of every name for a return address, for a client, and for a grant. */
const withheld = ["redirect", "callback", "appid", "perm"]

/** Bounds of what a browser may add: names as RFC 6749 appendix A.14 spells them. */
const most = 20
const longestValue = 512
const name = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** The parameters of a server's own call. */
export const fromServer = (query: URLSearchParams): Chosen => {
  const parameters = [...new Map(query)]
  return {
    parameters: parameters.filter(([name]) => !isProtocol(name)),
    refused: parameters.flatMap(([name]) => (isProtocol(name) ? [name] : []))
  }
}

/** The parameters of a browser. `allowsScope`: may it ask for more, or less, than the configuration does? */
export const fromBrowser = (query: URLSearchParams, allowsScope: boolean): Chosen => {
  const parameters: Array<readonly [string, string]> = []
  const refused: Array<string> = []
  for (const [one, value] of new Map(query)) {
    const key = spelling(one)
    const passes =
      parameters.length < most &&
      name.test(one) &&
      isLine(value, longestValue) &&
      !serverOnly.has(key) &&
      !withheld.some((part) => key.includes(part)) &&
      (allowsScope || !key.includes("scope"))
    if (passes) parameters.push([one, value])
    // The address to go to afterwards is in the query of many clients, and meant for the library.
    else if (one !== "callbackUrl" && refused.length < most) refused.push(one.slice(0, 64).replace(/[^\w.-]/g, "?"))
  }
  return { parameters, refused }
}

/**
 * Puts parameters of a browser beside those of the configuration, which take precedence; a scope that is allowed replaces the
 * configured one.
 */
export const besides = (configured: Parameters, parameters: Parameters): Parameters => {
  const names = new Set(configured.map(([one]) => spelling(one)))
  return parameters.filter(([one]) => one === "scope" || !names.has(spelling(one)))
}
