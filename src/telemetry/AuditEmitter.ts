/**
 * The source of audit events: actions emit them, and listeners receive them with the time and the request.
 *
 * Without a listener an event costs one look into the context. `Audit.ts` has the listeners and the events that they get; no
 * action loads it.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { AuthError } from "../Errors.ts"
import { isPageCode } from "../internal/PageError.ts"
import { sha256 } from "../crypto/Sha256.ts"
import type { AuditEvent } from "./AuditEvent.ts"

/**
 * The network address of the client, where the server that receives requests provides it for each of them. By default it is
 * unknown, and the library trusts no header about it.
 *
 * @category references
 * @since 0.1.0
 */
export const ClientAddress: Context.Reference<string | undefined> = Context.Reference<string | undefined>(
  "effect-doorman/Audit/ClientAddress",
  { defaultValue: () => undefined }
)

type Without<Event, Key extends string> = Event extends unknown ? Omit<Event, Key> : never

/**
 * An event as an action emits it: without time and request.
 *
 * @category models
 * @since 0.1.0
 */
export type Note = Without<AuditEvent, "time" | "request">

/**
 * A listener. `Audit.layer` and `Audit.layerSink` make one.
 *
 * @category models
 * @since 0.1.0
 */
export interface Listener {
  /** Receives an event; the response waits for it. */
  readonly take: (note: Note) => Effect.Effect<void>
  /** The events from now on, where the listener offers a stream. */
  readonly events?: Stream.Stream<AuditEvent> | undefined
}

/**
 * The listener of audit events; there is none by default.
 *
 * @category references
 * @since 0.1.0
 */
export const Audit: Context.Reference<Listener | undefined> = Context.Reference<Listener | undefined>(
  "effect-doorman/Audit",
  { defaultValue: () => undefined }
)

/**
 * Emits an event to the listener.
 *
 * @category combinators
 * @since 0.1.0
 */
export const note = (event: Note): Effect.Effect<void> => Effect.contextWith((context) => noteIn(context, event))

/**
 * Emits an event to the listener of a context.
 *
 * @category combinators
 * @since 0.1.0
 */
export const noteIn = (context: Context.Context<never>, event: Note): Effect.Effect<void> =>
  Context.get(context, Audit)?.take(event) ?? Effect.void

/**
 * Why something was refused, in an event: the public name of the failure, and its code if it is shaped like one.
 *
 * @category constructors
 * @since 0.1.0
 */
export const reasonOf = ({ code, type }: AuthError): { readonly type: string; readonly code?: string } =>
  code !== undefined && isPageCode(code) ? { type, code } : { type }

/**
 * The id of a user in an event. Where ids are email addresses, or whole records, the event has a digest instead.
 *
 * @category constructors
 * @since 0.1.0
 */
export const userOf = (id: unknown): { readonly userId?: string } => {
  if (typeof id !== "string" || id === "") return {}
  return { userId: /^[\w:.|-]{1,128}$/.test(id) ? id : `sha256:${sha256(id, "base64url")}` }
}
