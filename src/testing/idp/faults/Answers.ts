/**
 * Faults of the way back from the provider, of the token endpoint and of userinfo.
 *
 * @since 0.1.0
 */
import * as Responses from "../Responses.ts"
import { rejectedFault, acceptedFault } from "../Fault.ts"

const back = rejectedFault("authorize", "OAuthCallbackError")
const otherAttempt = rejectedFault("authorize", "InvalidCheck")
const exchange = rejectedFault("token", "OAuthCallbackError")
const profile = rejectedFault("userinfo", "OAuthCallbackError")

/** The parameters of the browser's return. */
export const authorize = {
  declined: back("access_denied", "The person declines (access_denied).", { decline: "access_denied" }),
  loginRequired: back("login_required", "The provider would have to ask the person (login_required).", {
    decline: "login_required"
  }),
  authorizeOverloaded: back("provider_unavailable", "The provider is overloaded (temporarily_unavailable).", {
    decline: "temporarily_unavailable"
  }),
  authorizeError: back("provider_error", "The provider fails while the person is there (server_error).", {
    decline: "server_error"
  }),
  wrongState: otherAttempt("flow_mismatch", "The browser brings another state back.", {
    back: (parameters) => parameters.set("state", "another-state")
  }),
  missingState: otherAttempt("flow_missing", "The browser brings no state back.", {
    back: (parameters) => parameters.delete("state")
  }),
  repeatedState: otherAttempt("flow_mismatch", "The browser brings two states back.", {
    back: (parameters) => parameters.append("state", "another-state")
  }),
  wrongIss: back("invalid_response", "The answer says that another issuer gave it (RFC 9207).", {
    back: (parameters) => parameters.set("iss", "https://elsewhere.test")
  }),
  missingIss: back("invalid_response", "The answer does not say which issuer gave it, although that was announced.", {
    back: (parameters) => parameters.delete("iss")
  }),
  missingCode: back("invalid_response", "The answer has neither a code nor an error.", {
    back: (parameters) => parameters.delete("code")
  }),
  repeatedCode: back("invalid_response", "The answer has two codes.", {
    back: (parameters) => parameters.append("code", "another-code")
  }),
  codeAndError: back("invalid_response", "The answer has a code and an error.", {
    back: (parameters) => parameters.set("error", "server_error")
  }),
  tokenInAddress: back("invalid_response", "The answer has an access token in its address.", {
    back: (parameters) => parameters.set("access_token", "a-token-that-was-not-asked-for")
  }),
  wrongCode: exchange("provider_error", "The browser brings back a code that the provider does not know.", {
    back: (parameters) => parameters.set("code", "another-code")
  })
} as const

/** The code is exchanged. */
export const token = {
  replayedCode: exchange("provider_error", "The code was redeemed already (invalid_grant).", {
    redeemed: true
  }),
  tokenDown: exchange("provider_unavailable", "The token endpoint answers with status 503.", {
    response: Responses.down
  }),
  tokenOverloaded: exchange("provider_unavailable", "The token endpoint has had too many requests (429).", {
    response: Responses.answers(429, { message: "too many requests" })
  }),
  tokenSlow: exchange("provider_unavailable", "The token endpoint answers after a minute.", {
    response: Responses.slow
  }),
  tokenBrokenOff: exchange("provider_unavailable", "The connection ends in the middle of the token response.", {
    response: Responses.brokenOff
  }),
  tokenHuge: exchange("invalid_response", "The token response is larger than a megabyte.", {
    response: Responses.huge
  }),
  tokenMalformed: exchange("invalid_response", "The token response is not JSON.", {
    response: Responses.malformedJson
  }),
  tokenHtml: exchange("invalid_response", "The token response is an HTML page.", { response: Responses.html }),
  tokenRedirects: exchange("invalid_response", "The token endpoint has moved to another host.", {
    response: Responses.redirects
  }),
  tokenError: exchange("provider_error", "The token endpoint does not accept the code (invalid_grant).", {
    response: Responses.answers(400, { error: "invalid_grant" })
  }),
  tokenErrorInSuccess: exchange("provider_error", "The token endpoint reports an error with status 200.", {
    response: Responses.answers(200, { error: "invalid_grant" })
  }),
  clientRefused: exchange("provider_error", "The token endpoint does not accept the client (invalid_client).", {
    response: Responses.answers(401, { error: "invalid_client" })
  }),
  wrongTokenType: exchange("invalid_response", "The access token is of an unknown type.", {
    tokens: () => ({ token_type: "mac" })
  }),
  missingAccessToken: exchange("invalid_response", "There is no access token.", {
    tokens: () => ({ access_token: undefined })
  }),
  structuredTokens: exchange("invalid_response", "The tokens are no texts.", {
    tokens: () => ({ access_token: { value: "a-token" } })
  }),
  tokenTalkative: acceptedFault("token", "The token response has unknown members.", {
    response: Responses.talkative
  }),
  tokenWithoutLifetime: acceptedFault(
    "token",
    "The token response does not say how long the access token is good for.",
    {
      tokens: () => ({ expires_in: undefined })
    }
  ),
  tokenCareless: acceptedFault("token", "The token type is in capitals, and the lifetime is a text.", {
    tokens: () => ({ token_type: "BEARER", expires_in: "3600" })
  }),
  tokenLeisurely: acceptedFault("token", "The token endpoint answers after five seconds.", {
    response: Responses.leisurely
  })
} as const

/** Userinfo is asked for the profile by providers with `idToken: false`. */
export const userinfo = {
  userinfoDown: profile("provider_unavailable", "Userinfo answers with status 503.", { response: Responses.down }),
  userinfoSlow: profile("provider_unavailable", "Userinfo answers after a minute.", { response: Responses.slow }),
  userinfoRefused: profile("invalid_response", "Userinfo does not accept the access token (401).", {
    response: Responses.answers(401, { error: "invalid_token" })
  }),
  userinfoMalformed: profile("invalid_response", "The userinfo response is not JSON.", {
    response: Responses.malformedJson
  }),
  userinfoHtml: profile("invalid_response", "The userinfo response is an HTML page.", { response: Responses.html }),
  userinfoHuge: profile("invalid_response", "The userinfo response is larger than a megabyte.", {
    response: Responses.huge
  }),
  userinfoRedirects: profile("invalid_response", "Userinfo has moved to another host.", {
    response: Responses.redirects
  }),
  userinfoOtherSubject: profile("invalid_response", "The userinfo response is about another person.", {
    userinfo: () => ({ sub: "somebody-else" })
  }),
  userinfoMissingSubject: profile("invalid_response", "The userinfo response does not say about whom it is.", {
    userinfo: () => ({ sub: undefined })
  })
} as const
