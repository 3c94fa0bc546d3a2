/**
 * Resolves the user of a verified identity, as `LinkingRules.ts` decides: the library writes the user, the account and the
 * session together or not at all.
 *
 * Everything that is written for one sign-in is one unit of work (`storage/Unit.ts`). A store with transactions keeps all
 * of it or none. On one without, each step says how it is taken back, and a unit that fails takes back what it did, so
 * that the person can simply try again. When two requests create the same user or account at once, one of them finds the
 * row of the other, and decides again with it.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import type * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Settings } from "../config/Settings.ts"
import type { AuthRequest } from "../http/AuthRequest.ts"
import {
  AccountNotLinked,
  AdapterError,
  type AuthError,
  CallbackRouteError,
  OAuthAccountNotLinked,
  UnprovenAddress,
  Verification,
  type SharedStateError
} from "../Errors.ts"
import type { EventMessages } from "../Events.ts"
import { because, type Decision, LinkingPolicy, type Situation } from "./LinkingRules.ts"
import type { Account, AdapterAccount, AdapterSession, AdapterUser, User, UserId } from "../Models.ts"
import { newUserId } from "../storage/Storage.ts"
import type { AdapterShape } from "../storage/AdapterShape.ts"
import { inOneUnit, type Steps } from "../storage/Steps.ts"
import { isFoundBy, userByEmail } from "../storage/UserByEmail.ts"
import { type Authentication, unknownAuthentication } from "../session/Authentication.ts"
import { type CurrentUser, currentUser } from "../session/CurrentUser.ts"
import {
  type PreparedSession,
  type RepeatableSignIn,
  type SessionServices,
  SessionStore
} from "../session/SessionStore.ts"
import { debug } from "../telemetry/Signals.ts"
import { type AddressProof, isProofOf, mayMark, startsAnew } from "./AddressChoice.ts"
import type { WaitingPasskey } from "../models/WaitingPasskey.ts"
import { hasProven, isAddressOf, rememberAccount } from "./ProvenAddress.ts"
import { dateAt } from "../internal/DateAt.ts"

/**
 * A verified identity, before it is resolved to a user.
 *
 * @category models
 * @since 0.1.0
 */
export interface VerifiedIdentity {
  /** The profile for a new user; the id is random. */
  readonly user: User & { readonly id: UserId }
  readonly account: Account
  /** The account for the store, without the user's id; absent when the store has the account and cannot change it. */
  readonly linked: Account | undefined
  /** Id of the user whom `callbacks.signIn` was asked about, when the store knew one. No other user may be signed in. */
  readonly known: string | undefined
  /** Is the address verified by the provider (`proven`), unverified (`claimed`), or stated as not verified (`denied`)? */
  readonly proof: Situation["proof"]
  /** Does the session outlive the browser? */
  readonly isRemembered: boolean
  /** How the person was authenticated. */
  readonly authentication: Authentication
  /** `allowDangerousEmailAccountLinking` of the provider. */
  readonly trusting?: boolean | undefined
  /** Names the session that started this sign-in; see `starter` of `CurrentUser.ts`. */
  readonly startedBy?: string | undefined
  /** The proof of an address that this browser holds, and whether the person chose a new account. */
  readonly held?: AddressProof | undefined
  /** The passkey that a new user gets together with the proven address. */
  readonly passkey?: WaitingPasskey | undefined
  /** The one-time proof of this sign-in. */
  readonly once?: OneTimeUse | undefined
  /** Further writes of the same unit of work, for the resolved user. */
  readonly also?: ((user: AdapterUser) => Effect.Effect<void, AuthError>) | undefined
}

/**
 * The sign-in of one browser by one proof.
 *
 * @category models
 * @since 0.1.0
 */
export interface Attempt {
  /** Token of the session that the sign-in creates. */
  readonly sessionToken: string
  /** Records the use; part of the unit of work. */
  readonly record: Effect.Effect<void, AdapterError>
  /** Did this browser use the proof within the last minute? */
  readonly isRecorded: Effect.Effect<boolean, AdapterError>
  /** Remembers the use after the unit of work, on a store that cannot record it. */
  readonly remember: Effect.Effect<void>
}

/**
 * The use of a one-time proof, as a part of the unit of work.
 *
 * @category models
 * @since 0.1.0
 */
export interface OneTimeUse {
  /** Uses the proof up. */
  readonly use: Effect.Effect<void, AuthError>
  /** Does a unit of work that fails take the use back? Such a unit begins with it. */
  readonly isTakenBack: boolean
  /** Present in the browser that asked for the proof. */
  readonly attempt: Attempt | undefined
  /** The sign-in was completed before: its session is answered again. */
  readonly repeats: boolean
}

/** The events that the library emits afterwards, in this order. */
type EmittedName = "addressReleased" | "createUser" | "updateUser" | "linkAccount"
type EmittedEvent = { readonly [Name in EmittedName]: readonly [Name, EventMessages[Name]] }[EmittedName]

/**
 * The resolved user and, with database sessions, their new session.
 *
 * @category models
 * @since 0.1.0
 */
export interface ResolvedUser {
  readonly user: User
  readonly isNewUser: boolean
  /** With sessions in a database, the new one. */
  readonly session: AdapterSession | undefined
  readonly events: ReadonlyArray<EmittedEvent>
  /** The assurance of the session: linking an account or proving an address raises nothing. */
  readonly authentication: Authentication
  /** The person added a passkey to their user: their session goes on, and this is no sign-in. */
  readonly isAddition?: boolean | undefined
}

/**
 * Resolves the user of a verified identity, and writes what the decision of the linking rules needs.
 *
 * @category combinators
 * @since 0.1.0
 */
export const resolveUser = Effect.fnUntraced(function* (
  adapter: AdapterShape,
  identity: VerifiedIdentity
): Effect.fn.Return<ResolvedUser, AuthError, Settings | AuthRequest | SessionServices | SecureRandom.SecureRandom> {
  const current = yield* currentUser(adapter)
  const prepared = yield* (yield* SessionStore).prepare(repeatableOf(identity.once), identity.isRemembered)
  const isCommitted = ({ session }: ResolvedUser): Effect.Effect<boolean, AdapterError> =>
    session === undefined || prepared === undefined
      ? (identity.once?.attempt?.isRecorded ?? Effect.succeed(false))
      : prepared.isStarted(session.userId)
  return yield* inOneUnit(adapter, (steps) => applyDecision(adapter, steps, identity, current, prepared), isCommitted)
})

/** Makes the session of a sign-in that may be repeated. */
const repeatableOf = (once: OneTimeUse | undefined): RepeatableSignIn | undefined =>
  once?.attempt === undefined ? undefined : { sessionToken: once.attempt.sessionToken, repeats: once.repeats }

/**
 * Starts the prepared session for a user who exists, in one unit of work.
 *
 * @category combinators
 * @since 0.1.0
 */
export const startSession = Effect.fnUntraced(function* (
  adapter: AdapterShape,
  prepared: PreparedSession,
  userId: UserId,
  authentication: Authentication
): Effect.fn.Return<AdapterSession, AuthError, AuthRequest | SessionServices> {
  const current = yield* currentUser(adapter)
  const start = (steps: Steps) =>
    Effect.gen(function* () {
      const user = yield* adapter.getUser(userId)
      if (Option.isNone(user)) {
        return yield* new CallbackRouteError({
          detail: "With sessions in a database, authorize must return a user that the adapter knows by this id"
        })
      }
      return yield* prepared.start(steps, { userId: user.value.id, current, authentication })
    })
  return yield* inOneUnit(adapter, start, (session) => prepared.isStarted(session.userId))
})

/** The facts of the decision. */
interface Facts {
  readonly by: Situation["by"]
  readonly decision: Decision
  readonly owner: Option.Option<AdapterUser>
  readonly holder: Option.Option<AdapterUser>
  readonly address: string | undefined
}

/** Asks the store and the linking rules. */
const decideLinking = Effect.fnUntraced(function* (
  adapter: AdapterShape,
  identity: VerifiedIdentity,
  current: CurrentUser | undefined
): Effect.fn.Return<Facts, AuthError, Settings> {
  const { account, proof, trusting, user: person } = identity
  const by = account.type === "email" ? "mailbox" : account.type === "webauthn" ? "key" : "redirect"
  const address = typeof person.email === "string" && person.email !== "" ? person.email : undefined
  // The address is read first. When a first sign-in of this account commits between the two reads, the account is found,
  // and the person is not refused for an address that they hold themselves.
  const holding = address === undefined ? Option.none<AdapterUser>() : yield* userByEmail(adapter, address)
  const owner = by === "mailbox" ? Option.none<AdapterUser>() : yield* adapter.getUserByAccount(account)
  const holder = Option.isSome(owner) ? Option.none<AdapterUser>() : holding
  // Whether the holder proved the address matters only to a person who proves it.
  const isProven =
    Option.isSome(holder) &&
    address !== undefined &&
    (proof === "proven" ? yield* hasProven(adapter, holder.value, address) : holder.value.emailVerified !== null)
  const decide = yield* LinkingPolicy
  const situation: Situation = {
    by,
    account: Option.isNone(owner) ? "unknown" : owner.value.id === current?.user.id ? "own" : "foreign",
    session: sessionOf(identity, current),
    address: Option.isNone(holder) ? "free" : isProven ? "proven" : "unproven",
    proof,
    trusting: trusting === true,
    isOwnAddress: Option.isSome(holder) && holder.value.id === current?.user.id
  }
  const decision = decide(situation)
  yield* debug("account_linking", () => ({ decision, because: because(situation, decision), ...situation }))
  const { unprovenAddress } = yield* Settings
  return {
    by,
    owner,
    holder,
    address,
    decision: decision === "ask" ? decideUnproven(unprovenAddress, by, isNewAccountChosen(identity, holder)) : decision
  }
})

/** Did the person choose a new account, when they were asked about this user? */
const isNewAccountChosen = (identity: VerifiedIdentity, holder: Option.Option<AdapterUser>): boolean =>
  startsAnew(identity) &&
  identity.held?.email === identity.user.email &&
  Option.exists(holder, ({ id }) => id === identity.held?.holder)

/** The decision that `ask` leads to. */
const decideUnproven = (
  option: Settings["Service"]["unprovenAddress"],
  by: Situation["by"],
  startsAnew: boolean
): Decision =>
  startsAnew || option === "release"
    ? "releaseAddress"
    : option === "ask"
      ? "ask"
      : by === "mailbox"
        ? "enterByAddress"
        : "refuse"

/** The writes of one unit of work, and its events. */
interface Writing {
  readonly adapter: AdapterShape
  readonly steps: Steps
  readonly identity: VerifiedIdentity
  readonly facts: Facts
  readonly now: Date
  readonly events: Array<EmittedEvent>
}

const link = Effect.fnUntraced(function* (
  { adapter, events, identity, steps }: Writing,
  user: AdapterUser
): Effect.fn.Return<AdapterUser, AdapterError> {
  const { account, linked = account, user: person } = identity
  yield* steps.take(adapter.linkAccount(rowOf(linked, user.id)), adapter.unlinkAccount(linked))
  events.push(["linkAccount", { user, account: linked, profile: person }])
  return user
})

const prove = Effect.fnUntraced(function* (
  { adapter, events, now }: Writing,
  user: AdapterUser
): Effect.fn.Return<AdapterUser, AdapterError> {
  const proven = yield* adapter.updateUser({ id: user.id, emailVerified: now })
  events.push(["updateUser", { user: proven }])
  return proven
})

/** Marks an address as verified that the provider verified, or that this browser proved before, which uses the proof up. */
const mark = Effect.fnUntraced(function* (
  writing: Writing,
  user: AdapterUser
): Effect.fn.Return<AdapterUser, AdapterError | SharedStateError> {
  const { adapter, facts, identity } = writing
  const { held, proof } = identity
  if (user.emailVerified !== null) return user
  if (proof === "proven" && isAddressOf(user, facts.address)) return yield* prove(writing, user)
  return isProofOf(held, user) && (yield* mayMark(adapter, held)) ? yield* prove(writing, user) : user
})

const create = Effect.fnUntraced(function* (
  writing: Writing,
  user: NewPerson
): Effect.fn.Return<AdapterUser, AdapterError> {
  const { adapter, events, facts, identity, now, steps } = writing
  const { passkey, proof } = identity
  const person = { proof, user: Object.assign({}, user, passkey?.person) }
  const created = yield* createUser(adapter, steps, person, facts.address, now)
  events.push(["createUser", { user: created }])
  if (facts.by !== "mailbox") return yield* link(writing, created)
  if (passkey !== undefined) events.push(yield* addPasskey(adapter, steps, passkey, created))
  return created
})

/** Gives the address to a new user, who gets no data of the previous holder. */
const createInstead = Effect.fnUntraced(function* (
  writing: Writing
): Effect.fn.Return<AdapterUser, AdapterError, SecureRandom.SecureRandom> {
  const { adapter, events, facts, identity, steps } = writing
  const { id } = yield* present(facts.holder)
  const email = facts.address ?? ""
  yield* releaseAddress(adapter, steps, id, email)
  const created = yield* create(writing, facts.by === "mailbox" ? { id: yield* newUserId, email } : identity.user)
  events.push(["addressReleased", { email, userId: created.id, previousUserId: id }])
  return created
})

/** Writes what the decision of the linking rules needs. */
const writeUser = (
  writing: Writing,
  current: CurrentUser | undefined
): Effect.Effect<AdapterUser, AuthError, SecureRandom.SecureRandom> => {
  const { adapter, facts, identity } = writing
  const { by, decision, holder, owner } = facts
  switch (decision) {
    case "keep":
    case "enter":
      return Effect.andThen(
        renewTokens(adapter, identity.linked),
        Effect.flatMap(present(owner), (user) => mark(writing, user))
      )
    case "enterByAddress":
    case "proveAddress":
      return Effect.flatMap(present(holder), (user) => prove(writing, user))
    case "ask":
      return Effect.flatMap(present(holder), ({ id }) => unproven(identity.account.provider, id))
    case "releaseAddress":
      return createInstead(writing)
    case "link":
      return current === undefined
        ? refusal(by)
        : Effect.flatMap(link(writing, current.user), (user) => mark(writing, user))
    case "linkByAddress":
      return Effect.flatMap(
        Effect.flatMap(present(holder), (user) => link(writing, user)),
        (user) => mark(writing, user)
      )
    case "create":
      return create(writing, identity.user)
    case "refuse":
      return refusal(by)
  }
}

/** Fails where the decision is not about the user whom `callbacks.signIn` was asked about. */
const checkDecision = (identity: VerifiedIdentity, { by, decision, holder, owner }: Facts) => {
  const match = by === "mailbox" ? holder : owner
  if (identity.known !== undefined && !Option.exists(match, ({ id }) => id === identity.known)) return goneMeanwhile
  // `callbacks.signIn` decided about a new user. A proof that was used before must not sign in to an existing one.
  return startsAnew(identity) && decision !== "releaseAddress" && decision !== "create"
    ? Effect.fail(
        new Verification({
          provider: identity.account.provider,
          detail: "A new account was chosen, and the address or the account belongs to a user by now"
        })
      )
    : Effect.void
}

const applyDecision = Effect.fnUntraced(function* (
  adapter: AdapterShape,
  steps: Steps,
  identity: VerifiedIdentity,
  current: CurrentUser | undefined,
  prepared: PreparedSession | undefined
): Effect.fn.Return<ResolvedUser, AuthError, Settings | AuthRequest | SecureRandom.SecureRandom> {
  const { account, once } = identity
  // The lock on the proof makes other requests wait that would use it too.
  if (once?.isTakenBack === true) yield* once.use
  const facts = yield* decideLinking(adapter, identity, current)
  const { by, decision } = facts
  yield* checkDecision(identity, facts)
  // A unit that fails must not lose the proof. Where the unit releases the address, that happens once by itself.
  if (once?.isTakenBack === false && decision === "create") yield* once.use
  const events: Array<EmittedEvent> = []
  const now = dateAt(yield* Clock.currentTimeMillis)
  const user = yield* writeUser({ adapter, steps, identity, facts, now, events }, current)
  if (by === "redirect") yield* rememberAccount(adapter, account, user)
  if (identity.also !== undefined) yield* identity.also(user)
  const authentication = authenticationAfter(decision, identity, current)
  const isAddition = by === "key" && decision === "link"
  return {
    isAddition,
    user,
    authentication,
    isNewUser: decision === "create" || decision === "releaseAddress",
    session:
      prepared === undefined || isAddition
        ? undefined
        : yield* prepared.start(steps, { userId: user.id, current, authentication }),
    events
  }
})

/**
 * A person who links an account, or proves the address of their own user, has shown the session alone: what they linked proves
 * nothing about the user whose session it is. So the session stays worth what it was.
 */
const authenticationAfter = (
  decision: Decision,
  { authentication }: VerifiedIdentity,
  current: CurrentUser | undefined
): Authentication =>
  decision === "link" || decision === "proveAddress"
    ? (current?.authentication ?? unknownAuthentication)
    : authentication

/** The store keeps the newest tokens of an account. Tokens that the provider left out, such as a refresh token, stay. */
const renewTokens = (adapter: AdapterShape, linked: Account | undefined): Effect.Effect<unknown, AdapterError> => {
  if (linked?.access_token === undefined || !adapter.methods.has("updateAccount")) return Effect.void
  const { access_token, expires_at = null, id_token, provider, providerAccountId, scope, token_type } = linked
  return adapter.updateAccount({
    provider,
    providerAccountId,
    access_token,
    refresh_token: linked.refresh_token,
    id_token,
    token_type,
    scope,
    expires_at
  })
}

type NewPerson = VerifiedIdentity["user"]

const addPasskey = Effect.fnUntraced(function* (
  adapter: AdapterShape,
  steps: Steps,
  { credential, person, provider }: WaitingPasskey,
  user: AdapterUser
): Effect.fn.Return<EmittedEvent, AdapterError> {
  const account = { provider, providerAccountId: credential.providerAccountId, type: "webauthn" as const }
  yield* steps.take(adapter.linkAccount({ ...account, userId: user.id }), adapter.unlinkAccount(account))
  yield* adapter.createAuthenticator({ ...credential, userId: user.id })
  return ["linkAccount", { user, account, profile: person }]
})

const unproven = (provider: string, holder: string): Effect.Effect<never, UnprovenAddress> =>
  Effect.fail(
    new UnprovenAddress({
      provider,
      holder,
      detail: "A user holds the address without proof, so the person is asked"
    })
  )

/**
 * Removes an address from a user who never proved it. Where the store requires an address, it gets one that cannot exist
 * (RFC 6761 section 6.4).
 */
const releaseAddress = Effect.fnUntraced(function* (
  adapter: AdapterShape,
  steps: Steps,
  id: UserId,
  address: string
): Effect.fn.Return<void, AdapterError, SecureRandom.SecureRandom> {
  const isHeld = isFoundBy(adapter, address, id)
  const placeholder = `${yield* newUserId}@released.invalid`
  const change = (email: string | null) =>
    // A failure inside a transaction of its own does not spoil the outer one.
    Effect.andThen(adapter.transaction(adapter.updateUser({ id, email })), isHeld)
  const released = change(null).pipe(
    Effect.catchIf(
      ({ reason }) => reason !== "missing" && reason !== "timeout",
      () => Effect.succeed(true)
    ),
    Effect.flatMap((still) => (still ? change(placeholder) : Effect.succeed(false)))
  )
  if (yield* steps.take(released, adapter.updateUser({ id, email: address }))) {
    return yield* new AdapterError({
      method: "updateUser",
      reason: "invalid",
      detail: "The store still finds a user by an address that was removed from them"
    })
  }
})

const sessionOf = ({ startedBy }: VerifiedIdentity, current: CurrentUser | undefined): Situation["session"] => {
  if (current === undefined) return startedBy === undefined ? "none" : "ended"
  return startedBy === current.subject && startedBy !== undefined ? "same" : "other"
}

/** `callbacks.signIn` decided about a user who had the account or the address. The next attempt asks it about another one. */
const goneMeanwhile = Effect.fail(
  new AdapterError({
    method: "getUser",
    reason: "missing",
    detail: "The account or the address left its user while callbacks.signIn decided"
  })
)

/** The decision named a user who was there: `LinkingRules.ts` never decides so otherwise. */
const present = (user: Option.Option<AdapterUser>): Effect.Effect<AdapterUser, AdapterError> =>
  Option.isSome(user)
    ? Effect.succeed(user.value)
    : Effect.fail(new AdapterError({ method: "getUser", reason: "missing", detail: "The user is gone" }))

const refusal = (by: Situation["by"]): Effect.Effect<never, AuthError> =>
  by === "key"
    ? Effect.fail(new AccountNotLinked({ detail: "The key or its address belongs to another user" }))
    : Effect.fail(new OAuthAccountNotLinked({ detail: "The account or its address belongs to another user" }))

const createUser = Effect.fnUntraced(function* (
  adapter: AdapterShape,
  steps: Steps,
  { proof, user }: Pick<VerifiedIdentity, "proof" | "user">,
  email: string | undefined,
  now: Date
): Effect.fn.Return<AdapterUser, AdapterError> {
  const made: { id?: UserId } = {}
  const further: Record<string, unknown> = {}
  const create = Effect.tap(
    adapter.createUser(
      Object.assign(further, user, { email, emailVerified: proof === "proven" && email !== undefined ? now : null })
    ),
    ({ id }) =>
      Effect.sync(() => {
        made.id = id
      })
  )
  // A user whose creation failed may be there all the same; only the id that was asked for shows that it is this one.
  const back = Effect.suspend((): Effect.Effect<void, AdapterError> =>
    made.id !== undefined
      ? adapter.deleteUser(made.id)
      : Effect.flatMap(adapter.getUser(user.id), (found) =>
          Option.isSome(found) ? adapter.deleteUser(found.value.id) : Effect.void
        )
  )
  return yield* steps.take(create, back)
})

/** Only these kinds of account are linked; credentials are the application's. */
const rowOf = (account: Account, userId: UserId): AdapterAccount => {
  const type = account.type === "credentials" ? "oauth" : account.type
  return Object.assign({}, account, { type, userId })
}
