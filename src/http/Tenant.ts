/**
 * The doorman of a request: the one of the layer, or the one that the application chooses for each request, such as that of a
 * tenant.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { SessionUnavailable } from "../AccessProblem.ts"
import type { Doorman } from "../Doorman.ts"

/**
 * Answers the doorman of a request. Fails with `NoSuchElementError` where the request belongs to none. It may require a `Scope`,
 * which ends with the request.
 *
 * @category models
 * @since 0.1.0
 */
export type Choose<E = unknown, R = never> = (request: HttpServerRequest) => Effect.Effect<Doorman["Service"], E, R>

/** What a choice requires besides what every request has. @category models @since 0.1.0 */
export type NeedsOfChoice<R> = Exclude<R, HttpServerRequest | Scope.Scope>

/** The doorman of what is being answered; none where it belongs to none. A choice that fails is logged. */
export interface Chosen {
  readonly ofRequest: Effect.Effect<
    Option.Option<Doorman["Service"]>,
    SessionUnavailable,
    HttpServerRequest | Scope.Scope
  >
  /** That of a message of `effect/rpc`, by the HTTP request that it came with. */
  readonly ofMessage: Effect.Effect<Option.Option<Doorman["Service"]>, SessionUnavailable>
}

/** The same doorman for everything. */
export const always = (doorman: Doorman["Service"]): Chosen => ({
  ofRequest: Effect.succeedSome(doorman),
  ofMessage: Effect.succeedSome(doorman)
})

const failed = (cause: unknown): Effect.Effect<never, SessionUnavailable> =>
  Effect.andThen(
    Effect.logError("The doorman of a request could not be chosen", cause),
    Effect.fail(new SessionUnavailable({}))
  )

/** A choice, with what it requires from the place where the layer is built. */
export const chosenBy = <E, R>(choose: Choose<E, R>): Effect.Effect<Chosen, never, NeedsOfChoice<R>> =>
  Effect.contextWith((place: Context.Context<NeedsOfChoice<R>>) => {
    const ofRequest = Effect.flatMap(HttpServerRequest, (request) =>
      // What the request has counts, its Scope and its span among it. Both together are what the choice requires.
      Effect.updateContext(
        choose(request),
        (own: Context.Context<HttpServerRequest | Scope.Scope>) => Context.merge(place, own) as Context.Context<R>
      )
    ).pipe(
      Effect.asSome,
      Effect.catchCause((cause) => {
        if (Cause.hasInterrupts(cause)) return Effect.interrupt
        return Cause.isNoSuchElementError(Cause.squash(cause)) ? Effect.succeedNone : failed(cause)
      })
    )
    const ofMessage = Effect.flatMap(
      Effect.serviceOption(HttpServerRequest),
      Option.match({
        onNone: () => failed("A message that came without an HTTP request belongs to no tenant"),
        // What the choice acquires is released once the session is read.
        onSome: (request) => Effect.scoped(Effect.provideService(ofRequest, HttpServerRequest, request))
      })
    )
    return Effect.succeed({ ofRequest, ofMessage })
  })
