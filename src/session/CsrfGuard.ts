/**
 * The CSRF token: for the forms of a page, and checked at each place that changes something.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { Csrf, type CsrfToken } from "../browser/Csrf.ts"
import { Settings } from "../config/Settings.ts"
import type { MissingCsrf } from "../Errors.ts"
import { AuthRequest } from "../http/AuthRequest.ts"
import { type ReadToken, subject } from "../Jwt.ts"
import { type SessionServices, SessionStore } from "./SessionStore.ts"

/** What the token of a form is made and checked with. */
export type FormServices = Settings | AuthRequest | Csrf | SessionServices

/**
 * Fails unless the body of the request has the CSRF token that was issued to the owner of its session. With
 * `skipCSRFCheck` the framework checks, and this does not. `opened` is the token of the session, where it was read already.
 *
 * @category combinators
 * @since 0.1.0
 */
export const guard = (opened?: ReadToken): Effect.Effect<void, MissingCsrf, FormServices> =>
  Effect.contextWith((context: Context.Context<FormServices>) => guardIn(context, opened))

/**
 * The same, with the services of a context.
 *
 * @category combinators
 * @since 0.1.0
 */
export const guardIn = (
  context: Context.Context<FormServices>,
  opened?: ReadToken
): Effect.Effect<void, MissingCsrf> => {
  if (Context.get(context, Settings).skipCsrfCheck) return Effect.void
  const request = Context.get(context, AuthRequest)
  const { verify } = Context.get(context, Csrf)
  return opened === undefined
    ? Effect.flatMapEager(Context.get(context, SessionStore).owner(context, request), (owner) => verify(request, owner))
    : verify(request, subject(opened))
}

/**
 * The token for the forms of a page; `undefined` where the framework has a protection of its own.
 *
 * @category combinators
 * @since 0.1.0
 */
export const formToken = (context: Context.Context<FormServices>): Effect.Effect<CsrfToken | undefined> => {
  if (Context.get(context, Settings).skipCsrfCheck) return Effect.undefined
  const request = Context.get(context, AuthRequest)
  return Effect.flatMap(Context.get(context, SessionStore).owner(context, request), (owner) =>
    Context.get(context, Csrf).token(request, owner)
  )
}
