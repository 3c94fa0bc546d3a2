/** The ID token that comes with a refresh (OpenID Connect Core section 12.2). */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { inspect } from "node:util"
import { OAuthClient } from "../../src/oauth/OAuthClient.ts"
import type { RedirectProvider } from "../../src/Provider/internal/Provider.ts"
import {
  against,
  goodClaims,
  issuing,
  json,
  metadata,
  now,
  oauth,
  oidc,
  otherRsa,
  rsa,
  scripted,
  sign,
  tokenResponse
} from "./ScriptedProvider.ts"

const header = { alg: "RS256", kid: "rsa-1" }

/** The ID token of the sign-in, an hour before. */
const earlier = await sign(
  { ...goodClaims, iat: now - 3600, exp: now - 3300, auth_time: now - 3600 },
  header,
  rsa.privateKey
)

const refresh = (provider: RedirectProvider, idToken: string | undefined) =>
  OAuthClient.use((client) =>
    Effect.flatMap(client.refresh(provider), (send) => send(Redacted.make("refresh-1"), idToken))
  )

/** A refresh whose response has an ID token with these claims in the place of the right ones. */
const refreshed = (changes: Record<string, unknown>, idToken: string | undefined = earlier) =>
  against(scripted(issuing({ nonce: undefined, auth_time: now - 3600, ...changes })), refresh(oidc(), idToken))

const refused: ReadonlyArray<readonly [title: string, changes: Record<string, unknown>]> = [
  ["another issuer", { iss: "https://other.example" }],
  ["no issuer", { iss: undefined }],
  ["another person", { sub: "person-2" }],
  ["no person", { sub: undefined }],
  ["another client", { aud: "client-2" }],
  ["an audience that is not trusted", { aud: ["client-1", "client-2"], azp: "client-1" }],
  ["another party", { azp: "client-2" }],
  ["an issue before that of the sign-in", { iat: now - 3601 }],
  ["an earlier time of the sign-in", { auth_time: now - 3601 }],
  ["another nonce", { nonce: "nonce-2" }]
]

describe("The ID token of a refresh", () => {
  for (const [title, changes] of refused) {
    it.gen(`P081 that has ${title} is refused`, function* () {
      const failure = yield* Effect.flip(refreshed(changes))
      assert.strictEqual(failure.code, "invalid_token")
      assert.notMatch(inspect(failure), /person-2|nonce-2/)
    })
  }

  const accepted: ReadonlyArray<readonly [title: string, changes: Record<string, unknown>]> = [
    ["is about the person of the sign-in", {}],
    ["repeats the nonce of the sign-in", { nonce: "nonce-1" }],
    ["does not say when the person signed in", { auth_time: undefined }],
    ["says that the person has signed in again since", { auth_time: now - 60 }]
  ]
  for (const [title, changes] of accepted) {
    it.gen(`that ${title} is left out of the tokens`, function* () {
      const tokens = Option.getOrThrow(yield* refreshed(changes))
      assert.strictEqual(tokens.access_token, "access-1")
      assert.notProperty(tokens, "id_token")
    })
  }

  it.effect("P081 of another tenant than that of the sign-in is refused, where the provider stands for many", () =>
    Effect.gen(function* () {
      const [origin, one, two] = [
        "https://login.microsoftonline.com",
        "6babcaad-604b-40ac-a9d7-9fd97c0b779f",
        "9188040d-6c67-4c5b-b112-36a304b66dad"
      ]
      const ofTenant = (tid: string) => ({ tid, iss: `${origin}/${tid}/v2.0`, nonce: undefined })
      const provider = oidc({ issuer: `${origin}/common/v2.0`, conform: "microsoft-entra-id" })
      const discovery = () => json({ ...metadata, issuer: `${origin}/{tenantid}/v2.0` })
      const signedIn = yield* Effect.promise(() =>
        sign({ ...goodClaims, ...ofTenant(one), iat: now - 3600, exp: now - 3300 }, header, rsa.privateKey)
      )
      const refreshedAt = (tid: string) =>
        against(
          scripted({ ...issuing(ofTenant(tid)), "/common/v2.0/.well-known/openid-configuration": discovery }),
          refresh(provider, signedIn)
        )
      assert.isTrue(Option.isSome(yield* refreshedAt(one)))
      const failure = yield* Effect.flip(refreshedAt(two))
      assert.strictEqual(failure.code, "invalid_token")
      assert.include(failure.detail, "another issuer than that of the sign-in")
    })
  )

  it.gen("is compared with the configuration alone where the one of the sign-in is not known", function* () {
    for (const unknown of ["", "x.y.z"]) {
      assert.isTrue(Option.isSome(yield* refreshed({ sub: "person-2" }, unknown)))
      assert.strictEqual(
        (yield* Effect.flip(refreshed({ iss: "https://other.example" }, unknown))).code,
        "invalid_token"
      )
    }
  })

  it.gen("is not read by plain OAuth", function* () {
    const idp = scripted({ "/token": () => json(tokenResponse("no ID token")) })
    assert.isTrue(Option.isSome(yield* against(idp, refresh(oauth(), undefined))))
    assert.strictEqual(idp.count("/.well-known/openid-configuration"), 0)
  })

  it.gen("needs no key: none is fetched, and a response without an ID token is as good", function* () {
    const forged = scripted(issuing({ nonce: undefined }, header, otherRsa.privateKey))
    assert.isTrue(Option.isSome(yield* against(forged, refresh(oidc(), earlier))))
    assert.strictEqual(forged.count("/keys"), 0)
    const without = scripted({ "/token": () => json(tokenResponse(undefined)) })
    assert.isTrue(Option.isSome(yield* against(without, refresh(oidc(), earlier))))
  })
})
