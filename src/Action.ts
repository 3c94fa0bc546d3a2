/**
 * The nine actions and the way to them: a request comes in, a program is picked, an answer goes out.
 *
 * Failures travel here in the error channel and become a redirect, a page or JSON in this file and nowhere else. What a
 * client or an attacker sends never ends in a 5xx, and never in `Configuration`.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { AuthConfig } from "./AuthConfig.ts"
import { AuthRequest, type RequestFailure } from "./AuthRequest.ts"
import * as AuthResponse from "./AuthResponse.ts"
import { callback, type Interrupted } from "./Callback.ts"
import type { ResponseCookie } from "./Cookie.ts"
import { type AuthError, CredentialsSignin, isAuthError, MethodNotAllowed, UnexpectedError } from "./Errors.ts"
import { frame, pages, pageUrl } from "./PageActions.ts"
import * as PageActions from "./PageActions.ts"
import * as PublicEndpoints from "./PublicEndpoints.ts"
import * as Session from "./Session.ts"
import * as SignIn from "./SignIn.ts"
import { signInWithCredentials } from "./SignInWithCredentials.ts"
import { signOut } from "./SignOut.ts"

export { type AuthAction, isAuthAction } from "./internal/AuthAction.ts"

/**
 * An answer, and the failure that it stands for, if it does.
 *
 * @category models
 * @since 0.1.0
 */
export interface Handled {
  readonly response: AuthResponse.AuthResponse
  readonly failure: AuthError | undefined
}

const wrongMethod = (allow: string) =>
  Effect.fail(new MethodNotAllowed({ allow, detail: `This action is answered for ${allow} only` }))

/** Ways to sign in that only some configurations have: they are loaded when they are first used. */
const links = Effect.runSync(Effect.cached(Effect.promise(() => import("./SignInWithEmail.ts"))))
const keys = Effect.runSync(Effect.cached(Effect.promise(() => import("./SignInWithWebAuthn.ts"))))
const keyOptions = Effect.runSync(Effect.cached(Effect.promise(() => import("./WebAuthnOptions.ts"))))

/** Picks the program of a request. */
const program = Effect.gen(function* () {
  const request = yield* AuthRequest
  const get = request.method === "GET"
  switch (request.action) {
    case "session":
      return yield* get ? Session.read : Session.update
    case "csrf":
      return yield* get ? PublicEndpoints.csrf : wrongMethod("GET")
    case "providers":
      return yield* get ? PublicEndpoints.providers : wrongMethod("GET")
    case "signin":
      if (!get) return yield* SignIn.signIn
      return yield* request.providerId === undefined ? PageActions.signIn : wrongMethod("POST")
    case "signout":
      return yield* get ? PageActions.signOut : signOut
    case "error":
      return yield* get ? PageActions.error : wrongMethod("GET")
    case "verify-request":
      return yield* get ? PageActions.verifyRequest : wrongMethod("GET")
    case "callback": {
      const provider = yield* SignIn.provider
      // Only a link of a mail may be looked at without being followed.
      if (request.isHead === true && provider._tag !== "Email") return yield* wrongMethod("GET, POST")
      switch (provider._tag) {
        case "Credentials":
          return yield* signInWithCredentials(provider)
        case "Email":
          return yield* (yield* links).followLink(provider)
        case "WebAuthn":
          return yield* (yield* keys).signInWithWebAuthn(provider)
        case "OAuth":
        case "Oidc":
          return yield* callback(provider)
      }
    }
    case "webauthn-options":
      return yield* get ? (yield* keyOptions).webAuthnOptions : wrongMethod("GET")
  }
})

/**
 * Answers the request of the context. Never fails: a failure is logged once and becomes an answer.
 *
 * @category actions
 * @since 0.1.0
 */
export const handle = program.pipe(
  Effect.map((response): Handled => ({ response, failure: undefined })),
  Effect.catch((failure) => (isAuthError(failure) ? answer(failure, []) : answer(failure.failure, failure.cookies))),
  Effect.catchDefect((defect) => answer(new UnexpectedError({ detail: "A defect", cause: defect }), []))
)

/** Logs a failure and answers it. */
const answer = Effect.fnUntraced(function* (
  failure: AuthError,
  cookies: ReadonlyArray<ResponseCookie>
): Effect.fn.Return<Handled, never, AuthConfig | AuthRequest> {
  yield* report(failure)
  const request = yield* AuthRequest
  const settings = yield* AuthConfig
  if (request.action === "session" && request.method === "POST" && failure._tag !== "MethodNotAllowed") {
    return { failure, response: AuthResponse.json(null, cookies, 400) }
  }
  if (isRefusal(failure)) {
    return { failure, response: yield* refuse(failure, request.headers, settings, request.url) }
  }
  const target = pageOf(failure, settings, request.origin)
  return { failure, response: AuthResponse.redirect(target, cookies) }
})

/** Failures of a client that has no page to go to: the status says it all. */
const isRefusal = (failure: AuthError): boolean =>
  failure._tag === "MethodNotAllowed" ||
  failure._tag === "InvalidProvider" ||
  failure._tag === "MalformedRequest" ||
  failure._tag === "InvalidCallbackUrl"

/** The page that explains a failure, with `error` and, where there is one, `code`. */
const pageOf = (failure: AuthError, settings: AuthConfig["Service"], origin: string): string => {
  const query: Record<string, string> = { error: failure.isClientSafe ? failure.type : "Configuration" }
  if (
    failure.isClientSafe &&
    failure.code !== undefined &&
    (failure.kind === "signIn" || failure instanceof CredentialsSignin)
  ) {
    query["code"] = failure.code
  }
  const page = failure.kind === "signIn" ? settings.pages.signIn : settings.pages.error
  return pageUrl(page ?? `${settings.basePath}/${failure.kind === "signIn" ? "signin" : "error"}`, origin, query)
}

/**
 * Writes a failure to the log once: refusals and throttled attempts as information, everything else as an error.
 *
 * @category combinators
 * @since 0.1.0
 */
export const report = (failure: AuthError): Effect.Effect<void> =>
  isRefusal(failure) ||
  failure.status === 404 ||
  failure.status === 413 ||
  failure.status === 415 ||
  failure.status === 408 ||
  failure.code === "throttled" ||
  failure._tag === "InvalidEmail"
    ? Effect.logInfo(failure)
    : Effect.logError(failure)

/**
 * Answers a failure that has no page: JSON for programs, a short page for people, the status for both.
 *
 * @category combinators
 * @since 0.1.0
 */
export const refuse = Effect.fnUntraced(function* (
  failure: AuthError | RequestFailure,
  headers: Headers,
  settings: Pick<AuthConfig["Service"], "basePath" | "theme">,
  url: URL
): Effect.fn.Return<AuthResponse.AuthResponse> {
  const allow: Readonly<Record<string, string>> = failure._tag === "MethodNotAllowed" ? { allow: failure.allow } : {}
  const response =
    headers.get("accept")?.includes("text/html") === true
      ? AuthResponse.page((yield* pages).clientError(frame(settings, url), { status: failure.status }))
      : AuthResponse.json({ message: failure.remedy }, [], failure.status)
  return { ...response, headers: { ...response.headers, ...allow } }
})

/**
 * What can interrupt an action: a failure, alone or with cookies to clear.
 *
 * @category errors
 * @since 0.1.0
 */
export type Interruption = AuthError | Interrupted
