/**
 * The facts of every failure: one row each.
 *
 * `type` is the public name, spelled as Auth.js spells it where it has one. `exposed` says whether a browser may read that
 * name in a URL. The statuses are those of RFC 9110.
 *
 * @since 0.1.0
 */

/**
 * Whose mistake a failure is: of the program that sent the request, of the person who uses it, of the provider, or of the
 * operator of this site.
 *
 * @category models
 * @since 0.1.0
 */
export type ResponsibleParty = "request" | "person" | "provider" | "operator"

export interface Facts {
  readonly type: string
  readonly kind: "signIn" | "error"
  readonly status: number
  readonly exposed: boolean
  readonly blame: ResponsibleParty
  readonly remedy: string
}

const row = (
  type: string,
  kind: Facts["kind"],
  status: number,
  exposed: boolean,
  blame: Facts["blame"],
  remedy: string
): Facts => ({ type, kind, status, exposed, blame, remedy })

export const facts = {
  AccountNotLinked: row(
    "AccountNotLinked",
    "signIn",
    409,
    true,
    "person",
    "Sign in with the method used before, then add the key."
  ),
  DuplicateConditionalUi: row(
    "DuplicateConditionalUI",
    "error",
    500,
    false,
    "operator",
    "Enable conditional UI on one WebAuthn provider at most."
  ),
  EmailSignInError: row(
    "EmailSignin",
    "signIn",
    503,
    true,
    "provider",
    "The address is not the reason: try again later. The log says why the mail was not sent."
  ),
  InvalidEmail: row("EmailSignin", "signIn", 400, true, "person", "Ask for an email address of the usual form."),
  MissingAdapterMethods: row(
    "MissingAdapterMethods",
    "error",
    500,
    false,
    "operator",
    "Use an adapter that has the methods which the message names."
  ),
  MissingWebAuthnAutocomplete: row(
    "MissingWebAuthnAutocomplete",
    "error",
    500,
    false,
    "operator",
    'Give one form field of the provider autocomplete: "username webauthn".'
  ),
  WebAuthnVerificationError: row(
    "WebAuthnVerificationError",
    "error",
    400,
    true,
    "request",
    "Try again with the same key, or sign in another way."
  ),
  AccessDenied: row(
    "AccessDenied",
    "error",
    403,
    true,
    "person",
    "The signIn callback refused this person; change the callback if that was not meant."
  ),
  AdapterError: row("AdapterError", "error", 503, false, "operator", "Look at the cause: the storage adapter failed."),
  Callback: row("Callback", "signIn", 500, false, "operator", "Look at the cause: the sign-in could not be completed."),
  CallbackRouteError: row(
    "CallbackRouteError",
    "error",
    500,
    false,
    "operator",
    "Look at the cause: a callback or authorize function of the application failed."
  ),
  Configuration: row("Configuration", "error", 500, false, "operator", "Look at the cause: it names what to correct."),
  CredentialsSignin: row(
    "CredentialsSignin",
    "signIn",
    401,
    true,
    "person",
    "The credentials were not accepted; let the person try again."
  ),
  EmailCreateAccount: row(
    "EmailCreateAccount",
    "signIn",
    500,
    false,
    "operator",
    "Look at the cause: the store could not create the user of an email address."
  ),
  ErrorPageLoop: row(
    "ErrorPageLoop",
    "error",
    500,
    false,
    "operator",
    "Make pages.error a page that does not require a session."
  ),
  EventError: row(
    "EventError",
    "error",
    500,
    false,
    "operator",
    "Look at the cause: an event handler of the application failed."
  ),
  ExperimentalFeatureNotEnabled: row(
    "ExperimentalFeatureNotEnabled",
    "error",
    500,
    false,
    "operator",
    "Enable the feature under experimental in the configuration."
  ),
  InvalidCallbackUrl: row(
    "InvalidCallbackUrl",
    "error",
    400,
    false,
    "request",
    "Use a callback URL on the site's own origin."
  ),
  InvalidCheck: row(
    "OAuthCallbackError",
    "signIn",
    400,
    true,
    "request",
    "Start the sign-in again in the same browser."
  ),
  InvalidConfiguration: row(
    "InvalidConfiguration",
    "error",
    500,
    false,
    "operator",
    "Correct the option that the message names."
  ),
  InvalidEndpoints: row(
    "InvalidEndpoints",
    "error",
    500,
    false,
    "operator",
    "Give the provider an issuer, or authorization, token and userinfo endpoints."
  ),
  InvalidProvider: row("InvalidProvider", "error", 404, false, "request", "Use the id of a configured provider."),
  JwtSessionError: row(
    "JWTSessionError",
    "error",
    401,
    false,
    "request",
    "Sign in again. If it happens to every user, the message says what to check."
  ),
  LastWayToSignIn: row(
    "LastWayToSignIn",
    "error",
    409,
    false,
    "person",
    "Add another way to sign in before this one is taken away."
  ),
  MalformedRequest: row("MalformedRequest", "error", 400, false, "request", "Send a well-formed request."),
  MethodNotAllowed: row("UnknownAction", "error", 405, false, "request", "Use one of the methods in the Allow header."),
  MissingAdapter: row(
    "MissingAdapter",
    "error",
    500,
    false,
    "operator",
    "Configure an adapter: it keeps the tokens of links, the keys of people, and sessions in a database."
  ),
  MissingAuthorize: row(
    "MissingAuthorize",
    "error",
    500,
    false,
    "operator",
    "Give the credentials provider an authorize function."
  ),
  MissingCsrf: row(
    "MissingCSRF",
    "signIn",
    403,
    true,
    "request",
    "Fetch a token from the csrf action and send it as csrfToken with its cookie."
  ),
  MissingSecret: row(
    "MissingSecret",
    "error",
    500,
    false,
    "operator",
    "Set the secret option or AUTH_SECRET to at least 32 random bytes."
  ),
  OAuthAccountNotLinked: row(
    "OAuthAccountNotLinked",
    "signIn",
    409,
    true,
    "person",
    "Sign in with the method used before, then link the new one."
  ),
  OAuthCallbackError: row(
    "OAuthCallbackError",
    "signIn",
    502,
    true,
    "provider",
    "Try again; if it persists, look at the provider named in the log."
  ),
  OAuthCreateAccount: row(
    "OAuthCreateAccount",
    "signIn",
    500,
    false,
    "operator",
    "Look at the cause: the store could not create the user of a provider's account."
  ),
  OAuthProfileParseError: row(
    "OAuthCallbackError",
    "signIn",
    502,
    true,
    "provider",
    "Compare the provider's profile with what its profile function expects."
  ),
  OAuthSignInError: row(
    "OAuthSignin",
    "signIn",
    502,
    true,
    "provider",
    "Try again; if it persists, check the provider's issuer and endpoints."
  ),
  PayloadTooLarge: row("PayloadTooLarge", "error", 413, false, "request", "Send at most 64 kB."),
  RequestTimeout: row("RequestTimeout", "error", 408, false, "request", "Send the whole body within ten seconds."),
  SessionConflict: row(
    "SessionConflict",
    "error",
    409,
    true,
    "person",
    "Delete the cookies of this site in the browser, then sign in again. If it comes back, look for another site of the domain that sets a cookie of the same name."
  ),
  ProviderTokenError: row(
    "ProviderTokenError",
    "error",
    503,
    false,
    "provider",
    "Try again later: the provider gave no new token. The log says why."
  ),
  ReauthenticationRequired: row(
    "ReauthenticationRequired",
    "signIn",
    401,
    true,
    "person",
    "Sign in with this provider again, then repeat the request."
  ),
  SessionRequired: row("SessionRequired", "signIn", 401, true, "person", "Sign in, then repeat the request."),
  SessionTokenError: row(
    "SessionTokenError",
    "error",
    503,
    false,
    "operator",
    "Look at the cause: the session callback or the store failed."
  ),
  SharedStateError: row(
    "SharedStateError",
    "error",
    503,
    false,
    "operator",
    "Look at the cause: the store behind SharedState is full or failed."
  ),
  Signin: row("Signin", "signIn", 403, true, "person", "Try to sign in with another account."),
  SignOutError: row("SignOutError", "error", 500, false, "operator", "Look at the cause; the cookies were cleared."),
  // The public name that a refused attempt has had: pages of applications know it, with the code `throttled`.
  TooManyAttempts: row(
    "CredentialsSignin",
    "signIn",
    429,
    true,
    "person",
    "Wait for as long as Retry-After says, then try again."
  ),
  UnexpectedError: row(
    "UnexpectedError",
    "error",
    500,
    false,
    "operator",
    "Look at the cause and report it if it is not the application's own."
  ),
  UnknownAction: row(
    "UnknownAction",
    "error",
    400,
    false,
    "request",
    "Use one of the nine actions below the base path."
  ),
  UnprovenAddress: row(
    "UnprovenAddress",
    "signIn",
    409,
    true,
    "person",
    "Sign in with a method of the user who holds the address, or post account=new to the sign-in action for a new account."
  ),
  UnsupportedMediaType: row(
    "UnsupportedMediaType",
    "error",
    415,
    false,
    "request",
    "Send application/json, application/x-www-form-urlencoded or multipart/form-data in UTF-8."
  ),
  UnsupportedStrategy: row(
    "UnsupportedStrategy",
    "error",
    500,
    false,
    "operator",
    "Use the jwt session strategy with this configuration."
  ),
  UntrustedHost: row(
    "UntrustedHost",
    "error",
    500,
    false,
    "operator",
    "Set AUTH_URL or origin, list the hosts in trustedHosts, or set trustHost behind a proxy that checks the host."
  ),
  Verification: row("Verification", "error", 403, true, "person", "Ask for a new link."),
  WeakSecret: row(
    "WeakSecret",
    "error",
    500,
    false,
    "operator",
    "Use at least 32 random bytes, for example the output of: openssl rand -base64 33. While you develop, NODE_ENV=development makes a weak one a warning."
  )
} as const satisfies Record<string, Facts>

export type FailureTag = keyof typeof facts

/** The log level of a failure. A mistake of the operator or a provider is an error, a mistake of a visitor is information. */
export const levelOf = ({ blame }: { readonly blame: ResponsibleParty }): "Error" | "Info" =>
  blame === "operator" || blame === "provider" ? "Error" : "Info"
