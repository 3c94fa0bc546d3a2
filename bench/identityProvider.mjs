/**
 * An OpenID provider that lives in this process and answers through `customFetch`: discovery, keys, token endpoint.
 * It hands out codes whose ID token is already signed, so that signing is never part of a measurement.
 */
import * as crypto from "node:crypto"
import { smallClaims } from "./setting.mjs"

const json = (body) => new Response(body, { status: 200, headers: { "content-type": "application/json" } })

const keyPair = (alg) =>
  alg === "ES256"
    ? crypto.generateKeyPairSync("ec", { namedCurve: "P-256" })
    : crypto.generateKeyPairSync("rsa", { modulusLength: 2048 })

const encode = (value) => Buffer.from(JSON.stringify(value)).toString("base64url")

/** The text of a request body, whichever way the caller's HTTP client hands it over. */
const bodyText = async (input, init) => {
  const body = init?.body
  if (typeof body === "string") return body
  if (body instanceof URLSearchParams) return body.toString()
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8")
  return new Response(body ?? input.body).text()
}

export const makeIdentityProvider = (alg) => {
  const issuer = `https://idp-${alg.toLowerCase()}.example.net`
  const { privateKey, publicKey } = keyPair(alg)
  const jwk = { ...publicKey.export({ format: "jwk" }), kid: "key-1", alg, use: "sig" }
  const endpoints = {
    authorization: `${issuer}/authorize`,
    token: `${issuer}/token`,
    userinfo: `${issuer}/userinfo`,
    jwks: `${issuer}/jwks`
  }
  const metadata = JSON.stringify({
    issuer,
    authorization_endpoint: endpoints.authorization,
    token_endpoint: endpoints.token,
    userinfo_endpoint: endpoints.userinfo,
    jwks_uri: endpoints.jwks,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    code_challenge_methods_supported: ["S256"],
    id_token_signing_alg_values_supported: [alg]
  })
  const keys = JSON.stringify({ keys: [jwk] })
  const codes = new Map()
  /** Requests answered so far, by endpoint. */
  const counts = { discovery: 0, jwks: 0, token: 0, userinfo: 0 }

  const fetch = async (input, init) => {
    const url = typeof input === "string" ? input : (input.href ?? input.url)
    if (url === endpoints.token) {
      counts.token++
      const code = /(?:^|&)code=([^&]*)/u.exec(await bodyText(input, init))?.[1]
      const answer = codes.get(code)
      codes.delete(code)
      return answer === undefined ? new Response('{"error":"invalid_grant"}', { status: 400 }) : json(answer)
    }
    if (url === endpoints.jwks) {
      counts.jwks++
      return json(keys)
    }
    if (url === `${issuer}/.well-known/openid-configuration`) {
      counts.discovery++
      return json(metadata)
    }
    throw new Error(`unexpected request to ${url}`)
  }

  let issued = 0
  /** A new code for a client and a nonce; its ID token is signed here and now, wrongly when `forged` is set. */
  const issueCode = (clientId, nonce, forged = false) => {
    const code = `code-${++issued}`
    const now = Math.floor(Date.now() / 1000)
    const { picture, sub, name, email } = smallClaims
    const claims = {
      iss: issuer,
      aud: clientId,
      sub,
      name,
      email,
      email_verified: true,
      picture,
      iat: now,
      exp: now + 3600
    }
    if (nonce !== null) claims.nonce = nonce
    const input = `${encode({ alg, kid: "key-1", typ: "JWT" })}.${encode(claims)}`
    const key = alg === "ES256" ? { key: privateKey, dsaEncoding: "ieee-p1363" } : privateKey
    const idToken = `${input}.${crypto.sign("sha256", Buffer.from(forged ? `${input}x` : input), key).toString("base64url")}`
    codes.set(
      code,
      JSON.stringify({
        access_token: `at-${issued}`,
        token_type: "Bearer",
        expires_in: 3600,
        scope: "openid profile email",
        id_token: idToken
      })
    )
    return code
  }

  // Each case has a provider with keys of its own: what was fetched from one says nothing about the next.
  Object.assign(fetch, { [Symbol.for("effect-doorman/own-memory")]: true })
  return { alg, issuer, endpoints, jwk, fetch, counts, issueCode }
}
