import { assert, describe, it } from "@effect/vitest"
import { SettingsService } from "@simplewebauthn/server"
import * as nine from "simplewebauthn-server-9"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { createHash, randomBytes, sign } from "node:crypto"
import { asUserId } from "../../src/models/Id.ts"
import type { AdapterAuthenticator } from "../../src/Models.ts"
import { Passkey } from "../../src/Provider/Passkey.ts"
import type { WebAuthnProvider } from "../../src/Provider/internal/Provider.ts"
import type { WebAuthnUserConfig } from "../../src/Provider/internal/ProviderOptions.ts"
import { authenticationData, registrationData } from "../../src/webauthn/CeremonyData.ts"
import { relatedOrigins } from "../../src/Provider/Passkey.ts"
import { type Expected, WebAuthn } from "../../src/webauthn/WebAuthn.ts"
import { providerOf } from "../Provider/Read.ts"
import vectors from "../vectors/webauthn-level-3.json" with { type: "json" }
import { type Cbor, cbor } from "./Cbor.ts"
import { type Certificate, certificate } from "./Certificates.ts"
import { type Algorithm, create, type CreationOptions, get, type Lies } from "./SoftwareAuthenticator.ts"

const origin = "https://app.example"
const relyingParty = { id: "app.example", name: "App", origins: [origin] }

const webAuthn = WebAuthn.make()

const passkey = (options: WebAuthnUserConfig = {}): WebAuthnProvider => {
  const provider = providerOf(Passkey(options))
  return provider._tag === "WebAuthn" ? provider : assert.fail("not a WebAuthn provider")
}

const begin = (provider: WebAuthnProvider): Effect.Effect<{ expected: Expected; options: CreationOptions }, unknown> =>
  Effect.gen(function* () {
    const challenge = Uint8Array.from(randomBytes(32))
    const options = (yield* webAuthn.registrationOptions({
      provider,
      relyingParty,
      challenge,
      userHandle: Uint8Array.from(randomBytes(32)),
      userName: "ada@example.com",
      displayName: "Ada",
      exclude: []
    })) as CreationOptions
    return { expected: { provider, relyingParty, challenge: options.challenge }, options }
  })

/** How the service answers a new key: the failure's tag, or nothing when it is taken. */
const register = Effect.fnUntraced(function* (
  lies: Lies = {},
  algorithm: Algorithm = "ES256",
  provider: WebAuthnProvider = passkey(),
  at = origin
) {
  const { expected, options } = yield* begin(provider)
  const data = registrationData(JSON.stringify(create(options, at, lies, algorithm).data))
  if (data === undefined) return "malformed"
  return yield* Effect.match(webAuthn.verifyRegistration(expected, data), {
    onFailure: ({ _tag }): string | undefined => _tag,
    onSuccess: () => undefined
  })
})

const refused = "WebAuthnVerificationError"

describe("a new key", () => {
  it.gen("is taken when all of it is right", function* () {
    for (const algorithm of ["ES256", "EdDSA", "RS256"] as const)
      assert.strictEqual(yield* register({}, algorithm), undefined)
    assert.strictEqual(yield* register({ backupEligible: true }), undefined)
    assert.strictEqual(yield* register({ backupEligible: true, backedUp: true }), undefined)
    assert.strictEqual(yield* register({ id: randomBytes(1023) }), undefined)
    assert.strictEqual(yield* register({ id: randomBytes(1) }), undefined)
  })

  const small = new Map<Cbor, Cbor>([
    [1, 3],
    [3, -257],
    [-1, randomBytes(128).fill(0xff, 0, 1)],
    [-2, Buffer.from([1, 0, 1])]
  ])
  const rsa = (n: Uint8Array, e: Uint8Array, alg = -257) =>
    new Map<Cbor, Cbor>([
      [1, 3],
      [3, alg],
      [-1, n],
      [-2, e]
    ])
  const modulus = randomBytes(256).fill(0xff, 0, 1).fill(0xff, 255)
  const ec = (x: Uint8Array, y: Uint8Array, alg = -7, crv = 1) =>
    new Map<Cbor, Cbor>([
      [1, 2],
      [3, alg],
      [-1, crv],
      [-2, x],
      [-3, y]
    ])
  const lies: ReadonlyArray<readonly [title: string, lies: Lies]> = [
    ["P170, H202 of another kind of ceremony", { type: "webauthn.get" }],
    ["P170 of no kind of ceremony", { type: "" }],
    ["P171 for another challenge", { challenge: "AAAA" }],
    ["P171 for no challenge", { challenge: "" }],
    ["P173, H203 in a frame of another site", { crossOrigin: true }],
    ["P173, H203 below another site", { crossOrigin: true, topOrigin: "https://evil.example" }],
    ["P173, H203 with a top origin but no frame", { topOrigin: origin }],
    ["P175, H202 for another relying party", { rpId: "evil.example" }],
    ["P175 for a part of the relying party's name", { rpId: "example" }],
    ["P176, H202 without the person", { userPresent: false }],
    ["P177, H202 without verification of the person", { userVerified: false }],
    ["P178 backed up although it cannot be", { backedUp: true }],
    ["P179 of RSA with SHA-1", { publicKey: rsa(modulus, Buffer.from([1, 0, 1]), -65535) }],
    ["P179 on secp256k1", { publicKey: ec(randomBytes(32), randomBytes(32), -47, 8) }],
    ["P179 that lies on no curve", { publicKey: ec(randomBytes(32), randomBytes(32)) }],
    ["P179 at infinity", { publicKey: ec(Buffer.alloc(32), Buffer.alloc(32)) }],
    ["P179 of P-384 for ES256", { publicKey: ec(randomBytes(48), randomBytes(48), -7, 2) }],
    ["P179 of RSA with 1024 bits", { publicKey: small }],
    ["P179 of RSA with the exponent 1", { publicKey: rsa(modulus, Buffer.from([1])) }],
    ["P179 of RSA with the exponent 3", { publicKey: rsa(modulus, Buffer.from([3])) }],
    ["P179 of RSA with an even exponent", { publicKey: rsa(modulus, Buffer.from([1, 0, 2])) }],
    ["P179 of RSA with 16384 bits", { publicKey: rsa(randomBytes(2048).fill(0xff, 0, 1), Buffer.from([1, 0, 1])) }],
    ["P179 that is no key", { publicKey: new Map<Cbor, Cbor>([[3, -7]]) }],
    ["P179 without an algorithm", { publicKey: new Map<Cbor, Cbor>([[1, 2]]) }],
    ["P182 with an empty id", { id: Buffer.alloc(0), outerId: "AAAA" }],
    ["P182 with an id of 1024 bytes", { id: randomBytes(1024), outerId: "AAAA" }],
    ["P182 with another id than the answer says", { outerId: "AAAA" }],
    ["H202 whose client data are not JSON", { clientData: "{" }],
    ["H202 whose client data name no origin", { clientData: '{"type":"webauthn.create","challenge":"AAAA"}' }],
    ["H206 whose statement is no CBOR", { attestationObject: Buffer.from("text") }],
    ["H206 whose statement is a number", { attestationObject: cbor(1) }],
    ["H206 whose statement has no data", { attestationObject: cbor(new Map<Cbor, Cbor>([["fmt", "none"]])) }],
    ["H206 whose statement is a deep list", { attestationObject: Buffer.alloc(40_000, 0x81) }],
    ["H206 whose statement says it is long", { attestationObject: Buffer.from("9bffffffffffffffff", "hex") }],
    ["H206 whose statement says it has many members", { attestationObject: Buffer.from("bbffffffffffffffff", "hex") }],
    ["H206 whose statement says it is a long text", { attestationObject: Buffer.from("7bffffffffffffffff", "hex") }]
  ]
  for (const [title, lie] of lies) {
    it.gen(`${title} is refused`, function* () {
      assert.strictEqual(yield* register(lie), refused)
    })
  }

  const elsewhere = [
    "https://evil.example",
    "https://sub.app.example",
    "http://app.example",
    "https://app.example:8443",
    "https://app.example.",
    "https://app.example/",
    "https://APP.example",
    "https://\u0430pp.example",
    "https://xn--pp-6kc.example",
    "https://app.example@evil.example",
    "https://app.example.evil.example",
    "null",
    "",
    "file://",
    "android:apk-key-hash:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
  ]
  for (const at of elsewhere) {
    it.gen(`P172, P194, H202 made at ${JSON.stringify(at)} is refused`, function* () {
      assert.strictEqual(yield* register({}, "ES256", passkey(), at), refused)
    })
  }

  it.gen("P173 may be made in a frame of a site that the configuration names", function* () {
    const provider = passkey({ verifyAuthenticationOptions: { expectedTopOrigin: "https://portal.example" } })
    const framed = (topOrigin: string) => register({ crossOrigin: true, topOrigin }, "ES256", provider)
    assert.strictEqual(yield* framed("https://portal.example"), undefined)
    assert.strictEqual(yield* framed("https://evil.example"), refused)
    assert.strictEqual(yield* register({ crossOrigin: true }, "ES256", provider), refused)
    const unframed = { crossOrigin: false, topOrigin: "https://portal.example" }
    assert.strictEqual(yield* register(unframed, "ES256", provider), refused)
  })

  it.gen("P177 needs no verification of the person where the configuration says so", function* () {
    const provider = passkey({
      registrationOptions: { authenticatorSelection: { userVerification: "preferred" } },
      verifyRegistrationOptions: { requireUserVerification: false }
    })
    assert.strictEqual(yield* register({ userVerified: false }, "ES256", provider), undefined)
    assert.strictEqual(yield* register({ userVerified: false, userPresent: false }, "ES256", provider), refused)
  })

  it.gen("P179 is of an algorithm that was offered", function* () {
    const provider = passkey({ registrationOptions: { supportedAlgorithmIDs: [-8] } })
    assert.strictEqual(yield* register({}, "EdDSA", provider), undefined)
    for (const algorithm of ["ES256", "RS256"] as const)
      assert.strictEqual(yield* register({}, algorithm, provider), refused)
  })

  it.gen("P184 may say more than was asked", function* () {
    const extensions = new Map<Cbor, Cbor>([
      ["credProtect", 2],
      ["unknown", new Map<Cbor, Cbor>([["a", [1, true, "b"]]])]
    ])
    assert.strictEqual(yield* register({ extensions }), undefined)
    assert.strictEqual(yield* register({ transports: ["usb", "smart-card", "<script>", 7] }), "malformed")
    assert.strictEqual(yield* register({ transports: ["usb", "smart-card", "<script>", "new-one"] }), undefined)
  })

  it.gen("P184 keeps only names of transports", function* () {
    const { expected, options } = yield* begin(passkey())
    const transports = ["usb", "usb", "new-one", "a,b", "USB", "<b>", "x".repeat(40)]
    const { data } = create(options, origin, { transports })
    const read = registrationData(JSON.stringify(data)) ?? assert.fail("malformed")
    assert.deepStrictEqual((yield* webAuthn.verifyRegistration(expected, read)).transports, ["usb", "new-one"])
  })
})

describe("the statement of a maker", () => {
  /** A packed statement with certificates (WebAuthn section 8.2). */
  const attested = Effect.fnUntraced(function* (
    chain: ReadonlyArray<Certificate>,
    attestationType: "direct" | "none" = "direct",
    tamper = false
  ) {
    const provider = passkey({ registrationOptions: { attestationType } })
    const { expected, options } = yield* begin(provider)
    const plain = create(options, origin)
    const { clientDataJSON } = plain.data["response"] as { clientDataJSON: string }
    // Equal client data and key, with a signature over both.
    const authData = authDataOf(plain.data["response"] as { attestationObject: string })
    const hash = createHash("sha256").update(Buffer.from(clientDataJSON, "base64url")).digest()
    const signed = Buffer.concat([authData, tamper ? Buffer.alloc(32) : hash])
    const attestationObject = cbor(
      new Map<Cbor, Cbor>([
        ["fmt", "packed"],
        [
          "attStmt",
          new Map<Cbor, Cbor>([
            ["alg", -7],
            ["sig", sign("sha256", signed, chain[0]?.privateKey ?? plain.credential.privateKey)],
            ...(chain.length === 0 ? [] : ([["x5c", chain.map(({ der }) => der)]] as const))
          ])
        ],
        ["authData", authData]
      ])
    )
    const response = { clientDataJSON, attestationObject: attestationObject.toString("base64url") }
    const data = registrationData(JSON.stringify({ ...plain.data, response }))
    if (data === undefined) return "malformed"
    return yield* Effect.match(webAuthn.verifyRegistration(expected, data), {
      onFailure: ({ _tag }): string | undefined => _tag,
      onSuccess: () => undefined
    })
  })

  const authDataOf = ({ attestationObject }: { readonly attestationObject: string }): Buffer => {
    const bytes = Buffer.from(attestationObject, "base64url")
    const at = bytes.indexOf("authData") + "authData".length
    // A byte string of one or of two bytes of length.
    return bytes.subarray(bytes[at] === 0x58 ? at + 2 : at + 3)
  }

  const root = certificate("Root", { isCa: true })
  const leaf = certificate("Key", { issuer: root })
  const stranger = certificate("Root", { isCa: true })

  const trusting = <A, E>(program: Effect.Effect<A, E>) =>
    Effect.acquireUseRelease(
      Effect.sync(() => SettingsService.setRootCertificates({ identifier: "packed", certificates: [root.pem] })),
      () => program,
      () => Effect.sync(() => SettingsService.setRootCertificates({ identifier: "packed", certificates: [] }))
    )

  const expired = certificate("Key", { issuer: root, until: new Date("2021-01-01T00:00:00Z") })
  const strange = certificate("Key", { issuer: stranger })
  const chains: ReadonlyArray<readonly [string, ReadonlyArray<Certificate>, string | undefined]> = [
    ["of a maker that is known is taken", [leaf], undefined],
    ["of another maker of that name is refused", [strange], refused],
    ["P181 that brings the root of its own is refused", [strange, stranger], refused],
    ["P181 that is its own root is refused", [stranger], refused],
    ["P181 of a maker whose certificate has ended is refused", [expired], refused],
    ["P181 of nobody is refused", [], refused],
    ["H208 of a long chain is refused unread", Array.from({ length: 9 }, () => leaf), refused],
    ["H208 of a chain in a circle is refused", [strange, stranger, strange, stranger], refused]
  ]
  for (const [title, chain, answer] of chains) {
    it.effect(`${title}, where one is asked for`, () =>
      trusting(
        Effect.gen(function* () {
          assert.strictEqual(yield* attested(chain), answer)
        })
      )
    )
  }

  it.effect("P181 must be about this key and this ceremony, where one is asked for", () =>
    trusting(
      Effect.gen(function* () {
        assert.strictEqual(yield* attested([leaf], "direct", true), refused)
      })
    )
  )

  it.gen("P181 counts for nothing while no maker is known", function* () {
    assert.strictEqual(yield* attested([leaf]), refused)
    const provider = passkey({ registrationOptions: { attestationType: "direct" } })
    assert.strictEqual(yield* register({}, "ES256", provider), refused)
  })

  it.gen("H208 is ignored where it was not requested", function* () {
    for (const chain of [[leaf], [strange, stranger], [expired], Array.from({ length: 60 }, () => leaf)])
      assert.strictEqual(yield* attested(chain, "none", true), undefined)
    assert.strictEqual(yield* register({ fmt: "made-up" }), undefined)
  })
})

describe("the vectors of the specification", () => {
  const base64url = (hex: string) => Buffer.from(hex, "hex").toString("base64url")
  const challengeOf = (hex: string): string => {
    const { challenge } = JSON.parse(Buffer.from(hex, "hex").toString()) as { challenge: string }
    return challenge
  }
  const party = { id: "example.org", name: "Vectors", origins: ["https://example.org"] }
  const lenient = (topOrigin?: string): WebAuthnProvider =>
    passkey({
      authenticationOptions: { userVerification: "preferred" },
      registrationOptions: { authenticatorSelection: { userVerification: "preferred" } },
      verifyRegistrationOptions: { requireUserVerification: false },
      verifyAuthenticationOptions: {
        requireUserVerification: false,
        ...(topOrigin === undefined ? {} : { expectedTopOrigin: topOrigin })
      }
    })

  for (const vector of vectors.vectors) {
    const isFramed = vector.name.endsWith("Origin")
    const run = Effect.fnUntraced(function* (provider: WebAuthnProvider) {
      const id = base64url(vector.credentialId)
      const head = { id, rawId: id, type: "public-key" }
      const { attestationObject, clientDataJSON } = vector.registration
      const made = registrationData(
        JSON.stringify({
          ...head,
          response: { attestationObject: base64url(attestationObject), clientDataJSON: base64url(clientDataJSON) }
        })
      )
      const key = yield* webAuthn.verifyRegistration(
        { provider, relyingParty: party, challenge: challengeOf(clientDataJSON) },
        made ?? assert.fail("malformed")
      )
      assert.strictEqual(key.id, id)
      if (vector.authentication === undefined) return
      const { authenticatorData, clientDataJSON: client, signature } = vector.authentication
      const proof = authenticationData(
        JSON.stringify({
          ...head,
          response: {
            authenticatorData: base64url(authenticatorData),
            clientDataJSON: base64url(client),
            signature: base64url(signature)
          }
        })
      )
      const row: AdapterAuthenticator = {
        userId: asUserId("1"),
        credentialID: Buffer.from(vector.credentialId, "hex").toString("base64"),
        providerAccountId: "",
        credentialPublicKey: Buffer.from(key.publicKey).toString("base64"),
        counter: key.counter,
        credentialDeviceType: key.deviceType,
        credentialBackedUp: key.backedUp
      }
      const expected = { provider, relyingParty: party, challenge: challengeOf(client) }
      const counter = yield* webAuthn.verifyAuthentication(expected, proof ?? assert.fail("malformed"), row)
      assert.strictEqual(counter, 0)
    })
    it.gen(`${vector.name} ${isFramed ? "is refused, being framed" : "verifies"}`, function* () {
      const exit = yield* Effect.exit(run(lenient()))
      assert.strictEqual(Exit.isSuccess(exit), !isFramed)
    })
  }

  it.gen("none.es256.topOrigin verifies where that frame is expected", function* () {
    const [vector] = vectors.vectors.filter(({ name }) => name === "none.es256.topOrigin")
    assert.isDefined(vector)
    const provider = lenient("https://example.com")
    const { attestationObject, clientDataJSON } = (vector ?? assert.fail("missing")).registration
    const id = base64url(vector?.credentialId ?? "")
    const data = registrationData(
      JSON.stringify({
        id,
        rawId: id,
        type: "public-key",
        response: { attestationObject: base64url(attestationObject), clientDataJSON: base64url(clientDataJSON) }
      })
    )
    const expected = { provider, relyingParty: party, challenge: challengeOf(clientDataJSON) }
    assert.strictEqual((yield* webAuthn.verifyRegistration(expected, data ?? assert.fail("malformed"))).id, id)
  })
})

describe("sites that share keys", () => {
  it("H209 are named in the form that browsers read", async () => {
    const response = relatedOrigins(["https://app.example", "https://app.example.org"])
    assert.deepStrictEqual([response.status, response.headers.get("content-type")], [200, "application/json"])
    assert.strictEqual(await response.text(), '{"origins":["https://app.example","https://app.example.org"]}')
  })

  it.gen("H209 take keys of one relying party, each at its own address", function* () {
    const shared = { ...relyingParty, origins: [origin, "https://app.example.org"] }
    for (const [at, answer] of [
      ["https://app.example.org", undefined],
      ["https://other.example.org", refused]
    ] as const) {
      const { expected, options } = yield* begin(passkey())
      const data = registrationData(JSON.stringify(create(options, at).data)) ?? assert.fail("malformed")
      const tag = yield* Effect.match(webAuthn.verifyRegistration({ ...expected, relyingParty: shared }, data), {
        onFailure: ({ _tag }): string | undefined => _tag,
        onSuccess: () => undefined
      })
      assert.strictEqual(tag, answer)
    }
  })
})

describe("the package that verifies", () => {
  it.gen("is named when it is not there, or is an earlier one", function* () {
    const missing = () => Promise.reject(new Error("Cannot find package"))
    const earlier = () => Promise.resolve([nine, {}])
    const nothing = () => Promise.resolve(undefined)
    for (const simpleWebAuthn of [missing, earlier, nothing]) {
      const failure = yield* Effect.flip(
        webAuthn.authenticationOptions({
          provider: { ...passkey(), simpleWebAuthn },
          relyingParty,
          challenge: Uint8Array.from(randomBytes(32)),
          allow: undefined
        })
      )
      assert.strictEqual(failure._tag, "InvalidConfiguration")
      assert.include(failure.message, "@simplewebauthn/server")
      assert.include(failure.message, "14")
      assert.include(failure.remedy, "effect-doorman/providers/passkey")
    }
  })

  it.gen("verifies a stored key only under its own id", function* () {
    const { expected, options } = yield* begin(passkey())
    const { credential, data } = create(options, origin)
    const key = yield* webAuthn.verifyRegistration(
      expected,
      registrationData(JSON.stringify(data)) ?? assert.fail("malformed")
    )
    const row: AdapterAuthenticator = {
      userId: asUserId("1"),
      credentialID: credential.id.toString("base64"),
      providerAccountId: "",
      credentialPublicKey: Buffer.from(key.publicKey).toString("base64"),
      counter: 0,
      credentialDeviceType: "singleDevice",
      credentialBackedUp: false
    }
    const proof =
      authenticationData(JSON.stringify(get(credential, { ...options, rpId: "app.example" }, origin))) ??
      assert.fail("malformed")
    const verify = (changed: Partial<AdapterAuthenticator>) =>
      Effect.match(webAuthn.verifyAuthentication(expected, proof, { ...row, ...changed }), {
        onFailure: ({ _tag }): string => _tag,
        onSuccess: String
      })
    assert.strictEqual(yield* verify({}), "0")
    assert.strictEqual(yield* verify({ credentialID: "AAAA" }), refused)
    assert.strictEqual(yield* verify({ credentialPublicKey: "no key" }), refused)
    assert.strictEqual(yield* verify({ credentialPublicKey: "AAAA" }), refused)
    assert.strictEqual(yield* verify({ counter: 1 }), refused)
  })
})
