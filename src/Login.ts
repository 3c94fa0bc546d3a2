/**
 * Who may become whom: the rules of linking, as one table.
 *
 * A person comes with an account (an id at a provider, a key, or a mailbox) and perhaps an address. The store knows whose
 * account it is, whose address, and who is signed in already. From these five facts follows what happens, and nothing else
 * decides. The table below is the one of `docs/accounts.md`; `test/Login.test.ts` goes through every combination.
 *
 * Three principles stand behind it. An address counts as proven only when a link was followed or the provider says so as a
 * boolean `true`. The first proof of a mailbox removes what was never proven: accounts, keys and sessions that somebody may
 * have put there beforehand. And an account is linked only in the session that asked for it.
 *
 * @since 0.1.0
 */

/**
 * What is known when a person comes with an account.
 *
 * @category models
 * @since 0.1.0
 */
export interface Situation {
  /** `redirect` for OAuth and OpenID Connect, `mailbox` for a link that was followed, `key` for WebAuthn. */
  readonly by: "redirect" | "mailbox" | "key"
  /** Whose account it is: nobody's, the signed-in user's, or somebody else's. */
  readonly account: "unknown" | "own" | "foreign"
  /**
   * Who is signed in, and who was when this sign-in was started: nobody (`none`), the same session (`same`), somebody
   * although it was not them who started it (`other`), nobody although somebody started it (`ended`).
   */
  readonly session: "none" | "same" | "other" | "ended"
  /** Whose address it is: nobody's, of a user who has proven it, or of a user who has not. */
  readonly address: "free" | "proven" | "unproven"
  /** Does the provider vouch for the address (`proven`), say nothing (`claimed`), or say that it is not (`denied`)? */
  readonly proof: "proven" | "claimed" | "denied"
  /** `allowDangerousEmailAccountLinking` of the provider. */
  readonly trusting: boolean
  /** The address is that of the signed-in user. */
  readonly isOwnAddress: boolean
}

/**
 * What follows.
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
  /** The owner of the address signs in and has proven it now; what was there before is removed. */
  | "claimAddress"
  /** The owner of the address proves it in their own session: what they have stays. */
  | "proveAddress"
  /** The account is linked to the signed-in user. */
  | "link"
  /** The account is linked to the owner of the address, because the provider is trusted with that. */
  | "linkByAddress"
  /** As `linkByAddress`, after what was never proven has been removed. */
  | "linkAndClaim"
  /** A new user is created with this account. */
  | "create"
  /** The person has to sign in another way first. */
  | "refuse"

/**
 * Decides.
 *
 * @category combinators
 * @since 0.1.0
 */
export const decide = (situation: Situation): Decision =>
  situation.by === "mailbox" ? byMailbox(situation) : byAccount(situation)

/** A followed link proves the mailbox; who is signed in matters only when it is the same person. */
const byMailbox = ({ address, isOwnAddress, session }: Situation): Decision => {
  switch (address) {
    case "free":
      return "create"
    case "proven":
      return "enterByAddress"
    case "unproven":
      return isOwnAddress && (session === "same" || session === "other") ? "proveAddress" : "claimAddress"
  }
}

const byAccount = (situation: Situation): Decision => {
  switch (situation.account) {
    case "own":
      return "keep"
    case "foreign":
      return situation.session === "none" || situation.session === "ended" ? "enter" : "refuse"
    case "unknown":
      return unknownAccount(situation)
  }
}

/** Nobody has this account yet. A session that began or ended on the way asked for something else. */
const unknownAccount = (situation: Situation): Decision => {
  switch (situation.session) {
    case "same":
      return "link"
    case "other":
    case "ended":
      return "refuse"
    case "none":
      return situation.address === "free" ? "create" : takenAddress(situation)
  }
}

/** The address belongs to a user: only a provider that the application trusts with that may sign them in by it. */
const takenAddress = ({ address, by, proof, trusting }: Situation): Decision => {
  if (by === "key" || !trusting || proof === "denied") return "refuse"
  return address === "unproven" && proof === "proven" ? "linkAndClaim" : "linkByAddress"
}
