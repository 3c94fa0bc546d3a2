/**
 * How users sign in with one kind of provider. Each kind has one row, in its own folder; `actions/MethodTable.ts` has them all.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import type { AuthError } from "../Errors.ts"
import type * as AuthResponse from "../http/AuthResponse.ts"
import type { FailureWithCookies } from "../http/AuthResponse.ts"
import type { SignInEntry } from "../pages/BuiltInPages.ts"
import type { Identity } from "../Provider/internal/Definition.ts"

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
  /** What the sign-in page shows; `provider` is missing where its options are wrong. `adds`: a signed-in user can add a key. */
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
