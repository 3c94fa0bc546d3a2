/**
 * How users sign in with one kind of provider. Each kind has one row, in its own folder; `actions/MethodTable.ts` has them all. What
 * methods and actions share is here: the provider that a request names, and the way to the form of the sign-in page.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { type AuthError, InvalidProvider, recognise, UnexpectedError } from "../Errors.ts"
import * as AuthResponse from "../http/AuthResponse.ts"
import type { FailureWithCookies } from "../http/AuthResponse.ts"
import type { SignInEntry } from "../pages/BuiltInPages.ts"
import type { Identity } from "../Provider/internal/Definition.ts"
import { Settings } from "../config/Settings.ts"
import { AuthRequest } from "../http/AuthRequest.ts"
import type { Provider } from "../Provider/internal/Provider.ts"
import * as CallbackUrl from "../browser/CallbackUrl.ts"

/** A program that answers a request. */
type Answering<R> = Effect.Effect<AuthResponse.AuthResponse, AuthError | FailureWithCookies, R>

/**
 * A sign-in method for providers `P`.
 *
 * @category models
 * @since 0.1.0
 */
export interface SignInMethod<in P, out R> {
  /** `POST signin/‹provider›`, when its CSRF token is checked. `isAnew`: the person chose a new account. */
  readonly begin: (provider: P, isAnew: boolean) => Answering<R>
  /** `callback/‹provider›`. */
  readonly finish: (provider: P) => Answering<R>
  /** The content of the sign-in page; `provider` is missing where its options are wrong. `adds`: a signed-in user can add a key. */
  readonly entries: (identity: Identity, provider: P | undefined, adds: boolean) => ReadonlyArray<SignInEntry>
  /** The answer of a provider may be a form of another site: something else binds it to the browser. */
  readonly isPostedByOthers?: true
  /** The callback may be looked at by HEAD. */
  readonly answersHead?: true
  /** A signed-in user can add one of these to their account. */
  readonly canBeAdded?: true
  /** Does the callback look up what a visitor typed? Then the time of its answer tells nothing about it. */
  readonly hidesTime?: (provider: P) => boolean
}

/**
 * Finds the provider of the request; an unknown id is the client's mistake.
 *
 * @category combinators
 * @since 0.1.0
 */
export const findProvider = (
  { providers }: Settings["Service"],
  { providerId }: AuthRequest["Service"]
): Result.Result<Provider, AuthError> =>
  providerId === undefined
    ? Result.fail(new InvalidProvider({ detail: "The path names no provider" }))
    : Result.mapError(
        providers.get(providerId),
        (failure) => recognise(failure) ?? new UnexpectedError({ cause: failure })
      )

/**
 * Sends the browser to the sign-in page, and remembers where it goes afterwards.
 *
 * @category combinators
 * @since 0.1.0
 */
export const showForm = Effect.gen(function* () {
  const request = yield* AuthRequest
  const settings = yield* Settings
  const target = yield* CallbackUrl.target(request)
  const remembered = CallbackUrl.remember(settings, request, target)
  return AuthResponse.redirect(`${request.origin}${settings.basePath}/signin`, remembered)
})
