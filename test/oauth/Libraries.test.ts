/**
 * On the way of every kind of provider `jose` verifies what is signed, and `oauth4webapi` processes what is answered.
 *
 * The functions of both are called through, and counted. That a signature is refused by jose and by nothing else is shown by
 * leaving jose out: then a forged token signs in.
 */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { CompactEncrypt, type CryptoKey, generateKeyPair } from "jose"
import { readdirSync, readFileSync } from "node:fs"
import { afterEach, describe, vi } from "vitest"
import { OAuthClient } from "../../src/oauth/OAuthClient.ts"
import type { RedirectProvider } from "../../src/Provider/internal/Provider.ts"
import {
  against,
  answer,
  clientId,
  clientSecret,
  flow,
  type Given,
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
  rsa,
  scripted,
  type Scripted,
  sign,
  signIn,
  start,
  tokenResponse
} from "./ScriptedProvider.ts"

const { called, counted, leftOut } = vi.hoisted(() => {
  const called = new Set<string>()
  const leftOut = new Set<string>()
  const countedMember = ([name, value]: readonly [string, unknown]) => [
    name,
    typeof value === "function"
      ? (...given: ReadonlyArray<unknown>): unknown => {
          called.add(name)
          return leftOut.has(name) ? Promise.resolve({}) : Reflect.apply(value, undefined, given)
        }
      : value
  ]
  const counted = async (importOriginal: () => Promise<Readonly<Record<string, unknown>>>) =>
    Object.fromEntries(Object.entries(await importOriginal()).map(countedMember))
  return { called, counted, leftOut }
})

vi.mock("../../src/oauth/Protocol.ts", (importOriginal) => counted(importOriginal))
vi.mock("../../src/oauth/Signatures.ts", (importOriginal) => counted(importOriginal))
vi.mock("jose/jwe/compact/decrypt", (importOriginal) => counted(importOriginal))

afterEach(() => {
  called.clear()
  leftOut.clear()
})

const header = { alg: "RS256", kid: "rsa-1" }
const jwt = { headers: { "content-type": "application/jwt" } }
const plainToken = { "/token": () => json(tokenResponse(undefined)) }
const plain = answer(undefined, oauthFlow)
const bySlack = answer(undefined, { ...flow, nonce: undefined })
const decryption = await generateKeyPair("RSA-OAEP-256")

/** Answers with a token that takes a while to make. */
const answering = (token: Promise<string>, make: (token: string) => Response) =>
  Effect.map(
    Effect.promise(() => token),
    make
  )

const encrypted = async (key: CryptoKey): Promise<string> =>
  new CompactEncrypt(new TextEncoder().encode(await sign(goodClaims, header, key)))
    .setProtectedHeader({ alg: "RSA-OAEP-256", enc: "A256GCM" })
    .encrypt(decryption.publicKey)

const authorizationResponse = async (key: CryptoKey) =>
  answer({
    response: await sign({ iss: issuer, aud: clientId, exp: now + 60, code: "code-1", state: "state-1" }, header, key)
  })

const userinfo = (key: CryptoKey) =>
  scripted({
    "/userinfo": () => answering(sign({ sub: "person-1", name: "Ada" }, header, key), (token) => json(token, jwt))
  })

/** These endpoints in the configuration: nothing is discovered. The key of the ID token is the client secret. */
const configured = oidc({
  authorization: { url: `${issuer}/authorize` },
  token: { url: `${issuer}/token`, conform: undefined, request: undefined },
  clientMetadata: { id_token_signed_response_alg: "HS256" }
})

const request = ["validateAuthResponse", "authorizationCodeGrantRequest", "processAuthorizationCodeResponse"]
const verified = ["jwtVerify", "getValidatedIdTokenClaims"]
const openId = [...request, ...verified, "processDiscoveryResponse"]

/** A kind of provider: what signs with the given key there, and the functions that a sign-in runs through. */
interface Kind {
  readonly title: string
  readonly provider: RedirectProvider
  readonly passes: ReadonlyArray<string>
  readonly idp: (key: CryptoKey) => Scripted
  readonly given?: (key: CryptoKey) => Promise<Given>
}

const signing = (key: CryptoKey) => scripted(issuing({}, header, key))

const signed: ReadonlyArray<Kind> = [
  { title: "OpenID Connect", provider: oidc(), passes: openId, idp: signing },
  {
    title: "OpenID Connect with a form post",
    provider: oidc({ conform: "apple", formPost: true }),
    passes: openId,
    idp: signing
  },
  {
    title: "OpenID Connect with userinfo",
    provider: oidc({ idToken: false }),
    passes: [...openId, "userInfoRequest", "processUserInfoResponse"],
    idp: signing
  },
  {
    title: "OpenID Connect with signed userinfo",
    provider: oidc({ idToken: false, clientMetadata: { userinfo_signed_response_alg: "RS256" } }),
    passes: [...openId, "userInfoRequest", "processUserInfoResponse"],
    idp: userinfo
  },
  {
    title: "OpenID Connect with an empty nonce",
    provider: oidc({ refuses: ["nonce"] }),
    passes: [...request.slice(0, 2), ...verified, "processDiscoveryResponse", "processGenericTokenEndpointResponse"],
    idp: (key) => scripted(issuing({ nonce: "" }, header, key)),
    given: () => Promise.resolve(bySlack)
  },
  {
    title: "OpenID Connect without discovery",
    provider: configured,
    passes: [...request, ...verified],
    idp: (key) =>
      scripted(
        issuing(
          {},
          { alg: "HS256" },
          new TextEncoder().encode(key === rsa.privateKey ? clientSecret : "another secret of more than 32 bytes")
        )
      )
  },
  {
    title: "OpenID Connect with signed authorization responses",
    provider: oidc({ jwtResponse: true, authorizationParameters: [["response_mode", "jwt"]] }),
    passes: openId,
    idp: () => scripted(),
    given: authorizationResponse
  },
  {
    title: "OpenID Connect with a signed form post",
    provider: oidc({
      jwtResponse: true,
      formPost: true,
      authorizationParameters: [["response_mode", "form_post.jwt"]]
    }),
    passes: openId,
    idp: () => scripted(),
    given: authorizationResponse
  },
  {
    title: "OpenID Connect with encrypted ID tokens",
    provider: oidc({ idTokenDecryption: [decryption.privateKey] }),
    passes: [...openId, "compactDecrypt"],
    idp: (key) => scripted({ "/token": () => answering(encrypted(key), (token) => json(tokenResponse(token))) })
  }
]

const unsigned: ReadonlyArray<Kind> = [
  {
    title: "plain OAuth",
    provider: oauth(),
    passes: request,
    idp: () => scripted(plainToken),
    given: () => Promise.resolve(plain)
  },
  {
    title: "plain OAuth with a form post",
    provider: oauth({ formPost: true }),
    passes: request,
    idp: () => scripted(plainToken),
    given: () => Promise.resolve(plain)
  },
  {
    title: "plain OAuth with an issuer alone",
    provider: oauth({
      issuer,
      token: { url: undefined, conform: undefined, request: undefined },
      userinfo: { url: undefined, request: undefined }
    }),
    passes: [...request, "processDiscoveryResponse"],
    idp: () => scripted(plainToken),
    given: () => Promise.resolve(answer(undefined, { ...flow, nonce: undefined }))
  },
  {
    title: "plain OAuth with a function for the token request",
    provider: oauth({
      token: { url: undefined, conform: undefined, request: () => ({ tokens: { access_token: "access-1" } }) }
    }),
    passes: ["validateAuthResponse", "processAuthorizationCodeResponse"],
    idp: () => scripted(),
    given: () => Promise.resolve(plain)
  }
]

/** The result of a kind of provider for an answer that this key signed. */
const at = ({ given, idp, provider }: Kind, key: CryptoKey) =>
  Effect.flatMap(
    Effect.promise(() => given?.(key) ?? Promise.resolve(answer())),
    (brought) => against(idp(key), signIn(provider, brought))
  )

const logout = (key: CryptoKey) =>
  Effect.flatMap(
    Effect.promise(() =>
      sign(
        {
          iss: issuer,
          aud: clientId,
          sub: "person-1",
          iat: now,
          exp: now + 60,
          jti: "logout-1",
          events: { "http://schemas.openid.net/event/backchannel-logout": {} }
        },
        { ...header, typ: "logout+jwt" },
        key
      )
    ),
    (token) =>
      against(
        scripted(),
        OAuthClient.use((client) => client.logoutToken(oidc({ backchannelLogout: true }), token))
      )
  )

describe("The libraries", () => {
  for (const kind of [...signed, ...unsigned]) {
    it.gen(`process the sign-in of ${kind.title}`, function* () {
      yield* at(kind, rsa.privateKey)
      for (const name of kind.passes) assert.isTrue(called.has(name), name)
      assert.strictEqual(called.has("jwtVerify"), signed.includes(kind))
      assert.strictEqual(called.has("discoveryRequest"), kind.passes.includes("processDiscoveryResponse"))
    })
  }

  for (const kind of signed) {
    it.gen(`P046 refuse a forged signature, which nothing else does: ${kind.title}`, function* () {
      assert.strictEqual((yield* Effect.flip(at(kind, otherRsa.privateKey))).code, "invalid_token")
      assert.isTrue(called.has("jwtVerify"))
      leftOut.add("jwtVerify")
      assert.strictEqual((yield* at(kind, otherRsa.privateKey)).user.id, goodClaims.sub)
    })
  }

  it.gen("P104 verify logout tokens, which nothing else does", function* () {
    assert.strictEqual((yield* logout(rsa.privateKey)).sub, "person-1")
    assert.strictEqual((yield* Effect.flip(logout(otherRsa.privateKey))).code, "invalid_token")
    leftOut.add("jwtVerify")
    assert.strictEqual((yield* logout(otherRsa.privateKey)).sub, "person-1")
  })

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
    it.gen(`make and process ${title}`, function* () {
      yield* program
      for (const name of passes) assert.isTrue(called.has(name), name)
    })
  }

  it("are the only ones that verify: their functions come from two modules, and no other one verifies", () => {
    const folder = new URL("../../src/oauth/", import.meta.url)
    const sources = readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder), "utf8")] as const)
    const named = (pattern: RegExp) => sources.flatMap(([name, text]) => (pattern.test(text) ? [name] : []))
    assert.deepStrictEqual(named(/^(?:import (?!type)|export )[^"]*from "(?:jose|oauth4webapi)[/"]/m), [
      "Protocol.ts",
      "Signatures.ts"
    ])
    assert.deepStrictEqual(named(/subtle\s*\.\s*(?:verify|importKey)|createVerify|createHmac/), [])
  })
})
