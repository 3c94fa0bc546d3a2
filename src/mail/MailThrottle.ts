/**
 * Limits how many sign-in links one mailbox gets, and how often a short code may be guessed.
 *
 * The default counts in `SharedState`: five mails for a mailbox within an hour, whoever asks for them, and ten guesses at
 * codes of fewer than 22 characters. Whoever asks for more is told the same as ever, and no mail is sent. A link that was
 * followed forgives what was counted, a mail that could not be sent does not count. Mailboxes are told apart by a keyed hash
 * (`EmailAddress.mailboxOf` folds aliases first).
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { type LimitRule, SharedState } from "../SharedState.ts"

/**
 * What became of a mail: it went out, it did not, or its link was followed.
 *
 * @category models
 * @since 0.1.0
 */
export type MailOutcome = "sent" | "failed" | "followed"

/**
 * Decides whether a mail is sent. `mailbox` is a keyed hash.
 *
 * @category models
 * @since 0.1.0
 */
export interface MailThrottleService {
  /** May a mail be sent? One that may counts from here on, so that parallel ones count too. */
  readonly begin: (mailbox: string) => Effect.Effect<boolean>
  readonly end: (mailbox: string, outcome: MailOutcome) => Effect.Effect<void>
  /** May a short code be tried? */
  readonly guess: (mailbox: string) => Effect.Effect<boolean>
}

/** Mails for one mailbox. */
const mails: LimitRule = { purpose: "mail", limit: 5, window: Duration.hours(1) }
/** Guesses at the codes of one mailbox. */
const guesses: LimitRule = { purpose: "guess", limit: 10, window: Duration.hours(1) }

const allowed = (rule: LimitRule, mailbox: string): Effect.Effect<boolean> =>
  Effect.flatMap(SharedState, ({ limit }) => Effect.map(limit(rule, mailbox), ({ isAllowed }) => isAllowed))

/**
 * Makes a throttle that counts in the shared state.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (): MailThrottleService => ({
  begin: (mailbox) => allowed(mails, mailbox),
  end: Effect.fnUntraced(function* (mailbox, outcome) {
    const { forget, settle } = yield* SharedState
    if (outcome === "failed") yield* settle(mails, mailbox, "undone")
    if (outcome === "followed") for (const rule of [mails, guesses]) yield* forget(rule, mailbox)
  }),
  guess: (mailbox) => allowed(guesses, mailbox)
})

/**
 * The throttle of e-mail providers. Replace it by a layer to count elsewhere or by other rules.
 *
 * @category references
 * @since 0.1.0
 */
export const MailThrottle: Context.Reference<MailThrottleService> = Context.Reference("effect-doorman/MailThrottle", {
  defaultValue: make
})
