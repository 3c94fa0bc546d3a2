/** Signed authorization responses (JARM). */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as jose from "jose"
import {
  against,
  answer,
  clientId,
  clientSecret,
  issuer,
  json,
  keyPair,
  metadata,
  now,
  oidc,
  otherRsa,
  part,
  refusal,
  rsa,
  scripted,
  sign,
  signIn,
  start
} from "./ScriptedProvider.ts"

const provider = oidc({ jwtResponse: true, authorizationParameters: [["response_mode", "jwt"]] })

const goodResponse = { iss: issuer, aud: clientId, exp: now + 60, code: "code-1", state: "state-1" }

const header = { alg: "RS256", kid: "rsa-1" }

/** A signed response; a member that is `undefined` is left out. */
const response = (changes: object = {}) => sign({ ...goodResponse, ...changes }, header, rsa.privateKey)

const given = (make: () => Promise<string>) => Effect.map(Effect.promise(make), (text) => answer({ response: text }))

describe("a signed authorization response", () => {
  it.gen("is asked for, and signs in", function* () {
    const idp = scripted()
    const { url } = yield* against(idp, start(provider))
    assert.strictEqual(new URL(url).searchParams.get("response_mode"), "jwt")
    const { profile } = yield* against(idp, signIn(provider, yield* given(() => response())))
    assert.strictEqual(profile.sub, "person-1")
    const exchange = idp.sent.find(({ path }) => path === "/token")
    assert.strictEqual(new URLSearchParams(exchange?.body).get("code"), "code-1")
  })

  it.gen("may name several audiences", function* () {
    yield* against(scripted(), signIn(provider, yield* given(() => response({ aud: ["other", clientId] }))))
  })

  it.gen("may have the algorithm that the client registered for, and those that the issuer announces", function* () {
    const { jwk, privateKey } = yield* Effect.promise(() => keyPair("ES256", { kid: "ec-1" }))
    const idp = scripted({
      "/keys": () => json({ keys: [jwk, rsa.jwk] }),
      "/.well-known/openid-configuration": () =>
        json({ ...metadata, authorization_signing_alg_values_supported: ["RS256", "ES256"] })
    })
    const signed = yield* given(() => sign(goodResponse, { alg: "ES256", kid: "ec-1" }, privateKey))
    yield* against(idp, signIn(provider, signed))
    const registered = (alg: string) => ({ ...provider, clientMetadata: { authorization_signed_response_alg: alg } })
    yield* against(idp, signIn(registered("ES256"), signed))
    assert.strictEqual((yield* against(idp, refusal(registered("RS256"), signed))).code, "invalid_token")
    const bytes = new TextEncoder().encode(clientSecret)
    const shared = yield* given(() => sign(goodResponse, { alg: "HS256" }, bytes))
    yield* against(idp, signIn(registered("HS256"), shared))
  })

  it.gen("that reports an error fails with it", function* () {
    const refused = yield* given(() => response({ code: undefined, error: "access_denied" }))
    const failure = yield* against(scripted(), refusal(provider, refused))
    assert.strictEqual(failure.code, "access_denied")
  })
})

const unsigned = (head: object) => async () => `${part(head)}.${part(goodResponse)}.`

const hostile: ReadonlyArray<readonly [title: string, make: () => Promise<string>]> = [
  ["for another client", () => response({ aud: "client-2" })],
  ["for other clients", () => response({ aud: ["client-2", "client-3"] })],
  ["without audience", () => response({ aud: undefined })],
  ["of another issuer", () => response({ iss: "https://other.example" })],
  ["of an issuer with a slash more", () => response({ iss: `${issuer}/` })],
  ["without issuer", () => response({ iss: undefined })],
  ["that has expired", () => response({ exp: now - 61 })],
  ["that never expires", () => response({ exp: undefined })],
  ["that expires at a text", () => response({ exp: String(now + 60) })],
  ["that is not valid yet", () => response({ nbf: now + 61 })],
  ["with alg none", unsigned({ alg: "none" })],
  ["with alg None", unsigned({ alg: "None" })],
  ["without alg", unsigned({})],
  ["with a signature of another key", () => sign(goodResponse, header, otherRsa.privateKey)],
  ["signed with the client secret", () => sign(goodResponse, { alg: "HS256" }, new TextEncoder().encode(clientSecret))],
  [
    "signed with the public key as a secret",
    () => sign(goodResponse, { alg: "HS256", kid: "rsa-1" }, new TextEncoder().encode(JSON.stringify(rsa.jwk)))
  ],
  [
    "with a key in its header",
    async () => sign(goodResponse, { alg: "RS256", jwk: otherRsa.jwk }, otherRsa.privateKey)
  ],
  [
    "whose state was changed",
    async () => (await response({ state: "other" })).replace(/\.[^.]+\./, `.${part(goodResponse)}.`)
  ],
  [
    "that is an encrypted one",
    async () =>
      new jose.CompactEncrypt(new TextEncoder().encode(await response()))
        .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
        .encrypt(new Uint8Array(32))
  ],
  ["that is no token", async () => "code-1"],
  ["that is empty", async () => ""]
]

describe("a response that must be signed", () => {
  for (const [title, make] of hostile) {
    it.gen(`${title} is refused, and no code is exchanged`, function* () {
      const idp = scripted()
      const failure = yield* against(idp, refusal(provider, yield* given(make)))
      assert.strictEqual(failure.code, "invalid_token")
      assert.isUndefined(failure.cause)
      assert.strictEqual(idp.count("/token"), 0)
    })
  }

  const wrong: ReadonlyArray<readonly [string, Record<string, string> | string]> = [
    ["plain parameters", { code: "code-1", state: "state-1", iss: issuer }],
    ["a plain error", { error: "access_denied", state: "state-1" }],
    ["nothing", ""]
  ]
  for (const [title, parameters] of wrong) {
    it.gen(`${title} in its place: refused`, function* () {
      const idp = scripted()
      const failure = yield* against(idp, refusal(provider, answer(parameters)))
      assert.strictEqual(failure.code, "invalid_response")
      assert.include(failure.message, "not signed")
      assert.strictEqual(idp.count("/token"), 0)
    })
  }

  it.gen("there is one of it", function* () {
    const text = yield* Effect.promise(() => response())
    const failure = yield* against(scripted(), refusal(provider, answer(`response=${text}&response=${text}`)))
    assert.strictEqual(failure.code, "invalid_response")
  })

  it.gen("what stands beside it does not count", function* () {
    const text = yield* Effect.promise(() => response({ code: undefined }))
    const failure = yield* against(
      scripted(),
      refusal(provider, answer({ response: text, code: "code-2", state: "state-1" }))
    )
    assert.strictEqual(failure.code, "invalid_response")
    assert.include(failure.message, "carries no code")
  })

  it.gen("one of another attempt is refused", function* () {
    const idp = scripted()
    const failure = yield* against(idp, refusal(provider, yield* given(() => response({ state: "state-2" }))))
    assert.strictEqual(failure._tag, "InvalidCheck")
    assert.strictEqual(idp.count("/token"), 0)
  })

  it.gen("tokens in it were not asked for", function* () {
    const failure = yield* against(
      scripted(),
      refusal(provider, yield* given(() => response({ access_token: "token" })))
    )
    assert.strictEqual(failure.code, "invalid_response")
  })

  it.gen("where it was not asked for, it is refused", function* () {
    const failure = yield* against(scripted(), refusal(oidc(), yield* given(() => response())))
    assert.strictEqual(failure.code, "invalid_response")
  })
})
