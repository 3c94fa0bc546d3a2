/**
 * Faults of the discovery document and of the keys.
 *
 * @since 0.1.0
 */
import * as Responses from "../Responses.ts"
import { applyChanges, rejectedFault, acceptedFault } from "../Fault.ts"

const start = rejectedFault("discovery", "OAuthSignInError")
const keys = rejectedFault("keys", "OAuthCallbackError")

/** The document is read when a sign-in starts. */
export const discovery = {
  connectionRefused: start("provider_unavailable", "The provider's address refuses connections.", {
    response: Responses.refusesConnections,
    everywhere: true
  }),
  discoveryDown: start("provider_unavailable", "The discovery document is answered with status 503.", {
    response: Responses.down
  }),
  discoverySlow: start("provider_unavailable", "The discovery document comes after a minute.", {
    response: Responses.slow
  }),
  discoveryBrokenOff: start("provider_unavailable", "The connection ends in the middle of the discovery document.", {
    response: Responses.brokenOff
  }),
  discoveryMissing: start("invalid_response", "There is no discovery document (404).", {
    response: Responses.answers(404, { error: "not found" })
  }),
  discoveryMalformed: start("invalid_response", "The discovery document is not JSON.", {
    response: Responses.malformedJson
  }),
  discoveryHtml: start("invalid_response", "The discovery document is an HTML page.", {
    response: Responses.html
  }),
  discoveryHuge: start("invalid_response", "The discovery document is larger than a megabyte.", {
    response: Responses.huge
  }),
  discoveryRedirects: start("invalid_response", "The discovery document has moved to another host.", {
    response: Responses.redirects
  }),
  discoveryWrongIssuer: start("invalid_response", "The discovery document names another issuer.", {
    metadata: () => ({ issuer: "https://elsewhere.test" })
  }),
  discoveryInternalAddress: start(
    "invalid_response",
    "The token endpoint has an address of the server's own network.",
    {
      metadata: () => ({ token_endpoint: "https://169.254.169.254/token" })
    }
  ),
  discoveryPlainAddress: start("invalid_response", "The token endpoint is announced without TLS.", {
    metadata: () => ({ token_endpoint: "http://elsewhere.test/token" })
  }),
  discoveryWithoutAuthorization: start("provider_error", "The discovery document names no authorization endpoint.", {
    metadata: () => ({ authorization_endpoint: undefined })
  }),
  discoveryTalkative: acceptedFault("discovery", "The discovery document has unknown members.", {
    response: Responses.talkative
  }),
  discoveryLeisurely: acceptedFault("discovery", "The discovery document comes after five seconds.", {
    response: Responses.leisurely
  })
} as const

/** The keys are read when the first ID token is checked. */
export const keySet = {
  keysDown: keys("provider_unavailable", "The keys are answered with status 503.", { response: Responses.down }),
  keysSlow: keys("provider_unavailable", "The keys come after a minute.", { response: Responses.slow }),
  keysMalformed: keys("invalid_response", "The keys are not JSON.", { response: Responses.malformedJson }),
  keysHuge: keys("invalid_response", "The keys are larger than a megabyte.", { response: Responses.huge }),
  keysRedirect: keys("invalid_response", "The keys have moved to another host.", { response: Responses.redirects }),
  keysEmpty: keys("invalid_token", "The provider publishes no keys.", { keys: () => [] }),
  keysForEncryption: keys("invalid_token", "The only key is published for encryption.", {
    keys: (first) => [{ ...first, use: "enc" }]
  }),
  keysRotated: acceptedFault("keys", "The provider has a new key, signs with it and publishes it beside the old one.", {
    key: "second",
    header: ({ kid }) => ({ kid }),
    keys: (first, second) => [first, second]
  }),
  keysReplaced: acceptedFault("keys", "The provider has a new key, signs with it and publishes it alone.", {
    key: "second",
    header: ({ kid }) => ({ kid }),
    keys: (_first, second) => [second]
  }),
  keysCrowded: acceptedFault("keys", "Damaged keys and keys for other purposes stand beside the good one.", {
    keys: (first, second) => [
      { kty: "RSA" },
      { kty: "oct", kid: first["kid"], k: "c2VjcmV0" },
      { ...second, use: "enc" },
      first
    ]
  }),
  keyWithoutName: acceptedFault("keys", "The only key has no key id, and the tokens have none.", {
    header: () => ({ kid: undefined }),
    keys: (first) => [applyChanges(first, { kid: undefined })]
  }),
  keysWithoutNames: acceptedFault("keys", "Neither the keys nor the tokens have a key id.", {
    header: () => ({ kid: undefined }),
    keys: (first, second) => [applyChanges(second, { kid: undefined }), applyChanges(first, { kid: undefined })]
  })
} as const
