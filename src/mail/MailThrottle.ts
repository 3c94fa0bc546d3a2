/**
 * Limits how many sign-in links one mailbox gets, and how often a short code may be guessed.
 *
 * The default counts in this process: five mails for a mailbox within an hour, whoever asks for them, and ten guesses at
 * codes of fewer than 22 characters. Whoever asks for more is told the same as ever, and no mail is sent. A link that was
 * followed forgives what was counted, a mail that could not be sent does not count. Mailboxes are told apart by a keyed hash
 * (`EmailAddress.mailboxOf` folds aliases first); the least recently used are forgotten first.
 *
 * With several processes a service of the application in this one's place counts for all of them.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

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

/** Mails for one mailbox within the time. */
const mails = 5
/** Guesses at the codes of one mailbox within the time. */
const guesses = 10
/** Milliseconds for which a mail or a guess counts. */
const hour = 60 * 60_000
/** Most mailboxes that are remembered. */
const capacity = 20_000

/** When something was done for a mailbox, oldest first. */
type Times = ReadonlyArray<number>

/** Counts by mailbox: `true` while there were fewer than `most` within the hour. */
const counter = (most: number) => {
  const known = new Map<string, Times>()
  const remember = (mailbox: string, times: Times): void => {
    known.delete(mailbox)
    if (times.length === 0) return
    known.set(mailbox, times)
    const [oldest] = known.size > capacity ? known.keys() : []
    if (oldest !== undefined) known.delete(oldest)
  }
  return {
    take: (mailbox: string, now: number): boolean => {
      // A clock that was set back must not make anybody wait for it.
      const recent = (known.get(mailbox) ?? []).filter((time) => time > now - hour && time <= now)
      const allowed = recent.length < most
      remember(mailbox, allowed ? [...recent, now] : recent)
      return allowed
    },
    giveBack: (mailbox: string): void => remember(mailbox, (known.get(mailbox) ?? []).slice(0, -1)),
    forget: (mailbox: string): void => remember(mailbox, [])
  }
}

/**
 * Makes a throttle that counts in this process.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeMemory = (): MailThrottleService => {
  const sent = counter(mails)
  const guessed = counter(guesses)
  return {
    begin: (mailbox) => Effect.map(Clock.currentTimeMillis, (now) => sent.take(mailbox, now)),
    end: (mailbox, outcome) =>
      Effect.sync(() => {
        if (outcome === "failed") sent.giveBack(mailbox)
        if (outcome === "followed") {
          sent.forget(mailbox)
          guessed.forget(mailbox)
        }
      }),
    guess: (mailbox) => Effect.map(Clock.currentTimeMillis, (now) => guessed.take(mailbox, now))
  }
}

/**
 * The throttle of e-mail providers. Replace it by a layer to count elsewhere or by other rules.
 *
 * @category references
 * @since 0.1.0
 */
export const MailThrottle: Context.Reference<MailThrottleService> = Context.Reference("effect-doorman/MailThrottle", {
  defaultValue: makeMemory
})
