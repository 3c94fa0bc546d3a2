/**
 * The last step of every sign-in: asks `signIn`, resolves the user, creates the session, emits events, and redirects to the
 * target.
 *
 * All writes to the store are one unit of work, before any cookie is set: an answer with a session cookie is an answer
 * about a session that exists.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import type * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { UserId } from "../models/Id.ts"
import { Adapter, storageOf } from "../storage/Storage.ts"
import { type Note, noteIn, userOf } from "../telemetry/AuditEmitter.ts"
import { Settings } from "../config/Settings.ts"
import { AuthRequest } from "../http/AuthRequest.ts"
import * as AuthResponse from "../http/AuthResponse.ts"
import { FailureWithCookies } from "../http/AuthResponse.ts"
import { Callbacks } from "../Callbacks.ts"
import * as CallbackUrl from "../browser/CallbackUrl.ts"
import type { ResponseCookie } from "../http/Cookie.ts"
import type { AdapterError, AuthError, SharedStateError, UnprovenAddress } from "../Errors.ts"
import { Events } from "../Events.ts"
import { type KnownBrowser, rememberAccounts } from "../browser/KnownBrowser.ts"
import type { Account, AdapterUser, Profile, User } from "../Models.ts"
import { type Authentication, unknownAuthentication } from "../session/Authentication.ts"
import type { AdapterShape } from "../storage/AdapterShape.ts"
import type { Seal } from "../browser/Seal.ts"
import { userByEmail } from "../storage/UserByEmail.ts"
import { remembersIn, temporaryCookie } from "../session/RememberMe.ts"
import { removeFormer } from "../session/SessionCookies.ts"
import { type SessionServices, SessionStore, type SiteSession } from "../session/SessionStore.ts"
import { forgetProviderTokens, makeRoom, roomBeside } from "../session/SignOutCookie.ts"
import { countSignIn } from "../telemetry/Signals.ts"
import {
  type AddressProof,
  forgetProof,
  heldProof,
  holdProof,
  isProofOf,
  mayMark,
  startsAnew
} from "./AddressChoice.ts"
import type { ResolvedUser, VerifiedIdentity } from "./ResolveUser.ts"
import { dateAt } from "../internal/DateAt.ts"
import { lazily } from "../internal/Lazily.ts"

/** Most of it is loaded with the first sign-in beside a store. */
const userResolution = lazily(() => import("./ResolveUser.ts"))

/** The dependencies of every sign-in. */
export type SignInServices =
  | Adapter
  | Settings
  | AuthRequest
  | Callbacks
  | Events
  | Seal
  | SecureRandom.SecureRandom
  | SessionServices

/**
 * A verified sign-in: a provider, a mailbox, a passkey or the application itself proves the identity.
 *
 * @category models
 * @since 0.1.0
 */
export interface VerifiedSignIn extends Omit<
  VerifiedIdentity,
  "authentication" | "isRemembered" | "proof" | "linked" | "known"
> {
  /** The whole account, for callbacks and events; `linked` is what the store gets of it. */
  readonly account: Account
  readonly profile?: Profile | undefined
  readonly credentials?: Readonly<Record<string, string>> | undefined
  /** Makes what the store gets of an account. Default: the account as it is. */
  readonly linked?: Effect.Effect<Account, AuthError> | undefined
  /** Keys of the accounts under which the person signs in, and the browser that remembers them (`KnownBrowser.ts`). */
  readonly names?: { readonly accounts: ReadonlyArray<string>; readonly browser: KnownBrowser | undefined } | undefined
  /** Does the session outlive the browser? Default: as the option and the form of the request say. */
  readonly isRemembered?: boolean | undefined
  /** How the person was authenticated. Default: nothing is known about it. */
  readonly authentication?: Authentication | undefined
  /** Default: `claimed`. */
  readonly proof?: VerifiedIdentity["proof"] | undefined
  /**
   * Remembers the session where it is to end with one at the provider, and makes the cookies for that: of at most `room` bytes,
   * but for one that only the sign-out gets.
   */
  readonly rememberSession?:
    | ((
        session: SiteSession,
        room: number,
        user: User
      ) => Effect.Effect<
        ReadonlyArray<ResponseCookie>,
        AuthError,
        Adapter | AuthRequest | Seal | SessionServices | Settings
      >)
    | undefined
}

/**
 * Completes a sign-in. `status` is 303 after the form that uses up the token of a link.
 *
 * @category combinators
 * @since 0.1.0
 */
export const complete = (
  verifiedSignIn: VerifiedSignIn,
  target: string,
  cookies: ReadonlyArray<ResponseCookie>,
  status?: 303
): Effect.Effect<AuthResponse.AuthResponse, AuthError | FailureWithCookies, SignInServices> =>
  Effect.contextWith((context: Context.Context<SignInServices>) => {
    const asked = remembersIn(Context.get(context, Settings), Context.get(context, AuthRequest))
    const { isRemembered = asked } = verifiedSignIn
    return completeIn(context, { ...verifiedSignIn, isRemembered }, target, { cookies, status })
  })

const completeIn = Effect.fnUntraced(function* (
  context: Context.Context<SignInServices>,
  verifiedSignIn: DecidedSignIn,
  target: string,
  { cookies, status }: { readonly cookies: ReadonlyArray<ResponseCookie>; readonly status: 303 | undefined }
): Effect.fn.Return<AuthResponse.AuthResponse, AuthError | FailureWithCookies, SignInServices> {
  const request = Context.get(context, AuthRequest)
  const settings = Context.get(context, Settings)
  const callbacks = Context.get(context, Callbacks)
  const { account: claimedAccount, credentials, profile } = verifiedSignIn
  // The application checked the credentials: the store is not asked for an account.
  const isFromApplication = claimedAccount.type === "credentials"
  const adapter = isFromApplication ? undefined : storageOf(Context.get(context, Adapter))
  const addressProof = verifiedSignIn.held ?? (yield* heldProof(settings, request))
  const storedUser =
    adapter === undefined ||
    startsAnew({ account: claimedAccount, held: addressProof }) ||
    !needsKnownUser(callbacks, adapter, claimedAccount)
      ? undefined
      : yield* knownUser(adapter, verifiedSignIn)
  const decision = yield* callbacks.signIn({
    user: storedUser ?? verifiedSignIn.user,
    account: claimedAccount,
    ...(profile === undefined ? {} : { profile }),
    ...(credentials === undefined ? {} : { credentials })
  })
  if (typeof decision === "string") {
    yield* refusedByApplication(context, claimedAccount, "redirected")
    return AuthResponse.redirect(yield* CallbackUrl.insteadOfSignIn(request, decision), cookies, status)
  }
  const resolvedUser = yield* Effect.catchEager(
    resolve(context, { ...verifiedSignIn, held: addressProof }, adapter, storedUser),
    (failure): Effect.Effect<never, AuthError | FailureWithCookies, SignInServices> =>
      failure._tag === "UnprovenAddress" ? interrupted(failure, verifiedSignIn, target) : Effect.fail(failure)
  )
  const { isNewUser, user } = resolvedUser
  const account = ownedAccount(claimedAccount, user)
  const { emit } = Context.get(context, Events)
  for (const [name, message] of resolvedUser.events) yield* emit(name, message)
  for (const event of auditEventsOf(resolvedUser, account)) yield* noteIn(context, event)
  if (resolvedUser.isAddition === true) {
    return AuthResponse.redirect(target, [...cookies, ...forgetProof(settings, request)], status)
  }
  const { cookies: sessionCookies, session } = yield* (yield* SessionStore).begin({
    user,
    account,
    profile,
    isNewUser,
    authentication: resolvedUser.authentication,
    isRemembered: verifiedSignIn.isRemembered,
    row: resolvedUser.session,
    needsId: verifiedSignIn.rememberSession !== undefined
  })
  const { names } = verifiedSignIn
  const isSignedIn = sessionCookies.some(({ value }) => value !== "")
  const hasNames = isSignedIn && names !== undefined && names.accounts.length > 0
  const browserCookies = hasNames ? yield* rememberAccounts(context, names.accounts, names.browser) : []
  const former = isSignedIn ? removeFormer(settings, request) : []
  const signInCookies = [...cookies, ...forgetProof(settings, request), ...browserCookies, ...former, ...sessionCookies]
  const room = roomBeside(settings, request, signInCookies)
  const providerCookies = yield* cookiesBeside(verifiedSignIn, session, room, user)
  yield* emit("signIn", {
    user,
    account,
    ...(profile === undefined ? {} : { profile }),
    ...(isFromApplication ? {} : { isNewUser })
  })
  yield* isSignedIn
    ? signedIn(context, account, user, isNewUser === true)
    : refusedByApplication(context, account, "no_session")
  const responseCookies = [
    ...signInCookies,
    ...forgetProviderTokens(settings, request, providerCookies),
    ...providerCookies
  ]
  const removal = makeRoom(settings, request, responseCookies)
  if (removal.warning !== undefined) yield* Effect.logWarning(removal.warning)
  const { newUser } = settings.pages
  const next = isNewUser === true && newUser !== undefined ? welcome(newUser, request.origin, target) : target
  return AuthResponse.redirect(next, [...responseCookies, ...removal.cookies], status)
})

/** The browser holds the proof until the person chose. */
const interrupted = Effect.fnUntraced(function* (
  failure: UnprovenAddress,
  { account, user }: VerifiedSignIn,
  target: string
): Effect.fn.Return<never, FailureWithCookies, Settings | AuthRequest | Seal | SecureRandom.SecureRandom> {
  const { holder } = failure
  if (holder === undefined) return yield* new FailureWithCookies({ failure, cookies: [] })
  const proof = yield* holdProof({ provider: account.provider, email: user.email ?? "", holder, target })
  return yield* new FailureWithCookies({ failure, cookies: [proof] })
})

/** The cookies of what ends with the session: none of them outlives it. */
const cookiesBeside = Effect.fnUntracedEager(function* (
  { isRemembered, rememberSession }: DecidedSignIn,
  session: SiteSession | undefined,
  room: number,
  user: User
): Effect.fn.Return<ReadonlyArray<ResponseCookie>, AuthError, SignInServices> {
  if (session === undefined || rememberSession === undefined) return []
  const cookies = yield* rememberSession(session, room, user)
  return isRemembered ? cookies : cookies.map(temporaryCookie)
})

/** Emits a completed sign-in to the audit events and the metrics. */
const signedIn = Effect.fnUntracedEager(function* (
  context: Context.Context<never>,
  { provider, type }: Account,
  { id }: User,
  isNewUser: boolean
): Effect.fn.Return<void> {
  yield* noteIn(context, { _tag: "SignedIn", provider, method: type, isNewUser, ...userOf(id) })
  countSignIn(context, provider, "signed_in")
})

/** A callback sent the person elsewhere, or made no session: they are not in, and nothing has failed. */
const refusedByApplication = Effect.fnUntracedEager(function* (
  context: Context.Context<never>,
  { provider }: Account,
  code: string
): Effect.fn.Return<void> {
  yield* noteIn(context, { _tag: "SignInRefused", provider, reason: { type: "AccessDenied", code } })
  countSignIn(context, provider, "refused")
})

/** The audit events for what was written to the store. */
const auditEventsOf = (resolvedUser: Resolution, { provider }: Account): ReadonlyArray<Note> => {
  const about = { provider, ...userOf(resolvedUser.user.id) }
  return resolvedUser.events.map(([name, message]): Note => {
    switch (name) {
      case "addressReleased": {
        const { userId: previousUserId } = userOf(message.previousUserId)
        return { _tag: "AddressReleased", ...about, ...(previousUserId === undefined ? {} : { previousUserId }) }
      }
      case "createUser":
        return { _tag: "UserCreated", ...about }
      case "updateUser":
        return { _tag: "AddressProven", ...about }
      case "linkAccount":
        return {
          _tag: message.account.type === "webauthn" ? "KeyAdded" : "AccountLinked",
          ...about,
          provider: message.account.provider
        }
    }
  })
}

/** A passkey is an account of this site: its user is known once the user is resolved. */
const ownedAccount = (account: Account, user: User): Account =>
  account.type === "webauthn" && user.id !== undefined ? { ...account, userId: user.id } : account

/** A sign-in of which it is decided whether it outlives the browser. */
type DecidedSignIn = VerifiedSignIn & { readonly isRemembered: boolean }

/** A resolved user, from the store or without one. */
type Resolution = Omit<ResolvedUser, "isNewUser"> & { readonly isNewUser: boolean | undefined }

const authenticationOf = ({ authentication = unknownAuthentication }: VerifiedSignIn): Authentication => authentication

/** Resolves the user in the store where the sign-in uses the store, and beside it otherwise. */
const resolve = (
  context: Context.Context<SignInServices>,
  verifiedSignIn: DecidedSignIn,
  adapter: AdapterShape | undefined,
  known: AdapterUser | undefined
): Effect.Effect<Resolution, AuthError, SignInServices> => {
  if (adapter !== undefined) return resolveInStore(adapter, verifiedSignIn, known)
  const store = storageOf(Context.get(context, Adapter))
  return store === undefined
    ? Effect.succeed({
        user: verifiedSignIn.user,
        isNewUser: undefined,
        session: undefined,
        events: [],
        authentication: authenticationOf(verifiedSignIn)
      })
    : resolveBesideStore(store, verifiedSignIn)
}

const resolveInStore = Effect.fnUntraced(function* (
  adapter: AdapterShape,
  verifiedSignIn: DecidedSignIn,
  known: AdapterUser | undefined
): Effect.fn.Return<Resolution, AuthError, SignInServices> {
  const { resolveUser } = yield* userResolution
  const { account, linked: make = Effect.succeed(account), proof = "claimed" } = verifiedSignIn
  const authentication = authenticationOf(verifiedSignIn)
  const isWritten = known === undefined || adapter.methods.has("updateAccount")
  // A function of the application, which a transaction would wait for.
  const linked = account.type === "email" || isWritten ? yield* make : undefined
  return yield* resolveUser(adapter, { ...verifiedSignIn, authentication, proof, linked, known: known?.id })
})

const resolveBesideStore = Effect.fnUntraced(function* (
  store: AdapterShape,
  verifiedSignIn: DecidedSignIn
): Effect.fn.Return<Resolution, AuthError, SignInServices> {
  const { held, isRemembered, user } = verifiedSignIn
  const authentication = authenticationOf(verifiedSignIn)
  const prepared = yield* (yield* SessionStore).prepare(undefined, isRemembered)
  const session =
    prepared === undefined
      ? undefined
      : yield* (yield* userResolution).startSession(store, prepared, user.id, authentication)
  const proven = yield* proveHeld(store, held, user.id)
  const events: Resolution["events"] = proven === undefined ? [] : [["updateUser", { user: proven }]]
  return { user, isNewUser: undefined, session, events, authentication }
})

/** A user of the store who signed in by a password of the application, in the browser that proved their address. */
const proveHeld = Effect.fnUntraced(function* (
  store: AdapterShape,
  held: AddressProof | undefined,
  userId: UserId
): Effect.fn.Return<AdapterUser | undefined, AdapterError | SharedStateError> {
  if (held?.holder !== userId) return undefined
  const user = Option.getOrUndefined(yield* store.getUser(userId))
  if (user === undefined || user.emailVerified !== null || !isProofOf(held, user)) return undefined
  if (!(yield* mayMark(store, held))) return undefined
  return yield* store.updateUser({ id: userId, emailVerified: dateAt(yield* Clock.currentTimeMillis) })
})

/**
 * Must the user be known before the unit of work, which looks the account up for itself? So that `signIn` is asked about the user, and
 * where tokens of a known account are not kept, so that the provider's `account` is not asked for them.
 */
const needsKnownUser = ({ admitsAll }: Callbacks["Service"], { methods }: AdapterShape, { type }: Account): boolean =>
  admitsAll !== true || (type !== "email" && !methods.has("updateAccount"))

/** The user that the store knows by this account. */
const knownUser = (
  adapter: AdapterShape,
  { account, user }: VerifiedSignIn
): Effect.Effect<AdapterUser | undefined, AdapterError> =>
  Effect.map(
    account.type === "email" ? userByEmail(adapter, user.email ?? "") : adapter.getUserByAccount(account),
    Option.getOrUndefined
  )

/** The application's page for new users, with their target as `callbackUrl`. */
const welcome = (page: string, origin: string, target: string): string => {
  const url = new URL(page, origin)
  url.searchParams.set("callbackUrl", target)
  return url.href
}
