/**
 * Debug messages: what happened to a request, step by step, for a developer who set `debug`.
 *
 * The names are those of Auth.js where it has one (`adapter_getUser`, `authorization url is ready`). Metadata is made only
 * when messages are written, and never holds a secret (`telemetry/DebugView.ts`).
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import { isAuthError } from "../Errors.ts"
import { labelOf } from "./Span.ts"

/**
 * Are debug messages written? The option `debug` decides; a `debug` function of the logger alone receives failures only.
 *
 * @category references
 * @since 0.1.0
 */
export const DebugMessages: Context.Reference<boolean> = Context.Reference<boolean>(
  "effect-doorman/Telemetry/DebugMessages",
  { defaultValue: () => false }
)

/** Metadata of a message. */
export type Metadata = Readonly<Record<string, unknown>>

/** Are debug messages written here? @internal */
export const isDebugged = (fiber: Fiber.Fiber<unknown, unknown>): boolean => fiber.getRef(DebugMessages)

/** Reading values of the application may fail. */
const readMetadata = (metadata: () => Metadata): Metadata =>
  Result.getOrElse(Result.try(metadata), () => ({ metadata: "cannot be shown" }))

/** Writes a message, where messages are written. @internal */
export const debug = (message: string, metadata: () => Metadata): Effect.Effect<void> =>
  Effect.withFiber((fiber) => (isDebugged(fiber) ? Effect.logDebug(message, readMetadata(metadata)) : Effect.void))

const ofNothing = (): Metadata => ({})

/** Writes a message when a program has ended: with the `metadata` of the value, or with the name of the failure. @internal */
export const logDebug =
  <A>(message: string, metadata: (value: A) => Metadata, about: () => Metadata = ofNothing) =>
  <B extends A, E, R>(self: Effect.Effect<B, E, R>): Effect.Effect<B, E, R> =>
    Effect.withFiber((fiber) =>
      isDebugged(fiber)
        ? Effect.onExit(self, (exit) =>
            Effect.logDebug(message, {
              ...readMetadata(about),
              ...readMetadata(() =>
                Exit.isSuccess(exit) ? metadata(exit.value) : { failed: nameOf(Cause.squash(exit.cause)) }
              )
            })
          )
        : self
    )

/** A failure by its tag and its code; what it says is logged with the failure itself. */
const nameOf = (failure: unknown): string =>
  isAuthError(failure) && failure.code !== undefined ? `${failure._tag}/${failure.code}` : labelOf(failure)
