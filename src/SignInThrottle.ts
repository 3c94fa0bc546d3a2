/**
 * Slows down guessing at credentials: how often `authorize` may be asked about one account.
 *
 * The default counts in `SharedState`. Ten attempts without a sign-in are free; after that each one doubles the pause before
 * the next attempt is checked, from one second to one minute. Attempts within the pause are refused without calling
 * `authorize`, and do not prolong it, so that no user is locked out for good. A sign-in removes its own attempt and no other:
 * an account that an attacker registered under a similar name must not reset the count of this one. After a quarter of an
 * hour without a failed attempt the count starts anew, however many sign-ins there were. A keyed hash identifies an account,
 * known or not. At most two hundred calls of the `authorize` function of one provider are waited for at once in a process.
 *
 * A web `Request` carries no address of the client, so nothing is counted by address here: that is for the proxy in front,
 * or for a service of the application in this one's place, which sees the headers.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { type LimitRule, SharedState } from "./SharedState.ts"

/**
 * An attempt to sign in with credentials.
 *
 * @category models
 * @since 0.1.0
 */
export interface SignInAttempt {
  /**
   * A hash of base path, provider id and the text of `authorize`, keyed with the secret: attempts of different owners are
   * counted apart.
   */
  readonly owner: string
  /** Id of the provider. */
  readonly provider: string
  /** A hash of the account's name, keyed with the secret; `undefined` when the form does not say which field names it. */
  readonly account: string | undefined
  readonly headers: Headers
}

/**
 * What became of an attempt: the credentials were right, they were wrong, or nobody can tell (`authorize` failed).
 *
 * @category models
 * @since 0.1.0
 */
export type SignInOutcome = "accepted" | "rejected" | "unknown"

/**
 * Decides whether an attempt is looked at.
 *
 * @category models
 * @since 0.1.0
 */
export interface SignInThrottleService {
  /** May `authorize` be asked? An attempt that may counts from here on, so that parallel ones count too. */
  readonly begin: (attempt: SignInAttempt) => Effect.Effect<boolean>
  /** Called once for every attempt that was allowed. */
  readonly end: (attempt: SignInAttempt, outcome: SignInOutcome) => Effect.Effect<void>
}

/** Ten attempts are free; the pauses after that and the count last as the head of this module says. */
const rule: LimitRule = {
  purpose: "signin",
  limit: 10,
  window: Duration.minutes(15),
  pause: { first: Duration.seconds(1), longest: Duration.minutes(1) }
}

/** Most calls for one provider at once, in this process: it protects `authorize`, and counts nothing of a user. */
const mostRunning = 200

/**
 * Makes a throttle that counts in the shared state.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (): SignInThrottleService => {
  const running = new Map<string, number>()
  const add = (owner: string, more: 1 | -1): void => {
    const count = (running.get(owner) ?? 0) + more
    if (count > 0) running.set(owner, count)
    else running.delete(owner)
  }
  const keyOf = ({ account, owner, provider }: SignInAttempt): string | undefined =>
    account === undefined ? undefined : `${owner} ${provider} ${account}`
  return {
    begin: (attempt) =>
      Effect.contextWith((context) => {
        if ((running.get(attempt.owner) ?? 0) >= mostRunning) return Effect.succeed(false)
        add(attempt.owner, 1)
        const key = keyOf(attempt)
        if (key === undefined) return Effect.succeed(true)
        return Effect.onExit(
          Effect.map(Context.get(context, SharedState).limit(rule, key), ({ isAllowed }) => isAllowed),
          (exit) => (Exit.isSuccess(exit) && exit.value ? Effect.void : Effect.sync(() => add(attempt.owner, -1)))
        )
      }),
    end: (attempt, outcome) =>
      Effect.contextWith((context) => {
        add(attempt.owner, -1)
        const key = keyOf(attempt)
        // An `authorize` that throws may mean a refusal by it: only a sign-in removes its attempt.
        return key === undefined
          ? Effect.void
          : Context.get(context, SharedState).settle(rule, key, outcome === "accepted" ? "undone" : "failed")
      })
  }
}

/**
 * The throttle of credentials providers. Replace it by a layer to count elsewhere or by other rules.
 *
 * @category references
 * @since 0.1.0
 */
export const SignInThrottle: Context.Reference<SignInThrottleService> = Context.Reference(
  "effect-doorman/SignInThrottle",
  { defaultValue: make }
)
