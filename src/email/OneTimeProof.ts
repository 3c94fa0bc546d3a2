/**
 * A proof that counts once, such as a magic link, and the sign-in that uses it.
 *
 * A store with transactions uses the proof in the transaction that creates the session, and records there for a minute which
 * browser used it. When the answer is lost, the browser that asked for the proof repeats the request and gets the session of
 * that sign-in. Every other browser is refused.
 *
 * The session token of such a sign-in is derived from what only that browser and this site know. The store keeps no secret
 * for the repetition.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import { Settings } from "../config/Settings.ts"
import type { AuthError } from "../Errors.ts"
import { sha256 } from "../crypto/Sha256.ts"
import { SharedState } from "../SharedState.ts"
import type { AdapterShape } from "../storage/AdapterShape.ts"
import { preview } from "../storage/Unit.ts"
import type { Attempt } from "../signin/ResolveUser.ts"
import { failureOf, type FailureWithCookies } from "../http/AuthResponse.ts"
import { digest } from "./Link.ts"
import { dateAt } from "../internal/DateAt.ts"

/** Milliseconds for which the browser that asked for a proof may repeat its sign-in. */
const repeatable = 60_000

/** A digest as a UUID (RFC 9562 section 5.8), as every other session token is one: a column may be of that type. */
const uuidOf = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`

/**
 * Can the store record a use in the transaction of the sign-in?
 *
 * @category guards
 * @since 0.1.0
 */
export const canRecord = ({ methods }: AdapterShape): boolean => methods.has("transaction") && methods.has("useOnce")

/**
 * Names the sign-in by what only the browser that asked for the proof has.
 *
 * @category constructors
 * @since 0.1.0
 */
export const attemptOf = Effect.fnUntraced(function* (
  adapter: AdapterShape,
  browserSecret: string
): Effect.fn.Return<Attempt, never, Settings> {
  const { secrets } = yield* Settings
  const { isMarked, mark } = yield* SharedState
  const sessionToken = uuidOf(digest("session of a one-time proof", Redacted.value(secrets[0]), browserSecret))
  const key = `sign-in by a one-time proof ${sha256(sessionToken, "base64url")}`
  const now = Clock.currentTimeMillis
  const useOnce = Effect.flatMap(now, (time) => adapter.useOnce(key, dateAt(time + repeatable)))
  return canRecord(adapter)
    ? {
        sessionToken,
        record: Effect.asVoid(useOnce),
        isRecorded: Effect.map(preview(adapter, useOnce), (isFirst) => !isFirst),
        remember: Effect.void
      }
    : {
        sessionToken,
        record: Effect.void,
        // Without an answer of the shared state the sign-in stands, and is not repeated.
        isRecorded: Effect.catch(isMarked("proof", key), (failure) => Effect.as(Effect.logError(failure), false)),
        remember: Effect.catch(mark("proof", key, Duration.millis(repeatable)), (failure) => Effect.logError(failure))
      }
})

/**
 * Runs a sign-in by a one-time proof. When the proof was used before, by this browser within the last minute, the sign-in is
 * repeated.
 *
 * @category combinators
 * @since 0.1.0
 */
export const orRepeat = <A, R>(
  attempt: Attempt | undefined,
  signIn: Effect.Effect<A, AuthError | FailureWithCookies, R>,
  repeated: Effect.Effect<A, AuthError | FailureWithCookies, R>
): Effect.Effect<A, AuthError | FailureWithCookies, R> =>
  attempt === undefined
    ? signIn
    : Effect.tap(
        Effect.catch(signIn, (failure) =>
          failureOf(failure)._tag === "Verification"
            ? Effect.flatMap(attempt.isRecorded, (isRecorded) => (isRecorded ? repeated : Effect.fail(failure)))
            : Effect.fail(failure)
        ),
        () => attempt.remember
      )

/**
 * Runs a program to its end, also when the client goes away. On a store without transactions nothing else keeps a proof and
 * its session together.
 *
 * @category combinators
 * @since 0.1.0
 */
export const runToEnd = <A, E, R>(program: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(
      Effect.forkDetach(restore(program), { startImmediately: true }),
      (fiber) => fiber.pollUnsafe() ?? restore(Fiber.join(fiber))
    )
  )
