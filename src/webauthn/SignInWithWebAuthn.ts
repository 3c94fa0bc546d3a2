/**
 * Sign-in and registration with a key of the person (Web Authentication).
 *
 * The answer of a ceremony is posted here, by the script of the sign-in page or by one of the application's. It counts once,
 * in the session that asked for it. A new key, the account that it is, and the session are written together; so are a counter
 * that has grown and the session that follows.
 *
 * @since 0.1.0
 */
import type * as SecureRandom from "effect/crypto/SecureRandom"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { UserId } from "../models/Id.ts"
import { newUserId, storage } from "../storage/Storage.ts"
import type { WaitingPasskey } from "../models/WaitingPasskey.ts"
import { complete, type SignInServices } from "../signin/CompleteSignIn.ts"
import type * as AuthResponse from "../http/AuthResponse.ts"
import { addCookies, type FailureWithCookies } from "../http/AuthResponse.ts"
import { currentUser } from "../session/CurrentUser.ts"
import { Settings } from "../config/Settings.ts"
import { AuthRequest, field } from "../http/AuthRequest.ts"
import * as CallbackUrl from "../browser/CallbackUrl.ts"
import type { ResponseCookie } from "../http/Cookie.ts"
import type { Csrf } from "../browser/Csrf.ts"
import { authenticatedNow } from "../session/Authentication.ts"
import {
  type AdapterError,
  type AuthError,
  MalformedRequest,
  MethodNotAllowed,
  MissingAdapter,
  WebAuthnVerificationError
} from "../Errors.ts"
import * as Base64 from "../crypto/Base64Url.ts"
import { ownMember } from "../internal/OwnProperty.ts"
import { names } from "../internal/Mismatch.ts"
import type { Account, AdapterAuthenticator, AdapterUser, User } from "../Models.ts"
import { spendNewUser } from "../signin/Limits.ts"
import type { EmailSender } from "../email/EmailSender.ts"
import type { EmailProvider, WebAuthnProvider } from "../Provider/internal/Provider.ts"
import type { AdapterShape } from "../storage/AdapterShape.ts"
import { guard } from "../session/CsrfGuard.ts"
import { type Ceremony, allows, finish, forget } from "./Ceremony.ts"
import { authenticationData, clientDataOf, registrationData, spellings, toBase64, toBase64Url } from "./CeremonyData.ts"
import { type RelyingParty, relyingPartyOf } from "./RelyingParty.ts"
import { mayBelongTo } from "./UserHandle.ts"
import { type AuthenticationData, type RegistrationData, WebAuthn } from "./WebAuthn.ts"
import { mostKeys } from "./WebAuthnOptions.ts"
import { dateAt } from "../internal/DateAt.ts"
import { lazily } from "../internal/Lazily.ts"

/** The dependencies of both ceremonies. */
type Services = Csrf | EmailSender | SignInServices | WebAuthn

/**
 * `POST callback/‹provider›`. Fails together with the removal of what the browser remembers of the ceremony.
 *
 * @category actions
 * @since 0.1.0
 */
export const signInWithWebAuthn = Effect.fnUntraced(function* (
  provider: WebAuthnProvider
): Effect.fn.Return<AuthResponse.AuthResponse, AuthError | FailureWithCookies, Services> {
  const request = yield* AuthRequest
  const adapter = yield* storage
  if (request.method !== "POST") {
    return yield* new MethodNotAllowed({ allow: "POST", provider: provider.id, detail: "Ceremonies end by POST" })
  }
  if (adapter === undefined) return yield* new MissingAdapter({ detail: "WebAuthn providers need an adapter" })
  yield* checkToken
  const answer = answerOf(request)
  if (answer === undefined) {
    return yield* new MalformedRequest({
      provider: provider.id,
      detail: "The body needs an action, authenticate or register, and as data the JSON of its answer"
    })
  }
  const cookies = yield* forget
  return yield* Effect.mapError(
    Effect.gen(function* () {
      const current = yield* currentUser(adapter)
      const ceremony = yield* finish(adapter, {
        action: answer.action,
        provider: provider.id,
        challenge: clientDataOf(answer.data.response.clientDataJSON)?.challenge ?? "",
        session: current?.subject,
        user: current?.user.id
      })
      const relyingParty = yield* relyingPartyOf(provider, request)
      if (ceremony.rpId !== undefined && ceremony.rpId !== relyingParty.id)
        return yield* reject(`The ceremony belongs to another relying party${names(relyingParty.id, ceremony.rpId)}`)
      const about: About = { adapter, ceremony, provider, relyingParty, current: current?.user }
      const mail = mailOf(yield* Settings)
      if (answer.action === "register" && ceremony.user === undefined && mail !== undefined)
        return yield* waitForProof(about, answer.data, mail, cookies)
      // A mail spends the same.
      if (answer.action === "register" && ceremony.user === undefined) yield* spendNewUser(yield* Settings)
      const verifiedKey =
        answer.action === "authenticate" ? yield* verifyKey(about, answer.data) : yield* registerKey(about, answer.data)
      const target = yield* CallbackUrl.target(request)
      const remembered = CallbackUrl.remember(yield* Settings, request, target)
      return yield* complete(
        { ...verifiedKey, startedBy: ceremony.session, authentication: yield* authenticatedNow(methodsOf(provider)) },
        target,
        [...remembered, ...cookies]
      )
    }),
    addCookies(cookies)
  )
})

/** A key was used by a person who was there; where verification is required, the authenticator has verified the person too. */
const methodsOf = ({ authentication }: WebAuthnProvider): ReadonlyArray<string> =>
  authentication.requireUserVerification ? ["pop", "user", "mfa"] : ["pop", "user"]

/** A ceremony needs no token; one that is sent must be good. */
const checkToken = Effect.gen(function* () {
  const request = yield* AuthRequest
  if (ownMember(request.body, "csrfToken") !== undefined) yield* guard()
})

type Answered =
  | { readonly action: "authenticate"; readonly data: AuthenticationData }
  | { readonly action: "register"; readonly data: RegistrationData }

const answerOf = (request: AuthRequest["Service"]): Answered | undefined => {
  const action = field(request, "action")
  const text = field(request, "data") ?? ""
  if (action === "authenticate") {
    const data = authenticationData(text)
    return data === undefined ? undefined : { action, data }
  }
  const data = action === "register" ? registrationData(text) : undefined
  return data === undefined ? undefined : { action: "register", data }
}

/** The subject of a verification. */
interface About {
  readonly adapter: AdapterShape
  readonly ceremony: Ceremony
  readonly provider: WebAuthnProvider
  readonly relyingParty: RelyingParty
  readonly current: AdapterUser | undefined
}

/** The verified user, and what is written together with the sign-in. */
interface VerifiedKey {
  readonly user: User & { readonly id: UserId }
  readonly account: Account
  readonly also: (user: AdapterUser) => Effect.Effect<void, AuthError>
}

const reject = (detail: string): Effect.Effect<never, WebAuthnVerificationError> =>
  Effect.fail(new WebAuthnVerificationError({ detail }))

/** An unknown visitor gets one answer, whatever is missing. */
const unknown = reject("There is no such key, or it has no user")

/**
 * The row of a credential. Stores may compare texts more leniently than ids may be compared. Where the ceremony named
 * credentials, one of which may be made up, the store is asked for every spelling in any case.
 */
const rowOf = Effect.fnUntraced(function* (
  { adapter, ceremony }: About,
  id: string
): Effect.fn.Return<AdapterAuthenticator | undefined, AdapterError> {
  let passkey: AdapterAuthenticator | undefined
  for (const spelling of spellings(id)) {
    const row = Option.getOrUndefined(yield* adapter.getAuthenticator(spelling))
    if (passkey === undefined && row !== undefined && toBase64Url(row.credentialID) === id) passkey = row
    if (passkey !== undefined && ceremony.allowed === undefined) return passkey
  }
  return passkey
})

/** A P-256 key that no authenticator has, as COSE (RFC 9053 section 7.1). */
const decoyKey =
  "pQECAyYgASFYIKT6qxa0VVnY/SDZkfKYFBzd5fiNb/sdnnd0GsylejRqIlgge74OTvd1G0kLADy1ogUzbgjngyZsfzqQzUouUpsXFoQ="

/** Asks and computes for a made-up credential what is asked and computed for a real one. */
const pretend = Effect.fnUntraced(function* (
  { adapter, ceremony, provider, relyingParty }: About,
  data: AuthenticationData
): Effect.fn.Return<void, AdapterError, SecureRandom.SecureRandom | WebAuthn> {
  const id = yield* newUserId
  const credentialID = toBase64(data.id)
  yield* adapter.getAccount(credentialID, provider.id)
  yield* adapter.getUser(id)
  const { verifyAuthentication } = yield* WebAuthn
  const decoy = {
    credentialID,
    userId: id,
    providerAccountId: credentialID,
    credentialPublicKey: decoyKey,
    counter: 0,
    credentialDeviceType: "multiDevice",
    credentialBackedUp: true,
    transports: null
  }
  // Whatever it says: there is no such key.
  yield* Effect.exit(verifyAuthentication({ provider, relyingParty, challenge: ceremony.challenge }, data, decoy))
})

/** Verifies a sign-in with a key that the store has. */
const verifyKey = Effect.fnUntraced(function* (
  about: About,
  data: AuthenticationData
): Effect.fn.Return<VerifiedKey, AuthError, SecureRandom.SecureRandom | WebAuthn> {
  const { adapter, ceremony, provider, relyingParty } = about
  if (!allows(ceremony, data.id)) return yield* reject("The key is not one of those that were asked for")
  const row = yield* rowOf(about, data.id)
  if (row === undefined && ceremony.allowed !== undefined) yield* pretend(about, data)
  if (row === undefined) return yield* unknown
  const account = Option.getOrUndefined(yield* adapter.getAccount(row.providerAccountId, provider.id))
  if (account === undefined || account.userId !== row.userId) return yield* unknown
  const user = Option.getOrUndefined(yield* adapter.getUser(row.userId))
  if (user === undefined) return yield* unknown
  // WebAuthn Level 3, section 7.2, step 6. What a ceremony asked that Auth.js began is not known here.
  const isDiscoverable = ceremony.allowed === undefined && ceremony.rpId !== undefined
  if (isDiscoverable && (data.response.userHandle ?? "") === "")
    return yield* reject("The authenticator does not say whose key it is, and the site did not ask for this key")
  if (!mayBelongTo(data.response.userHandle, relyingParty.id, user.id))
    return yield* reject("The authenticator knows the key as that of another user")
  const { verifyAuthentication } = yield* WebAuthn
  const counter = yield* verifyAuthentication({ provider, relyingParty, challenge: ceremony.challenge }, data, row)
  const { providerAccountId } = row
  return {
    user,
    account: { provider: provider.id, providerAccountId, type: "webauthn", userId: user.id },
    also: (resolvedUser) =>
      resolvedUser.id === row.userId
        ? Effect.mapError(Effect.andThen(updateCounter(adapter, row, counter), recordUse(adapter, row)), asRefusal)
        : unknown
  }
})

/** Keeps a counter that has grown; of two uses of one key at the same count, one fails. */
const updateCounter = Effect.fnUntraced(function* (
  adapter: AdapterShape,
  { credentialID }: AdapterAuthenticator,
  counter: number
): Effect.fn.Return<void, AdapterError | WebAuthnVerificationError> {
  const row = Option.getOrUndefined(yield* adapter.getAuthenticator(credentialID))
  if (row === undefined) return yield* unknown
  if (counter === 0 && row.counter === 0) return
  if (counter <= row.counter) return yield* staleCounter
  yield* adapter.updateAuthenticatorCounter(row.credentialID, counter)
})

/** Writes when a key was last used, where the store keeps that. */
const recordUse = ({ describeAuthenticator, methods }: AdapterShape, { credentialID }: AdapterAuthenticator) =>
  methods.has("describeAuthenticator")
    ? Effect.flatMap(Clock.currentTimeMillis, (now) => describeAuthenticator(credentialID, { lastUsedAt: dateAt(now) }))
    : Effect.void

const staleCounter = reject("The counter of the key has not grown: there may be a copy of it")

/** The refusal for a failure of the store after another caller was faster. */
const asRefusal = (failure: AuthError): AuthError => {
  if (failure._tag !== "AdapterError") return failure
  switch (failure.reason) {
    case "stale":
      return new WebAuthnVerificationError({ detail: "The counter of the key has not grown", cause: failure })
    case "missing":
      return new WebAuthnVerificationError({ detail: "The key or its user is gone", cause: failure })
    case "unique":
      return new WebAuthnVerificationError({ detail: "The key is registered already", cause: failure })
    default:
      return failure
  }
}

/** Loaded when the first link is sent. */
const links = lazily(() => import("../email/SignInWithEmail.ts"))

/** Characters of a credential that fit into the cookie beside the longest address and the longest names. */
const longestWaiting = 1600

/** The provider that can prove an address. */
const mailOf = ({ providers }: Settings["Service"]): EmailProvider | undefined =>
  providers.identities
    .filter(({ type }) => type === "email")
    .map(({ id }) => Result.getOrUndefined(providers.get(id)))
    .find((provider) => provider?._tag === "Email")

/**
 * A new user names an address. A link is sent there, and the passkey waits for it in this browser: no user is created with
 * the address of another person. The answer is the same for every address.
 */
const waitForProof = Effect.fnUntraced(function* (
  about: About,
  data: RegistrationData,
  mail: EmailProvider,
  cookies: ReadonlyArray<ResponseCookie>
): Effect.fn.Return<AuthResponse.AuthResponse, AuthError, Services> {
  const request = yield* AuthRequest
  const credential = yield* newCredential(about, data)
  if (credential.credentialID.length + credential.credentialPublicKey.length > longestWaiting)
    return yield* reject("The key is too large for the cookie in which it waits")
  const { email, ...person } = about.ceremony.person ?? { email: undefined }
  const target = yield* CallbackUrl.target(request)
  const remembered = CallbackUrl.remember(yield* Settings, request, target)
  const { sendLinkTo } = yield* links
  const passkey = { provider: about.provider.id, person, credential }
  return yield* sendLinkTo(mail, { email, target, passkey }, [...remembered, ...cookies])
})

/** The new credential, for the person who requested it. */
const newCredential = Effect.fnUntraced(function* (
  { adapter, ceremony, current, provider, relyingParty }: About,
  data: RegistrationData
): Effect.fn.Return<WaitingPasskey["credential"], AuthError, WebAuthn> {
  const { person, user: owner } = ceremony
  if (owner !== current?.id || (owner === undefined) === (person === undefined))
    return yield* reject("The key was made for another user than the signed-in one")
  const { verifyRegistration } = yield* WebAuthn
  const key = yield* verifyRegistration({ provider, relyingParty, challenge: ceremony.challenge }, data)
  for (const spelling of spellings(key.id)) {
    const isAccount = Option.isSome(yield* adapter.getAccount(spelling, provider.id))
    if (isAccount || Option.isSome(yield* adapter.getAuthenticator(spelling)))
      return yield* reject("The key is registered already")
  }
  const credentialID = toBase64(key.id)
  return {
    credentialID,
    providerAccountId: credentialID,
    credentialPublicKey: toBase64(Base64.encode(key.publicKey)),
    counter: key.counter,
    credentialDeviceType: key.deviceType,
    credentialBackedUp: key.backedUp,
    transports: key.transports.join(",")
  }
})

/** An authenticator has created a key. */
const registerKey = Effect.fnUntraced(function* (
  about: About,
  data: RegistrationData
): Effect.fn.Return<VerifiedKey, AuthError, WebAuthn | SecureRandom.SecureRandom> {
  const { adapter, ceremony, current, provider } = about
  const { person, user: owner } = ceremony
  const credential = yield* newCredential(about, data)
  const { padding: _, ...fresh } = person ?? {}
  return {
    user: current ?? { id: yield* newUserId, ...fresh },
    account: { provider: provider.id, providerAccountId: credential.credentialID, type: "webauthn" },
    also: (resolvedUser) =>
      Effect.mapError(
        Effect.gen(function* () {
          const isMeant = owner === undefined ? resolvedUser.email === person?.email : resolvedUser.id === owner
          if (!isMeant) return yield* reject("The key was made for another user")
          const keys = yield* adapter.listAuthenticatorsByUserId(resolvedUser.id)
          if (keys.length >= mostKeys) return yield* reject(`A user may have ${mostKeys} keys`)
          const details = adapter.methods.has("describeAuthenticator")
            ? { createdAt: dateAt(yield* Clock.currentTimeMillis) }
            : {}
          yield* adapter.createAuthenticator({ ...credential, userId: resolvedUser.id, ...details })
        }),
        asRefusal
      )
  }
})
