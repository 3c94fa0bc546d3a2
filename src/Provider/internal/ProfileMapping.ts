/**
 * What a preset says of its platform's profiles: their shape, how a user is made of one, and where it is written whether the
 * email address was verified.
 *
 * A shape is a function that is given constructors of `effect/Schema`, so that a preset imports nothing of Effect: the library
 * makes the Schema when it decodes the first profile, and an application has it as `GitHubProfile(Schema)`. The description of a
 * profile travels with the `profile` function of the preset, and does not hold for a function of the application.
 *
 * @since 0.1.0
 */
import type * as Schema from "effect/Schema"
import type { Profile, TokenSet } from "../../Models.ts"

/**
 * The constructors that a shape is made with: `effect/Schema` itself is one such object.
 *
 * @category schemas
 * @since 0.1.0
 */
export interface Shapes {
  readonly Array: typeof Schema.Array
  readonly Boolean: typeof Schema.Boolean
  readonly Finite: typeof Schema.Finite
  readonly Int: typeof Schema.Int
  readonly Literals: typeof Schema.Literals
  readonly NonEmptyString: typeof Schema.NonEmptyString
  readonly NullOr: typeof Schema.NullOr
  readonly Number: typeof Schema.Number
  readonly Record: typeof Schema.Record
  readonly String: typeof Schema.String
  readonly Struct: typeof Schema.Struct
  readonly Union: typeof Schema.Union
  readonly Unknown: typeof Schema.Unknown
  readonly isPattern: typeof Schema.isPattern
  readonly optional: typeof Schema.optional
}

/**
 * The shape of a profile, or of another document of a platform.
 *
 * @category models
 * @since 0.1.0
 */
export type Shape<A = unknown> = (S: Shapes) => Schema.ConstraintDecoder<A>

/**
 * A member that a profile may leave out, or give as `null`.
 *
 * @category schemas
 * @since 0.1.0
 */
export const optionalText = (S: Shapes) => S.optional(S.NullOr(S.String))

/**
 * The id of a person at a provider: text, or a whole number that survives JSON (RFC 8259 section 6).
 *
 * @category schemas
 * @since 0.1.0
 */
export const PersonId = (S: Shapes) => S.Union([S.NonEmptyString, S.Int])

/**
 * The id of a person as text. It is empty, which the library refuses, where an application maps a profile without that shape.
 *
 * @category getters
 * @since 0.1.0
 */
export const idText = (id: string | number): string =>
  typeof id === "string" ? id : Number.isSafeInteger(id) ? String(id) : ""

/**
 * A name from its parts, those that are there; `null` when none is.
 *
 * @category getters
 * @since 0.1.0
 */
export const fullName = (...parts: ReadonlyArray<string | null | undefined>): string | null => {
  const name = parts.filter((part) => typeof part === "string" && part !== "").join(" ")
  return name === "" ? null : name
}

/**
 * The standard claims of a person (OIDC Core section 5.1) of which a user is made, for presets of OpenID Connect.
 *
 * @category schemas
 * @since 0.1.0
 */
export const StandardProfile = (S: Shapes) =>
  S.Struct({
    sub: PersonId(S),
    name: optionalText(S),
    nickname: optionalText(S),
    preferred_username: optionalText(S),
    email: optionalText(S),
    email_verified: S.optional(S.Unknown),
    picture: optionalText(S)
  })
/** @category models @since 0.1.0 */
export interface StandardProfile {
  readonly sub: string | number
  readonly name?: string | null | undefined
  readonly nickname?: string | null | undefined
  readonly preferred_username?: string | null | undefined
  readonly email?: string | null | undefined
  readonly email_verified?: unknown
  readonly picture?: string | null | undefined
}

/** The user that standard claims make: the name is `name`, else `nickname`, else `preferred_username`. @internal */
export const standardUser = (claims: StandardProfile) => ({
  id: idText(claims.sub),
  name: claims.name ?? claims.nickname ?? claims.preferred_username ?? undefined,
  email: claims.email ?? undefined,
  image: claims.picture ?? undefined
})

/** The claims of which a user is made by default (OIDC Core section 5.1). */
const StandardClaims = (S: Shapes) =>
  S.Struct({
    ...StandardProfile(S).fields,
    sub: S.optional(S.NullOr(PersonId(S))),
    id: S.optional(S.NullOr(PersonId(S)))
  })

/**
 * The profile function of providers that have none: the id is `sub`, else `id`, and one of them is required; the name is
 * `name`, else `nickname`, else `preferred_username`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const defaultProfile = () =>
  describeProfile(
    (claims: ReturnType<typeof StandardClaims>["Type"]) =>
      standardUser({ ...claims, sub: claims.sub ?? claims.id ?? "" }),
    { shape: StandardClaims, emailVerified: "claim" }
  )

/**
 * What is kept with a linked account by default: the tokens, their scope and life time, and the provider's session.
 *
 * @category getters
 * @since 0.1.0
 */
export const defaultAccount = (tokens: TokenSet): TokenSet => {
  const names = ["access_token", "id_token", "refresh_token", "expires_at", "scope", "token_type", "session_state"]
  return Object.fromEntries(names.flatMap((name) => (tokens[name] === undefined ? [] : [[name, tokens[name]]])))
}

/**
 * Where a platform says that an address is verified. `claim`: in the member `email_verified` (OIDC Core section 5.1).
 * `unstated`: nowhere. `no-address`: it gives no address. `user-name`: nowhere, and the preset maps the name of the user where
 * there is no address. A function reads it from a member of the platform's own: `true` and
 * `false` are statements about the address that the same preset maps, every other value says nothing.
 *
 * @category models
 * @since 0.1.0
 */
export type EmailStatement<P> =
  | "claim"
  | "unstated"
  | "no-address"
  | "user-name"
  | ((profile: P) => boolean | null | undefined)

/**
 * Does a platform return verified addresses only? `true` proves an address about which a profile says nothing. `"stated"`
 * proves the address of a user whom Auth.js stored, and leaves an address of a profile to what the profile says.
 *
 * @category models
 * @since 0.1.0
 */
export type Vouching = boolean | "stated"

/** What a preset says of its platform's profiles. */
export interface ProfileDescription<P = Profile> {
  readonly shape: Shape<P>
  readonly emailVerified: EmailStatement<P>
  readonly vouches?: Vouching | undefined
}

const description: unique symbol = Symbol.for("effect-doorman/profile-description")

/**
 * A profile function that carries the description of its profiles. The library calls it with profiles of this shape, without
 * other members.
 *
 * @internal
 */
export const describeProfile = <F extends object, P>(profile: F, given: ProfileDescription<P>): F =>
  Object.assign(profile, { [description]: given } as const)

// A profile function takes what its shape reads.
const hasDescription = (profile: object): profile is { readonly [description]: ProfileDescription } =>
  description in profile

/** The description of the profiles that a function maps, if it is that of a preset or the default. @internal */
export const descriptionOf = (profile: object): ProfileDescription | undefined =>
  hasDescription(profile) ? profile[description] : undefined
