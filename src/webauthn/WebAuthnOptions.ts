/**
 * The action that returns the options of a ceremony of Web Authentication.
 *
 * A signed-out visitor learns nothing here about an address: the answer does not depend on whether a user has it, or which
 * keys. A visitor who signs in gets options that fit any key of this site. A visitor who names an address and registers gets
 * options for a new key, and learns that the address is taken only after the key is made. A provider with `usernameFirst`
 * names the keys of an address, and an imaginary one for addresses without any.
 *
 * @since 0.1.0
 */
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { type Adapter, newUserId, storage } from "../storage/Storage.ts"
import { type CurrentUser, currentUser } from "../session/CurrentUser.ts"
import { Settings } from "../config/Settings.ts"
import { AuthRequest } from "../http/AuthRequest.ts"
import * as AuthResponse from "../http/AuthResponse.ts"
import type { Callbacks } from "../Callbacks.ts"
import {
  type AdapterError,
  type AuthError,
  type CallbackRouteError,
  InvalidProvider,
  MissingAdapter
} from "../Errors.ts"
import { alignedEnd } from "../http/AlignedEnd.ts"
import * as Base64Url from "../crypto/Base64Url.ts"
import { sha256 } from "../crypto/Sha256.ts"
import type { SessionServices } from "../session/SessionStore.ts"
import type { AdapterAuthenticator } from "../Models.ts"
import { looksUpAddress, type WebAuthnProvider } from "../Provider/internal/Provider.ts"
import type { Seal } from "../browser/Seal.ts"
import { findProvider } from "../signin/SignInMethod.ts"
import type { AdapterShape } from "../storage/AdapterShape.ts"
import { credentialNames, begin } from "./Ceremony.ts"
import { toBase64Url } from "./CeremonyData.ts"
import { type Registrant, readRegistrant } from "./Registrant.ts"
import { relyingPartyOf } from "./RelyingParty.ts"
import { handleOf, randomHandle } from "./UserHandle.ts"
import { type NamedCredential, WebAuthn } from "./WebAuthn.ts"

/**
 * Most keys that one user may have.
 *
 * @category models
 * @since 0.1.0
 */
export const mostKeys = 50

/** The answer. */
type CeremonyRequest =
  | { readonly action: "authenticate"; readonly allow: ReadonlyArray<NamedCredential> | undefined }
  | {
      readonly action: "register"
      readonly userId: string | undefined
      readonly userName: string
      readonly displayName: string
      readonly person: Registrant["user"] | undefined
      readonly exclude: ReadonlyArray<NamedCredential>
    }

/**
 * `GET webauthn-options/‹provider›`.
 *
 * @category actions
 * @since 0.1.0
 */
export const webAuthnOptions: Effect.Effect<
  AuthResponse.AuthResponse,
  AuthError,
  Adapter | Settings | AuthRequest | Callbacks | SessionServices | Seal | SecureRandom.SecureRandom | WebAuthn
> = Effect.gen(function* () {
  const request = yield* AuthRequest
  const adapter = yield* storage
  const provider = yield* Effect.fromResult(findProvider(yield* Settings, request))
  if (provider._tag !== "WebAuthn") {
    return yield* new InvalidProvider({ provider: provider.id, detail: "The provider is not of type webauthn" })
  }
  if (adapter === undefined) return yield* new MissingAdapter({ detail: "WebAuthn providers need an adapter" })
  const action = actionOf(request.url)
  if (action === "invalid") return reject("Invalid action")
  const current = yield* currentUser(adapter)
  const response = answer(provider, adapter, action, current)
  return yield* current === undefined && looksUpAddress(provider) ? alignedEnd(response) : response
})

const answer = Effect.fnUntraced(function* (
  provider: WebAuthnProvider,
  adapter: AdapterShape,
  action: "authenticate" | "register" | undefined,
  current: CurrentUser | undefined
): Effect.fn.Return<
  AuthResponse.AuthResponse,
  AuthError,
  Settings | AuthRequest | Seal | SecureRandom.SecureRandom | WebAuthn
> {
  const request = yield* AuthRequest
  const ceremonyRequest =
    current === undefined ? yield* anonymous(provider, adapter, action) : yield* signedIn(adapter, action, current)
  if (ceremonyRequest === undefined) return reject("Invalid request")
  const relyingParty = yield* relyingPartyOf(provider, request)
  const { randomBytes } = yield* SecureRandom.SecureRandom
  const challenge = Uint8Array.from(yield* randomBytes(32))
  const record = {
    challenge: Base64Url.encode(challenge),
    provider: provider.id,
    rpId: relyingParty.id,
    ...(current?.subject === undefined ? {} : { session: current.subject })
  }
  const webAuthn = yield* WebAuthn
  if (ceremonyRequest.action === "authenticate") {
    const { allow } = ceremonyRequest
    const options = yield* webAuthn.authenticationOptions({ provider, relyingParty, challenge, allow })
    const cookies = yield* begin({
      ...record,
      action: "authenticate",
      ...(allow === undefined ? {} : { allowed: credentialNames(allow.map(({ id }) => id)) })
    })
    return AuthResponse.json({ options, action: "authenticate" }, cookies)
  }
  const { displayName, exclude, person, userId, userName } = ceremonyRequest
  const options = yield* webAuthn.registrationOptions({
    provider,
    relyingParty,
    challenge,
    userHandle: userId === undefined ? randomHandle(yield* randomBytes(32)) : handleOf(relyingParty.id, userId),
    userName,
    displayName,
    exclude
  })
  const cookies = yield* begin({
    ...record,
    action: "register",
    ...(userId === undefined ? {} : { user: userId }),
    ...(person === undefined ? {} : { person })
  })
  return AuthResponse.json({ options, action: "register" }, cookies)
})

const reject = (error: "Invalid action" | "Invalid request"): AuthResponse.AuthResponse =>
  AuthResponse.json({ error }, [], 400)

/** The ceremony that the request asks for; `undefined` when it asks for two. */
const actionOf = ({ searchParams }: URL): "authenticate" | "register" | "invalid" | undefined => {
  const [action, ...more] = searchParams.getAll("action")
  if (action === undefined) return undefined
  return more.length === 0 && (action === "authenticate" || action === "register") ? action : "invalid"
}

/** For a user in their own session: their keys are no secret from them. */
const signedIn = Effect.fnUntraced(function* (
  adapter: AdapterShape,
  action: "authenticate" | "register" | undefined,
  { user }: CurrentUser
): Effect.fn.Return<CeremonyRequest | undefined, AdapterError> {
  if (action === undefined) return undefined
  const keys = (yield* adapter.listAuthenticatorsByUserId(user.id)).flatMap(namedCredential)
  if (action === "authenticate") return { action, allow: keys.length === 0 ? undefined : keys.slice(0, mostKeys) }
  if (keys.length >= mostKeys) return undefined
  const name = [user.email, user.name].find((text) => typeof text === "string" && text !== "") ?? "User"
  return { action, userId: user.id, userName: name, displayName: user.name ?? name, person: undefined, exclude: keys }
})

/** The options for a signed-out visitor. */
const anonymous = Effect.fnUntraced(function* (
  provider: WebAuthnProvider,
  adapter: AdapterShape,
  action: "authenticate" | "register" | undefined
): Effect.fn.Return<
  CeremonyRequest | undefined,
  AdapterError | CallbackRouteError,
  Settings | AuthRequest | SecureRandom.SecureRandom
> {
  if (action !== "register" && !provider.usernameFirst) return { action: "authenticate", allow: undefined }
  const person = yield* readRegistrant(provider, adapter)
  if (action === "register") {
    if (person === undefined) return undefined
    const { user } = person
    return {
      action,
      userId: undefined,
      // A name is known of addresses without a user alone: no answer shows it.
      userName: user.email,
      displayName: user.email,
      person: user,
      exclude: []
    }
  }
  if (person === undefined) return { action: "authenticate", allow: undefined }
  // The store is asked in any case: how long it takes says nothing of the address.
  const unknown = yield* newUserId
  const rows = yield* adapter.listAuthenticatorsByUserId(person.userId ?? unknown)
  // The transports of a key reveal its kind, so the options leave them out.
  const keys = rows.flatMap(namedCredential).map(({ id }) => ({ id }))
  const allow = keys.length === 0 ? [{ id: yield* imaginary(provider, person.user.email) }] : keys.slice(0, mostKeys)
  return { action: "authenticate", allow }
})

const namedCredential = ({ credentialID, transports }: AdapterAuthenticator): ReadonlyArray<NamedCredential> => {
  const id = toBase64Url(credentialID)
  if (id === undefined || id === "") return []
  return [{ id, transports: (transports ?? "").split(",").filter((transport) => transport !== "") }]
}

/** The id of an imaginary key of an address: always the same, and indistinguishable from a real one (section 14.6.2). */
const imaginary = (provider: WebAuthnProvider, email: string): Effect.Effect<string, never, Settings> =>
  Effect.map(Settings, ({ secrets }) =>
    sha256(`imaginary key ${Redacted.value(secrets[0])} ${provider.id} ${email}`, "base64url")
  )
