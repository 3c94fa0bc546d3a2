/**
 * The actions, each an endpoint below the base path. Those of logouts are there for providers that ask for them.
 *
 * @since 0.1.0
 */
const actions = [
  "backchannel-logout",
  "callback",
  "csrf",
  "error",
  "frontchannel-logout",
  "providers",
  "session",
  "signin",
  "signout",
  "verify-request",
  "webauthn-options"
] as const

/**
 * Name of an endpoint.
 *
 * @category models
 * @since 0.1.0
 */
export type AuthAction = (typeof actions)[number]

const names: ReadonlySet<string> = new Set(actions)

/**
 * Type guard for the names of endpoints.
 *
 * @category guards
 * @since 0.1.0
 */
export const isAuthAction = (action: string): action is AuthAction => names.has(action)
