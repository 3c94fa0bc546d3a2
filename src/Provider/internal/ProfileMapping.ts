/**
 * From a provider's profile to a user: reading it with a Schema, and the mapping for providers that have none of their own.
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

/**
 * The claims of which a user is made by default (OIDC Core section 5.1).
 *
 * @category schemas
 * @since 0.1.0
 */
export const StandardClaims = Schema.Struct({
  sub: Schema.optional(Schema.NullOr(PersonId)),
  id: Schema.optional(Schema.NullOr(PersonId)),
  name: optionalText,
  nickname: optionalText,
  preferred_username: optionalText,
  email: optionalText,
  picture: optionalText
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
    return {
      id: String(id),
      name: claims.name ?? claims.nickname ?? claims.preferred_username ?? undefined,
      email: claims.email ?? undefined,
      image: claims.picture ?? undefined
    }
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
