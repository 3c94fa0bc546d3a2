/**
 * The account linking rules, as one table.
 *
 * A person signs in with an account (an id at a provider, a passkey, or a mailbox) and perhaps an address. The store knows
 * the owner of the account, the owner of the address, and who is signed in already. The decision follows from these facts
 * alone. The table below is the one of `docs/accounts.md`; `test/signin/LinkingRules.test.ts` goes through every combination.
 *
 * Three principles stand behind it. An address counts as proven only when a link was followed or the provider vouches for
 * it. An unproven address is a claim: it grants no access, and the person who proves it chooses which user gets it. And an
 * account is linked only in the session that started the sign-in, or where the application trusts the provider.
 *
 * An application that needs stricter or looser rules replaces the reference {@link LinkingPolicy}.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"

/**
 * The facts when a person comes with an account.
 *
 * @category models
 * @since 0.1.0
 */
export interface Situation {
  /** `redirect` for OAuth and OpenID Connect, `mailbox` for a link that was followed, `key` for WebAuthn. */
  readonly by: "redirect" | "mailbox" | "key"
  /** The account's owner: none (`unknown`), the signed-in user (`own`), or another user (`foreign`). */
  readonly account: "unknown" | "own" | "foreign"
  /**
   * The current session, compared with the session that started this sign-in: neither exists (`none`), both are the same
   * (`same`), the current one did not start it (`other`), the one that started it has ended (`ended`).
   */
  readonly session: "none" | "same" | "other" | "ended"
  /** The address's owner: none (`free`), a user who has proven it (`proven`), or a user who has not (`unproven`). */
  readonly address: "free" | "proven" | "unproven"
  /** Is the address verified by the provider (`proven`), unverified (`claimed`), or stated as not verified (`denied`)? */
  readonly proof: "proven" | "claimed" | "denied"
  /** `allowDangerousEmailAccountLinking` of the provider. */
  readonly trusting: boolean
  /** The address is that of the signed-in user. */
  readonly isOwnAddress: boolean
}

/**
 * The decision.
 *
 * @category models
 * @since 0.1.0
 */
export type Decision =
  /** The account is the signed-in user's: the session goes on. */
  | "keep"
  /** The owner of the account signs in. */
  | "enter"
  /** The owner of the address signs in; they have proven it before. */
  | "enterByAddress"
  /** The owner of the address proves it in their own session: what they have stays. */
  | "proveAddress"
  /** A user holds the address without proof: the option `unprovenAddress` decides, by default the person. */
  | "ask"
  /** A new user is created with the address, which its unproven holder loses. The table itself never decides so. */
  | "releaseAddress"
  /** The account is linked to the signed-in user. */
  | "link"
  /** The account is linked to the owner of the address, because the application trusts the provider's addresses. */
  | "linkByAddress"
  /** A new user is created with this account. */
  | "create"
  /** The person has to sign in another way first. */
  | "refuse"

/**
 * One row of the table: what has to be so, and what follows. What a row does not name does not matter to it.
 *
 * @category models
 * @since 0.1.0
 */
export interface Rule {
  readonly when: { readonly [Fact in keyof Situation]?: ReadonlyArray<Situation[Fact]> }
  readonly decision: Decision
  /** Why, in one sentence. */
  readonly because: string
}

const account = ["redirect", "key"] as const

/**
 * The table. The first row that fits decides, and there is one for every situation.
 *
 * @category constants
 * @since 0.1.0
 */
export const rules: ReadonlyArray<Rule> = [
  {
    when: { by: ["mailbox"], address: ["free"] },
    decision: "create",
    because: "The link proves a mailbox that no user has yet."
  },
  {
    when: { by: ["mailbox"], address: ["proven"] },
    decision: "enterByAddress",
    because: "The mailbox is the user's: they have proven it before."
  },
  {
    when: { by: ["mailbox"], address: ["unproven"], isOwnAddress: [true], session: ["same", "other"] },
    decision: "proveAddress",
    because: "One person holds the mailbox and the session of its user, so nothing there is a stranger's."
  },
  {
    when: { by: ["mailbox"], address: ["unproven"] },
    decision: "ask",
    because: "The user who holds the address never proved it, so it may be a stranger's."
  },
  {
    when: { by: account, account: ["own"] },
    decision: "keep",
    because: "The account is the signed-in user's already."
  },
  {
    when: { by: account, account: ["foreign"], session: ["none", "ended"] },
    decision: "enter",
    because: "The account names its user, and no other user is signed in."
  },
  {
    when: { by: account, account: ["foreign"] },
    decision: "refuse",
    because: "An account belongs to one user and is not moved to another."
  },
  {
    when: { by: account, account: ["unknown"], session: ["same"] },
    decision: "link",
    because: "The signed-in user asked for it in this session; the addresses need not be the same."
  },
  {
    when: { by: account, account: ["unknown"], session: ["other", "ended"] },
    decision: "refuse",
    because: "The current session did not start this sign-in: its user did not ask for this link."
  },
  {
    when: { by: account, account: ["unknown"], address: ["free"] },
    decision: "create",
    because: "No user has the account or the address."
  },
  {
    when: { by: ["key"], address: ["proven", "unproven"] },
    decision: "refuse",
    because: "A key says nothing about an address."
  },
  {
    when: { by: ["redirect"], address: ["proven", "unproven"], proof: ["denied"] },
    decision: "refuse",
    because: "The provider itself says that the address is not verified."
  },
  {
    when: { by: ["redirect"], address: ["proven", "unproven"], trusting: [true] },
    decision: "linkByAddress",
    because: "The application trusts this provider with its addresses."
  },
  {
    when: { by: ["redirect"], address: ["unproven"], proof: ["proven"] },
    decision: "ask",
    because: "The provider vouches for the address, and the user who holds it never proved it."
  },
  {
    when: { by: ["redirect"], address: ["proven", "unproven"] },
    decision: "refuse",
    because: "The address belongs to a user: only they may link, after signing in."
  }
]

/**
 * Decides.
 *
 * @category combinators
 * @since 0.1.0
 */
export const decide = (situation: Situation): Decision =>
  rules.find((rule) => fits(rule, situation))?.decision ?? "refuse"

/** The reason of a decision: that of the rule of the table, unless a policy of the application decided. @internal */
export const because = (situation: Situation, decision: Decision): string => {
  const rule = rules.find((one) => fits(one, situation))
  return rule?.decision === decision ? rule.because : "The application's own policy decided so."
}

/**
 * Decides for a configuration: the table, or what the application puts in its place.
 *
 * @category references
 * @since 0.1.0
 */
export const LinkingPolicy: Context.Reference<(situation: Situation) => Decision> = Context.Reference(
  "effect-doorman/Login/LinkingPolicy",
  { defaultValue: () => decide }
)

/**
 * A policy of the application. `usual` is what the table decides.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (policy: (situation: Situation, usual: Decision) => Decision): Layer.Layer<never> =>
  Layer.succeed(LinkingPolicy, (situation) => policy(situation, decide(situation)))

const fits = ({ when: wanted }: Rule, situation: Situation): boolean =>
  is(wanted.by, situation.by) &&
  is(wanted.account, situation.account) &&
  is(wanted.session, situation.session) &&
  is(wanted.address, situation.address) &&
  is(wanted.proof, situation.proof) &&
  is(wanted.trusting, situation.trusting) &&
  is(wanted.isOwnAddress, situation.isOwnAddress)

const is = <A>(wanted: ReadonlyArray<A> | undefined, value: A): boolean =>
  wanted === undefined || wanted.includes(value)
