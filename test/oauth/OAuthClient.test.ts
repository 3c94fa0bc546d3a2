import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import { describe } from "vitest"
import { OAuthClient } from "../../src/oauth/OAuthClient.ts"
import { answer, now, oidc, scripted } from "./ScriptedProvider.ts"

describe("OAuthClient", () => {
  it.effect("P254, P269, P265 signs a person in with discovery and a verified ID token", () => {
    const idp = scripted()
    return Effect.gen(function* () {
      yield* TestClock.setTime(now * 1000)
      const client = yield* OAuthClient
      const signedIn = yield* client.exchange(oidc(), answer())
      assert.deepStrictEqual(signedIn.user, {
        id: "person-1",
        name: "Ada",
        email: "ada@example.com",
        image: "https://idp.example/ada.png"
      })
      assert.strictEqual(signedIn.emailVerified, true)
      assert.deepInclude(signedIn.account, {
        provider: "idp",
        type: "oidc",
        providerAccountId: "person-1",
        access_token: "access-1",
        token_type: "bearer",
        expires_in: 3600,
        expires_at: now + 3600,
        scope: "openid"
      })
      assert.strictEqual(idp.count("/userinfo"), 0)
    }).pipe(Effect.provide(idp.layer))
  })
})
