/**
 * The two ceremonies of Web Authentication, registration and authentication, over `@simplewebauthn/server`, which is loaded
 * when the first one begins.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"

/**
 * The ceremonies.
 *
 * @category services
 * @since 0.1.0
 */
export class WebAuthn extends Context.Service<WebAuthn, object>()("effect-doorman/WebAuthn") {
  /**
   * The ceremonies of one configuration.
   *
   * @since 0.1.0
   */
  static readonly make = (): WebAuthn["Service"] => WebAuthn.of({})
}
