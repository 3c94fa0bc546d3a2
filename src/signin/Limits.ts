/**
 * How often something may be tried: one table of budgets, and the attempts that spend them.
 *
 * A budget refills evenly and is counted in `SharedState`, under a digest keyed with the secret. An application that wants
 * other numbers gives a `SharedState` whose `limit` changes the rule: `purpose` names the budget.
 *
 * A limit cannot distinguish the owner of an account from an attacker who does not repeat an IP address or a cookie: of a
 * thousand first attempts, a budget of twenty serves twenty. So two other facts distinguish them. A browser in which the
 * account has signed in before has budgets of its own. And half of an account's budget is left to newcomers: clients that
 * made few attempts at this account within a week. `docs/limits.md` has the figures of the simulations.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { ClientAddress } from "../telemetry/AuditEmitter.ts"
import { TooManyAttempts } from "../Errors.ts"
import { clientNetwork } from "../http/NetworkAddress.ts"
import { providerScope, type Site } from "../crypto/Scope.ts"
import type { KnownBrowser } from "../browser/KnownBrowser.ts"
import { type Allowance, type LimitRule, SharedState, type SharedStateShape } from "../SharedState.ts"

/** A budget of so many attempts, of which one comes back after each `refill`. */
const budget = (purpose: string, limit: number, refill: Duration.Input, reserve = 0): LimitRule => ({
  purpose,
  limit,
  window: Duration.times(Duration.fromInputUnsafe(refill), limit),
  reserve
})

/**
 * Every budget. `docs/limits.md` has a row for each.
 *
 * @category constants
 * @since 0.1.0
 */
export const budgets = {
  /** Guesses at an account: at most 80 in any hour. Ten of twenty are left to newcomers. */
  account: budget("account", 20, "1 minute", 10),
  /** Guesses at an account by a browser in which it has signed in. */
  browser: budget("browser", 10, "1 minute"),
  /** Guesses of one client, at whatever account. */
  client: budget("client", 100, "3 seconds"),
  /** Guesses of all clients, those included that wait for `authorize`. */
  site: budget("site", 1000, "20 millis"),
  /** Mails for one mailbox. Links are valid for ten minutes by default, so that one is valid nearly all the time. */
  mailbox: budget("mailbox", 5, "12 minutes"),
  /** Mails for a mailbox that a browser asks for in which it has signed in. */
  mailboxbrowser: budget("mailboxbrowser", 5, "12 minutes"),
  /** Mails and passkeys of new users for one client. */
  clientnew: budget("clientnew", 50, "1500 millis"),
  /** Mails and passkeys of new users for all clients. */
  sitenew: budget("sitenew", 300, "500 millis"),
  /** Logout tokens of one client that do not verify. */
  logout: budget("logout", 1000, "100 millis"),
  /** Logout tokens that do not verify, of all clients. A token that verifies does not depend on it. */
  sitelogout: budget("sitelogout", 1000, "20 millis"),
  /** Tries of the code that this browser asked for. */
  code: budget("code", 5, "1 day"),
  /** Tries of other codes of a mailbox. */
  othercode: budget("othercode", 10, "6 minutes")
} satisfies Readonly<Record<string, LimitRule>>

/** Attempts of one client at one account, the refused ones too: with one left it is a newcomer. */
const newcomers: LimitRule = { purpose: "newcomer", limit: 5, window: Duration.days(7), restarts: true }

/** The rule of an account for newcomers, who have the whole budget. */
const forNewcomers: LimitRule = { ...budgets.account, reserve: 0 }

/** A budget and the key whose attempt is spent. */
interface Spending {
  readonly rule: LimitRule
  readonly key: string
  /** The client at the account, for which more of the budget is there while it is new. */
  readonly newcomer?: string | undefined
}

/**
 * Attempts that were spent.
 *
 * @category models
 * @since 0.1.0
 */
export interface Spent {
  /** Takes them back: the attempt was none to be counted. */
  readonly undo: Effect.Effect<void>
}

/** Spends of each budget, or of none: a refusal takes back what was spent before it. */
const spend = Effect.fnUntraced(function* (
  spendings: ReadonlyArray<Spending>
): Effect.fn.Return<Spent, TooManyAttempts> {
  const state = yield* SharedState
  const undos: Array<Effect.Effect<void>> = []
  const undo = Effect.suspend(() => Effect.all(undos, { discard: true }))
  for (const spending of spendings) {
    const { isAllowed, retryAfter } = yield* allowanceOf(state, spending)
    if (!isAllowed) return yield* Effect.andThen(undo, Effect.fail(refusal(spending.rule, retryAfter)))
    undos.push(state.undo(spending.rule, spending.key))
  }
  return { undo }
})

/** Spends of one budget: a newcomer of its reserve too. */
const allowanceOf = Effect.fnUntraced(function* (
  { limit }: Pick<SharedStateShape, "limit">,
  { key, newcomer, rule }: Spending
): Effect.fn.Return<Allowance> {
  const allowance = yield* limit(rule, key)
  if (allowance.isAllowed || newcomer === undefined) return allowance
  return (yield* limit(newcomers, newcomer)).isAllowed ? yield* limit(forNewcomers, key) : allowance
})

const refusal = ({ limit, purpose, window }: LimitRule, retryAfter: Duration.Duration): TooManyAttempts =>
  new TooManyAttempts({
    code: "throttled",
    detail: `There were too many attempts: the budget "${purpose}" is spent`,
    retryable: true,
    budget: {
      name: purpose,
      limit,
      seconds: Math.ceil(Duration.toSeconds(Duration.fromInputUnsafe(window))),
      retryAfter: Math.max(1, Math.ceil(Duration.toSeconds(retryAfter)))
    }
  })

/** Clients without an address share budgets of their own: what they spend is nothing to those that have one. */
const siteKey = (site: Site, client: string | undefined): string =>
  client === undefined ? keyOf(site, "without an address") : keyOf(site)

/** The key of a budget: a digest keyed with the secret. */
const keyOf = (site: Site, ...parts: ReadonlyArray<string>): string => providerScope("limit", site, "", ...parts)

/** The key of the client of a request, where the application or its server says who it is. */
const clientOf = (site: Site): Effect.Effect<string | undefined> =>
  Effect.map(ClientAddress, (address) => {
    const network = address === undefined ? undefined : clientNetwork(address)
    return network === undefined ? undefined : keyOf(site, network)
  })

/**
 * Names an account for the budgets, without telling which it is.
 *
 * @category constructors
 * @since 0.1.0
 */
export const accountKey = (site: Site, providerId: string, name: string): string =>
  providerScope("account", site, providerId, name)

/**
 * Spends an attempt to sign in at accounts of a credentials provider, which their keys name. `browser` is one that knows them.
 *
 * @category combinators
 * @since 0.1.0
 */
export const spendGuess = (
  site: Site,
  accounts: ReadonlyArray<string>,
  browser: KnownBrowser | undefined
): Effect.Effect<Spent, TooManyAttempts> =>
  browser !== undefined
    ? spend(accounts.map((key) => ({ rule: budgets.browser, key: `${browser.id} ${key}` })))
    : Effect.flatMap(clientOf(site), (client) =>
        spend([
          ...accounts.map((key) => ({
            rule: budgets.account,
            key,
            newcomer: client === undefined ? undefined : `${key} ${client}`
          })),
          ...common(site, client, budgets.client, budgets.site)
        ])
      )

/** The budgets of client and site. Clients without an address have one of the site for themselves. */
const common = (
  site: Site,
  client: string | undefined,
  ofClient: LimitRule,
  ofSite: LimitRule
): ReadonlyArray<Spending> => [
  ...(client === undefined ? [] : [{ rule: ofClient, key: client }]),
  { rule: ofSite, key: siteKey(site, client) }
]

/**
 * Spends a mail for a mailbox. `false`: the mailbox had its share, which the response does not show. A mail that fails counts.
 * `browser` is one that knows the address.
 *
 * @category combinators
 * @since 0.1.0
 */
export const spendMail = Effect.fnUntraced(function* (
  site: Site,
  mailbox: string,
  browser: KnownBrowser | undefined
): Effect.fn.Return<boolean, TooManyAttempts> {
  const { limit } = yield* SharedState
  if (browser !== undefined) return (yield* limit(budgets.mailboxbrowser, `${browser.id} ${mailbox}`)).isAllowed
  yield* spendNewUser(site)
  return (yield* limit(budgets.mailbox, mailbox)).isAllowed
})

/**
 * Forgets the mails of a mailbox, whose owner has followed a link. `browser` is one that knows the address.
 *
 * @category combinators
 * @since 0.1.0
 */
export const forgetMails = (mailbox: string, browser: KnownBrowser | undefined): Effect.Effect<void> =>
  Effect.flatMap(SharedState, ({ forget }) =>
    browser !== undefined
      ? forget(budgets.mailboxbrowser, `${browser.id} ${mailbox}`)
      : forget(budgets.mailbox, mailbox)
  )

/**
 * Spends what a visitor may cause without an account: a mail, or a passkey of a new user.
 *
 * @category combinators
 * @since 0.1.0
 */
export const spendNewUser = (site: Site): Effect.Effect<Spent, TooManyAttempts> =>
  Effect.flatMap(clientOf(site), (client) => spend(common(site, client, budgets.clientnew, budgets.sitenew)))

/**
 * Verifies a logout token within the budget of its client. A token that verifies spends nothing. A wrong one spends of the budget
 * of the site too, afterwards: what other clients send does not keep the tokens of the provider out, from whatever address they come.
 *
 * @category combinators
 * @since 0.1.0
 */
export const verifyLogout = <A, E, R>(
  site: Site,
  verified: Effect.Effect<A, E, R>
): Effect.Effect<A, E | TooManyAttempts, R> =>
  Effect.gen(function* () {
    const client = yield* clientOf(site)
    const spent = yield* spend(client === undefined ? [] : [{ rule: budgets.logout, key: client }])
    // A token that could not be checked, because the provider is down, may be a good one.
    const token = yield* Effect.tapError(verified, (failure) =>
      Predicate.isTagged(failure, "MalformedRequest")
        ? spend([{ rule: budgets.sitelogout, key: siteKey(site, client) }])
        : Effect.void
    )
    yield* spent.undo
    return token
  })

/**
 * Spends a try of a short code. `asked` names the code that this browser asked for: other browsers spend nothing of it. A try
 * that `isThat` code needs no more; any other one may be a code that another browser asked for, or that this one asked for
 * before.
 *
 * @category combinators
 * @since 0.1.0
 */
export const spendCode = (
  mailbox: string,
  asked: string | undefined,
  isThat: boolean
): Effect.Effect<Spent, TooManyAttempts> =>
  spend([
    ...(asked === undefined ? [] : [{ rule: budgets.code, key: `${mailbox} ${asked}` }]),
    ...(isThat ? [] : [{ rule: budgets.othercode, key: mailbox }])
  ])
