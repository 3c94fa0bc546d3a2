/**
 * Faults of an ID token (OpenID Connect Core sections 2 and 3.1.3.7, RFC 7515, RFC 8725).
 */
import { createHmac, createPublicKey } from "node:crypto"
import { afterAll, beforeAll, it } from "vitest"
import type { ForgedIssuer, ForgingProvider, Signing } from "./ForgingProvider.ts"
import { base64url, makeSigningKey, privateJwk, signed, startForgingProvider } from "./ForgingProvider.ts"
import type { Fault } from "./hostile/Fault.ts"
import { refused, signedIn, without } from "./hostile/Fault.ts"
import { playFault } from "./hostile/Visit.ts"

type Claims = Readonly<Record<string, unknown>>

const badToken = refused("invalid_token")

/** Claims that differ in some members. */
const claims = (
  title: string,
  change: (honest: Claims, issuer: ForgedIssuer) => Claims,
  outcome: Fault["outcome"] = badToken
): Fault => ({ title, dials: (issuer) => ({ claims: (honest) => change(honest, issuer) }), outcome })

/** A header or signature that differs; the claims are honest. */
const signature = (
  title: string,
  sign: (signing: Signing, issuer: ForgedIssuer) => string,
  outcome: Fault["outcome"] = badToken
): Fault => ({
  title,
  dials: (issuer) => ({ sign: (signing) => sign(signing, issuer) }),
  outcome,
  check: ({ count }) => {
    if (count.elsewhere !== 0) throw new Error("a URL in a token header was fetched")
  }
})

/** Whole seconds since the epoch plus some. */
const inSeconds = (honest: Claims, seconds: number): number => Number(honest["iat"]) + seconds

const issuers: ReadonlyArray<readonly [string, (issuer: string) => unknown]> = [
  ["another issuer", () => "https://evil.example"],
  ["a trailing slash more", (issuer) => `${issuer}/`],
  ["another case", (issuer) => issuer.toUpperCase()],
  ["an array", (issuer) => [issuer]],
  ["a number", () => 1],
  ["an object", (issuer) => ({ toString: issuer })]
]

const claimFaults: ReadonlyArray<Fault> = [
  ...issuers.map(([what, value]) =>
    claims(`P041, P248 iss is ${what}`, (honest, { issuer }) => ({ ...honest, iss: value(issuer) }))
  ),
  claims("P041 iss is missing", (honest) => without(honest, "iss")),
  claims("P250 aud is somebody else", (honest) => ({ ...honest, aud: "another-client" })),
  claims("P250 aud is missing", (honest) => without(honest, "aud")),
  claims("P250 aud is empty", (honest) => ({ ...honest, aud: [] })),
  claims("P250 aud is an object", (honest) => ({ ...honest, aud: { [String(honest["aud"])]: true } })),
  claims("P043 aud names a second client", (honest, { clientId }) => ({
    ...honest,
    aud: [clientId, "another-client"],
    azp: clientId
  })),
  claims("P044 aud has two and azp is another", (honest, { clientId }) => ({
    ...honest,
    aud: [clientId, "another-client"],
    azp: "another-client"
  })),
  claims("P045 azp is another client", (honest) => ({ ...honest, azp: "another-client" })),
  claims("P286 aud is an array of one", (honest, { clientId }) => ({ ...honest, aud: [clientId] }), signedIn),
  claims("P059 exp is missing", (honest) => without(honest, "exp")),
  claims("P059 exp is text", (honest) => ({ ...honest, exp: String(honest["exp"]) })),
  claims("P059 exp is null", (honest) => ({ ...honest, exp: null })),
  claims("P059 exp is beyond every date", (honest) => ({ ...honest, exp: 1e308 })),
  claims("P059 exp is negative", (honest) => ({ ...honest, exp: -1 })),
  claims("P059, H142 exp was two minutes ago", (honest) => ({
    ...honest,
    iat: inSeconds(honest, -240),
    exp: inSeconds(honest, -120)
  })),
  claims("P061, P251 iat is missing", (honest) => without(honest, "iat")),
  claims("P061 iat is text", (honest) => ({ ...honest, iat: String(honest["iat"]) })),
  claims("P062, H142 iat is ten minutes ahead", (honest) => ({
    ...honest,
    iat: inSeconds(honest, 600),
    exp: inSeconds(honest, 900)
  })),
  claims("H142 iat is twenty seconds ahead", (honest) => ({ ...honest, iat: inSeconds(honest, 20) }), signedIn),
  claims("P063 iat was an hour ago", (honest) => ({ ...honest, iat: inSeconds(honest, -3600) })),
  claims("P063 iat was a week ago", (honest) => ({ ...honest, iat: inSeconds(honest, -604_800) })),
  claims("P064 nbf is ten minutes ahead", (honest) => ({ ...honest, nbf: inSeconds(honest, 600) })),
  claims("P064 nbf is text", (honest) => ({ ...honest, nbf: "now" })),
  claims("P065 nonce is missing", (honest) => without(honest, "nonce")),
  claims("P065, P263 nonce is another", (honest) => ({ ...honest, nonce: "another" })),
  claims("P065 nonce is an array", (honest) => ({ ...honest, nonce: [honest["nonce"]] })),
  claims("P067, P249 sub is missing", (honest) => without(honest, "sub")),
  ...(
    [
      ["empty", ""],
      ["a number", 7],
      ["an object", { id: "person" }],
      ["an array", ["person"]],
      ["null", null],
      ["longer than 255 characters", "x".repeat(256)],
      ["not ASCII", "pérson"],
      ["with a NUL", "per\u0000son"]
    ] as const
  ).map(([what, sub]) => claims(`P068 sub is ${what}`, (honest) => ({ ...honest, sub }))),
  claims("P266 at_hash is of another token", (honest) => ({ ...honest, at_hash: "AAAAAAAAAAAAAAAAAAAAAA" })),
  claims("P266 at_hash is missing", (honest) => without(honest, "at_hash"), signedIn),
  claims("P073 c_hash is of another code", (honest) => ({ ...honest, c_hash: "AAAAAAAAAAAAAAAAAAAAAA" })),
  claims("P073 s_hash is of another state", (honest) => ({ ...honest, s_hash: "AAAAAAAAAAAAAAAAAAAAAA" })),
  {
    title: "P039 the token response has no ID token",
    dials: () => ({ token: (honest) => ({ json: without(honest, "id_token") }) }),
    outcome: refused("invalid_token", "invalid_response")
  }
]

const asked = (maxAge: number) => () => ({ authorization: { params: { scope: "openid", max_age: maxAge } } })

const authenticationTime: ReadonlyArray<Fault> = [
  { ...claims("P070 auth_time is missing though max_age was sent", (honest) => honest), provider: asked(60) },
  {
    ...claims("P070 auth_time is too old for max_age", (honest) => ({
      ...honest,
      auth_time: inSeconds(honest, -3600)
    })),
    provider: asked(60)
  },
  {
    ...claims(
      "P070 auth_time is within max_age",
      (honest) => ({ ...honest, auth_time: inSeconds(honest, -10) }),
      signedIn
    ),
    provider: asked(60)
  }
]

const hmac = (signing: Signing, key: string | Buffer): string => {
  const input = `${base64url({ ...signing.header, alg: "HS256" })}.${base64url(signing.claims)}`
  return `${input}.${createHmac("sha256", key).update(input).digest("base64url")}`
}

const stranger = makeSigningKey()

const flipped = (token: string): string => {
  const [header = "", payload = "", given = ""] = token.split(".")
  return `${header}.${payload}.${given.startsWith("A") ? "B" : "A"}${given.slice(1)}`
}

const withHeader = (signing: Signing, more: Claims): string =>
  signed({ ...signing, header: { ...signing.header, ...more } })

const byStranger = (signing: Signing, more: Claims = {}): string =>
  signed({ ...signing, key: stranger, header: { ...signing.header, ...more } })

const signatureFaults: ReadonlyArray<Fault> = [
  signature("P047, P256 the signature is wrong", (signing) => flipped(signed(signing))),
  signature("P047 the signature is empty", (signing) => signed(signing).replace(/[^.]*$/, "")),
  signature("P047 the claims were changed after signing", (signing) => {
    const [header = "", , given = ""] = signed(signing).split(".")
    return `${header}.${base64url({ ...signing.claims, sub: "somebody-else" })}.${given}`
  }),
  signature("P047 another key signed under the honest key id", (signing) => byStranger(signing)),
  signature(
    "P049, P255 alg is none",
    (signing) => `${base64url({ ...signing.header, alg: "none" })}.${base64url(signing.claims)}.`
  ),
  signature(
    "P049 alg is none in another case",
    (signing) => `${base64url({ ...signing.header, alg: "nOnE" })}.${base64url(signing.claims)}.`
  ),
  signature("P050 alg is not the registered one", (signing) => withHeader(signing, { alg: "PS256" })),
  signature("P050 alg is missing", (signing) => signed({ ...signing, header: without(signing.header, "alg") })),
  signature("P051, P257 HS256 with the client secret", (signing) => hmac(signing, signing.clientSecret)),
  signature("P051 HS256 with the public key as PEM", (signing) =>
    hmac(signing, createPublicKey(signing.key.privateKey).export({ format: "pem", type: "spki" }))
  ),
  signature("P051 HS256 with the public key as DER", (signing) =>
    hmac(signing, createPublicKey(signing.key.privateKey).export({ format: "der", type: "spki" }))
  ),
  signature(
    "P053 kid is missing and there is one key",
    (signing) => signed({ ...signing, header: without(signing.header, "kid") }),
    signedIn
  ),
  {
    ...signature("P055 kid is unknown", (signing) => byStranger(signing, { kid: "unknown" })),
    check: ({ count }) => {
      if (count.jwks > 2) throw new Error(`the key set was fetched ${count.jwks} times for one unknown key`)
    }
  },
  signature("P055 kid is a path", (signing) => byStranger(signing, { kid: "../../../dev/null" })),
  signature("P055 kid is a name of every object", (signing) => byStranger(signing, { kid: "__proto__" })),
  signature("P055 kid is a number", (signing) => byStranger(signing, { kid: 7 })),
  signature("P057 jwk brings its own key", (signing) => byStranger(signing, { jwk: stranger.publicJwk })),
  signature("P057 jku points to a key set", (signing, { elsewhere }) => byStranger(signing, { jku: elsewhere })),
  signature("P057 x5u points to a certificate", (signing, { elsewhere }) => byStranger(signing, { x5u: elsewhere })),
  signature("P057 x5c brings a certificate", (signing) => byStranger(signing, { x5c: ["MIIB"] })),
  signature("P058 crit names what nobody knows", (signing) =>
    withHeader(signing, { crit: ["unheard-of"], "unheard-of": 1 })
  ),
  signature("P058 crit turns the payload encoding off", (signing) =>
    withHeader(signing, { crit: ["b64"], b64: false })
  ),
  signature("P058 crit is empty", (signing) => withHeader(signing, { crit: [] })),
  signature("P226 the token has two parts", (signing) => signed(signing).replace(/\.[^.]*$/, "")),
  signature("P226 the token has five parts", (signing) => `${signed(signing)}.AAAA.AAAA`),
  // A line break is refused with the response that holds it.
  signature(
    "P235 the token has white space",
    (signing) => signed(signing).replace(".", ".\n"),
    refused("invalid_response")
  ),
  signature("P236 the payload is an array", (signing) =>
    signed({ ...signing, claims: [signing.claims] as unknown as Claims })
  ),
  signature("P232 the header is no JSON", (signing) => `${base64url("{")}.${base64url(signing.claims)}.AAAA`)
]

const onlyKey = (title: string, change: (honest: Claims) => Claims): Fault => ({
  title,
  dials: () => ({ jwks: ({ keys }) => ({ json: { keys: keys.map(change) } }) }),
  outcome: badToken
})

const weak = makeSigningKey(1024)

const keyFaults: ReadonlyArray<Fault> = [
  onlyKey("P056 the key is for encryption", (key) => ({ ...key, use: "enc" })),
  onlyKey("P056 the key is for another algorithm", (key) => ({ ...key, alg: "PS256" })),
  onlyKey("P056 the key may only encrypt", (key) => ({ ...without(key, "use"), key_ops: ["encrypt"] })),
  onlyKey("P056 the key is of another type", (key) => ({
    kid: key["kid"],
    alg: "RS256",
    use: "sig",
    kty: "oct",
    k: "AAAAAAAAAAAAAAAAAAAAAA"
  })),
  {
    title: "P056 the key has 1024 bits",
    dials: () => ({
      jwks: () => ({ json: { keys: [weak.publicJwk] } }),
      sign: (signing) => signed({ ...signing, key: weak, header: { ...signing.header, kid: weak.kid } })
    }),
    outcome: badToken
  },
  {
    title: "P056 the key set publishes the private key",
    dials: () => ({
      jwks: () => ({ json: { keys: [privateJwk(stranger)] } }),
      sign: (signing) => byStranger(signing, { kid: stranger.kid })
    }),
    outcome: badToken
  }
]

/** Every fault of ID tokens and of the keys that verify them. */
const idTokenFaults: ReadonlyArray<Fault> = [...claimFaults, ...authenticationTime, ...signatureFaults, ...keyFaults]

let server: ForgingProvider

beforeAll(async () => {
  server = await startForgingProvider()
})

afterAll(() => server.close())

for (const [index, fault] of idTokenFaults.entries()) {
  it(`${fault.title}`, () => playFault(server, `fault-${index}`, fault))
}
