/**
 * The ceremonies over `@simplewebauthn/server`, which is loaded when the first one begins.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { WebAuthnVerificationError } from "../Errors.ts"
import * as Base64Url from "../crypto/Base64Url.ts"
import { equalText } from "../crypto/Sha256.ts"
import { addresses } from "../internal/Mismatch.ts"
import type { AdapterAuthenticator } from "../Models.ts"
import { type AuthenticationData, bytesOf, clientDataOf, type RegistrationData, toBase64Url } from "./CeremonyData.ts"
import { type Library, libraryOf } from "./Library.ts"
import { checkPublicKey } from "./PublicKey.ts"
import type { Expected, NamedCredential, Registered, WebAuthnShape } from "./WebAuthnShape.ts"

/** The ceremonies. @internal */
export const ceremonies: WebAuthnShape = {
  registrationOptions: Effect.fnUntraced(function* (options) {
    const [server] = yield* libraryOf(options.provider)
    const { registration } = options.provider
    const ceremonyOptions = yield* Effect.promise(() =>
      server.generateRegistrationOptions({
        rpName: options.relyingParty.name,
        rpID: options.relyingParty.id,
        challenge: options.challenge,
        userID: options.userHandle,
        userName: options.userName,
        userDisplayName: options.displayName,
        timeout: registration.timeout,
        attestationType: registration.attestation,
        supportedAlgorithmIDs: [...registration.algorithms],
        excludeCredentials: options.exclude.map(describeCredential),
        authenticatorSelection: {
          residentKey: registration.residentKey,
          userVerification: registration.userVerification,
          ...(registration.authenticatorAttachment === undefined
            ? {}
            : { authenticatorAttachment: registration.authenticatorAttachment })
        },
        ...(registration.preferredAuthenticatorType === undefined
          ? {}
          : { preferredAuthenticatorType: registration.preferredAuthenticatorType })
      })
    )
    return { ...ceremonyOptions, extensions: { ...ceremonyOptions.extensions, ...registration.extensions } }
  }),
  authenticationOptions: Effect.fnUntraced(function* (options) {
    const [server] = yield* libraryOf(options.provider)
    const { authentication } = options.provider
    const ceremonyOptions = yield* Effect.promise(() =>
      server.generateAuthenticationOptions({
        rpID: options.relyingParty.id,
        challenge: options.challenge,
        timeout: authentication.timeout,
        userVerification: authentication.userVerification,
        ...(options.allow === undefined ? {} : { allowCredentials: options.allow.map(describeCredential) })
      })
    )
    return { ...ceremonyOptions, extensions: { ...ceremonyOptions.extensions, ...authentication.extensions } }
  }),
  verifyRegistration: Effect.fnUntraced(function* (expected, data) {
    const modules = yield* libraryOf(expected.provider)
    yield* checkClientData("webauthn.create", expected, data.response.clientDataJSON)
    return yield* verifyRegistration(modules, expected, data)
  }),
  verifyAuthentication: Effect.fnUntraced(function* (expected, data, authenticator) {
    const modules = yield* libraryOf(expected.provider)
    yield* checkClientData("webauthn.get", expected, data.response.clientDataJSON)
    return yield* verifyAuthentication(modules, expected, data, authenticator)
  })
}

const describeCredential = ({ id, transports }: NamedCredential) => ({
  id,
  ...(transports === undefined || transports.length === 0 ? {} : { transports: [...transports] })
})

const toRejection = (detail: string, cause?: unknown): WebAuthnVerificationError =>
  new WebAuthnVerificationError({ detail, ...(cause === undefined ? {} : { cause }) })

/** The client data of the ceremony: its kind, its challenge, and where it took place. */
const checkClientData = (
  type: "webauthn.create" | "webauthn.get",
  { challenge, provider, relyingParty }: Expected,
  json: string
): Effect.Effect<void, WebAuthnVerificationError> => {
  const client = clientDataOf(json)
  if (client === undefined) return Effect.fail(toRejection("The client data cannot be read"))
  if (client.type !== type) return Effect.fail(toRejection("The answer is one to another kind of ceremony"))
  if (!equalText(client.challenge, challenge)) return Effect.fail(toRejection("The challenge is another one"))
  if (!relyingParty.origins.includes(client.origin)) {
    const [first, ...others] = relyingParty.origins
    const origins = others.length === 0 ? first : relyingParty.origins
    return Effect.fail(toRejection(`The ceremony took place elsewhere${addresses(origins, client.origin)}`))
  }
  const { crossOrigin, topOrigin } = client
  const isFramed = crossOrigin === true || (topOrigin !== undefined && topOrigin !== null)
  const { topOrigins } = provider.relyingParty
  return isFramed && !(crossOrigin === true && typeof topOrigin === "string" && topOrigins.includes(topOrigin))
    ? Effect.fail(toRejection("The ceremony took place in a frame of another site"))
    : Effect.void
}

/** The statement of the authenticator about a new key, taken apart. */
interface Attestation {
  readonly authData: Uint8Array<ArrayBuffer>
  readonly format: unknown
  /** Certificates in the statement. */
  readonly certificates: number
}

const attestationOf = ([, helpers]: Library, text: string): Effect.Effect<Attestation, WebAuthnVerificationError> =>
  Effect.try({
    try: () => {
      const bytes = Base64Url.decode(text) ?? new Uint8Array()
      const statement: unknown = helpers.isoCBOR.decodeFirst(bytes)
      const authData: unknown = statement instanceof Map ? statement.get("authData") : undefined
      if (!(statement instanceof Map) || !isBytes(authData)) return undefined
      const inside: unknown = statement.get("attStmt")
      const x5c: unknown = inside instanceof Map ? inside.get("x5c") : undefined
      const format: unknown = statement.get("fmt")
      return { authData, format, certificates: Array.isArray(x5c) ? x5c.length : 0 }
    },
    catch: (cause) => toRejection("The attestation cannot be read", cause)
  }).pipe(
    Effect.flatMap((found) =>
      found === undefined ? Effect.fail(toRejection("The attestation has not the form of one")) : Effect.succeed(found)
    )
  )

const isBytes = (value: unknown): value is Uint8Array<ArrayBuffer> => value instanceof Uint8Array

/** Certificates of the longest chain that is followed. */
const longestChain = 8

const verifyRegistration = Effect.fnUntraced(function* (
  library: Library,
  { challenge, provider, relyingParty }: Expected,
  data: RegistrationData
): Effect.fn.Return<Registered, WebAuthnVerificationError> {
  const [server, helpers] = library
  const { registration } = provider
  const { response } = data
  const attestation = yield* attestationOf(library, response.attestationObject)
  const isAsked = registration.attestation !== "none"
  if (isAsked && !isAttested(library, attestation)) {
    return yield* toRejection("This site does not know the maker of the authenticator")
  }
  // An attestation statement that was not requested proves nothing, so it is not read.
  const attestationObject = isAsked
    ? response.attestationObject
    : helpers.isoBase64URL.fromBuffer(
        helpers.isoCBOR.encode(
          new Map<string, string | Uint8Array | Map<string, string>>([
            ["fmt", "none"],
            ["attStmt", new Map()],
            ["authData", attestation.authData]
          ])
        )
      )
  const verification = yield* Effect.tryPromise({
    try: () =>
      server.verifyRegistrationResponse({
        response: {
          id: data.id,
          rawId: data.rawId,
          type: "public-key",
          response: { clientDataJSON: response.clientDataJSON, attestationObject },
          clientExtensionResults: {}
        },
        expectedChallenge: challenge,
        expectedOrigin: [...relyingParty.origins],
        expectedRPID: relyingParty.id,
        requireUserPresence: true,
        requireUserVerification: registration.requireUserVerification,
        supportedAlgorithmIDs: [...registration.algorithms]
      }),
    catch: (cause) => toRejection("The new key could not be verified", cause)
  })
  if (!verification.verified) return yield* toRejection("The statement of the authenticator is not valid")
  const { credential, credentialBackedUp, credentialDeviceType } = verification.registrationInfo
  if (credential.id !== data.id) return yield* toRejection("The authenticator made another key than the answer says")
  yield* checkPublicKey(yield* coseOf(library, credential.publicKey))
  return {
    id: credential.id,
    publicKey: credential.publicKey,
    counter: credential.counter,
    deviceType: credentialDeviceType,
    backedUp: credentialBackedUp,
    transports: transportsOf(response.transports ?? [])
  }
})

/** Is there a chain of certificates, and a root to compare it with? */
const isAttested = ([server]: Library, { certificates, format }: Attestation): boolean =>
  (format === "packed" ||
    format === "fido-u2f" ||
    format === "tpm" ||
    format === "android-key" ||
    format === "apple") &&
  certificates > 0 &&
  certificates <= longestChain &&
  server.SettingsService.getRootCertificates({ identifier: format }).length > 0

const coseOf = (
  [, helpers]: Library,
  publicKey: Uint8Array<ArrayBuffer>
): Effect.Effect<ReadonlyMap<unknown, unknown>, WebAuthnVerificationError> =>
  Effect.try({
    try: (): ReadonlyMap<unknown, unknown> => {
      const key: unknown = helpers.isoCBOR.decodeFirst(publicKey)
      return key instanceof Map ? key : new Map()
    },
    catch: (cause) => toRejection("The public key cannot be read", cause)
  })

/** Names of transports (WebAuthn section 5.8.4), those to come included. */
const transportsOf = (given: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...new Set(given)].filter((transport) => /^[a-z][a-z-]{0,31}$/.test(transport)).slice(0, 8)

const verifyAuthentication = Effect.fnUntraced(function* (
  [server]: Library,
  { challenge, provider, relyingParty }: Expected,
  data: AuthenticationData,
  authenticator: AdapterAuthenticator
): Effect.fn.Return<number, WebAuthnVerificationError> {
  const { id, rawId, response } = data
  const publicKey = bytesOf(authenticator.credentialPublicKey)
  if (publicKey === undefined || toBase64Url(authenticator.credentialID) !== id)
    return yield* toRejection("The stored key cannot be read")
  const [topOrigin] = provider.relyingParty.topOrigins
  const verification = yield* Effect.tryPromise({
    try: () =>
      server.verifyAuthenticationResponse({
        response: {
          id,
          rawId,
          type: "public-key",
          response: {
            clientDataJSON: response.clientDataJSON,
            authenticatorData: response.authenticatorData,
            signature: response.signature
          },
          clientExtensionResults: {}
        },
        expectedChallenge: challenge,
        expectedOrigin: [...relyingParty.origins],
        expectedRPID: relyingParty.id,
        requireUserVerification: provider.authentication.requireUserVerification,
        credential: { id, publicKey, counter: authenticator.counter },
        ...(topOrigin === undefined ? {} : { expectedTopOrigin: [...provider.relyingParty.topOrigins] })
      }),
    catch: (cause) => toRejection("The key could not be verified", cause)
  })
  if (!verification.verified) return yield* toRejection("The signature is not valid")
  const { credentialDeviceType, newCounter } = verification.authenticationInfo
  // Whether a key can be copied to other devices is decided when it is made (WebAuthn section 6.1.3).
  if (credentialDeviceType !== authenticator.credentialDeviceType)
    return yield* toRejection("The key says something else of its device than when it was made")
  return newCounter
})
