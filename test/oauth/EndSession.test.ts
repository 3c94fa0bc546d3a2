/** The address of a sign-out at the provider, by its metadata. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { OAuthClient } from "../../src/oauth/OAuthClient.ts"
import { against, json, metadata, oidc, scripted } from "./ScriptedProvider.ts"

const issuer = "https://idp.example"

const addressAt = (endpoint: string | undefined, hint?: string) =>
  against(
    scripted({ "/.well-known/openid-configuration": () => json({ ...metadata, end_session_endpoint: endpoint }) }),
    OAuthClient.use(({ endSessionUrl }) =>
      endSessionUrl(oidc({ clientId: "client" }), {
        idTokenHint: hint === undefined ? undefined : Redacted.make(hint),
        returnTo: "https://app.example/out",
        state: "s"
      })
    )
  )

describe("the address of a sign-out at the provider", () => {
  it.gen("names what the provider needs, beside its own parameters, and is none without an endpoint", function* () {
    const parameters = "post_logout_redirect_uri=https%3A%2F%2Fapp.example%2Fout&client_id=client&state=s"
    assert.strictEqual(yield* addressAt(`${issuer}/end?a=b`), `${issuer}/end?a=b&${parameters}`)
    assert.strictEqual(yield* addressAt(`${issuer}/end`, "token"), `${issuer}/end?id_token_hint=token&${parameters}`)
    assert.isUndefined(yield* addressAt(undefined))
  })

  it.gen("is refused where an attacker in the metadata names a place that the issuer cannot", function* () {
    for (const endpoint of ["http://127.0.0.1/end", "https://10.0.0.1/end", "http://idp.example/end", "x", ""]) {
      const failure = yield* Effect.flip(addressAt(endpoint))
      assert.include(String(failure.detail), "end_session_endpoint", endpoint)
    }
  })
})
