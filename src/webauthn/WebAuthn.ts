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
import type { WebAuthnShape } from "./WebAuthnShape.ts"
import { whenLoaded } from "../internal/Lazily.ts"

export type { AuthenticationData, RegistrationData } from "./CeremonyData.ts"
export type { Expected, NamedCredential, WebAuthnShape } from "./WebAuthnShape.ts"

/** Most configurations have no keys: what it takes is loaded with the first ceremony. */
const loaded = whenLoaded(() => import("./Ceremonies.ts"))

/**
 * The ceremonies.
 *
 * @category services
 * @since 0.1.0
 */
export class WebAuthn extends Context.Service<WebAuthn, WebAuthnShape>()("effect-doorman/webauthn/WebAuthn") {
  /**
   * The ceremonies.
   *
   * @since 0.1.0
   */
  static readonly make = (): WebAuthn["Service"] =>
    WebAuthn.of({
      registrationOptions: (options) => loaded(({ ceremonies }) => ceremonies.registrationOptions(options)),
      authenticationOptions: (options) => loaded(({ ceremonies }) => ceremonies.authenticationOptions(options)),
      verifyRegistration: (...given) => loaded(({ ceremonies }) => ceremonies.verifyRegistration(...given)),
      verifyAuthentication: (...given) => loaded(({ ceremonies }) => ceremonies.verifyAuthentication(...given))
    })
}
