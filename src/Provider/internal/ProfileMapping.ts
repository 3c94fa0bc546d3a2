/**
 * From a provider's profile to a user: reading it with a Schema, the mapping for providers that have none of their own, and what
 * a provider says about the email address.
 *
 * A preset states once, beside the mapping that picks the address, whether it was verified and where that is written. The
 * statement travels with its `profile` function: an application that replaces the function has made no statement.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { OAuthProfileParseError } from "../../Errors.ts"
import type { TokenSet, User } from "../../Models.ts"
import type { Answer } from "./Provider.ts"

/**
 * A member that a profile may leave out, or give as `null`.
 *
 * @category schemas
 * @since 0.1.0
 */
export const optionalText = Schema.optional(Schema.NullOr(Schema.String))

/**
 * The id of a person at a provider: text, or a whole number that survives JSON (RFC 8259 section 6).
 *
 * @category schemas
 * @since 0.1.0
 */
export const PersonId = Schema.Union([Schema.NonEmptyString, Schema.Int])

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
 * Builds a profile function: decodes with `schema`, then maps. A profile that does not fit fails with
 * `OAuthProfileParseError`, whose detail names the member and never quotes its value.
 *
 * @category constructors
 * @since 0.1.0
 */
export const mapProfile = <S extends Schema.ConstraintDecoder<unknown>, A extends Answer<User>>(
  provider: string,
  schema: S,
  map: (profile: S["Type"], tokens: TokenSet) => A
): ((profile: unknown, tokens: TokenSet) => A | Effect.Effect<never, OAuthProfileParseError>) => {
  const decode = Schema.decodeUnknownResult(schema)
  return (profile, tokens) => {
    const fields = decode(profile)
    if (Result.isSuccess(fields)) return map(fields.success, tokens)
    return Effect.fail(
      new OAuthProfileParseError({
        provider,
        code: "profile_invalid",
        detail: `The profile does not have the expected form: ${fields.failure.message.replaceAll(/\s+/g, " ")}`
      })
    )
  }
}

/**
 * The standard claims of a person (OIDC Core section 5.1) of which a user is made, for presets of OpenID Connect.
 *
 * @category schemas
 * @since 0.1.0
 */
export const StandardProfile = Schema.Struct({
  sub: PersonId,
  name: optionalText,
  nickname: optionalText,
  preferred_username: optionalText,
  email: optionalText,
  email_verified: Schema.optional(Schema.Unknown),
  picture: optionalText
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
  id: String(claims.sub),
  name: claims.name ?? claims.nickname ?? claims.preferred_username ?? undefined,
  email: claims.email ?? undefined,
  image: claims.picture ?? undefined
})

/** The claims of which a user is made by default (OIDC Core section 5.1). */
const StandardClaims = Schema.Struct({
  ...StandardProfile.fields,
  sub: Schema.optional(Schema.NullOr(PersonId)),
  id: Schema.optional(Schema.NullOr(PersonId))
})

/**
 * The profile function of providers that have none: the id is `sub`, else `id`, and one of them is required; the name is
 * `name`, else `nickname`, else `preferred_username`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const defaultProfile = (provider: string): ((profile: unknown, tokens: TokenSet) => Answer<User>) =>
  mapProfile(provider, StandardClaims, (claims) => {
    const id = claims.sub ?? claims.id
    if (id === undefined || id === null) {
      return Effect.fail(
        new OAuthProfileParseError({
          provider,
          code: "profile_invalid",
          detail: "The profile has neither sub nor id, so it identifies no user."
        })
      )
    }
    return standardUser({ ...claims, sub: id })
  })

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
 * `false` are statements about the address that the same preset maps, everything else is none.
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

const statement: unique symbol = Symbol.for("effect-doorman/email-statement")

interface Stated {
  readonly [statement]: {
    readonly kind: "claim" | "unstated" | "no-address" | "user-name" | "member"
    readonly read: Read
    readonly vouches: Vouching
  }
}
type Read = (profile: unknown) => boolean | undefined

const says = (value: unknown): boolean | undefined => (typeof value === "boolean" ? value : undefined)

const readClaim: Read = (profile) =>
  typeof profile === "object" && profile !== null && "email_verified" in profile
    ? says(profile.email_verified)
    : undefined

/**
 * A profile function that carries what its platform says about addresses. `decode` reads the profile, `undefined` for one that
 * does not fit.
 *
 * @internal
 */
export const withEmailStatement = <F extends object, P>(
  profile: F,
  made: EmailStatement<P>,
  decode: (profile: unknown) => P | undefined,
  vouches: Vouching = false
): F => {
  const read: Read =
    typeof made === "function"
      ? (given) => {
          const fields = decode(given)
          return fields === undefined ? undefined : says(made(fields))
        }
      : made === "claim"
        ? readClaim
        : () => undefined
  const statements: Stated = { [statement]: { kind: typeof made === "function" ? "member" : made, read, vouches } }
  return Object.assign(profile, statements)
}

const isStated = (profile: object): profile is Stated => statement in profile

/** What the platform of a profile function says about addresses, if it is that of a preset. @internal */
export const emailStatementOf = (profile: object): Stated[typeof statement] | undefined =>
  isStated(profile) ? profile[statement] : undefined
