/**
 * The door for `effect/rpc`: the session and the user of a message, by the headers that it came with.
 *
 * The middlewares stand on an `Access`, so that a group of procedures and an `HttpApi` have the same `CurrentUser`. Messages
 * may come over anything, so nothing is renewed here: no cookie could be set. Over HTTP the headers of a message are those of
 * its request, with what the client wrote into the message; for cookies provide `Http.layerSameSite` to the route, which looks
 * at the request itself.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Headers from "effect/http/Headers"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as RpcMiddleware from "effect/rpc/RpcMiddleware"
import * as Schema from "effect/Schema"
import { type Access, type CurrentSession, type CurrentUser, type MaybeSession, standard } from "./Access.ts"
import { NotAllowed, NotSignedIn, SessionUnavailable } from "./AccessProblem.ts"
import type { SessionUser } from "./CurrentSession.ts"
import { Doorman } from "./Doorman.ts"
import { type Found, lookUp } from "./http/Lookup.ts"
import { readSession } from "./http/ServerRequest.ts"
import { type CookieHeader, parseCookieHeader } from "./internal/CookieHeader.ts"

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
export interface RpcAccess<Id extends string> {
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
  /** Both middlewares at work. */
  readonly layer: Layer.Layer<OptionalSession<Id> | RequireSession<Id>, never, Doorman>
}

/**
 * Makes the middlewares of an access.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = <const Id extends string, User, Members>(access: Access<Id, User, Members>): RpcAccess<Id> => {
  const required = RpcMiddleware.Service<
    RequireSession<Id>,
    { readonly provides: CurrentSession<Id> | CurrentUser<Id> }
  >()(`${access.id}/Rpc/RequireSession`, { error: Refusal })
  const optional = RpcMiddleware.Service<OptionalSession<Id>, { readonly provides: MaybeSession<Id> }>()(
    `${access.id}/Rpc/OptionalSession`,
    { error: SessionUnavailable }
  )
  const look = Effect.fnUntraced(function* (doorman: Doorman["Service"], headers: Headers.Headers) {
    const found = yield* search(doorman, headers)
    return found === undefined ? Option.none() : Option.some(yield* access.read(found))
  })
  return {
    RequireSession: required,
    OptionalSession: optional,
    layer: Layer.effectContext(
      Effect.gen(function* () {
        const doorman = yield* Doorman
        return Context.make(
          required,
          required.of((call, { headers }) =>
            Effect.flatMap(look(doorman, headers), (found) =>
              Option.isNone(found)
                ? Effect.fail(new NotSignedIn({}))
                : Effect.provideContext(
                    call,
                    Context.make(access.CurrentSession, found.value).pipe(
                      Context.add(access.CurrentUser, found.value.user)
                    )
                  )
            )
          )
        ).pipe(
          Context.add(
            optional,
            optional.of((call, { headers }) =>
              Effect.flatMap(look(doorman, headers), (found) => Effect.provideService(call, access.MaybeSession, found))
            )
          )
        )
      })
    )
  }
}

/** Looks a session up by headers alone. */
const search = (
  { origin, services, settings }: Doorman["Service"],
  headers: Headers.Headers
): Effect.Effect<Found | undefined, SessionUnavailable> =>
  Effect.suspend(() => {
    const cookies = parseCookieHeader(headers["cookie"])
    // The transport is not known. A browser sends a cookie with this prefix over https alone (RFC 6265bis section 4.1.3).
    const isSecure = hasCookie(cookies, settings.secureCookies.sessionToken.name)
    const url = new URL(origin ?? (isSecure ? "https://localhost" : "http://localhost"))
    const authorization = headers["authorization"]
    return Effect.map(
      lookUp(
        settings,
        services,
        readSession(url, cookies, () => new globalThis.Headers(headers)),
        {
          authorization,
          renewal: "never"
        }
      ),
      ({ found }) => found
    )
  })

/** Is the cookie there, whole or in chunks? */
const hasCookie = ({ values }: CookieHeader, name: string): boolean => values.has(name) || values.has(`${name}.0`)

const own: RpcAccess<"effect-doorman"> = make<"effect-doorman", SessionUser, Record<never, never>>(standard)

/**
 * Lets only signed-in users call, with `CurrentSession` and `CurrentUser` of `Http.ts`.
 *
 * @category services
 * @since 0.1.0
 */
export const RequireSession = own.RequireSession

/**
 * Lets everybody call, with `MaybeSession` of `Http.ts`.
 *
 * @category services
 * @since 0.1.0
 */
export const OptionalSession = own.OptionalSession

/**
 * Both middlewares at work.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<OptionalSession<"effect-doorman"> | RequireSession<"effect-doorman">, never, Doorman> =
  own.layer
