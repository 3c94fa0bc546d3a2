/**
 * Slows down guessing at credentials: how often `authorize` may be asked about one account.
 *
 * The default counts in this process. Ten attempts without a sign-in are free; after that each one doubles the pause before
 * the next attempt is checked, from one second to one minute. Attempts within the pause are refused without calling
 * `authorize`, and do not prolong it, so that no user is locked out for good. A sign-in removes its own attempt and no other:
 * an account that an attacker registered under a similar name must not reset the count of this one. After a quarter of an
 * hour without a failed attempt the count starts anew, however many sign-ins there were. A keyed hash identifies an account,
 * known or not, and the least recently tried are forgotten first.
 * At most two hundred calls of the `authorize` function of one provider are waited for at once.
 *
 * A web `Request` carries no address of the client, so nothing is counted by address here: that is for the proxy in front,
 * or for a service of the application in this one's place, which sees the headers. With several processes such a service
 * stands on shared storage, for example the `RateLimiter` of `effect/persistence` over Redis.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

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

/** Attempts before the first pause. */
const free = 10
/** Longest pause, in milliseconds. */
const longest = 60_000
/** Milliseconds without a failed attempt after which an account starts anew. */
const forgiven = 15 * 60_000
/** Most accounts that are remembered for one provider. */
const capacity = 10_000
/** Most providers that are remembered. */
const owners = 1_000
/** Most calls for one provider at once. */
const crowd = 200

/** Attempts at one account. */
interface Tries {
  readonly count: number
  /** When the last one was looked at, in milliseconds since 1970. */
  readonly last: number
  /** When the last one failed, or the first one began. */
  readonly failed: number
}

interface Ledger {
  readonly accounts: Map<string, Tries>
  running: number
}

/** Milliseconds between the last attempt of so many and the next. */
const pause = (count: number): number => (count < free ? 0 : Math.min(longest, 1000 * 2 ** (count - free)))

/**
 * Makes a throttle that counts in this process.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeMemory = (): SignInThrottleService => {
  const ledgers = new Map<string, Ledger>()
  const ledgerOf = (owner: string): Ledger => {
    const ledger = ledgers.get(owner) ?? { accounts: new Map<string, Tries>(), running: 0 }
    ledgers.delete(owner)
    ledgers.set(owner, ledger)
    const [oldest] = ledgers.size > owners ? ledgers.keys() : []
    if (oldest !== undefined) ledgers.delete(oldest)
    return ledger
  }
  /** Sets an account behind all others, and lets go of the first when there are too many. */
  const remember = ({ accounts }: Ledger, key: string, tries: Tries): void => {
    accounts.delete(key)
    accounts.set(key, tries)
    const [oldest] = accounts.size > capacity ? accounts.keys() : []
    if (oldest !== undefined) accounts.delete(oldest)
  }
  return {
    begin: ({ account, owner, provider }) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const ledger = ledgerOf(owner)
        if (ledger.running >= crowd) return false
        if (account !== undefined) {
          const key = `${provider} ${account}`
          const known = ledger.accounts.get(key)
          // A clock that was set back must not make anybody wait for it.
          const isOver = known === undefined || now < known.last || now - known.failed >= forgiven
          const tries = isOver ? { count: 0, last: 0, failed: now } : known
          if (now - tries.last < pause(tries.count)) return false
          remember(ledger, key, { ...tries, count: tries.count + 1, last: now })
        }
        ledger.running++
        return true
      }),
    end: ({ account, owner, provider }, outcome) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const ledger = ledgerOf(owner)
        ledger.running = Math.max(0, ledger.running - 1)
        if (account === undefined) return
        const key = `${provider} ${account}`
        const tries = ledger.accounts.get(key)
        // An `authorize` that throws may mean a refusal by it: only a sign-in removes its attempt.
        if (tries === undefined) return
        if (outcome !== "accepted") ledger.accounts.set(key, { ...tries, failed: now })
        else if (tries.count > 1) ledger.accounts.set(key, { ...tries, count: tries.count - 1 })
        else ledger.accounts.delete(key)
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
  {
    defaultValue: makeMemory
  }
)
