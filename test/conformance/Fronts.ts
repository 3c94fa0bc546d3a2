/**
 * Further features in front of the provider of the test kit: signed userinfo, the ID token of a refresh, and
 * logouts.
 */
import { decodeJwt, importJWK, type JWTPayload, SignJWT, UnsecuredJWT } from "jose"
import { testKeys } from "../../src/testing/idp/TestKeys.ts"
import type { TestProvider } from "../../src/testing/IdentityProvider.ts"

type Fetch = typeof fetch

/** How a provider of logouts behaves. */
export interface LogoutBehaviour {
  /** The change of the state when it sends the browser back. */
  readonly state?: "other" | "none"
  /** The logout token that it posts to the site, by its claims and header beside the right ones. */
  readonly token?: {
    readonly claims: Readonly<Record<string, unknown>>
    readonly algorithm: "none" | "ES256" | undefined
  }
}

const clientId = "test-client"

const logoutEvent = "http://schemas.openid.net/event/backchannel-logout"

/** A token that the provider signs. */
const sign = async (claims: JWTPayload, typ = "JWT", algorithm: "RS256" | "ES256" = "RS256"): Promise<string> => {
  const { first } = testKeys[algorithm]
  return new SignJWT(claims)
    .setProtectedHeader({ alg: algorithm, kid: first.kid, typ })
    .sign(await importJWK(first, algorithm))
}

/** Userinfo as a signed token (OpenID Connect Core section 5.3.2). */
export const signedUserinfo =
  (idp: TestProvider): Fetch =>
  async (input, init) => {
    const request = new Request(input, init)
    const response = await idp.fetch(request)
    if (new URL(request.url).pathname !== "/userinfo" || !response.ok) return response
    const claims = (await response.json()) as JWTPayload
    const token = await sign({ ...claims, iss: idp.issuer, aud: clientId })
    return new Response(token, { headers: { "content-type": "application/jwt" } })
  }

/** Another ID token in the answers to some token requests: those for a code, or for a refresh token. */
const withIdToken =
  (idp: TestProvider, grant: "authorization_code" | "refresh_token", made: (claims: JWTPayload) => Promise<string>) =>
  async (...[input, init]: Parameters<Fetch>): Promise<Response> => {
    const request = new Request(input, init)
    const isChanged = (await request.clone().text()).includes(`grant_type=${grant}`)
    const response = await idp.fetch(request)
    if (!isChanged) return response
    const { id_token, ...tokens } = (await response.json()) as { readonly id_token: string }
    return Response.json({ ...tokens, id_token: await made(decodeJwt(id_token)) })
  }

/** The ID token of a refresh has these claims in the place of the right ones (OpenID Connect Core section 12.2). */
export const refreshing = (idp: TestProvider, claims: JWTPayload): Fetch =>
  withIdToken(idp, "refresh_token", (right) => sign({ ...right, ...claims }))

/** The key of the ID token is the client secret (OpenID Connect Core section 10.1), or another one. */
export const signingBySecret = (idp: TestProvider, secret: "right" | "wrong"): Fetch =>
  withIdToken(idp, "authorization_code", (claims) => {
    const key = secret === "right" ? String(idp.provider().clientSecret) : "another secret of thirty-two bytes or more"
    return new SignJWT(claims).setProtectedHeader({ alg: "HS256" }).sign(new TextEncoder().encode(key))
  })

/** A logout token (OpenID Connect Back-Channel Logout 1.0 section 2.4). */
const logoutToken = (issuer: string, { algorithm, claims }: NonNullable<LogoutBehaviour["token"]>) => {
  const now = Math.floor(Date.now() / 1000)
  const right = { iss: issuer, aud: clientId, sub: "ada", iat: now, exp: now + 120, jti: crypto.randomUUID() }
  const payload = { ...right, events: { [logoutEvent]: {} }, ...claims }
  return algorithm === "none"
    ? Promise.resolve(new UnsecuredJWT(payload).encode())
    : sign(payload, "logout+jwt", algorithm)
}

/** The way from the provider to the site. */
export interface ToSite {
  readonly post: (token: string) => Promise<unknown>
}

/** Logs out at its endpoint: tells the site, when the behaviour says so, and then sends the browser back. */
export const loggingOut =
  (idp: TestProvider, { state, token }: LogoutBehaviour, { post }: ToSite): Fetch =>
  async (input, init) => {
    const request = new Request(input, init)
    const response = await idp.fetch(request)
    const location = response.headers.get("location")
    if (new URL(request.url).pathname !== "/logout" || location === null) return response
    if (token !== undefined) await post(await logoutToken(idp.issuer, token))
    const back = new URL(location)
    if (state === "other") back.searchParams.set("state", "another-state")
    if (state === "none") back.searchParams.delete("state")
    return new Response(null, { status: 302, headers: { location: back.href } })
  }
