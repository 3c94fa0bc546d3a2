/**
 * The shapes of users, accounts, sessions and profiles.
 *
 * Providers, callbacks, events and clients use these types. Records that may carry further members (a profile with claims of
 * its own, an account with tokens of a platform) keep them. Users, accounts, sessions and authenticators are the interfaces of
 * `effect-doorman/types`, to which an application adds members by augmentation. `docs/configuration.md` describes each shape
 * on the wire.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import type { UserId } from "./models/Id.ts"
import type * as Shape from "./models/Shape.ts"
import * as Stored from "./models/Stored.ts"

export type {
  Account,
  AuthorizationDetails,
  Authenticator,
  DefaultJWT,
  DefaultSession,
  DefaultUser,
  JsonObject,
  JsonValue,
  JWT,
  ProviderType,
  Session,
  TokenSet,
  User
} from "./models/Shape.ts"
export { AccountId, SessionId, UserId } from "./models/Id.ts"
export { UserData } from "./models/UserData.ts"

/**
 * A user of the store. `email` is empty for a user without an address, `emailVerified` is when the address was proven first.
 *
 * @category models
 * @since 0.1.0
 */
export const AdapterUser = Stored.AdapterUser
/** @category models @since 0.1.0 */
export type AdapterUser = Shape.AdapterUser & { id: UserId }

/**
 * An account of a user of the store, with the tokens of the provider.
 *
 * @category models
 * @since 0.1.0
 */
export const AdapterAccount = Stored.AdapterAccount
/** @category models @since 0.1.0 */
export type AdapterAccount = Shape.AdapterAccount & { userId: UserId }

/**
 * A session of the store.
 *
 * @category models
 * @since 0.1.0
 */
export const AdapterSession = Stored.AdapterSession
/** @category models @since 0.1.0 */
export type AdapterSession = Shape.AdapterSession & { userId: UserId }

/**
 * A passkey of a user of the store.
 *
 * @category models
 * @since 0.1.0
 */
export const AdapterAuthenticator = Stored.AdapterAuthenticator
/** @category models @since 0.1.0 */
export type AdapterAuthenticator = Shape.AdapterAuthenticator & { userId: UserId }

/**
 * A magic link that was sent. `token` is a digest of what the mail holds.
 *
 * @category models
 * @since 0.1.0
 */
export const VerificationToken = Stored.VerificationToken
/** @category models @since 0.1.0 */
export type VerificationToken = Shape.VerificationToken

const anyMember = Schema.Record(Schema.String, Schema.Unknown)
const text = Schema.optional(Schema.NullOr(Schema.String))

const address = Schema.Struct({
  country: text,
  formatted: text,
  locality: text,
  postal_code: text,
  region: text,
  street_address: text
})

/**
 * Identity data from a provider (OIDC Core section 5.1); further claims are kept.
 *
 * @category models
 * @since 0.1.0
 */
export const Profile = Schema.StructWithRest(
  Schema.Struct({
    id: text,
    sub: text,
    name: text,
    given_name: text,
    family_name: text,
    middle_name: text,
    nickname: text,
    preferred_username: text,
    profile: text,
    picture: Schema.optional(Schema.Unknown),
    website: text,
    email: text,
    email_verified: Schema.optional(Schema.NullOr(Schema.Boolean)),
    gender: text,
    birthdate: text,
    zoneinfo: text,
    locale: text,
    phone_number: text,
    updated_at: Schema.optional(Schema.NullOr(Schema.Union([Schema.String, Schema.Number, Schema.Date]))),
    address: Schema.optional(Schema.NullOr(address))
  }),
  [anyMember]
)
/** @category models @since 0.1.0 */
export interface Profile extends Shape.Profile {}

/**
 * The public description of a configured provider.
 *
 * @category models
 * @since 0.1.0
 */
export const PublicProvider = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  type: Schema.String,
  signinUrl: Schema.String,
  callbackUrl: Schema.String
})
/** @category models @since 0.1.0 */
export interface PublicProvider extends Shape.PublicProvider {}

/**
 * The look of the built-in pages.
 *
 * @category models
 * @since 0.1.0
 */
export const Theme = Schema.Struct({
  colorScheme: Schema.optional(Schema.Literals(["auto", "dark", "light"])),
  brandColor: Schema.optional(Schema.String),
  buttonText: Schema.optional(Schema.String),
  logo: Schema.optional(Schema.String)
})
/** @category models @since 0.1.0 */
export interface Theme extends Shape.Theme {}

/**
 * Paths of the application's own pages; each replaces a built-in one.
 *
 * @category models
 * @since 0.1.0
 */
export const PagesOptions = Schema.Struct({
  signIn: Schema.optional(Schema.String),
  signOut: Schema.optional(Schema.String),
  error: Schema.optional(Schema.String),
  verifyRequest: Schema.optional(Schema.String),
  newUser: Schema.optional(Schema.String)
}) satisfies Schema.Codec<PagesOptions>
/** @category models @since 0.1.0 */
export type PagesOptions = { readonly [Page in keyof Shape.PagesOptions]?: Shape.PagesOptions[Page] | undefined }
