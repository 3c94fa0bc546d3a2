/**
 * The actions, each an endpoint below the base path, and the endpoints at which providers end sessions.
 *
 * @since 0.1.0
 */
const actions = [
  "callback",
  "csrf",
  "error",
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

/**
 * Name of an endpoint: that of an action, one that a provider calls, or one for the person who develops the site.
 *
 * @category models
 * @since 0.1.0
 */
export type Endpoint = AuthAction | "backchannel-logout" | "mailbox"

/** Is this the name of an endpoint? */
export const isEndpoint = (name: string): name is Endpoint =>
  isAuthAction(name) || name === "backchannel-logout" || name === "mailbox"
