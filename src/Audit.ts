/**
 * Audit events for the application to keep: sign-ins and sign-outs, linked and removed accounts, refusals and their reasons.
 *
 * The library emits every event once, after it happened, with the time and the facts of its request. No event holds an email
 * address, a name, a token or a cookie. By default there is no listener. `layerSink` hands each event to a function, and the
 * response waits for it. `layer` offers the events as a `Stream`, and no response waits for its subscribers.
 *
 * For decisions there are callbacks; an event cannot be refused.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PubSub from "effect/PubSub"
import * as Stream from "effect/Stream"
import type { AuditEvent, RequestFacts } from "./telemetry/AuditEvent.ts"
import { Audit, ClientAddress, type Listener, type Note } from "./telemetry/AuditEmitter.ts"
import { AuthRequest } from "./http/AuthRequest.ts"
import { EventError } from "./Errors.ts"
import { requestId } from "./telemetry/RequestId.ts"

export { AuditEvent } from "./telemetry/AuditEvent.ts"
export { Audit, ClientAddress, note } from "./telemetry/AuditEmitter.ts"
export type { Listener, Note } from "./telemetry/AuditEmitter.ts"

/**
 * Hands every event to a function of the application. The response waits for it, for ten seconds at most.
 * Its failure is logged as `EventError`, and the response is sent all the same. There is one listener: of several
 * that are provided, the innermost.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerSink = <R = never>(
  sink: (event: AuditEvent) => Effect.Effect<unknown, unknown, R>
): Layer.Layer<never, never, R> =>
  Layer.effect(
    Audit,
    Effect.map(Effect.context<R>(), (context) =>
      // The context of the event, such as the span, takes precedence over that of the layer's build.
      listener((event) =>
        Effect.updateContext(sink(event), (current: Context.Context<never>) => Context.merge(context, current))
      )
    )
  )

/**
 * Offers the events to subscribers of `Audit.stream`. Nothing waits for a subscriber: one that falls behind by more than
 * `capacity` events (default 256) loses the oldest of them. Events without a subscriber are not kept. Use
 * `layerSink` for records that must be complete.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (options: { readonly capacity?: number | undefined } = {}): Layer.Layer<never> =>
  Layer.effect(
    Audit,
    Effect.map(PubSub.sliding<AuditEvent>(options.capacity ?? 256), (events): Listener => ({
      ...listener((event) => PubSub.publish(events, event)),
      events: Stream.fromPubSub(events)
    }))
  )

/**
 * The events from now on, where `Audit.layer` is provided; elsewhere there are none.
 *
 * @category streams
 * @since 0.1.0
 */
export const stream: Stream.Stream<AuditEvent> = Stream.unwrap(
  Effect.map(Audit, (listener) => listener?.events ?? Stream.empty)
)

/**
 * Makes a listener of a function, as `layerSink` does, for applications that set the reference `Audit` by hand.
 *
 * @category constructors
 * @since 0.1.0
 * @internal
 */
export const listener = (tell: (event: AuditEvent) => Effect.Effect<unknown, unknown>): Listener => ({
  take: (note) =>
    Effect.flatMap(stamp(note), tell).pipe(
      Effect.timeoutOrElse({
        duration: "10 seconds",
        orElse: () => Effect.fail("No answer within ten seconds")
      }),
      Effect.catchCause((cause) =>
        Effect.logError(new EventError({ detail: `The audit event ${note._tag} was not taken`, cause }))
      ),
      Effect.asVoid
    )
})

const stamp = Effect.fnUntraced(function* (event: Note): Effect.fn.Return<AuditEvent> {
  const time = yield* Clock.currentTimeMillis
  const request = yield* Effect.serviceOption(AuthRequest)
  if (request._tag === "None") return { ...event, time }
  return { ...event, time, request: yield* factsOf(request.value, yield* ClientAddress) }
})

const factsOf = (request: AuthRequest["Service"], ip: string | undefined): Effect.Effect<RequestFacts> =>
  Effect.map(requestId(request.headers), (id) => {
    const userAgent = printable(request.headers.get("user-agent") ?? "")
    return {
      id,
      action: request.action,
      method: request.isHead === true ? "HEAD" : request.method,
      origin: request.origin,
      ...(ip === undefined ? {} : { ip }),
      ...(userAgent === "" ? {} : { userAgent })
    }
  })

const printable = (text: string): string => text.replace(/[^\x20-\x7e]/g, "").slice(0, 256)
