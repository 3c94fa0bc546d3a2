/**
 * The shapes of people, accounts, sessions and profiles, as Schemas.
 *
 * Providers, callbacks, events and clients use these types. Records that may carry further members (a profile with claims of
 * its own, an account with tokens of a platform) keep them. An application declares members of its own by augmentation of
 * `effect-doorman/types`, whose interfaces these types extend. `docs/configuration.md` describes each shape on the wire.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import type * as Shape from "./models/Shape.ts"

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
  TokenSet,
  VerificationToken
} from "./models/Shape.ts"
export { AccountId, SessionId, UserId } from "./models/Id.ts"

const anyMember = Schema.Record(Schema.String, Schema.Unknown)
const text = Schema.optional(Schema.NullOr(Schema.String))

/**
 * A person, as the application sees them.
 *
 * @category models
 * @since 0.1.0
 */
export const User = Schema.StructWithRest(
  Schema.Struct({ id: Schema.optional(Schema.String), name: text, email: text, image: text }),
  [anyMember]
)
/** @category models @since 0.1.0 */
export interface User extends Shape.User {}

/**
 * What a client may know of a session: who, and until when (ISO 8601).
 *
 * @category models
 * @since 0.1.0
 */
export const Session = Schema.StructWithRest(Schema.Struct({ user: Schema.optional(User), expires: Schema.String }), [
  anyMember
])
/** @category models @since 0.1.0 */
export interface Session extends Shape.Session {}

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
 * A user of the store. `emailVerified` is when the address was first proven, `null` while it never was.
 *
 * @category models
 * @since 0.1.0
 */
export interface AdapterUser extends Shape.AdapterUser {}

/**
 * A way to sign in that belongs to a user. Tokens of the provider are kept beside it.
 *
 * @category models
 * @since 0.1.0
 */
export interface AdapterAccount extends Shape.AdapterAccount {}

/**
 * A session of the store.
 *
 * @category models
 * @since 0.1.0
 */
export interface AdapterSession extends Shape.AdapterSession {}

/**
 * A WebAuthn credential of a user of the store.
 *
 * @category models
 * @since 0.1.0
 */
export interface AdapterAuthenticator extends Shape.AdapterAuthenticator {}

/**
 * What everybody may know of a configured provider.
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
})
/** @category models @since 0.1.0 */
export type PagesOptions = typeof PagesOptions.Type
