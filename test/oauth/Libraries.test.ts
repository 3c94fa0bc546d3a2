/**
 * On the way of every kind of provider `jose` verifies what is signed, and `oauth4webapi` processes what is answered.
 *
 * The functions of both are called through, and counted. That a signature is refused by jose and by nothing else is shown by
 * leaving jose out: then a forged token signs in.
 */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { readdirSync, readFileSync } from "node:fs"
import { afterEach, describe, vi } from "vitest"
import { OAuthClient } from "../../src/oauth/OAuthClient.ts"
import {
  against,
  answer,
  flow,
  goodClaims,
  issuer,
  issuing,
  json,
  metadata,
  oauth,
  oauthFlow,
  oidc,
  otherRsa,
  refusal,
  rsa,
  scripted,
  sign,
  signIn,
  start,
  tokenResponse
} from "./ScriptedProvider.ts"

const { called, leftOut } = vi.hoisted(() => ({ called: new Set<string>(), leftOut: new Set<string>() }))

vi.mock("../../src/oauth/Protocol.ts", async (importOriginal) => {
  const libraries = await importOriginal<Readonly<Record<string, unknown>>>()
  const counted = ([name, value]: readonly [string, unknown]) => [
    name,
    typeof value === "function"
      ? (...given: ReadonlyArray<unknown>): unknown => {
          called.add(name)
          return leftOut.has(name) ? {} : Reflect.apply(value, undefined, given)
        }
      : value
  ]
  return Object.fromEntries(Object.entries(libraries).map(counted))
})

afterEach(() => {
  called.clear()
  leftOut.clear()
})

const plainToken = { "/token": () => json(tokenResponse(undefined)) }
const plain = answer(undefined, oauthFlow)
const signedUserinfo = {
  "/userinfo": () =>
    Effect.map(
      Effect.promise(() => sign({ sub: "person-1", name: "Ada" }, { alg: "RS256", kid: "rsa-1" }, rsa.privateKey)),
      (token) => json(token, { headers: { "content-type": "application/jwt" } })
    )
}
const bySlack = answer(undefined, { ...flow, nonce: undefined })

const request = ["validateAuthResponse", "authorizationCodeGrantRequest"]
const openId = [...request, "processDiscoveryResponse", "jwtVerify", "getValidatedIdTokenClaims"]

const kinds = [
  {
    title: "OpenID Connect",
    program: signIn(),
    idp: scripted(),
    passes: [...openId, "processAuthorizationCodeResponse"]
  },
  {
    title: "OpenID Connect with a form post",
    program: signIn(oidc({ conform: "apple", formPost: true })),
    idp: scripted(),
    passes: [...openId, "processAuthorizationCodeResponse"]
  },
  {
    title: "OpenID Connect with userinfo",
    program: signIn(oidc({ idToken: false })),
    idp: scripted(),
    passes: [...openId, "processAuthorizationCodeResponse", "processUserInfoResponse"]
  },
  {
    title: "OpenID Connect with signed userinfo",
    program: signIn(oidc({ idToken: false, clientMetadata: { userinfo_signed_response_alg: "RS256" } })),
    idp: scripted(signedUserinfo),
    passes: [...openId, "processAuthorizationCodeResponse", "processUserInfoResponse"]
  },
  {
    title: "OpenID Connect with an empty nonce",
    program: signIn(oidc({ refuses: ["nonce"] }), bySlack),
    idp: scripted(issuing({ nonce: "" })),
    passes: [...openId, "processGenericTokenEndpointResponse"]
  },
  {
    title: "plain OAuth",
    program: signIn(oauth(), plain),
    idp: scripted(plainToken),
    passes: [...request, "processAuthorizationCodeResponse"]
  },
  {
    title: "plain OAuth with an issuer alone",
    program: signIn(
      oauth({
        issuer,
        token: { url: undefined, conform: undefined, request: undefined },
        userinfo: { url: undefined, request: undefined }
      }),
      answer(undefined, { ...flow, nonce: undefined })
    ),
    idp: scripted(plainToken),
    passes: [...request, "processDiscoveryResponse", "processAuthorizationCodeResponse"]
  },
  {
    title: "plain OAuth with a function for the token request",
    program: signIn(
      oauth({
        token: { url: undefined, conform: undefined, request: () => ({ tokens: { access_token: "access-1" } }) }
      }),
      plain
    ),
    idp: scripted(),
    passes: ["validateAuthResponse", "processAuthorizationCodeResponse"]
  }
]

const forged = () => scripted(issuing({}, { alg: "RS256", kid: "rsa-1" }, otherRsa.privateKey))

describe("The libraries", () => {
  for (const { idp, passes, program, title } of kinds) {
    it.effect(`process the sign-in of ${title}`, () =>
      Effect.gen(function* () {
        yield* against(idp, program)
        for (const name of passes) assert.isTrue(called.has(name), name)
        if (!passes.includes("jwtVerify")) assert.isFalse(called.has("jwtVerify"))
      })
    )
  }

  const discovered = (more: object, path: string, answered: () => Response) =>
    scripted({ "/.well-known/openid-configuration": () => json({ ...metadata, ...more }), [path]: answered })

  const further: ReadonlyArray<readonly [string, Effect.Effect<unknown, unknown>, ReadonlyArray<string>]> = [
    [
      "a pushed authorization request",
      against(
        discovered({ pushed_authorization_request_endpoint: `${issuer}/par` }, "/par", () =>
          json({ request_uri: "urn:a:1", expires_in: 60 }, { status: 201 })
        ),
        start(oidc({ pushedAuthorizationRequests: true }))
      ),
      ["pushedAuthorizationRequest", "processPushedAuthorizationResponse"]
    ],
    [
      "a refresh",
      against(
        discovered({}, "/token", () => json(tokenResponse(undefined))),
        OAuthClient.use((client) =>
          Effect.flatMap(client.refresh(oidc()), (send) => send(Redacted.make("refresh-1"), undefined))
        )
      ),
      ["refreshTokenGrantRequest", "processRefreshTokenResponse"]
    ],
    [
      "a revocation",
      against(
        discovered({ revocation_endpoint: `${issuer}/revoke` }, "/revoke", () => new Response(null)),
        OAuthClient.use((client) => client.revoke(oidc(), "refresh_token", Redacted.make("refresh-1")))
      ),
      ["revocationRequest", "processRevocationResponse"]
    ]
  ]
  for (const [title, program, passes] of further) {
    it.effect(`make and process ${title}`, () =>
      Effect.gen(function* () {
        yield* program
        for (const name of passes) assert.isTrue(called.has(name), name)
      })
    )
  }

  it.effect("P046 refuse a forged signature, which nothing else does", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* against(forged(), refusal())).code, "invalid_token")
      leftOut.add("jwtVerify")
      assert.strictEqual((yield* against(forged(), signIn())).user.id, goodClaims.sub)
    })
  )

  it("are the only ones that verify: their functions come from one module, and no other one verifies", () => {
    const folder = new URL("../../src/oauth/", import.meta.url)
    const sources = readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder), "utf8")] as const)
    const named = (pattern: RegExp) => sources.flatMap(([name, text]) => (pattern.test(text) ? [name] : []))
    assert.deepStrictEqual(named(/^(?:import (?!type)|export )[^"]*from "(?:jose|oauth4webapi)"/m), ["Protocol.ts"])
    assert.deepStrictEqual(named(/subtle\s*\.\s*(?:verify|importKey)|createVerify|createHmac/), [])
  })
})
