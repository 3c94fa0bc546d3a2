/** Revoking tokens at the provider (RFC 7009). */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { OAuthClient } from "../../src/oauth/OAuthClient.ts"
import { against, type Endpoint, issuer, json, metadata, oauth, oidc, scripted } from "./ScriptedProvider.ts"

const marker = "a-value-of-the-answer"

const revoking = (answer: Endpoint, more: object = {}) =>
  scripted({
    "/.well-known/openid-configuration": () => json({ ...metadata, revocation_endpoint: `${issuer}/revoke`, ...more }),
    "/revoke": answer
  })

const revoke = (hint: "access_token" | "refresh_token" = "refresh_token", provider = oidc()) =>
  OAuthClient.use((client) => client.revoke(provider, hint, Redacted.make("token-1")))

const empty = () => new Response(null)

describe("revoking a token", () => {
  it.gen("sends the token with its kind, and authenticates the client", function* () {
    const idp = revoking(empty)
    yield* against(idp, revoke())
    const sent = idp.sent.find(({ path }) => path === "/revoke")
    assert.strictEqual(sent?.method, "POST")
    assert.match(sent?.headers.get("authorization") ?? "", /^Basic /)
    assert.deepStrictEqual(Object.fromEntries(new URLSearchParams(sent?.body)), {
      token: "token-1",
      token_type_hint: "refresh_token"
    })
  })

  it.gen("has worked with the status 200, for any body", function* () {
    for (const answer of [empty, () => new Response("<p>", { headers: { "content-type": "text/html" } })]) {
      yield* against(revoking(answer), revoke())
    }
  })

  const unsupported = () => json({ error: "unsupported_token_type" }, { status: 400 })

  it.gen("passes over an access token that the provider does not revoke, and no refresh token", function* () {
    yield* against(revoking(unsupported), revoke("access_token"))
    const failure = yield* against(revoking(unsupported), Effect.flip(revoke("refresh_token")))
    assert.include(failure.message, "unsupported_token_type")
  })

  const refusals: ReadonlyArray<readonly [title: string, answer: () => Response, code: string]> = [
    ["an error of the client", () => json({ error: "invalid_client", x: marker }, { status: 401 }), "provider_error"],
    ["an error of its own", () => json({ error: marker }, { status: 400 }), "provider_error"],
    ["a page", () => new Response(marker, { status: 403 }), "invalid_response"],
    ["no content", () => new Response(null, { status: 204 }), "invalid_response"],
    ["a redirect", () => new Response(null, { status: 302, headers: { location: marker } }), "invalid_response"],
    ["an error of the server", () => json({ error: marker }, { status: 503 }), "provider_unavailable"]
  ]
  for (const [title, answer, code] of refusals) {
    it.gen(`fails with ${title} as ${code}, and repeats nothing of it`, function* () {
      const failure = yield* against(revoking(answer), Effect.flip(revoke()))
      assert.strictEqual(failure._tag, "ProviderTokenError")
      assert.strictEqual(failure.code, code)
      assert.notInclude(JSON.stringify([failure.message, failure.cause]), marker)
      assert.notInclude(JSON.stringify([failure.message, failure.cause]), "token-1")
    })
  }

  it.gen("sends nothing where there is no endpoint, or one at an internal address", function* () {
    for (const revocation_endpoint of [undefined, 7, "https://127.0.0.1/revoke", "http://idp.example/revoke"]) {
      const idp = revoking(empty, { revocation_endpoint })
      const failure = yield* against(idp, Effect.flip(revoke()))
      assert.include(failure.message, "revocation_endpoint")
      assert.strictEqual(idp.count("/revoke"), 0)
    }
    const failure = yield* against(
      scripted(),
      Effect.flip(OAuthClient.use((client) => client.revoke(oauth(), "access_token", Redacted.make("token-1"))))
    )
    assert.strictEqual(failure.code, "provider_error")
  })
})
