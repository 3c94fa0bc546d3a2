/**
 * An honest OpenID Connect provider in memory, behind an `HttpClient`: no sockets, real signatures, a real PKCE check.
 *
 * It reads the authorization request that a browser brings, hands out a code, and redeems each code once.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import { createHash } from "node:crypto"
import { json, rsa, sign } from "./oauth/ScriptedProvider.ts"

export const idpOrigin = "https://idp.example"
export const idpSecret = "a client secret of more than 32 bytes"

/** The provider as an application configures it. */
export const idp = (more: object = {}) => ({
  id: "idp",
  name: "Identity",
  type: "oidc" as const,
  issuer: idpOrigin,
  clientId: "client-1",
  clientSecret: idpSecret,
  checks: ["pkce" as const, "state" as const, "nonce" as const],
  ...more
})

interface Grant {
  readonly challenge: string
  readonly nonce: string | undefined
  readonly redirectUri: string
}

export interface Received {
  readonly path: string
  readonly method: string
  readonly headers: Headers
  readonly body: string
}

export interface MemoryProvider {
  readonly received: Array<Received>
  /** How often a path was asked for. */
  readonly count: (path: string) => number
  /** Answers of paths that differ from the honest ones. */
  readonly script: Record<string, (received: Received) => Response>
  /** Claims that ID tokens and userinfo carry beside the honest ones. */
  readonly claims: Record<string, unknown>
  /** Tokens of the next answers; random ones would tell nothing when they leak. */
  readonly tokens: { access: string; refresh: string }
  /** The ID tokens that were issued. */
  readonly issued: Array<string>
  /** What the provider sends the browser back to, once the person there has agreed. */
  readonly agree: (authorizationUrl: string, code?: string) => URL
  readonly client: HttpClient.HttpClient
  readonly layer: Layer.Layer<HttpClient.HttpClient>
  /** The same provider for those who call `fetch`. */
  readonly fetch: typeof globalThis.fetch
}

export const memoryProvider = (origin = idpOrigin): MemoryProvider => {
  const received: Array<Received> = []
  const script: MemoryProvider["script"] = {}
  const claims: Record<string, unknown> = {}
  const tokens = { access: "access-token-1", refresh: "refresh-token-1" }
  const issued: Array<string> = []
  const grants = new Map<string, Grant>()
  let codes = 0

  const idTokenOf = (grant: Grant, now: number): Promise<string> =>
    sign(
      {
        iss: origin,
        aud: "client-1",
        sub: "person-1",
        iat: now,
        exp: now + 300,
        name: "Ada",
        email: "ada@example.com",
        email_verified: true,
        ...(grant.nonce === undefined ? {} : { nonce: grant.nonce }),
        ...claims
      },
      { alg: "RS256", kid: "rsa-1" },
      rsa.privateKey
    )

  const redeem = async (body: string, now: number): Promise<Response> => {
    const form = new URLSearchParams(body)
    const code = form.get("code") ?? ""
    const grant = grants.get(code)
    grants.delete(code)
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url")
    if (grant === undefined || grant.redirectUri !== form.get("redirect_uri") || grant.challenge !== challenge) {
      return json({ error: "invalid_grant" }, { status: 400 })
    }
    const idToken = await idTokenOf(grant, now)
    issued.push(idToken)
    return json({
      access_token: tokens.access,
      refresh_token: tokens.refresh,
      token_type: "Bearer",
      expires_in: 3600,
      scope: "openid profile email",
      id_token: idToken
    })
  }

  const answer = async (request: Request, now: number): Promise<Response> => {
    const url = new URL(request.url)
    const one = { path: url.pathname, method: request.method, headers: request.headers, body: await request.text() }
    received.push(one)
    const scripted = script[url.pathname]
    if (scripted !== undefined) return scripted(one)
    switch (url.pathname) {
      case "/.well-known/openid-configuration":
        return json({
          issuer: origin,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          userinfo_endpoint: `${origin}/userinfo`,
          jwks_uri: `${origin}/keys`,
          id_token_signing_alg_values_supported: ["RS256"],
          code_challenge_methods_supported: ["S256"]
        })
      case "/keys":
        return json({ keys: [rsa.jwk] })
      case "/token":
        return redeem(one.body, now)
      case "/userinfo":
        return json({ sub: "person-1", id: "person-1", name: "Ada", email: "ada@example.com", ...claims })
      default:
        return new Response("nothing here", { status: 404 })
    }
  }

  const client = HttpClient.make((request) =>
    Effect.gen(function* () {
      const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
      const web = yield* Effect.orDie(HttpClientRequest.toWeb(request))
      return HttpClientResponse.fromWeb(request, yield* Effect.promise(() => answer(web, now)))
    })
  )

  return {
    received,
    count: (path) => received.filter((one) => one.path === path).length,
    script,
    claims,
    tokens,
    issued,
    agree: (authorizationUrl, code = `code-${++codes}`) => {
      const asked = new URL(authorizationUrl).searchParams
      const redirectUri = asked.get("redirect_uri") ?? ""
      grants.set(code, {
        challenge: asked.get("code_challenge") ?? "",
        nonce: asked.get("nonce") ?? undefined,
        redirectUri
      })
      const back = new URL(redirectUri)
      back.searchParams.set("code", code)
      const state = asked.get("state")
      if (state !== null) back.searchParams.set("state", state)
      return back
    },
    client,
    layer: Layer.succeed(HttpClient.HttpClient, client),
    fetch: (input, init) => answer(new Request(input, init), Math.floor(Date.now() / 1000))
  }
}
