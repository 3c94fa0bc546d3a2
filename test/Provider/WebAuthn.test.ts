import { assert, describe, it } from "@effect/vitest"
import PeerPasskey from "@auth/core/providers/passkey"
import PeerWebAuthn from "@auth/core/providers/webauthn"
import * as server from "@simplewebauthn/server"
import * as helpers from "@simplewebauthn/server/helpers"
import { compile } from "../../src/config/Settings.ts"
import { makeMemory } from "../../src/Adapter.ts"
import { Passkey } from "../../src/Provider/Passkey.ts"
import type { WebAuthnProvider } from "../../src/Provider/internal/Provider.ts"
import { WebAuthn } from "../../src/Provider/WebAuthn.ts"
import { make as makeRegistry } from "../../src/Provider/internal/ReadProvider.ts"
import { options } from "../Visitor.ts"
import { failureOf, providerOf } from "./Read.ts"

const read = (input: unknown): WebAuthnProvider => {
  const provider = providerOf(input)
  return provider._tag === "WebAuthn" ? provider : assert.fail("not a WebAuthn provider")
}

/** The provider as actions see it, without further members of another library's object. */
const essence = ({
  getRelayingParty: _1,
  getUserInfo: _2,
  simpleWebAuthn: _3,
  source: _4,
  ...rest
}: WebAuthnProvider) => rest

describe("a provider of keys", () => {
  it("has the names and defaults of Auth.js", () => {
    const webauthn = read(WebAuthn())
    assert.deepInclude(webauthn, { id: "webauthn", name: "WebAuthn", type: "webauthn", enableConditionalUI: true })
    assert.deepStrictEqual(
      webauthn.fields.map(({ attributes, label, name }) => [name, label, attributes]),
      [["email", "Email", { required: true, autocomplete: "username webauthn" }]]
    )
    assert.deepInclude(read(Passkey()), { id: "passkey", name: "Passkey" })
    assert.deepStrictEqual(read(Passkey()).authentication, {
      timeout: 300_000,
      userVerification: "required",
      requireUserVerification: true,
      extensions: undefined
    })
    assert.deepInclude(read(Passkey()).registration, { residentKey: "required", requireUserVerification: true })
  })

  it("is read the same from an object of Auth.js, called or not", () => {
    for (const [ours, peer, factory] of [
      [Passkey(), PeerPasskey({}), PeerPasskey],
      [WebAuthn(), PeerWebAuthn({}), PeerWebAuthn]
    ] as const) {
      assert.deepStrictEqual(essence(read(peer)), essence(read(ours)))
      assert.deepStrictEqual(essence(read(factory)), essence(read(ours)))
    }
    assert.isFunction(read(PeerPasskey({})).getUserInfo)
    assert.isFunction(read(PeerPasskey({})).getRelayingParty)
  })

  it("loads the package that verifies, by the preset's import or by its name", async () => {
    const written = { id: "keys", name: "Keys", type: "webauthn" }
    for (const provider of [Passkey(), WebAuthn(), PeerPasskey({}), written])
      assert.deepStrictEqual(await read(provider).simpleWebAuthn(), [server, helpers])
  })

  it("takes what the application says over the preset", () => {
    const given = {
      id: "keys",
      name: "Keys",
      relayingParty: { id: ["example.com", "other.example"], name: "Example", origin: ["https://example.com"] },
      enableConditionalUI: false,
      authenticationOptions: { timeout: 1000, extensions: { uvm: true } },
      registrationOptions: {
        attestationType: "indirect",
        authenticatorSelection: { authenticatorAttachment: "platform", userVerification: "preferred" },
        preferredAuthenticatorType: "localDevice",
        supportedAlgorithmIDs: [-7]
      },
      verifyRegistrationOptions: { requireUserVerification: false },
      verifyAuthenticationOptions: { expectedTopOrigin: "https://portal.example" }
    } as const
    const ours = read(Passkey(given))
    assert.deepInclude(ours, { id: "keys", name: "Keys", enableConditionalUI: false })
    assert.deepStrictEqual(ours.relyingParty, {
      id: "example.com",
      name: "Example",
      origins: ["https://example.com"],
      topOrigins: ["https://portal.example"]
    })
    assert.deepInclude(ours.authentication, { timeout: 1000, extensions: { uvm: true } })
    assert.deepInclude(ours.registration, {
      attestation: "direct",
      algorithms: [-7],
      authenticatorAttachment: "platform",
      preferredAuthenticatorType: "localDevice",
      residentKey: "required",
      userVerification: "preferred",
      requireUserVerification: false
    })
  })

  it("asks for keys that the browser finds by itself, unless names go first", () => {
    assert.strictEqual(read(WebAuthn()).registration.residentKey, "required")
    assert.strictEqual(read(WebAuthn({ usernameFirst: true })).registration.residentKey, "preferred")
    const discouraged = { registrationOptions: { authenticatorSelection: { residentKey: "discouraged" } } } as const
    assert.strictEqual(read(WebAuthn(discouraged)).registration.residentKey, "discouraged")
  })

  it("needs verification of the person unless it is told otherwise", () => {
    assert.isTrue(read(WebAuthn()).authentication.requireUserVerification)
    const preferred = read(WebAuthn({ authenticationOptions: { userVerification: "preferred" } }))
    assert.isTrue(preferred.authentication.requireUserVerification)
    const discouraged = read(WebAuthn({ authenticationOptions: { userVerification: "discouraged" } }))
    assert.isFalse(discouraged.authentication.requireUserVerification)
    const lenient = read(WebAuthn({ verifyAuthenticationOptions: { requireUserVerification: false } }))
    assert.deepInclude(lenient.authentication, { userVerification: "preferred", requireUserVerification: false })
  })

  const wrong: ReadonlyArray<readonly [string, object, string]> = [
    ["a version that is none", { simpleWebAuthnBrowserVersion: "9.0" }, "simpleWebAuthnBrowserVersion"],
    ["a version that is a number", { simpleWebAuthnBrowserVersion: 9 }, "simpleWebAuthnBrowserVersion"],
    ["a version with four parts", { simpleWebAuthnBrowserVersion: "v1.2.3.4" }, "simpleWebAuthnBrowserVersion"],
    ["an address for a domain", { relayingParty: { id: "https://example.com" } }, "relayingParty.id"],
    ["a domain with a port", { relayingParty: { id: "example.com:443" } }, "relayingParty.id"],
    ["a domain in capitals", { relayingParty: { id: "Example.com" } }, "relayingParty.id"],
    ["a domain that ends in a dot", { relayingParty: { id: "example.com." } }, "relayingParty.id"],
    ["a host for an origin", { relayingParty: { origin: "example.com" } }, "relayingParty.origin"],
    ["an origin with a path", { relayingParty: { origin: "https://example.com/" } }, "relayingParty.origin"],
    ["one origin that is none", { relayingParty: { origin: ["https://example.com", "null"] } }, "relayingParty.origin"],
    [
      "a top origin with a path",
      { verifyAuthenticationOptions: { expectedTopOrigin: "https://a.example/b" } },
      "expectedTopOrigin"
    ],
    ["RSA with SHA-1", { registrationOptions: { supportedAlgorithmIDs: [-65535] } }, "supportedAlgorithmIDs"],
    ["no algorithm", { registrationOptions: { supportedAlgorithmIDs: [] } }, "supportedAlgorithmIDs"],
    ["no time", { authenticationOptions: { timeout: 0 } }, "timeout"],
    ["an unknown way to verify", { authenticationOptions: { userVerification: "always" } }, "userVerification"]
  ]
  for (const [title, given, named] of wrong) {
    it(`is refused with ${title}`, () => {
      const [tag, detail = ""] = failureOf(Passkey(given)) ?? []
      assert.strictEqual(tag, "InvalidConfiguration")
      assert.include(detail, named)
      assert.include(detail, 'Provider "passkey"')
    })
  }

  for (const version of ["v9", "v9.0", "v9.0.1", false, undefined]) {
    it(`takes the version ${version}`, () => {
      assert.isUndefined(failureOf({ ...PeerPasskey({}), simpleWebAuthnBrowserVersion: version }))
    })
  }

  const origins = ["https://example.com", "http://localhost:3000", `android:apk-key-hash:${"A".repeat(43)}`]
  it("takes origins of pages and of applications", () => {
    assert.deepStrictEqual(read(Passkey({ relayingParty: { origin: origins } })).relyingParty.origins, origins)
  })

  it("has the form of the application alone, where there is one", () => {
    const { fields } = read(Passkey({ formFields: { nick: { autocomplete: "username webauthn" } } }))
    assert.deepStrictEqual(
      fields.map(({ name }) => name),
      ["nick"]
    )
  })

  it("needs a field to offer keys in", () => {
    for (const formFields of [{}, { email: { label: "Email" } }, { email: { autocomplete: "username" } }]) {
      const peer = { ...PeerPasskey({}), formFields }
      assert.strictEqual(failureOf(peer)?.[0], "MissingWebAuthnAutocomplete")
      assert.isUndefined(failureOf({ ...peer, enableConditionalUI: false }))
    }
  })

  it("is the only one that offers keys by itself", () => {
    const [problem, ...more] = makeRegistry([Passkey(), WebAuthn()]).problems()
    assert.deepStrictEqual([problem?._tag, problem?.provider, more.length], ["DuplicateConditionalUi", "webauthn", 0])
    assert.deepStrictEqual(makeRegistry([Passkey(), WebAuthn({ enableConditionalUI: false })]).problems(), [])
  })

  it("is found wrong before the first request, in the order of Auth.js", () => {
    const problemOf = (more: object, provider: object = Passkey()) => {
      const [problem] = compile(options({ providers: [provider as never], ...more })).problems()
      return problem?.error._tag
    }
    const experimental = { enableWebAuthn: true }
    const adapter = makeMemory()
    assert.strictEqual(problemOf({ adapter }), "ExperimentalFeatureNotEnabled")
    assert.strictEqual(problemOf({ experimental }), "MissingAdapter")
    assert.strictEqual(problemOf({ experimental, adapter }), undefined)
    assert.strictEqual(
      problemOf({}, Passkey({ formFields: { email: { autocomplete: "email" } } })),
      "MissingWebAuthnAutocomplete"
    )
    assert.strictEqual(
      problemOf({ experimental, adapter, providers: [Passkey(), WebAuthn()] }),
      "DuplicateConditionalUi"
    )
    const lacking = { ...adapter, methods: new Set([...adapter.methods].filter((one) => one !== "getAuthenticator")) }
    assert.strictEqual(problemOf({ experimental, adapter: lacking }), "MissingAdapterMethods")
  })
})
