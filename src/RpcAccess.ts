/**
 * Who may call: the middlewares of an access for `effect/rpc`.
 *
 * This is the contract alone, for servers and for clients that share a group of procedures with them; `Rpc.ts` puts it to
 * work. A group of procedures and an `HttpApi` of one access have the same `CurrentUser`.
 *
 * @since 0.1.0
 */
import * as RpcMiddleware from "effect/rpc/RpcMiddleware"
import * as Schema from "effect/Schema"
import {
  type Access,
  type CurrentSession,
  type CurrentUser,
  type MaybeSession,
  standard as standardAccess
} from "./Access.ts"
import { NotAllowed, NotSignedIn, SessionUnavailable } from "./AccessProblem.ts"
import type { SessionUser } from "./CurrentSession.ts"

const Refusal = Schema.Union([NotSignedIn, NotAllowed, SessionUnavailable])

/** Identifies the middleware that lets only signed-in users call. @category models @since 0.1.0 */
export interface RequireSession<Id extends string> {
  readonly "~effect/rpc/RpcMiddleware": {
    readonly error: typeof Refusal
    readonly provides: CurrentSession<Id> | CurrentUser<Id>
    readonly requires: never
    readonly clientError: never
  }
}

/** Identifies the middleware that lets everybody call. @category models @since 0.1.0 */
export interface OptionalSession<Id extends string> {
  readonly "~effect/rpc/RpcMiddleware": {
    readonly error: typeof SessionUnavailable
    readonly provides: MaybeSession<Id>
    readonly requires: never
    readonly clientError: never
  }
}

/**
 * The middlewares of an access for procedures.
 *
 * @category models
 * @since 0.1.0
 */
export interface RpcAccess<Id extends string, User, Members> {
  /** Fails with `NotSignedIn`, `NotAllowed` or `SessionUnavailable`, or provides session and user. */
  readonly RequireSession: RpcMiddleware.ServiceClass<
    RequireSession<Id>,
    `${Id}/Rpc/RequireSession`,
    CurrentSession<Id> | CurrentUser<Id>,
    typeof Refusal,
    never,
    never,
    false
  >
  /** Provides the session, if there is one. */
  readonly OptionalSession: RpcMiddleware.ServiceClass<
    OptionalSession<Id>,
    `${Id}/Rpc/OptionalSession`,
    MaybeSession<Id>,
    typeof SessionUnavailable,
    never,
    never,
    false
  >
  /** The access that they belong to. */
  readonly access: Access<Id, User, Members>
}

/**
 * Makes the middlewares of an access.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = <const Id extends string, User, Members>(
  access: Access<Id, User, Members>
): RpcAccess<Id, User, Members> => ({
  access,
  RequireSession: RpcMiddleware.Service<
    RequireSession<Id>,
    { readonly provides: CurrentSession<Id> | CurrentUser<Id> }
  >()(`${access.id}/Rpc/RequireSession`, { error: Refusal }),
  OptionalSession: RpcMiddleware.Service<OptionalSession<Id>, { readonly provides: MaybeSession<Id> }>()(
    `${access.id}/Rpc/OptionalSession`,
    { error: SessionUnavailable }
  )
})

/**
 * The middlewares of the library's own user.
 *
 * @category services
 * @since 0.1.0
 */
export const standard: RpcAccess<"effect-doorman", SessionUser, Record<never, never>> = make(standardAccess)

/**
 * Lets only signed-in users call, with `CurrentSession` and `CurrentUser` of `Access.ts`.
 *
 * @category services
 * @since 0.1.0
 */
export const RequireSession = standard.RequireSession

/**
 * Lets everybody call, with `MaybeSession` of `Access.ts`.
 *
 * @category services
 * @since 0.1.0
 */
export const OptionalSession = standard.OptionalSession
