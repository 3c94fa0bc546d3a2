/**
 * A platform as a fixture describes it, behind an `HttpClient`: it answers what the fixture says and notes what it was sent.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import { TestClock } from "effect/testing"
import { OAuthClient } from "../../src/oauth/OAuthClient.ts"
import { clientLayer } from "../OAuthClientLayer.ts"
import type { RedirectProvider } from "../../src/Provider/internal/Provider.ts"
import { clientId, clientSecret, json, keyPair, now, rsa, type Sent, sign } from "../oauth/ScriptedProvider.ts"
import type { Fixture } from "./fixtures/Fixture.ts"
import { redirectOf } from "./Read.ts"

/** The platform's next answer. */
export interface Answers {
  readonly claims: unknown
  readonly calls: ReadonlyArray<unknown>
  readonly token: Readonly<Record<string, unknown>>
  readonly response: Readonly<Record<string, string>>
}

export const answersOf = ({ calls = [], claims, response = {}, token }: Fixture): Answers => ({
  claims,
  calls: calls.map(({ answer }) => answer),
  token: token.answer,
  response
})

/** The preset with the options of its fixture. */
export const configured = (fixture: Fixture): RedirectProvider =>
  redirectOf(fixture.preset({ clientId, clientSecret, ...fixture.options } as never))

export const callbackUrl = (provider: RedirectProvider): string => `https://app.example/auth/callback/${provider.id}`

const withoutQuery = (address: string): string => address.split("?")[0] ?? address

const ec = await keyPair("ES256", { kid: "ec-1" })

/** Signs with a key of the platform, or with the client's secret. */
const idToken = ({ algorithm, metadata, refuses = [] }: Fixture, claims: object) => {
  const nonce = refuses.includes("nonce") ? {} : { nonce: "nonce-1" }
  const all = { iss: metadata?.issuer, aud: clientId, iat: now, exp: now + 300, ...nonce, ...claims }
  return Effect.promise(() =>
    algorithm === "HS256"
      ? sign(all, { alg: "HS256" }, new TextEncoder().encode(clientSecret))
      : algorithm === "ES256"
        ? sign(all, { alg: "ES256", kid: "ec-1" }, ec.privateKey)
        : sign(all, { alg: "RS256", kid: "rsa-1" }, rsa.privateKey)
  )
}

const signed = ({ metadata }: Fixture, body: unknown) =>
  Effect.map(
    Effect.promise(() =>
      sign(
        { iss: metadata?.issuer, aud: clientId, ...(body as object) },
        { alg: "RS256", kid: "rsa-1" },
        rsa.privateKey
      )
    ),
    (token) => json(token, { headers: { "content-type": "application/jwt" } })
  )

const picture = (bytes: Uint8Array<ArrayBuffer>) => new Response(bytes, { headers: { "content-type": "image/png" } })

const isDiscovery = (url: URL): boolean => url.pathname.includes("/.well-known/")

/** A layer that is this platform, and what it was sent. */
const platform = (fixture: Fixture, answers: Answers) => {
  const sent: Array<Sent> = []
  let asked = 0
  const { calls = [], keys = [], metadata, token }: Fixture = fixture
  const answer = Effect.fnUntraced(function* (request: Sent, url: URL) {
    if (metadata !== undefined && [metadata["jwks_uri"], ...keys].includes(request.url))
      return json({ keys: [rsa.jwk, ec.jwk] })
    if (metadata !== undefined && isDiscovery(url)) return json(metadata)
    sent.push(request)
    if (
      request.method === (token.method ?? "POST") &&
      withoutQuery(request.url) === withoutQuery(token.url) &&
      sent.length === 1
    ) {
      const { status = 200 } = token
      if (answers.claims === undefined) return json(answers.token, { status })
      const { claimsIn = "id_token" } = fixture
      return json({ ...answers.token, [claimsIn]: yield* idToken(fixture, answers.claims as object) }, { status })
    }
    const call = calls[asked]
    const body = answers.calls[asked]
    if (call === undefined || request.url !== call.url || request.method !== (call.method ?? "GET")) {
      return new Response("not found", { status: 404 })
    }
    asked++
    if (body instanceof Uint8Array) return picture(Uint8Array.from(body))
    return call.signed === true ? yield* signed(fixture, body) : json(JSON.stringify(body))
  })
  const client = HttpClient.make((request, url) =>
    Effect.gen(function* () {
      const web = yield* Effect.orDie(HttpClientRequest.toWeb(request))
      const body = yield* Effect.promise(() => web.text())
      const received = { method: request.method, url: url.href, path: url.pathname, headers: web.headers, body }
      return HttpClientResponse.fromWeb(request, yield* answer(received, url))
    })
  )
  return { sent, layer: Layer.provide(clientLayer, Layer.succeed(HttpClient.HttpClient, client)) }
}

/** A whole sign-in at the platform: where the browser is sent, what the platform was sent, who came back. */
export const visit = (fixture: Fixture, answers: Answers = answersOf(fixture), provider = configured(fixture)) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(now * 1000)
    const { layer, sent } = platform(fixture, answers)
    const redirectUri = callbackUrl(provider)
    const { refuses = [] }: Pick<Fixture, "refuses"> = fixture
    const nonce = provider.type === "oidc" && !refuses.includes("nonce") ? "nonce-1" : undefined
    const attempt = Effect.gen(function* () {
      const client = yield* OAuthClient
      const { url: address } = yield* client.authorizationUrl(provider, {
        redirectUri,
        state: "state-1",
        nonce,
        codeChallenge: refuses.includes("pkce") ? undefined : "challenge-1",
        parameters: []
      })
      const signedIn = yield* Effect.result(
        client.exchange(provider, {
          parameters: new URLSearchParams({
            code: "code-1",
            state: "state-1",
            ...answers.response,
            ...(fixture.metadata?.["authorization_response_iss_parameter_supported"] === true
              ? { iss: fixture.metadata.issuer }
              : undefined)
          }),
          flow: {
            id: "flow-1",
            provider: provider.id,
            issuer: provider.issuer,
            redirectUri,
            state: "state-1",
            codeVerifier: refuses.includes("pkce") ? undefined : "verifier-verifier-verifier-verifier-verifier",
            nonce,
            target: "https://app.example/"
          }
        })
      )
      return { address: new URL(address), signedIn }
    })
    return { ...(yield* Effect.provide(attempt, layer)), sent }
  })
