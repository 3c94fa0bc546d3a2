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

export {
  type Browser,
  type BrowserError,
  type RequestOptions,
  type SignInConsent,
  type SignInStart,
  make as browser,
  siteOrigin,
  StepFailed
} from "./testing/Browser.ts"
export { type FaultName, faults, IdentityProvider } from "./testing/IdentityProvider.ts"
export { make as makeTokens } from "./compat/Token.ts"
export type { UserServices, VisitorServices } from "./testing/GivenSession.ts"
export { openEndpoints } from "./testing/OpenEndpoints.ts"
export { type NoToken, signedInAs, type SignedIn, type SignedInOptions, signedOut } from "./testing/SignedIn.ts"
export { AuditLog, layer } from "./testing/TestEnvironment.ts"
export type { TokenEnvironment, Tokens } from "./compat/Token.ts"
export type { IdentityProviderOptions, TestProvider } from "./testing/IdentityProvider.ts"
export type { OpenEndpoint, OpenEndpointsOptions } from "./testing/OpenEndpoints.ts"
export type { TestEnvironment, TestEnvironmentOptions } from "./testing/TestEnvironment.ts"
export type { FaultFacts } from "./testing/idp/Fault.ts"
export type { AuthorizationRefused } from "./testing/idp/Provider.ts"
export type { StorageCookie, StorageState } from "./testing/StorageState.ts"
export type { Algorithm, Client, Consent, ProviderRequest, ProviderUser } from "./testing/IdentityProvider.ts"
export type { decode, encode, getToken } from "./compat/Token.ts"
export type { OIDCConfig } from "./compat/providers.ts"

/**
 * A secret for tests: long enough, and published with this package.
 *
 * @category constants
 * @since 0.1.0
 */
export const secret: Redacted.Redacted = Redacted.make("for tests only: 0123456789 abcdefghijklmnopqrstuvwxyz")
