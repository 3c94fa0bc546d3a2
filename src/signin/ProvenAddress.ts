/**
 * Did the user who holds an address prove it?
 *
 * `emailVerified` says so. Auth.js sets it for mailed links alone, so rows that it wrote say nothing about users of platforms
 * that vouch for every address (`Provider/internal/ProfileMapping.ts`). Such an account proves the address of its user as long as
 * no other fact contradicts it. With a store that cannot list accounts the address counts as proven where every sign-in
 * method proves addresses.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { UserId } from "../models/Id.ts"
import { Settings } from "../config/Settings.ts"
import * as EmailAddress from "../models/EmailAddress.ts"
import type { AdapterError } from "../Errors.ts"
import * as Base64Url from "../crypto/Base64Url.ts"
import { isJsonObject, parseJson } from "../internal/JsonText.ts"
import { sha256 } from "../crypto/Sha256.ts"
import type { Account, AdapterAccount, AdapterUser, User } from "../Models.ts"
import { descriptionOf } from "../Provider/internal/ProfileMapping.ts"
import { isRedirectProvider } from "../Provider/internal/Provider.ts"
import type { AccountKey, AdapterShape } from "../storage/AdapterShape.ts"

/**
 * Is this the address of the user? Stores may keep another spelling of it.
 *
 * @category guards
 * @since 0.1.0
 */
export const isAddressOf = ({ email }: User, address: string | undefined): boolean =>
  address !== undefined && EmailAddress.isSame(email ?? "", address)

/**
 * Did the user prove the address?
 *
 * @category combinators
 * @since 0.1.0
 */
export const hasProven = Effect.fnUntraced(function* (
  adapter: AdapterShape,
  user: AdapterUser,
  address: string
): Effect.fn.Return<boolean, AdapterError, Settings> {
  if (user.emailVerified !== null) return true
  const settings = yield* Settings
  if (!adapter.methods.has("listAccounts")) {
    return everyMethodProves(settings) && Option.isNone(yield* adapter.getUserByAccount(contradictionOf(user)))
  }
  const accounts = yield* adapter.listAccounts(user.id)
  const vouching = accounts.filter(({ provider }) => vouches(settings, provider))
  if (vouching.some((account) => statedAddress(account) === address)) return true
  // A password of the application is not an account: another person than the owner of the accounts may have it.
  const hasPasswords = settings.providers.identities.some(({ type }) => type === "credentials")
  if (hasPasswords || vouching.length < accounts.length) return false
  // Without an account only the owner of the mailbox can sign in as this user, unless the application does it by itself.
  if (accounts.length === 0) return yield* noteUser(adapter, user.id)
  if (vouching.some((account) => statedAddress(account) !== undefined)) return false
  for (const account of vouching) if (!(yield* noteAccount(adapter, account))) return false
  return true
})

/** Does the platform of a provider return verified addresses only? */
const vouches = ({ providers }: Settings["Service"], id: string): boolean => {
  const provider = Result.getOrUndefined(providers.get(id))
  const vouching = provider !== undefined && isRedirectProvider(provider) && descriptionOf(provider.profile)?.vouches
  return vouching === true || vouching === "stated"
}

/** Does every sign-in method prove an address? */
const everyMethodProves = (settings: Settings["Service"]): boolean =>
  settings.providers.identities.every(({ id, type }) => type === "email" || vouches(settings, id))

/**
 * The account that says, on a store that cannot list accounts, that a platform did not vouch for the address of the user. No
 * provider can have this id, so no sign-in uses it.
 */
const contradictionOf = ({ id }: AdapterUser): AccountKey => ({ provider: "unproven address", providerAccountId: id })

/** The address in the ID token that the store keeps of an account: what the platform said when the account was linked. */
const statedAddress = ({ id_token }: AdapterAccount): string | undefined => {
  const payload = Base64Url.decode((id_token ?? "").split(".")[1] ?? "")
  const claims = payload === undefined ? undefined : parseJson(new TextDecoder().decode(payload))
  if (!isJsonObject(claims) || typeof claims["email"] !== "string") return undefined
  const isDenied = claims["email_verified"] === false || claims["email_verified"] === "false"
  return isDenied ? "" : Result.getOrElse(EmailAddress.parse(claims["email"]), () => "")
}

/** The latest date: the record of an account never expires. */
const forever = new Date(8.64e15)

/** Has the account never signed in here? From its first sign-in on, `emailVerified` alone says what its sign-ins proved. */
const noteAccount = (
  adapter: AdapterShape,
  { provider, providerAccountId }: Pick<Account, "provider" | "providerAccountId">
): Effect.Effect<boolean, AdapterError> =>
  adapter.methods.has("useOnce")
    ? adapter.useOnce(`account seen ${sha256(JSON.stringify([provider, providerAccountId]), "base64url")}`, forever)
    : Effect.succeed(false)

/** Has the application never signed this user in with its own sign-in method? */
const noteUser = (adapter: AdapterShape, userId: UserId): Effect.Effect<boolean, AdapterError> =>
  adapter.methods.has("useOnce")
    ? adapter.useOnce(`signed in by the application ${sha256(userId, "base64url")}`, forever)
    : Effect.succeed(true)

/**
 * Remembers that the application signs a user in by itself. By what it knows the person, a password for example, a stranger
 * may know them too who named the address first.
 *
 * @category combinators
 * @since 0.1.0
 */
export const rememberOwnSignIn = Effect.fnUntraced(function* (
  adapter: AdapterShape,
  userId: UserId
): Effect.fn.Return<void, AdapterError> {
  const { methods } = adapter
  if (methods.has("listAccounts") && methods.has("useOnce")) return yield* Effect.asVoid(noteUser(adapter, userId))
  const user = yield* adapter.getUser(userId)
  if (Option.isSome(user)) yield* contradict(adapter, user.value)
})

/** Writes that no sign-in so far proved the address of this user. */
const contradict = Effect.fnUntraced(function* (
  adapter: AdapterShape,
  user: AdapterUser
): Effect.fn.Return<void, AdapterError> {
  if (user.emailVerified !== null || user.email === "") return
  const contradiction = contradictionOf(user)
  if (Option.isSome(yield* adapter.getUserByAccount(contradiction))) return
  yield* adapter.linkAccount({ ...contradiction, userId: user.id, type: "oauth" })
})

/**
 * Remembers that an account signed in here, so that from now on `emailVerified` alone says what it proved.
 *
 * @category combinators
 * @since 0.1.0
 */
export const rememberAccount = Effect.fnUntraced(function* (
  adapter: AdapterShape,
  account: Account,
  user: AdapterUser
): Effect.fn.Return<void, AdapterError, Settings> {
  const settings = yield* Settings
  if (!vouches(settings, account.provider)) return
  if (adapter.methods.has("listAccounts")) return yield* Effect.asVoid(noteAccount(adapter, account))
  if (everyMethodProves(settings)) yield* contradict(adapter, user)
})
