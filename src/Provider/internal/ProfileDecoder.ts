/**
 * Decodes what platforms send with the shapes of presets, and of the profile function of providers that have none.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { OAuthProfileParseError } from "../../Errors.ts"
import type { Profile, TokenSet, User } from "../../Models.ts"
import type { ProfileContext } from "./Context.ts"
import { refusalOf } from "./ClientKey.ts"
import { descriptionOf, type ProfileDescription, type Shape, type Shapes } from "./ProfileMapping.ts"
import { asOwn } from "../../internal/Answer.ts"
import type { Answer, RedirectProvider } from "./Provider.ts"

// Each by its name: with the namespace, a bundle would keep all of the module.
const shapes: Shapes = {
  Array: Schema.Array,
  Boolean: Schema.Boolean,
  Finite: Schema.Finite,
  Int: Schema.Int,
  Literals: Schema.Literals,
  NonEmptyString: Schema.NonEmptyString,
  NullOr: Schema.NullOr,
  Number: Schema.Number,
  Record: Schema.Record,
  String: Schema.String,
  Struct: Schema.Struct,
  Union: Schema.Union,
  Unknown: Schema.Unknown,
  isPattern: Schema.isPattern,
  optional: Schema.optional
}

type Decode<A> = (document: unknown) => Result.Result<A, Schema.SchemaError>

/** Made once for each shape, when it is first used. */
const decoders = new WeakMap<Shape, Decode<unknown>>()

const decoderOf = <A>(shape: Shape<A>): Decode<A> => {
  const cached = decoders.get(shape)
  // It was made of this shape.
  if (cached !== undefined) return cached as Decode<A>
  const decode = Schema.decodeUnknownResult(shape(shapes))
  decoders.set(shape, decode)
  return decode
}

/** Decodes a document of a platform; `undefined` for one that does not have the shape. @internal */
export const decodeShape = <A>(shape: Shape<A>, document: unknown): A | undefined =>
  Result.getOrUndefined(decoderOf(shape)(document))

/**
 * Decodes a profile, as far as its shape says, for the function of a preset. One that is an error of the platform fails with that,
 * and one that does not have the shape with `OAuthProfileParseError`, whose detail names the member and never quotes its value.
 * A function of the application is given the whole profile.
 */
const decodeProfile = ({ id, profile: map }: RedirectProvider, profile: Profile): Result.Result<Profile, Error> => {
  const description = descriptionOf(map)
  if (description === undefined) return Result.succeed(profile)
  const refusal = refusalOf(map)?.(profile)
  if (refusal !== undefined) return Result.fail(refusal)
  return Result.mapError(
    decoderOf(description.shape)(profile),
    ({ message }) =>
      new OAuthProfileParseError({
        provider: id,
        code: "profile_invalid",
        detail: `The profile does not have the expected form: ${message.replaceAll(/\s+/g, " ")}`
      })
  )
}

/** The user that the function of a provider makes of a profile. @internal */
export const mapProfile = (
  provider: RedirectProvider,
  profile: Profile,
  tokens: TokenSet,
  context?: ProfileContext
): Answer<User> =>
  Result.match(decodeProfile(provider, profile), {
    onFailure: (failure) => asOwn(Effect.fail(failure)),
    onSuccess: (fields) => provider.profile(fields, tokens, context)
  })

/** What a profile says about its address by a member of its own; `undefined` where it says nothing. @internal */
export const decodeStatement = (
  { emailVerified, shape }: ProfileDescription,
  profile: Profile
): boolean | undefined => {
  if (typeof emailVerified !== "function") return undefined
  const fields = Result.getOrUndefined(decoderOf(shape)(profile))
  const said = fields === undefined ? undefined : emailVerified(fields)
  return typeof said === "boolean" ? said : undefined
}
