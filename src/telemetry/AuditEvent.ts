/**
 * Audit events: one Schema for each, and their union. `Audit.ts` emits them.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * The facts about the request: `id` is the one of the log, `origin` the site as the browser called it. `ip` is there when
 * the application says whose request it is (`ClientAddress`), `userAgent` is what the client says of itself, at most 256
 * printable characters.
 *
 * @category schemas
 * @since 0.1.0
 */
export const RequestFacts = Schema.Struct({
  id: Schema.String,
  action: Schema.String,
  method: Schema.String,
  origin: Schema.String,
  ip: Schema.optionalKey(Schema.String),
  userAgent: Schema.optionalKey(Schema.String)
})

/**
 * The facts about the request.
 *
 * @category models
 * @since 0.1.0
 */
export type RequestFacts = typeof RequestFacts.Type

/**
 * Why: `type` is the public name of the failure (`docs/errors.md`), `code` says more where there is more to say.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Reason = Schema.Struct({ type: Schema.String, code: Schema.optionalKey(Schema.String) })

/** The members of all events: milliseconds since 1970, and the request, unless the application acted outside of one. */
const common = { time: Schema.Number, request: Schema.optionalKey(RequestFacts) }

/** The id of a user, as the application or the store made it. */
const user = { userId: Schema.optionalKey(Schema.String) }

/** The id of a configured provider. */
const provider = { provider: Schema.String }

/** A user signed in; the response sets the session cookie. @category schemas @since 0.1.0 */
export const SignedIn = Schema.TaggedStruct("SignedIn", {
  ...common,
  ...user,
  ...provider,
  method: Schema.Literals(["credentials", "email", "oauth", "oidc", "webauthn"]),
  isNewUser: Schema.Boolean
})
/** A sign-in was refused. @category schemas @since 0.1.0 */
export const SignInRefused = Schema.TaggedStruct("SignInRefused", {
  ...common,
  provider: Schema.optionalKey(Schema.String),
  reason: Reason
})
/** A user signed out. Without `userId` the session was not readable any more. @category schemas @since 0.1.0 */
export const SignedOut = Schema.TaggedStruct("SignedOut", { ...common, ...user })
/** A user asked to sign out, and the store did not end their session. @category schemas @since 0.1.0 */
export const SignOutFailed = Schema.TaggedStruct("SignOutFailed", { ...common, reason: Reason })
/** A user was created. @category schemas @since 0.1.0 */
export const UserCreated = Schema.TaggedStruct("UserCreated", { ...common, ...user, ...provider })
/** A user was removed, with everything that the store holds of them. @category models @since 0.1.0 */
export const UserRemoved = Schema.TaggedStruct("UserRemoved", { ...common, ...user })
/** A user proved their address for the first time, or again. @category schemas @since 0.1.0 */
export const AddressProven = Schema.TaggedStruct("AddressProven", { ...common, ...user, ...provider })
/** A new user took an address that another user (`previousUserId`) held without proof. @category schemas @since 0.1.0 */
export const AddressReleased = Schema.TaggedStruct("AddressReleased", {
  ...common,
  ...user,
  ...provider,
  previousUserId: Schema.optionalKey(Schema.String)
})
/** An account at a provider was linked to a user. @category schemas @since 0.1.0 */
export const AccountLinked = Schema.TaggedStruct("AccountLinked", { ...common, ...user, ...provider })
/** An account at a provider was removed from a user. @category schemas @since 0.1.0 */
export const AccountUnlinked = Schema.TaggedStruct("AccountUnlinked", { ...common, ...user, ...provider })
/** A key was added to a user. @category schemas @since 0.1.0 */
export const KeyAdded = Schema.TaggedStruct("KeyAdded", { ...common, ...user, ...provider })
/** A passkey was removed from a user. @category schemas @since 0.1.0 */
export const KeyRemoved = Schema.TaggedStruct("KeyRemoved", { ...common, ...user, ...provider })
/**
 * Sessions of a user were revoked, not ended by a sign-out: `all` of them, all but one (`others`), or `one`.
 *
 * @category schemas
 * @since 0.1.0
 */
export const SessionsRevoked = Schema.TaggedStruct("SessionsRevoked", {
  ...common,
  ...user,
  which: Schema.Literals(["all", "others", "one"])
})
/** A browser sent sessions of different users, and the request was answered without a session. @category schemas @since 0.1.0 */
export const SessionConflict = Schema.TaggedStruct("SessionConflict", {
  ...common,
  userIds: Schema.Array(Schema.String)
})
/** A request was refused before it reached a sign-in or a sign-out. @category schemas @since 0.1.0 */
export const RequestRefused = Schema.TaggedStruct("RequestRefused", { ...common, reason: Reason })

/**
 * Every event.
 *
 * @category schemas
 * @since 0.1.0
 */
export const AuditEvent = Schema.Union([
  SignedIn,
  SignInRefused,
  SignedOut,
  SignOutFailed,
  UserCreated,
  UserRemoved,
  AddressProven,
  AddressReleased,
  AccountLinked,
  AccountUnlinked,
  KeyAdded,
  KeyRemoved,
  SessionsRevoked,
  SessionConflict,
  RequestRefused
])

/**
 * An event.
 *
 * @category models
 * @since 0.1.0
 */
export type AuditEvent = typeof AuditEvent.Type
