/**
 * The last step of every sign-in: asks `signIn`, lets the person in, makes the session, tells the application, and goes on
 * to the target.
 *
 * What is written to the store is one unit of work, before any cookie is set: an answer with a session cookie is an answer
 * about a session that exists.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import type * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type Note, note, userOf } from "../audit/Trail.ts"
import { AuthConfig, cookiesFor } from "../AuthConfig.ts"
import { AuthRequest } from "../AuthRequest.ts"
import * as AuthResponse from "../AuthResponse.ts"
import { Callbacks, type JwtParams } from "../Callbacks.ts"
import * as CallbackUrl from "../CallbackUrl.ts"
import { clear, type ResponseCookie, set } from "../Cookie.ts"
import { type AdapterError, type AuthError, recognise } from "../Errors.ts"
import { Events } from "../Events.ts"
import { memberOf } from "../internal/OwnMembers.ts"
import { Jwt } from "../Jwt.ts"
import type { Account, AdapterSession, AdapterUser, Profile, User } from "../Models.ts"
import type { AdapterShape } from "../storage/AdapterShape.ts"
import { sessionTokens } from "../Subject.ts"
import { provisional } from "../session/ProvisionalToken.ts"
import { countSignIn } from "../telemetry/Meters.ts"
import type { Admitted, Arrival } from "./Admission.ts"

/** Most of it is loaded with the first sign-in beside a store. */
const admission = Effect.runSync(Effect.cached(Effect.promise(() => import("./Admission.ts"))))

/** What completing needs. */
type Services = AuthConfig | AuthRequest | Callbacks | Events | Jwt | SecureRandom.SecureRandom

/**
 * A person whom somebody vouches for: a provider, a mailbox, a key, or the application itself.
 *
 * @category models
 * @since 0.1.0
 */
export interface Vouched extends Omit<Arrival, "proof"> {
  /** The whole account, for callbacks and events; `linked` is what the store gets of it. */
  readonly account: Account
  readonly profile?: Profile | undefined
  readonly credentials?: Readonly<Record<string, string>> | undefined
  /** Default: `claimed`. */
  readonly proof?: Arrival["proof"] | undefined
}

/**
 * Completes a sign-in. `status` is 303 after a form with a password.
 *
 * @category combinators
 * @since 0.1.0
 */
export const complete = Effect.fnUntraced(function* (
  vouched: Vouched,
  target: string,
  cookies: ReadonlyArray<ResponseCookie>,
  status?: 303
): Effect.fn.Return<AuthResponse.AuthResponse, AuthError, Services> {
  const request = yield* AuthRequest
  const settings = yield* AuthConfig
  const callbacks = yield* Callbacks
  const { account: asked, credentials, profile } = vouched
  const isApplications = asked.type === "credentials"
  const adapter = isApplications ? undefined : settings.adapter
  const known = adapter === undefined ? undefined : yield* knownUser(adapter, vouched)
  const allowed = yield* callbacks.signIn({
    user: known ?? vouched.user,
    account: asked,
    ...(profile === undefined ? {} : { profile }),
    ...(credentials === undefined ? {} : { credentials })
  })
  if (typeof allowed === "string") {
    yield* refusedByApplication(asked, "redirected")
    return AuthResponse.redirect(yield* CallbackUrl.allow(request, allowed, "application"), cookies, status)
  }
  const admitted = yield* entered(vouched, adapter)
  const { isNewUser, user } = admitted
  const account = ownedAccount(asked, user)
  const { emit } = yield* Events
  for (const [name, message] of admitted.events) yield* emit(name, message)
  for (const event of admissionNotes(admitted, account)) yield* note(event)
  const written =
    admitted.session === undefined
      ? yield* tokenCookies({ ...vouched, account }, admitted)
      : sessionCookies(settings, request, admitted.session)
  yield* emit("signIn", {
    user,
    account,
    ...(profile === undefined ? {} : { profile }),
    ...(isApplications ? {} : { isNewUser })
  })
  yield* written.some(({ value }) => value !== "")
    ? signedIn(account, user, isNewUser === true)
    : refusedByApplication(account, "no_session")
  const { newUser } = settings.pages
  const next = isNewUser === true && newUser !== undefined ? welcome(newUser, request.origin, target) : target
  return AuthResponse.redirect(next, [...cookies, ...written], status)
})

/** Tells audit trail and metrics that somebody is in. */
const signedIn = ({ provider, type }: Account, { id }: User, isNewUser: boolean): Effect.Effect<void> =>
  Effect.andThen(
    note({ _tag: "SignedIn", provider, method: type, isNewUser, ...userOf(id) }),
    countSignIn(provider, "signed_in")
  )

/** A callback sent the person elsewhere, or made no session: they are not in, and nothing has failed. */
const refusedByApplication = ({ provider }: Account, code: string): Effect.Effect<void> =>
  Effect.andThen(
    note({ _tag: "SignInRefused", provider, reason: { type: "AccessDenied", code } }),
    countSignIn(provider, "refused")
  )

/** What was written to the store, as the audit trail tells it. */
const admissionNotes = (admitted: Entered, { provider, type }: Account): ReadonlyArray<Note> => {
  const about = { provider, ...userOf(admitted.user.id) }
  const { removed } = admitted
  return [
    ...(removed === true ? [{ _tag: "CredentialsRemoved" as const, ...userOf(admitted.user.id) }] : []),
    ...admitted.events.map(([name]): Note => {
      switch (name) {
        case "createUser":
          return { _tag: "UserCreated", ...about }
        case "updateUser":
          return { _tag: "AddressProven", ...about }
        case "linkAccount":
          return { _tag: type === "webauthn" ? "KeyAdded" : "AccountLinked", ...about }
      }
    })
  ]
}

/** A key is an account of this site: whose it is is known once the person is in. */
const ownedAccount = (account: Account, user: User): Account =>
  account.type === "webauthn" && user.id !== undefined ? { ...account, userId: user.id } : account

/** A person who was let in, by the store or without one. */
type Entered = Omit<Admitted, "isNewUser"> & { readonly isNewUser: boolean | undefined }

const entered = Effect.fnUntraced(function* (
  vouched: Vouched,
  adapter: AdapterShape | undefined
): Effect.fn.Return<Entered, AuthError, Services> {
  const settings = yield* AuthConfig
  if (adapter !== undefined) {
    const { admit } = yield* admission
    return yield* admit(adapter, { ...vouched, proof: vouched.proof ?? "claimed" })
  }
  const { user } = vouched
  const session =
    settings.session.strategy === "database" && settings.adapter !== undefined
      ? yield* (yield* admission).openSession(settings.adapter, user.id)
      : undefined
  return { user, isNewUser: undefined, session, events: [] }
})

/** The user that the store knows by this account, for the application's `signIn`. */
const knownUser = (
  adapter: AdapterShape,
  { account, user }: Vouched
): Effect.Effect<AdapterUser | undefined, AdapterError> =>
  Effect.map(
    account.type === "email" ? adapter.getUserByEmail(user.email ?? "") : adapter.getUserByAccount(account),
    Option.getOrUndefined
  )

/** Longest embedded picture in a token, in characters: the cookies of a session hold about twice as much in all. */
const longestPicture = 8192

/** The picture that a token carries: an address, or an embedded picture that leaves room for the rest. */
const carried = (image: string | null | undefined): string | null | undefined =>
  typeof image === "string" && image.startsWith("data:") && image.length > longestPicture ? null : image

const tokenCookies = Effect.fnUntraced(function* (
  { account, profile }: Vouched,
  { isNewUser, user }: Entered
): Effect.fn.Return<ReadonlyArray<ResponseCookie>, AuthError, Services> {
  const request = yield* AuthRequest
  const { adapter, session } = yield* AuthConfig
  const callbacks = yield* Callbacks
  const jwt = yield* Jwt
  const params: JwtParams = {
    token: {
      name: memberOf(user, "name"),
      // A store keeps an empty text where there is no address.
      email: memberOf(user, "email") === "" ? null : memberOf(user, "email"),
      picture: carried(memberOf(user, "image")),
      sub: memberOf(user, "id")
    },
    user,
    account,
    ...(profile === undefined ? {} : { profile }),
    isNewUser: account.type === "credentials" ? false : isNewUser,
    trigger: isNewUser === true ? "signUp" : "signIn"
  }
  // An error of Auth.js that the callback threw decides the answer.
  const token = yield* Effect.mapError(callbacks.jwt(params), (failure) => recognise(failure.cause) ?? failure)
  const names = jwt.present(request)
  if (token === null) return jwt.remove(request, names)
  // A user of the store says when the address was proven.
  const stored: User & Partial<Pick<AdapterUser, "emailVerified">> = user
  const claims = adapter !== undefined && memberOf(stored, "emailVerified") === null ? provisional(token) : token
  return yield* jwt.write(request, claims, names, (yield* Clock.currentTimeMillis) + session.maxAge * 1000)
})

/**
 * The cookie of a session in a database, and the removal of what else the browser had under its name.
 *
 * @category constructors
 * @since 0.1.0
 */
export const sessionCookies = (
  settings: AuthConfig["Service"],
  request: AuthRequest["Service"],
  { expires, sessionToken }: Pick<AdapterSession, "expires" | "sessionToken">
): ReadonlyArray<ResponseCookie> => {
  const template = cookiesFor(settings, request.url).sessionToken
  const stale = sessionTokens(settings, request).names.filter((name) => name !== template.name)
  return [...stale.slice(0, mostStale).map((name) => clear(template, name)), set(template, sessionToken, { expires })]
}

/** Deletions in one answer, as for session tokens. */
const mostStale = 10

/** The application's page for new users, told where they wanted to go. */
const welcome = (page: string, origin: string, target: string): string => {
  const url = new URL(page, origin)
  url.searchParams.set("callbackUrl", target)
  return url.href
}
