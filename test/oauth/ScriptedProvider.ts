/**
 * A provider that answers as a test tells it to, behind an `HttpClient`: no sockets, real signatures.
 *
 * Without further instructions it is an honest OpenID Connect provider at `https://idp.example`.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { TestClock } from "effect/testing"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as jose from "jose"
import type { Flow } from "../../src/oauth/Flow.ts"
import { OAuthClient } from "../../src/oauth/OAuthClient.ts"
import { clientLayer } from "../OAuthClientLayer.ts"
import type { OAuthProvider, OidcProvider, RedirectProvider } from "../../src/Provider/internal/Provider.ts"

export const issuer = "https://idp.example"
export const clientId = "client-1"
export const clientSecret = "a client secret of more than 32 bytes"
/** Seconds since 1970 at which every test begins. */
export const now = 1_800_000_000

/** A detail without what was expected and what came. */
export const reasonOf = (detail: string): string => detail.replace(/: (?:expected|got) .*$/, "")

export interface Sent {
  readonly method: string
  readonly url: string
  readonly path: string
  readonly headers: Headers
  readonly body: string
}

export type Answer = Response | Effect.Effect<Response>
export type Endpoint = (sent: Sent) => Answer

export const json = (body: unknown, init: ResponseInit = {}): Response =>
  new Response(typeof body === "string" ? body : JSON.stringify(body), {
    status: 200,
    ...init,
    headers: { "content-type": "application/json", ...Object.fromEntries(new Headers(init.headers).entries()) }
  })

/** A JSON response with a status, as a transport reads it. */
export const buffered = (body: unknown, status = 200): Response => json(body, { status })

export interface KeyPair {
  readonly privateKey: jose.CryptoKey
  readonly jwk: jose.JWK
}

export const keyPair = async (alg: string, jwk: jose.JWK = {}): Promise<KeyPair> => {
  const pair = await jose.generateKeyPair(alg, { extractable: true })
  return { privateKey: pair.privateKey, jwk: { ...(await jose.exportJWK(pair.publicKey)), alg, use: "sig", ...jwk } }
}

export const rsa = await keyPair("RS256", { kid: "rsa-1" })
export const otherRsa = await keyPair("RS256", { kid: "rsa-2" })

/** ID tokens of one key by their content. RS256 signs the same content the same way, and sign-ins of many tests have the same. */
const signed = new Map<string, Promise<string>>()

export const sign = (
  claims: object,
  header: jose.CompactJWSHeaderParameters,
  key: jose.CryptoKey | Uint8Array
): Promise<string> => {
  const payload = JSON.stringify(claims)
  const create = () => new jose.CompactSign(new TextEncoder().encode(payload)).setProtectedHeader(header).sign(key)
  if (key !== rsa.privateKey || header.alg !== "RS256") return create()
  const content = `${JSON.stringify(header)} ${payload}`
  const token = signed.get(content) ?? create()
  if (signed.size > 1000) signed.clear()
  signed.set(content, token)
  return token
}

/** Signs header and payload as they are written, whatever they say. */
export const signText = async (header: string, payload: string): Promise<string> => {
  const input = `${jose.base64url.encode(header)}.${jose.base64url.encode(payload)}`
  const signature = await crypto.subtle.sign("RSASSA-PKCS1-v1_5", rsa.privateKey, new TextEncoder().encode(input))
  return `${input}.${jose.base64url.encode(new Uint8Array(signature))}`
}

export const part = (value: unknown): string => jose.base64url.encode(JSON.stringify(value))

export const metadata = {
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  userinfo_endpoint: `${issuer}/userinfo`,
  jwks_uri: `${issuer}/keys`,
  id_token_signing_alg_values_supported: ["RS256"],
  code_challenge_methods_supported: ["S256"]
}

export const goodClaims = {
  iss: issuer,
  aud: clientId,
  sub: "person-1",
  iat: now,
  exp: now + 300,
  nonce: "nonce-1",
  name: "Ada",
  email: "Ada@Example.com",
  email_verified: true,
  picture: "https://idp.example/ada.png"
}

export const tokenResponse = (idToken: string | undefined, more: object = {}): object => ({
  access_token: "access-1",
  token_type: "Bearer",
  expires_in: 3600,
  scope: "openid",
  ...(idToken === undefined ? {} : { id_token: idToken }),
  ...more
})

export const flow: Flow = {
  id: "flow-1",
  provider: "idp",
  issuer,
  redirectUri: "https://app.example/auth/callback/idp",
  state: "state-1",
  codeVerifier: "verifier-verifier-verifier-verifier-verifier",
  nonce: "nonce-1",
  target: "https://app.example/"
}

const base = {
  id: "idp",
  name: "Provider",
  style: undefined,
  issuer,
  clientId,
  clientSecret: Redacted.make(clientSecret),
  clientAuthentication: "client_secret_basic",
  clientPrivateKey: undefined,
  clientMetadata: {},
  authorizationParameters: [["scope", "openid profile email"]],
  dpop: undefined,
  idTokenDecryption: [],
  pushedAuthorizationRequests: undefined,
  refuses: [],
  authorization: { url: undefined },
  token: { url: undefined, conform: undefined, request: undefined },
  userinfo: { url: undefined, request: undefined },
  formPost: false,
  jwtResponse: false,
  redirectProxyUrl: undefined,
  allowScopeFromBrowser: false,
  allowDangerousEmailAccountLinking: false,
  fetch: undefined,
  adaptFetch: undefined,
  profile: (profile) => ({
    id: profile.sub ?? String(profile.id),
    name: profile.name,
    email: profile.email,
    image: profile.picture as string
  }),
  hasOwnProfile: false,
  account: (tokens) => tokens,
  conform: undefined,
  source: { id: "idp", clientId }
} satisfies Partial<OidcProvider>

export const oidc = (changes: Partial<OidcProvider> = {}): OidcProvider => ({
  _tag: "Oidc",
  type: "oidc",
  idToken: true,
  logout: undefined,
  backchannelLogout: false,
  ...base,
  ...changes
})

export const oauth = (changes: Partial<OAuthProvider> = {}): OAuthProvider => ({
  _tag: "OAuth",
  type: "oauth",
  ...base,
  issuer: undefined,
  authorization: { url: `${issuer}/authorize` },
  token: { ...base.token, url: `${issuer}/token` },
  userinfo: { ...base.userinfo, url: `${issuer}/userinfo` },
  ...changes
})

/** The flow of a provider without issuer. */
export const oauthFlow: Flow = { ...flow, issuer: undefined, nonce: undefined }

export interface Scripted {
  readonly sent: Array<Sent>
  readonly endpoints: Record<string, Endpoint>
  /** How often a path was asked for. */
  readonly count: (path: string) => number
  readonly layer: Layer.Layer<OAuthClient>
}

/** A provider that answers with `endpoints` where they are given, honestly elsewhere. */
export const scripted = (endpoints: Record<string, Endpoint> = {}): Scripted => {
  const sent: Array<Sent> = []
  const all: Record<string, Endpoint> = {
    "/.well-known/openid-configuration": () => json(metadata),
    "/keys": () => json({ keys: [rsa.jwk] }),
    "/token": () =>
      Effect.map(
        Effect.promise(() => sign(goodClaims, { alg: "RS256", kid: "rsa-1" }, rsa.privateKey)),
        (token) => json(tokenResponse(token))
      ),
    "/userinfo": () =>
      json({ sub: "person-1", id: "person-1", name: "Ada", email: "ada@example.com", email_verified: true }),
    ...endpoints
  }
  const client = HttpClient.make((request, url) =>
    Effect.gen(function* () {
      const web = yield* Effect.orDie(HttpClientRequest.toWeb(request))
      const body = yield* Effect.promise(() => web.text())
      const received = { method: request.method, url: url.href, path: url.pathname, headers: web.headers, body }
      sent.push(received)
      const endpoint = all[url.pathname]
      const answer = endpoint === undefined ? new Response("not found", { status: 404 }) : endpoint(received)
      const response = Effect.isEffect(answer) ? yield* answer : answer
      return HttpClientResponse.fromWeb(request, response)
    })
  )
  return {
    sent,
    endpoints: all,
    count: (path) => sent.filter((one) => one.path === path).length,
    layer: Layer.provide(clientLayer, Layer.succeed(HttpClient.HttpClient, client))
  }
}

export interface Given {
  readonly parameters: URLSearchParams
  readonly flow: Flow
}

/** The parameters of an honest browser's return, or others. */
export const answer = (
  parameters: string | Record<string, string> = { code: "code-1", state: "state-1" },
  of: Flow = flow
): Given => ({ parameters: new URLSearchParams(parameters), flow: of })

/** A token endpoint that answers with an ID token made from the good claims and `changes`. */
export const issuing = (
  changes: Record<string, unknown>,
  header: jose.CompactJWSHeaderParameters = { alg: "RS256", kid: "rsa-1" },
  key: jose.CryptoKey | Uint8Array = rsa.privateKey
): Record<string, Endpoint> => ({
  "/token": () =>
    Effect.map(
      Effect.promise(() =>
        sign(
          Object.fromEntries(Object.entries({ ...goodClaims, ...changes }).filter(([, value]) => value !== undefined)),
          header,
          key
        )
      ),
      (token) => json(tokenResponse(token))
    )
})

/** Runs a program against a scripted provider, at the time the tokens are made for. */
export const against = <A, E>(idp: Scripted, program: Effect.Effect<A, E, OAuthClient>): Effect.Effect<A, E> =>
  Effect.andThen(TestClock.setTime(now * 1000), program).pipe(Effect.provide(idp.layer))

/** One exchange that must succeed. */
export const signIn = (provider: RedirectProvider = oidc(), given: Given = answer()) =>
  OAuthClient.use((client) => client.exchange(provider, given))

/** One exchange that must fail. */
export const refusal = (provider: RedirectProvider = oidc(), given: Given = answer()) =>
  Effect.flip(signIn(provider, given))

/** One sign-in start. */
export const start = (
  provider: RedirectProvider = oidc(),
  parameters: ReadonlyArray<readonly [string, string]> = [],
  fromServer = false
) =>
  OAuthClient.use((client) =>
    client.authorizationUrl(provider, {
      redirectUri: flow.redirectUri,
      state: "state-1",
      nonce: "nonce-1",
      codeChallenge: "challenge-1",
      parameters,
      fromServer
    })
  )
