/**
 * What the tests of an application need: a provider, a browser and an environment in this process, signed-in users, and a check
 * that finds endpoints without protection.
 *
 * Nothing here opens a socket, sleeps, or differs between two runs: time is that of `TestClock`, randomness is seeded, mails and
 * audit events are recorded. For tests alone: the private keys of the provider are published with this package.
 *
 * @since 0.1.0
 */
import * as Redacted from "effect/Redacted"
import { make } from "./testing/Browser.ts"
import { layer as layerEnvironment } from "./testing/TestEnvironment.ts"

export { type Browser, siteOrigin, StepFailed } from "./testing/Browser.ts"
export { type FaultName, faults, IdentityProvider } from "./testing/IdentityProvider.ts"
export { make as makeTokens } from "./compat/Token.ts"
export { openEndpoints } from "./testing/OpenEndpoints.ts"
export { signedInAs, type SignedIn, signedOut } from "./testing/SignedIn.ts"
export { AuditLog } from "./testing/TestEnvironment.ts"

/**
 * A browser for an application: for the layer that a server would serve.
 *
 * @category constructors
 * @since 0.1.0
 */
export const browser = make

/**
 * A separate environment for every build: provider, `HttpClient`, seeded randomness, captured mails and audit events.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = layerEnvironment

/**
 * A secret for tests: long enough, and published with this package.
 *
 * @category constants
 * @since 0.1.0
 */
export const secret: Redacted.Redacted = Redacted.make("for tests only: 0123456789 abcdefghijklmnopqrstuvwxyz")
