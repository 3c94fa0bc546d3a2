/**
 * Sessions of clients that have no cookies: issued by the application, and proven by a token alone.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { NotSignedIn, type SessionUnavailable } from "./AccessProblem.ts"
import { AuthRequest } from "../http/AuthRequest.ts"
import { Doorman } from "../Doorman.ts"
import type { SignInError } from "../Errors.ts"
import { lookUp } from "./ResolveSession.ts"
import { readSession } from "./ServerRequest.ts"
import { readCookie } from "../http/CookieHeader.ts"
import type { CookieHeader } from "../http/CookieHeader.ts"
import { longest } from "../internal/Text.ts"
import * as ServerSignIn from "../actions/ServerSignIn.ts"
import { cookiesFor, Settings } from "../config/Settings.ts"
import type { Found } from "./SessionDecoder.ts"

const none: CookieHeader = { values: new Map(), conflicts: undefined }

/** Where no request says which scheme the site has, a public one is `https`. A token opens under both. */
const requestOf = (settings: Settings["Service"]): AuthRequest["Service"] =>
  readSession(new URL(settings.hosts.origin ?? "https://localhost"), none, new Headers(), "POST")

/** The services of the `Doorman`, outside of a request. */
const servicesHere = Effect.flatMap(Doorman, (doorman) => doorman.servicesHere)

/**
 * Resolves the session of a token, if the token proves one. Each call asks the shared state whether the session was revoked.
 *
 * @category combinators
 * @since 0.1.0
 */
export const resolve = Effect.fnUntraced(function* (
  token: Redacted.Redacted
): Effect.fn.Return<Found | undefined, SessionUnavailable, Doorman> {
  const text = Redacted.value(token)
  if (text.length > longest.token) return undefined
  const services = yield* servicesHere
  const request = requestOf(Context.get(services, Settings))
  const { found } = yield* lookUp(services, request, { authorization: `Bearer ${text}`, renewal: "never" })
  return found
})

/**
 * Resolves the session of a token; fails with `NotSignedIn` for a token that proves no session.
 *
 * @category combinators
 * @since 0.1.0
 */
export const verify = Effect.fnUntraced(function* (
  token: Redacted.Redacted
): Effect.fn.Return<Found, NotSignedIn | SessionUnavailable, Doorman> {
  return (yield* resolve(token)) ?? (yield* new NotSignedIn({}))
})

/**
 * Issues a session: `callbacks.signIn` may refuse it, and events are emitted as for every sign-in.
 *
 * @category combinators
 * @since 0.1.0
 */
export const issue = Effect.fnUntraced(function* (
  user: ServerSignIn.NamedUser,
  options: ServerSignIn.IssueOptions
): Effect.fn.Return<
  readonly [session: Found, token: Redacted.Redacted],
  NotSignedIn | SessionUnavailable | SignInError,
  Doorman
> {
  const services = yield* servicesHere
  const settings = Context.get(services, Settings)
  const request = requestOf(settings)
  const { cookies, failure } = yield* Effect.provideContext(
    Effect.flatMap(ServerSignIn.statedAuthentication(options), (authentication) =>
      ServerSignIn.signIn(user, authentication, true)
    ),
    Context.add(services, AuthRequest, request)
  )
  if (failure !== undefined) return yield* failure
  const values = new Map(cookies.flatMap(({ name, value }) => (value === "" ? [] : [[name, value] as const])))
  const { name } = cookiesFor(settings, request.url).sessionToken
  const [text = ""] = readCookie({ values, conflicts: undefined }, name).candidates
  const token = Redacted.make(text, { label: "sessionToken" })
  return [yield* verify(token), token]
})
