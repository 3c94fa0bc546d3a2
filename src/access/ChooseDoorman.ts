/**
 * The `Doorman` that answers a request: always the same one, or one for each tenant.
 *
 * A request whose tenant is unknown has no `Doorman`. It never gets the one of another tenant.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { toResponse } from "effect/http/HttpServerRespondable"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import { SessionUnavailable } from "./AccessProblem.ts"
import type { Doorman } from "../Doorman.ts"

/**
 * Chooses the `Doorman` of each request.
 *
 * @category models
 * @since 0.1.0
 */
export interface DoormanChoice<out R> {
  /**
   * The `Doorman` of a request. A failure with `NoSuchElementError` means that there is none, and is answered with 404; every
   * other failure is logged and answered with 503.
   */
  readonly doorman: (request: HttpServerRequest) => Effect.Effect<Doorman["Service"], unknown, R>
}

/**
 * The requirements of a layer for a choice: a request has the rest.
 *
 * @category models
 * @since 0.1.0
 */
export type NeedsOfChoice<R> = Exclude<R, HttpServerRequest | Scope.Scope>

/** Why a request has no `Doorman`: its tenant is unknown, or the choice failed. */
export type NoDoorman = "unknown" | "unavailable"

/** Runs a program with the `Doorman` of the current request. */
export type Choose = <A, E, R, B, F, S>(
  use: (doorman: Doorman["Service"]) => Effect.Effect<A, E, R>,
  refuse: (reason: NoDoorman) => Effect.Effect<B, F, S>
) => Effect.Effect<A | B, E | F, R | S>

/** One `Doorman` for every request. */
export const always =
  (doorman: Doorman["Service"]): Choose =>
  (use) =>
    use(doorman)

const reasonOf = (failure: unknown): Effect.Effect<NoDoorman> =>
  Cause.isNoSuchElementError(failure)
    ? Effect.succeed("unknown")
    : Effect.as(Effect.logError("Http: the doorman of a request could not be chosen", failure), "unavailable")

/** The `Doorman` that the application chooses, with the services of the place where this runs. */
export const fromChoice = <R>({ doorman }: DoormanChoice<R>): Effect.Effect<Choose, never, NeedsOfChoice<R>> =>
  Effect.contextWith((place: Context.Context<NeedsOfChoice<R>>) => {
    const chosen = (request: HttpServerRequest, scope: Scope.Scope): Effect.Effect<Doorman["Service"], unknown> =>
      Effect.contextWith((here: Context.Context<never>) => {
        const context = Context.merge(place, here).pipe(
          Context.add(HttpServerRequest, request),
          Context.add(Scope.Scope, scope)
        )
        return Effect.provideContext(doorman(request), Context.makeUnsafe<unknown>(context.mapUnsafe))
      })
    const choose: Choose = (use, refuse) =>
      Effect.flatMap(Effect.serviceOption(HttpServerRequest), (request) =>
        Option.isNone(request)
          ? refuse("unavailable")
          : Effect.scopedWith((scope) =>
              Effect.matchEffect(chosen(request.value, scope), {
                onFailure: (failure) => Effect.flatMap(reasonOf(failure), refuse),
                onSuccess: use
              })
            )
      )
    return Effect.succeed(choose)
  })

/** The answer to a request that has no `Doorman`. */
export const refuseRequest = (
  reason: NoDoorman
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest> =>
  reason === "unknown"
    ? Effect.succeed(HttpServerResponse.empty({ status: 404, headers: { "cache-control": "no-store" } }))
    : toResponse(new SessionUnavailable({}))
