/**
 * Lets a person in, as `Login.ts` decided: the user, the account and the session come about together or not at all.
 *
 * Everything that is written for one sign-in is one unit of work (`storage/Unit.ts`). A store with transactions keeps all
 * of it or none. On one without, each step says how it is taken back, and a unit that fails takes back what it did, so
 * that the person can simply try again. When two requests create the same user or account at once, one of them finds the
 * row of the other, and decides again with it.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import { AuthConfig } from "../AuthConfig.ts"
import type { AuthRequest } from "../AuthRequest.ts"
import { AccountNotLinked, AdapterError, type AuthError, CallbackRouteError, OAuthAccountNotLinked } from "../Errors.ts"
import type { EventMessages } from "../Events.ts"
import { fromAnswer } from "../internal/Answer.ts"
import { base64Url } from "../internal/Sha256.ts"
import type { Jwt } from "../Jwt.ts"
import { type Decision, LinkingPolicy, type Situation } from "../Login.ts"
import type { Account, AdapterAccount, AdapterSession, AdapterUser, User } from "../Models.ts"
import type { AdapterShape } from "../storage/AdapterShape.ts"
import { unit } from "../storage/Unit.ts"
import { type CurrentUser, currentUser } from "../session/CurrentUser.ts"

/**
 * A person at the door.
 *
 * @category models
 * @since 0.1.0
 */
export interface Arrival {
  /** What a new user would be made of; the id is random. */
  readonly user: User & { readonly id: string }
  readonly account: Account
  /** What is linked, without the user's id. Default: the account as it is. Made only when it is linked. */
  readonly linked?: Effect.Effect<Account, AuthError> | undefined
  /** Does the provider vouch for the address (`proven`), say nothing (`claimed`), or say that it is not (`denied`)? */
  readonly proof: Situation["proof"]
  /** `allowDangerousEmailAccountLinking` of the provider. */
  readonly trusting?: boolean | undefined
  /** Names the session that started this sign-in; see `starter` of `CurrentUser.ts`. */
  readonly startedBy?: string | undefined
  /** Further writes of the same unit of work, for the user who was let in. */
  readonly also?: ((user: AdapterUser) => Effect.Effect<void, AuthError>) | undefined
}

/** What the application is told afterwards, in this order. */
type Told = { readonly [Name in "createUser" | "updateUser" | "linkAccount"]: readonly [Name, EventMessages[Name]] }[
  | "createUser"
  | "updateUser"
  | "linkAccount"]

/**
 * A person who was let in.
 *
 * @category models
 * @since 0.1.0
 */
export interface Admitted {
  readonly user: User
  readonly isNewUser: boolean
  /** With sessions in a database, the new one. */
  readonly session: AdapterSession | undefined
  readonly events: ReadonlyArray<Told>
  /** Was taken away what somebody may have put there before the address was proven? */
  readonly removed?: boolean
}

/** Times that a unit is tried again after somebody else was faster. */
const attempts = 2

/**
 * Lets a person in.
 *
 * @category combinators
 * @since 0.1.0
 */
export const admit = Effect.fnUntraced(function* (
  adapter: AdapterShape,
  arrival: Arrival
): Effect.fn.Return<Admitted, AuthError, AuthConfig | AuthRequest | Jwt | SecureRandom.SecureRandom> {
  const current = yield* currentUser(adapter)
  const work = inOneUnit(adapter, (steps) => entrance(adapter, steps, arrival, current))
  return yield* Effect.retry(work, { times: attempts, while: isOvertaken })
})

/**
 * Starts a session in the database for a user who exists, in one unit of work.
 *
 * @category combinators
 * @since 0.1.0
 */
export const openSession = Effect.fnUntraced(function* (
  adapter: AdapterShape,
  userId: string
): Effect.fn.Return<AdapterSession, AuthError, AuthConfig | AuthRequest | Jwt | SecureRandom.SecureRandom> {
  const current = yield* currentUser(adapter)
  return yield* inOneUnit(adapter, (steps) =>
    Effect.gen(function* () {
      const user = yield* adapter.getUser(userId)
      if (Option.isNone(user)) {
        return yield* new CallbackRouteError({
          detail: "With sessions in a database, authorize must return a user that the adapter knows by this id"
        })
      }
      return yield* newSession(adapter, steps, user.value.id, current)
    })
  )
})

/** Did somebody else write the same row first? */
const isOvertaken = (failure: AuthError): boolean => failure._tag === "AdapterError" && failure.reason === "unique"

/** How the steps of a unit are taken back, where the store does not do it. */
interface Steps {
  /** Runs a step; `back` takes it back, and is run too when nobody knows whether the step was done. */
  readonly take: <A>(
    step: Effect.Effect<A, AdapterError>,
    back: Effect.Effect<unknown, AdapterError>
  ) => Effect.Effect<A, AdapterError>
}

/** A store that was away when a step failed may be back in a second. */
const patience = { schedule: Schedule.exponential("100 millis"), times: 4 }

const inOneUnit = <A, R>(
  adapter: AdapterShape,
  program: (steps: Steps) => Effect.Effect<A, AuthError, R>
): Effect.Effect<A, AuthError, R> =>
  adapter.methods.has("transaction")
    ? unit(adapter, program({ take: (step) => step }))
    : unit(
        adapter,
        Effect.suspend(() => {
          const taken: Array<Effect.Effect<unknown, AdapterError>> = []
          const take: Steps["take"] = (step, back) => {
            taken.push(back)
            return Effect.tapError(step, (failure) =>
              // Somebody else's row is not ours to remove.
              Effect.sync(() => (failure.reason === "unique" ? taken.pop() : undefined))
            )
          }
          return Effect.onError(program({ take }), () =>
            Effect.forEach(
              taken.reverse(),
              (back) => Effect.catch(Effect.retry(back, patience), (failure) => Effect.logWarning(failure)),
              { discard: true }
            )
          )
        })
      )

const entrance = Effect.fnUntraced(function* (
  adapter: AdapterShape,
  steps: Steps,
  arrival: Arrival,
  current: CurrentUser | undefined
): Effect.fn.Return<Admitted, AuthError, AuthConfig | SecureRandom.SecureRandom> {
  const { account, user: person } = arrival
  const by = account.type === "email" ? "mailbox" : account.type === "webauthn" ? "key" : "redirect"
  const owner = by === "mailbox" ? Option.none<AdapterUser>() : yield* adapter.getUserByAccount(account)
  const address = typeof person.email === "string" && person.email !== "" ? person.email : undefined
  const holder =
    address === undefined || Option.isSome(owner) ? Option.none<AdapterUser>() : yield* adapter.getUserByEmail(address)
  const decide = yield* LinkingPolicy
  const decision = decide({
    by,
    account: Option.isNone(owner) ? "unknown" : owner.value.id === current?.user.id ? "own" : "foreign",
    session: sessionOf(arrival, current),
    address: Option.isNone(holder) ? "free" : holder.value.emailVerified === null ? "unproven" : "proven",
    proof: arrival.proof,
    trusting: arrival.trusting === true,
    isOwnAddress: Option.isSome(holder) && holder.value.id === current?.user.id
  })
  const now = instant(yield* Clock.currentTimeMillis)
  const events: Array<Told> = []
  const linked = arrival.linked !== undefined && linking.has(decision) ? yield* arrival.linked : account
  const link = Effect.fnUntraced(function* (user: AdapterUser): Effect.fn.Return<AdapterUser, AdapterError> {
    yield* steps.take(adapter.linkAccount(rowOf(linked, user.id)), adapter.unlinkAccount(linked))
    events.push(["linkAccount", { user, account: linked, profile: person }])
    return user
  })
  const prove = Effect.fnUntraced(function* (user: AdapterUser): Effect.fn.Return<AdapterUser, AdapterError> {
    const proven = yield* adapter.updateUser({ id: user.id, emailVerified: now })
    events.push(["updateUser", { user: proven }])
    return proven
  })
  const user = yield* Effect.suspend((): Effect.Effect<AdapterUser, AuthError> => {
    switch (decision) {
      case "keep":
      case "enter":
        return Effect.flatMap(present(owner), (user) =>
          arrival.proof === "proven" && user.emailVerified === null && user.email === address
            ? prove(user)
            : Effect.succeed(user)
        )
      case "enterByAddress":
      case "proveAddress":
        return Effect.flatMap(present(holder), prove)
      case "claimAddress":
        return Effect.flatMap(Effect.tap(present(holder), removeUnproven(adapter)), prove)
      case "link":
        return current === undefined ? refusal(by) : link(current.user)
      case "linkByAddress":
        return Effect.flatMap(present(holder), link)
      case "linkAndClaim":
        return Effect.flatMap(Effect.flatMap(Effect.tap(present(holder), removeUnproven(adapter)), prove), link)
      case "create":
        return Effect.gen(function* () {
          const made = yield* createUser(adapter, steps, arrival, address, now)
          events.push(["createUser", { user: made }])
          return by === "mailbox" ? made : yield* link(made)
        })
      case "refuse":
        return refusal(by)
    }
  })
  if (arrival.also !== undefined) yield* arrival.also(user)
  const { session } = yield* AuthConfig
  return {
    user,
    isNewUser: decision === "create",
    session: session.strategy === "database" ? yield* newSession(adapter, steps, user.id, current) : undefined,
    events,
    removed: claiming.has(decision) && adapter.methods.has("removeCredentials")
  }
})

/** What ends with an account that is linked. */
const linking: ReadonlySet<Decision> = new Set<Decision>(["link", "linkByAddress", "linkAndClaim", "create"])

/** What removes what was never proven. */
const claiming: ReadonlySet<Decision> = new Set<Decision>(["claimAddress", "linkAndClaim"])

const sessionOf = ({ startedBy }: Arrival, current: CurrentUser | undefined): Situation["session"] => {
  if (current === undefined) return startedBy === undefined ? "none" : "ended"
  return startedBy === current.subject && startedBy !== undefined ? "same" : "other"
}

/** The decision named a user who was there: `Login.ts` never decides so otherwise. */
const present = (user: Option.Option<AdapterUser>): Effect.Effect<AdapterUser, AdapterError> =>
  Option.isSome(user)
    ? Effect.succeed(user.value)
    : Effect.fail(new AdapterError({ method: "getUser", reason: "missing", detail: "The user is gone" }))

const refusal = (by: Situation["by"]): Effect.Effect<never, AuthError> =>
  by === "key"
    ? Effect.fail(new AccountNotLinked({ detail: "The key or its address belongs to another user" }))
    : Effect.fail(new OAuthAccountNotLinked({ detail: "The account or its address belongs to another user" }))

/** What somebody may have put there before the owner of the mailbox came. */
const removeUnproven =
  (adapter: AdapterShape) =>
  (user: AdapterUser): Effect.Effect<void, AdapterError> =>
    adapter.methods.has("removeCredentials")
      ? adapter.removeCredentials(user.id)
      : Effect.logWarning("The adapter has no removeCredentials: what was linked before the first proof stays linked")

const createUser = Effect.fnUntraced(function* (
  adapter: AdapterShape,
  steps: Steps,
  { proof, user }: Arrival,
  email: string | undefined,
  now: Date
): Effect.fn.Return<AdapterUser, AdapterError> {
  const made: { id?: string } = {}
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
const rowOf = (account: Account, userId: string): AdapterAccount => {
  const type = account.type === "credentials" ? "oauth" : account.type
  return Object.assign({}, account, { type, userId })
}

/** A new session; the one that the browser had before ends with it. */
const newSession = Effect.fnUntraced(function* (
  adapter: AdapterShape,
  steps: Steps,
  userId: string,
  current: CurrentUser | undefined
): Effect.fn.Return<AdapterSession, AuthError, AuthConfig | SecureRandom.SecureRandom> {
  const { session } = yield* AuthConfig
  const expires = instant((yield* Clock.currentTimeMillis) + session.maxAge * 1000)
  const sessionToken = yield* newSessionToken(session.generateSessionToken)
  const created = yield* steps.take(
    adapter.createSession({ sessionToken, userId, expires }),
    adapter.deleteSession(sessionToken)
  )
  if (current?.sessionToken !== undefined) yield* adapter.deleteSession(current.sessionToken)
  return created
})

/** The last instant that a date can name is the latest. */
const instant = (milliseconds: number): Date => new Date(Math.min(milliseconds, 8.64e15))

const newSessionToken = (
  generate: (() => string) | undefined
): Effect.Effect<string, CallbackRouteError, SecureRandom.SecureRandom> =>
  generate === undefined
    ? Effect.flatMap(SecureRandom.SecureRandom, ({ randomBytes }) => Effect.map(randomBytes(32), base64Url))
    : fromAnswer("session.generateSessionToken", generate).pipe(
        Effect.mapError((cause) => new CallbackRouteError({ detail: "session.generateSessionToken failed", cause })),
        Effect.flatMap((token: unknown) =>
          typeof token === "string" && token.length >= 16 && token.length <= 512
            ? Effect.succeed(token)
            : Effect.fail(
                new CallbackRouteError({ detail: "session.generateSessionToken must return 16 to 512 characters" })
              )
        )
      )
