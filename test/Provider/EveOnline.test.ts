import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { signText } from "../oauth/ScriptedProvider.ts"
import { fixture } from "./fixtures/EveOnline.ts"
import { answersOf, visit } from "./Platform.ts"

/** The user of these claims in the access token. */
const visitWith = (claims: object) =>
  visit(fixture, { ...answersOf(fixture), claims: { ...fixture.claims, ...claims } })

/** The user of this access token. */
const visitWithToken = (token: string) =>
  visit(fixture, { ...answersOf(fixture), claims: undefined, token: { ...fixture.token.answer, access_token: token } })

const tagOf = <A, E extends { readonly _tag: string }>(result: Result.Result<A, E>) =>
  Result.isFailure(result) ? result.failure._tag : undefined

describe("EveOnline", () => {
  it.gen("keeps the claims in the profile, and the owner of the character", function* () {
    const { signedIn } = yield* visitWith({})
    const { profile } = Result.getOrThrow(signedIn)
    assert.strictEqual(profile["CharacterID"], 95_465_499)
    assert.strictEqual(profile["CharacterName"], "Ada Lovelace")
    assert.strictEqual(profile["CharacterOwnerHash"], fixture.claims.owner)
    assert.strictEqual(profile["scp"], "publicData")
  })

  it.gen("takes no token that is for another client, from another issuer or of no character", function* () {
    for (const claims of [
      { aud: "client-2" },
      { aud: ["EVE Online"] },
      { aud: [] },
      { iss: "https://login.eveonline.com.example" },
      { iss: "https://login.eveonline.com/" },
      { sub: "CHARACTER:EVE:" },
      { sub: "CHARACTER:EVE:0" },
      { sub: "CHARACTER:EVE:1e3" },
      { sub: "CORPORATION:EVE:98000001" },
      { sub: "CHARACTER:EVE:95465499\n" }
    ]) {
      const { signedIn } = yield* visitWith(claims)
      assert.strictEqual(tagOf(signedIn), "OAuthCallbackError", JSON.stringify(claims))
    }
  })

  it.gen("takes no access token that is not a signed one", function* () {
    const header = `{"alg":"RS256"}`
    for (const token of ["opaque", "a.b", "..", "a.%.c", yield* Effect.promise(() => signText(header, "[1]"))]) {
      const { signedIn } = yield* visitWithToken(token)
      assert.strictEqual(tagOf(signedIn), "OAuthCallbackError", token)
      assert.notInclude(JSON.stringify(signedIn), "opaque")
    }
  })
})
