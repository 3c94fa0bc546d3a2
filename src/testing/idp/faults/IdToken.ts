/**
 * Faults of the ID token: what it says, and how it is signed.
 *
 * @since 0.1.0
 */
import { type Change, rejectedFault, acceptedFault } from "../Fault.ts"
import type { Members } from "../Signing.ts"

const invalid = rejectedFault("idToken", "OAuthCallbackError")
const token = (what: string, change: Change) => invalid("invalid_token", what, change)
const says = (what: string, claims: Members) => token(what, { claims: () => claims })

/** The token is checked when the code has been exchanged. */
export const idToken = {
  wrongIssuer: says("The ID token comes from another issuer.", { iss: "https://elsewhere.test" }),
  missingIssuer: says("The ID token does not say which issuer it comes from.", { iss: undefined }),
  wrongAudience: says("The ID token is for another client.", { aud: "another-client" }),
  missingAudience: says("The ID token has no audience.", { aud: undefined }),
  manyAudiences: token("The ID token is for this client and for an untrusted one.", {
    claims: ({ claims }) => ({ aud: [claims["aud"], "another-client"], azp: claims["aud"] })
  }),
  wrongParty: says("The ID token was issued to another client.", { azp: "another-client" }),
  wrongNonce: says("The ID token carries another nonce than was sent.", { nonce: "another-nonce" }),
  missingNonce: says("The ID token carries no nonce.", { nonce: undefined }),
  expiredToken: token("The ID token expired two minutes ago.", { claims: ({ now }) => ({ exp: now - 120 }) }),
  missingExpiry: says("The ID token never expires.", { exp: undefined }),
  futureToken: token("The ID token was issued two minutes from now.", { claims: ({ now }) => ({ iat: now + 120 }) }),
  missingIssueTime: says("The ID token does not say when it was issued.", { iat: undefined }),
  oldToken: token("The ID token was issued an hour ago.", { claims: ({ now }) => ({ iat: now - 3600 }) }),
  earlyToken: token("The ID token is valid two minutes from now.", { claims: ({ now }) => ({ nbf: now + 120 }) }),
  missingSubject: says("The ID token has no subject.", { sub: undefined }),
  emptySubject: says("The subject of the ID token is empty.", { sub: "" }),
  numericSubject: says("The subject of the ID token is a number.", { sub: 1 }),
  wrongAtHash: says("The ID token belongs to another access token.", { at_hash: "AAAAAAAAAAAAAAAAAAAAAA" }),
  wrongCHash: says("The ID token belongs to another code.", { c_hash: "AAAAAAAAAAAAAAAAAAAAAA" }),
  repeatedClaim: token("The ID token says twice who the person is.", {
    payload: (text) => `{"sub":"somebody-else",${text.slice(1)}`
  }),
  wrongSignature: token("The ID token is signed with another key than its header names.", { key: "second" }),
  unpublishedKey: token("The ID token is signed with a key that is not published.", {
    key: "second",
    header: ({ kid }) => ({ kid })
  }),
  embeddedKey: token("The ID token is signed with a key that its header brings along.", {
    key: "second",
    header: (second) => ({ kid: second["kid"], jwk: second })
  }),
  unsignedToken: token("The ID token is not signed (alg none).", { key: "nothing", header: () => ({ alg: "none" }) }),
  wrongAlgorithm: token("The ID token is signed with the public key as a shared secret (HS256).", {
    key: "publicKey",
    header: () => ({ alg: "HS256" })
  }),
  foreignType: token("The ID token is an access token by its type.", { header: () => ({ typ: "at+jwt" }) }),
  criticalHeader: token("The ID token requires an unknown extension.", {
    header: () => ({ crit: ["x-test"], "x-test": true })
  }),
  malformedIdToken: token("The ID token is no token.", { idToken: () => "no.token" }),
  alteredIdToken: token("A claim of the ID token was altered after it was signed.", {
    idToken: (signed) => signed.replace(/\.[^.]+\./, `.${btoa('{"sub":"somebody-else"}').replace(/=+$/, "")}.`)
  }),
  encryptedIdToken: token("The ID token is encrypted.", { idToken: (signed) => `${signed}.AAAA.AAAA` }),
  missingIdToken: invalid("invalid_response", "There is no ID token.", { idToken: () => undefined }),
  structuredName: rejectedFault("idToken", "OAuthProfileParseError")(
    "profile_invalid",
    "The person's name is no text.",
    {
      claims: () => ({ name: { given: "Ada" } })
    }
  ),
  skewedClock: acceptedFault("idToken", "The provider's clock is half a minute ahead.", {
    claims: ({ now }) => ({ iat: now + 30, nbf: now + 30 })
  }),
  listedAudience: acceptedFault("idToken", "The audience of the ID token is a list of this client alone.", {
    claims: ({ claims }) => ({ aud: [claims["aud"]] })
  })
} as const
