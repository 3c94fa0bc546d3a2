/**
 * Arguments and results of the two ceremonies of Web Authentication.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import type { InvalidConfiguration, WebAuthnVerificationError } from "../Errors.ts"
import type { AdapterAuthenticator } from "../Models.ts"
import type { WebAuthnProvider } from "../Provider/internal/Provider.ts"
import type { AuthenticationData, RegistrationData } from "./CeremonyData.ts"
import type { RelyingParty } from "./RelyingParty.ts"

/**
 * A credential as options name it; the id is base64url.
 *
 * @category models
 * @since 0.1.0
 */
export interface NamedCredential {
  readonly id: string
  readonly transports?: ReadonlyArray<string> | undefined
}

/**
 * The subject of a ceremony.
 *
 * @category models
 * @since 0.1.0
 */
export interface CeremonyOptions {
  readonly provider: WebAuthnProvider
  readonly relyingParty: RelyingParty
  /** At least 16 random bytes (WebAuthn section 13.4.3). */
  readonly challenge: Uint8Array<ArrayBuffer>
}

/**
 * The requirements of an answer.
 *
 * @category models
 * @since 0.1.0
 */
export interface Expected {
  readonly provider: WebAuthnProvider
  readonly relyingParty: RelyingParty
  /** As it was sent, in base64url. */
  readonly challenge: string
}

/**
 * A new credential that was verified; the id is base64url.
 *
 * @category models
 * @since 0.1.0
 */
export interface Registered {
  readonly id: string
  /** In COSE format. */
  readonly publicKey: Uint8Array
  readonly counter: number
  readonly deviceType: "singleDevice" | "multiDevice"
  readonly backedUp: boolean
  readonly transports: ReadonlyArray<string>
}

/** The failures of an answer. */
type Refusal = InvalidConfiguration | WebAuthnVerificationError

/**
 * The ceremonies.
 *
 * @category models
 * @since 0.1.0
 */
export interface WebAuthnShape {
  /** Options for `navigator.credentials.create`, as JSON (WebAuthn section 5.1.9). */
  readonly registrationOptions: (
    options: CeremonyOptions & {
      readonly userHandle: Uint8Array<ArrayBuffer>
      readonly userName: string
      readonly displayName: string
      readonly exclude: ReadonlyArray<NamedCredential>
    }
  ) => Effect.Effect<object, InvalidConfiguration>
  /** Options for `navigator.credentials.get`, as JSON; without `allow` any key of the relying party will do. */
  readonly authenticationOptions: (
    options: CeremonyOptions & { readonly allow: ReadonlyArray<NamedCredential> | undefined }
  ) => Effect.Effect<object, InvalidConfiguration>
  /** Checks a new key (WebAuthn section 7.1, steps 5 to 25). */
  readonly verifyRegistration: (expected: Expected, data: RegistrationData) => Effect.Effect<Registered, Refusal>
  /** Checks the proof of a key that the store knows (WebAuthn section 7.2, steps 6 to 23); answers the new counter. */
  readonly verifyAuthentication: (
    expected: Expected,
    data: AuthenticationData,
    authenticator: AdapterAuthenticator
  ) => Effect.Effect<number, Refusal>
}
