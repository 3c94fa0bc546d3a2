/**
 * Audit events: who signed in and out, what was linked and taken away, what was refused and why, for the application to keep.
 *
 * Every event is told once, when it has happened, with the time and the facts of its request. No event holds an address of a
 * person, a name, a token or a cookie. Nobody listens by default. `layerSink` hands each event to a function that is waited
 * for before the answer goes out; `layer` offers them as a `Stream` to whoever wants to look on, and waits for nobody.
 *
 * For decisions there are callbacks; an event cannot be refused.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PubSub from "effect/PubSub"
import * as Stream from "effect/Stream"
import type { AuditEvent } from "./audit/AuditEvent.ts"
import { Audit, type Listener } from "./audit/Trail.ts"

export {
  AccountLinked,
  AccountUnlinked,
  AddressProven,
  AuditEvent,
  CredentialsRemoved,
  KeyAdded,
  KeyRemoved,
  Reason,
  RequestFacts,
  RequestRefused,
  SessionsRevoked,
  SignedIn,
  SignedOut,
  SignInRefused,
  SignOutFailed,
  UserCreated
} from "./audit/AuditEvent.ts"
export { Audit, ClientAddress, type Listener, note, type Note } from "./audit/Trail.ts"

/**
 * Hands every event to a function of the application, and waits for it before the answer goes out, for ten seconds at most.
 * What it fails with is logged as `EventError`, and the answer goes out all the same. There is one listener: of several
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
    Effect.map(Effect.context<R>(), (context): Listener => ({
      // What is current when it happens, such as the span, goes before what was when the layer was built.
      tell: (event) =>
        Effect.updateContext(sink(event), (current: Context.Context<never>) => Context.merge(context, current))
    }))
  )

/**
 * Offers the events to whoever follows `Audit.stream`. Nothing waits for a follower: one that falls behind by more than
 * `capacity` events (default 256) loses the oldest of them, and what happens while nobody follows is not kept. Use
 * `layerSink` for records that must be complete.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (options: { readonly capacity?: number | undefined } = {}): Layer.Layer<never> =>
  Layer.effect(
    Audit,
    Effect.map(PubSub.sliding<AuditEvent>(options.capacity ?? 256), (events): Listener => ({
      tell: (event) => PubSub.publish(events, event),
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
