/**
 * The two ceremonies of Web Authentication (W3C, Level 3), registration and authentication, over `@simplewebauthn/server`,
 * which is loaded when the first one begins.
 *
 * It makes the options for a browser and checks what comes back: type, challenge, origin, relying party, presence and
 * verification of the person, algorithm, key, counter and backup state, and the signature. It knows no store and no
 * session: whose key it is, and who may use it, is decided by the actions.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { WebAuthnShape } from "./WebAuthnShape.ts"
import { lazily } from "../internal/Lazily.ts"

export type { AuthenticationData, RegistrationData } from "./CeremonyData.ts"
export type { Expected, NamedCredential, WebAuthnShape } from "./WebAuthnShape.ts"

/** Most configurations have no keys: what it takes is loaded with the first ceremony. */
const loaded = lazily(() => import("./Ceremonies.ts"))

/**
 * The ceremonies.
 *
 * @category services
 * @since 0.1.0
 */
export class WebAuthn extends Context.Service<WebAuthn, WebAuthnShape>()("effect-doorman/webauthn/WebAuthn") {
  /**
   * The ceremonies. `load` stands for the package that verifies, in tests.
   *
   * @since 0.1.0
   */
  static readonly make = (load?: () => Promise<unknown>): WebAuthn["Service"] => {
    let shape: WebAuthnShape | undefined
    const ceremonies = Effect.map(loaded, ({ make }) => (shape ??= make(load)))
    return WebAuthn.of({
      registrationOptions: (options) => Effect.flatMap(ceremonies, (own) => own.registrationOptions(options)),
      authenticationOptions: (options) => Effect.flatMap(ceremonies, (own) => own.authenticationOptions(options)),
      verifyRegistration: (...given) => Effect.flatMap(ceremonies, (own) => own.verifyRegistration(...given)),
      verifyAuthentication: (...given) => Effect.flatMap(ceremonies, (own) => own.verifyAuthentication(...given))
    })
  }
}
