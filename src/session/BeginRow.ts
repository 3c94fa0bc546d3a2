/**
 * The session of a sign-in, where sessions are rows: it is written in the unit of work of the sign-in.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Settings } from "../config/Settings.ts"
import { type AdapterError, type AuthError, CallbackRouteError, Verification } from "../Errors.ts"
import { AuthRequest } from "../http/AuthRequest.ts"
import { fromAnswer } from "../internal/Answer.ts"
import type { AdapterSession, UserId } from "../Models.ts"
import type { AdapterShape } from "../storage/AdapterShape.ts"
import { detailText, type SessionDetails } from "../storage/Details.ts"
import type { Steps } from "../storage/Steps.ts"
import { ClientAddress } from "../telemetry/AuditEmitter.ts"
import type { Authentication } from "./Authentication.ts"
import { temporaryToken } from "./RememberMe.ts"
import { revoke } from "./Revocation.ts"
import { endingToken } from "./SessionMark.ts"
import { longest } from "./SessionOwner.ts"
import type { NewSession, PreparedSession, RepeatableSignIn } from "./SessionStore.ts"
import { dateAt } from "../internal/DateAt.ts"

/** The tokens that a session may have. */
interface Opening {
  /** The token of the new session, and the one that it has when it was opened in the minute before. */
  readonly tokens: readonly [string, ...ReadonlyArray<string>]
  /** The session was opened before, and is answered again. */
  readonly isOpen: boolean
}

/** A repeated sign-in has to find the session again: the end in a token that is derived counts from the whole minute. */
const minute = 60_000

/**
 * Prepares a session, whose token exists before the unit of work.
 *
 * @category constructors
 * @since 0.1.0
 */
export const prepare = (
  settings: Settings["Service"],
  adapter: AdapterShape,
  repeatable: RepeatableSignIn | undefined,
  isRemembered: boolean
): Effect.Effect<PreparedSession, CallbackRouteError, SecureRandom.SecureRandom> =>
  Effect.map(openingOf(settings, repeatable, isRemembered), (opening) => ({
    start: (steps, session) => start(settings, adapter, opening, steps, session),
    isStarted: (userId) =>
      Effect.map(
        adapter.getSessionAndUser(opening.tokens[0]),
        Option.exists(({ user }) => user.id === userId)
      )
  }))

const openingOf = Effect.fnUntraced(function* (
  settings: Settings["Service"],
  repeatable: RepeatableSignIn | undefined,
  isRemembered: boolean
): Effect.fn.Return<Opening, CallbackRouteError, SecureRandom.SecureRandom> {
  const { absoluteMaxAge, generateSessionToken: generate } = settings.session
  const now = yield* Clock.currentTimeMillis
  const tokenAt = (uuid: string, begin: number): string => {
    const token = isRemembered ? uuid : temporaryToken(uuid)
    return absoluteMaxAge === undefined ? token : endingToken(token, begin + absoluteMaxAge * 1000)
  }
  if (generate !== undefined || repeatable === undefined) {
    return { tokens: [yield* newSessionToken(generate, (token) => tokenAt(token, now))], isOpen: false }
  }
  const { repeats, sessionToken } = repeatable
  const begin = Math.floor(now / minute) * minute
  return { tokens: [tokenAt(sessionToken, begin), tokenAt(sessionToken, begin - minute)], isOpen: repeats }
})

/** A new session; the one that the browser had before ends with it. */
const start = Effect.fnUntraced(function* (
  { session }: Settings["Service"],
  adapter: AdapterShape,
  { isOpen, tokens }: Opening,
  steps: Steps,
  { authentication, current, userId }: NewSession
): Effect.fn.Return<AdapterSession, AuthError, AuthRequest> {
  if (isOpen) return yield* reopened(adapter, tokens, userId)
  const [sessionToken] = tokens
  const { absoluteMaxAge = Number.POSITIVE_INFINITY, maxAge } = session
  const now = yield* Clock.currentTimeMillis
  const expires = dateAt(now + Math.min(maxAge, absoluteMaxAge) * 1000)
  const details = adapter.methods.has("touchSession") ? yield* newDetails(authentication, dateAt(now)) : {}
  const created = yield* steps.take(
    adapter.createSession({ sessionToken, userId, expires, ...details }),
    adapter.deleteSession(sessionToken)
  )
  const before = current?.sessionToken
  if (before === undefined) return created
  const end = Effect.asVoid(adapter.deleteSession(before))
  // Without transactions a failure here could leave the new session without its owner: the old one is revoked instead.
  yield* adapter.methods.has("transaction")
    ? end
    : Effect.catch(end, (failure) => Effect.andThen(Effect.logWarning(failure), revoke(before, expires.getTime())))
  return created
})

/** What the store keeps of a new session. */
const newDetails = ({ acr, amr, at }: Authentication, now: Date): Effect.Effect<SessionDetails, never, AuthRequest> =>
  Effect.map(Effect.all([AuthRequest, ClientAddress]), ([{ headers }, clientAddress]) => ({
    createdAt: now,
    lastSeenAt: now,
    authenticatedAt: at === undefined ? undefined : dateAt(at),
    amr: amr.length === 0 ? undefined : amr.join(" "),
    acr,
    userAgent: detailText(headers.get("user-agent")),
    clientAddress: detailText(clientAddress)
  }))

/** The session of a sign-in that is repeated, unless it has ended since. */
const reopened = Effect.fnUntraced(function* (
  adapter: AdapterShape,
  tokens: Opening["tokens"],
  userId: UserId
): Effect.fn.Return<AdapterSession, AdapterError | Verification> {
  for (const token of tokens) {
    const row = yield* adapter.getSessionAndUser(token)
    if (Option.isSome(row) && row.value.user.id === userId) return row.value.session
  }
  return yield* new Verification({ detail: "The session of the sign-in that is repeated has ended" })
})

/** A new token, with what `complete` adds to it. A token that is too long to be looked up would be lost. */
const newSessionToken = (
  generate: Settings["Service"]["session"]["generateSessionToken"],
  complete: (token: string) => string
): Effect.Effect<string, CallbackRouteError, SecureRandom.SecureRandom> =>
  generate === undefined
    ? Effect.map(
        Effect.flatMap(SecureRandom.SecureRandom, ({ uuidV4 }) => uuidV4()),
        complete
      )
    : fromAnswer("session.generateSessionToken", generate).pipe(
        Effect.mapError((cause) => new CallbackRouteError({ detail: "session.generateSessionToken failed", cause })),
        Effect.flatMap((answer: unknown) => {
          const token = typeof answer === "string" && answer.length >= 16 ? complete(answer) : ""
          return token !== "" && token.length <= longest
            ? Effect.succeed(token)
            : Effect.fail(
                new CallbackRouteError({
                  detail: `session.generateSessionToken must return 16 to ${longest} characters, with those that rememberMe and absoluteMaxAge add`
                })
              )
        })
      )
