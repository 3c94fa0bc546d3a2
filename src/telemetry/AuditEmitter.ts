/**
 * Where audit events come from: actions note what happened, and whoever listens is told, with the time and the request.
 *
 * When nobody listens a note costs one look into the context. What listeners are and what they get is in `Audit.ts`, which
 * no action loads.
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
 * The network address of the client, when whoever receives requests knows it and says so for each of them. By default it is
 * not known, and no header is believed about it.
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
 * An event as the place where it happens tells it: without time and request.
 *
 * @category models
 * @since 0.1.0
 */
export type Note = Without<AuditEvent, "time" | "request">

/**
 * Somebody who listens. `Audit.layer` and `Audit.layerSink` make one.
 *
 * @category models
 * @since 0.1.0
 */
export interface Listener {
  /** Is waited for before the answer goes out. */
  readonly take: (note: Note) => Effect.Effect<void>
  /** What is told from now on, where it can be followed. */
  readonly events?: Stream.Stream<AuditEvent> | undefined
}

/**
 * Who listens to audit events; by default nobody.
 *
 * @category references
 * @since 0.1.0
 */
export const Audit: Context.Reference<Listener | undefined> = Context.Reference<Listener | undefined>(
  "effect-doorman/Audit",
  { defaultValue: () => undefined }
)

/**
 * Tells whoever listens.
 *
 * @category combinators
 * @since 0.1.0
 */
export const note = (event: Note): Effect.Effect<void> =>
  Effect.withFiber((fiber) => fiber.getRef(Audit)?.take(event) ?? Effect.void)

/**
 * Why something was refused, as an event tells it: the public name of the failure, and its code if it is shaped like one.
 *
 * @category constructors
 * @since 0.1.0
 */
export const reasonOf = ({ code, type }: AuthError): { readonly type: string; readonly code?: string } =>
  code !== undefined && isPageCode(code) ? { type, code } : { type }

/**
 * The id of a user as an event tells it. An application whose ids are addresses, or whole records, is told a digest.
 *
 * @category constructors
 * @since 0.1.0
 */
export const userOf = (id: unknown): { readonly userId?: string } => {
  if (typeof id !== "string" || id === "") return {}
  return { userId: /^[\w:.|-]{1,128}$/.test(id) ? id : `sha256:${sha256(id, "base64url")}` }
}
