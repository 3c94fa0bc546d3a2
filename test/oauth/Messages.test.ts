/** Messages about providers: what was expected, what came, and what to change. No message has a secret. */
import { assert, describe, it } from "@effect/vitest"
import * as Redacted from "effect/Redacted"
import {
  against,
  answer,
  clientId,
  clientSecret,
  type Endpoint,
  flow,
  goodClaims,
  issuer,
  issuing,
  json,
  metadata,
  now,
  oauth,
  oauthFlow,
  oidc,
  otherRsa,
  part,
  refusal,
  scripted,
  signIn,
  tokenResponse
} from "./ScriptedProvider.ts"

const discovery = "/.well-known/openid-configuration"

interface Case {
  readonly endpoints?: Record<string, Endpoint>
  readonly provider?: Parameters<typeof refusal>[0]
  readonly given?: Parameters<typeof refusal>[1]
  /** The message, without the id of the provider. It ends with what was expected and what came. */
  readonly message: string
  /** The fix that the operator reads. */
  readonly fix: string
}

const plain = { provider: oauth(), given: answer({ code: "code-1", state: "state-1" }, oauthFlow) }
const claims = (changes: Record<string, unknown>) => ({ endpoints: issuing(changes) })
const idToken = (text: string) => ({ endpoints: { "/token": () => json(tokenResponse(text)) } })
const token = (body: unknown, init?: ResponseInit) => ({ endpoints: { "/token": () => json(body, init) } })
const userinfo = (body: unknown, init?: ResponseInit) => ({
  endpoints: { "/userinfo": () => json(body, init) },
  provider: oidc({ idToken: false })
})
const html = () => new Response("<html>", { headers: { "content-type": "text/html" } })
const iso = (seconds: number) => new Date(seconds * 1000).toISOString()
const clocks = (claim: number) => `; compare the clocks: the token says ${iso(claim)}, and this machine ${iso(now)}`

const registration = "Compare issuer, clientId and client of the provider object with the registration"
const endpoints = "Check issuer and endpoints of the provider object."

const cases: Readonly<Record<string, Case>> = {
  "discovery that is missing": {
    endpoints: { [discovery]: () => new Response("", { status: 404 }) },
    message: "the discovery document answered with status 404: expected 200",
    fix: endpoints
  },
  "discovery that redirects": {
    endpoints: { [discovery]: () => new Response(null, { status: 302, headers: { location: "/" } }) },
    message: "the discovery document answered with a redirect, which is not followed: expected the answer itself",
    fix: "Write the address that it redirects to"
  },
  "discovery that is a page": {
    endpoints: { [discovery]: html },
    message: "the answer of the discovery document is not marked as JSON: expected application/json, got text/html",
    fix: endpoints
  },
  "discovery of another issuer": {
    endpoints: { [discovery]: () => json({ ...metadata, issuer: `${issuer}/realm` }) },
    message: `the issuer in the discovery document is not the configured one: expected ${issuer}, got ${issuer}/realm`,
    fix: "Write the issuer as the document names it"
  },
  "discovery with an endpoint that is a number": {
    endpoints: { [discovery]: () => json({ ...metadata, token_endpoint: 5 }) },
    message:
      "the discovery document has a malformed token_endpoint: expected the form of OpenID Connect Discovery, got a number",
    fix: endpoints
  },
  "discovery without token endpoint": {
    endpoints: { [discovery]: () => json({ ...metadata, token_endpoint: undefined }) },
    message: "the provider's configuration and the metadata of its issuer both lack token_endpoint",
    fix: "Set token of the provider object"
  },
  "discovery without keys": {
    endpoints: { [discovery]: () => json({ ...metadata, jwks_uri: undefined }) },
    message: "the provider's configuration and the metadata of its issuer both lack jwks_uri",
    fix: "write an issuer whose metadata names jwks_uri"
  },
  "no issuer": {
    provider: oidc({ issuer: undefined }),
    given: answer(undefined, { ...flow, issuer: undefined }),
    message: "the provider has neither an issuer nor all endpoints it needs",
    fix: "Set issuer, or authorization, token and userinfo."
  },
  "tokens under other names": {
    ...token({ errcode: 40_029, errmsg: "invalid code" }),
    message: "the answer of the token endpoint has no access_token: expected text, got the members errcode, errmsg",
    fix: "token.conform"
  },
  "tokens in a list": {
    ...token([]),
    message: "the answer of the token endpoint is not a JSON object: got a list",
    fix: endpoints
  },
  "tokens in a form": {
    endpoints: { "/token": () => new Response("access_token=access-1", { headers: { "content-type": "text/plain" } }) },
    message: "the answer of the token endpoint is not marked as JSON: expected application/json, got text/plain",
    fix: "token.conform"
  },
  "an access token that is a number": {
    ...token({ ...tokenResponse(undefined), access_token: 5 }),
    message:
      "access_token of the token response is no text of visible characters, or too long: expected at most 65536 of them, got a number",
    fix: "token.conform"
  },
  "no token type": {
    ...token({ ...tokenResponse(undefined), token_type: undefined }),
    message: "the answer of the token endpoint has no good token_type: it must be a string, got nothing",
    fix: "token.conform"
  },
  "another token type": {
    ...token({ ...tokenResponse(undefined), token_type: "mac" }),
    message:
      "the answer of the token endpoint needs something that is not supported: expected the token_type bearer, or DPoP with the option dpop",
    fix: endpoints
  },
  "a lifetime that is text": {
    ...token({ ...tokenResponse(undefined), expires_in: "soon" }),
    message:
      "the answer of the token endpoint has no good expires_in: it must be a number, got a text of another form, of 4 characters",
    fix: "token.conform"
  },
  "no ID token": {
    ...token(tokenResponse(undefined)),
    message: "the answer of the token endpoint has no good id_token: it must be a string, got nothing",
    fix: 'type: "oauth"'
  },
  "a client that is not accepted": {
    ...token({ error: "invalid_client" }, { status: 401 }),
    message: "the token endpoint does not accept this client (invalid_client); check the client id and secret",
    fix: "Set clientId, clientSecret and client.token_endpoint_auth_method"
  },
  "a code that is not accepted": {
    ...token({ error: "invalid_grant" }, { status: 400 }),
    message: `the token endpoint refuses the code (invalid_grant): it is forged, used, too old, or for another redirect URI than ${flow.redirectUri}`,
    fix: "register the redirect URI"
  },
  "an error of the platform's own": {
    ...token({ error: 7, error_description: "secret text" }, { status: 400 }),
    message: "the token endpoint answered with status 400: expected 200",
    fix: endpoints
  },
  "a token endpoint that is down": {
    ...token({}, { status: 503 }),
    message: "the token endpoint answered with status 503: expected 200",
    fix: "check that this server reaches the issuer"
  },
  "no client secret": {
    provider: oidc({ clientSecret: undefined }),
    message: "the provider's clientSecret is missing, which client_secret_basic needs",
    fix: '"none" for a public client'
  },
  "an ID token of another issuer": {
    ...claims({ iss: "https://other.example" }),
    message: `the ID token comes from another issuer: expected ${issuer}, got https://other.example`,
    fix: registration
  },
  "an ID token for another client": {
    ...claims({ aud: "client-2" }),
    message: `the ID token is for another client: expected ${clientId}, got client-2`,
    fix: registration
  },
  "an ID token of another sign-in": {
    ...claims({ nonce: "nonce-2" }),
    message: "the ID token is not for this sign-in (nonce): expected the one that was sent, got another",
    fix: registration
  },
  "an ID token without nonce": {
    ...claims({ nonce: undefined }),
    message: "the ID token is malformed: nonce: expected text, got nothing",
    fix: registration
  },
  "an ID token without person": {
    ...claims({ sub: undefined }),
    message: "the ID token is malformed: sub: expected text, got nothing",
    fix: registration
  },
  "an ID token with a long person": {
    ...claims({ sub: "a".repeat(300) }),
    message:
      "the ID token is malformed: sub: expected 1 to 255 ASCII characters, got a text of another form, of 300 characters",
    fix: registration
  },
  "an ID token that has expired": {
    ...claims({ exp: now - 600 }),
    message: `the ID token has expired${clocks(now - 600)}`,
    fix: "the clocks of both"
  },
  "an ID token of tomorrow": {
    ...claims({ iat: now + 86_400, exp: now + 87_000 }),
    message: `the ID token was issued in the future${clocks(now + 86_400)}`,
    fix: "the clocks of both"
  },
  "an ID token of an hour ago": {
    ...claims({ iat: now - 3600 }),
    message: `the ID token was issued too long ago, expected at most 600 seconds${clocks(now - 3600)}`,
    fix: "the clocks of both"
  },
  "an ID token with another algorithm": {
    ...idToken(`${part({ alg: "HS256" })}.${part(goodClaims)}.c2ln`),
    message: "the ID token is signed with an algorithm that was not agreed: expected RS256, got HS256",
    fix: registration
  },
  "an access token in the place of the ID token": {
    ...idToken(`${part({ alg: "RS256", typ: "at+jwt" })}.${part(goodClaims)}.c2ln`),
    message: "the ID token is of another type (typ): expected that of an ID token, got at+jwt",
    fix: registration
  },
  "an ID token that is no JWT": {
    ...idToken("opaque"),
    message: "the ID token is no signed token: expected three parts, got 1",
    fix: registration
  },
  "an ID token with a foreign signature": {
    endpoints: issuing({}, { alg: "RS256", kid: "rsa-1" }, otherRsa.privateKey),
    message:
      "the ID token has a signature that is not good: expected one by a key of the provider, got one that does not verify",
    fix: registration
  },
  "an ID token for another access token": {
    ...claims({ at_hash: "other" }),
    message: "the ID token belongs to another access token (at_hash): expected its digest, got another",
    fix: registration
  },
  "an ID token of another domain": {
    ...claims({ hd: "other.example" }),
    given: answer(undefined, { ...flow, requested: { hd: "app.example" } }),
    message:
      "the ID token is not of the hosted domain that was requested (hd): expected app.example, got other.example",
    fix: registration
  },
  "a secret that is too short": {
    ...idToken(`${part({ alg: "HS256" })}.${part(goodClaims)}.c2ln`),
    provider: oidc({
      clientSecret: Redacted.make("short"),
      clientMetadata: { id_token_signed_response_alg: "HS256" }
    }),
    message: "the client secret is too short for the registered signature algorithm: expected 32 bytes, got fewer",
    fix: "Take a longer clientSecret"
  },
  "keys that are not those of the ID token": {
    endpoints: { "/keys": () => json({ keys: [otherRsa.jwk] }) },
    message:
      "the ID token is signed with a key that the provider does not publish: expected one at its jwks_uri, got another",
    fix: registration
  },
  "keys of another form": {
    endpoints: { "/keys": () => json({ "kid-1": "-----BEGIN CERTIFICATE-----" }) },
    message: "the key set has no keys: expected an array, got nothing",
    fix: endpoints
  },
  "userinfo of another person": {
    ...userinfo({ sub: "person-2" }),
    message: "the userinfo response is about another person than the ID token: expected its sub, got another",
    fix: "Check that the userinfo endpoint belongs to the issuer"
  },
  "userinfo without person": {
    ...userinfo({ name: "Ada" }),
    message: "the answer of the userinfo endpoint has no good sub: it must be a string, got nothing",
    fix: "userinfo.request"
  },
  "userinfo that refuses": {
    ...userinfo({}, { status: 403 }),
    message: "the userinfo endpoint answered with status 403: expected 200",
    fix: endpoints
  },
  "userinfo of the application that is nothing": {
    ...plain,
    provider: oauth({ userinfo: { url: undefined, request: () => undefined } }),
    message: "userinfo.request of the provider gave no profile: expected an object, got nothing",
    fix: "Return the profile of the person from userinfo.request."
  },
  "userinfo of the application that throws": {
    ...plain,
    provider: oauth({
      userinfo: {
        url: undefined,
        request: () => {
          throw new Error("down")
        }
      }
    }),
    message: "userinfo.request of the provider failed",
    fix: "Look at the cause, and correct userinfo.request of the provider."
  },
  "tokens of the application under another name": {
    ...plain,
    provider: oauth({ token: { url: undefined, conform: undefined, request: () => ({ token: "x" }) as never } }),
    message:
      "token.request of the provider gave no tokens: expected { tokens: { access_token } }, got the members token",
    fix: "Return an object with the member tokens from token.request."
  },
  "an answer without code": {
    given: answer({ state: "state-1", token: "" }),
    message: "the answer carries token, which was not asked for",
    fix: "check issuer and authorization of the provider object"
  },
  "an answer with nothing": {
    given: answer({ state: "state-1", hash: "x" }),
    message: "the answer carries no code: expected code and state, got the members state, hash",
    fix: "Start the sign-in again"
  },
  "an answer of another issuer": {
    given: answer({ code: "code-1", state: "state-1", iss: "https://other.example" }),
    message: `the answer comes from another issuer: expected ${issuer}, got https://other.example`,
    fix: "check issuer"
  },
  "a redirect URI that is not registered": {
    given: answer({ error: "redirect_uri_mismatch", state: "state-1" }),
    message: `the provider does not know the redirect URI (redirect_uri_mismatch): register ${flow.redirectUri} there`,
    fix: "Register the redirect URI of the message at the provider."
  }
}

const secrets = [clientSecret, "access-1", "code-1", "nonce-1", "verifier", "secret text", "person-2"]

describe("a message about a provider", () => {
  for (const [title, { fix, message, ...given }] of Object.entries(cases)) {
    it.gen(`${title} has what was expected, what came and what to change`, function* () {
      const failure = yield* against(scripted(given.endpoints), refusal(given.provider, given.given))
      assert.strictEqual(failure.message, `idp: ${message}`)
      assert.include(failure.remedy, fix)
      for (const secret of secrets) assert.notInclude(`${failure.message} ${failure.remedy}`, secret)
    })
  }
})

it.gen("a public client signs in by PKCE alone", function* () {
  const idp = scripted()
  yield* against(idp, signIn(oidc({ clientSecret: undefined, clientAuthentication: "none" })))
  const sent = idp.sent.find(({ path }) => path === "/token")
  const form = new URLSearchParams(sent?.body)
  assert.strictEqual(sent?.headers.get("authorization"), null)
  assert.deepStrictEqual(
    [form.get("client_id"), form.get("code_verifier"), form.has("client_secret")],
    [clientId, flow.codeVerifier ?? assert.fail(), false]
  )
})
