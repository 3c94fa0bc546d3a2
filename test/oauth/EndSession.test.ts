/** The address of a sign-out at the provider, by its metadata. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { Metadata } from "../../src/oauth/Connection.ts"
import { endSessionAddress } from "../../src/oauth/EndSession.ts"
import type { OidcProvider } from "../../src/Provider/internal/Provider.ts"

const issuer = "https://idp.example"

const addressAt = (endpoint: string | undefined, hint?: string) =>
  endSessionAddress({ clientId: "client" } as OidcProvider, { issuer, end_session_endpoint: endpoint } as Metadata, {
    idTokenHint: hint === undefined ? undefined : Redacted.make(hint),
    returnTo: "https://app.example/out",
    state: "s"
  })

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
      assert.include(JSON.stringify(failure), "end_session_endpoint", endpoint)
    }
  })
})
