/**
 * Turns what a provider says about a person into the user and the account of this application.
 *
 * The mapping is the provider's `profile` function; this file holds what must be true whatever it does: the id is one id
 * and not the text of a missing one, the members of the user have the types that they are stored with, and an email
 * address counts as verified only if the same document says so with the value `true`.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaTransformation from "effect/SchemaTransformation"
import * as EmailAddress from "../models/EmailAddress.ts"
import { askNow } from "../internal/Answer.ts"
import { isLine, longest, toLine } from "../internal/Text.ts"
import type { Account, Profile, TokenSet, User } from "../Models.ts"
import { WholeNumber } from "../models/Id.ts"
import { descriptionOf } from "../Provider/internal/ProfileMapping.ts"
import { decodeStatement, mapProfile } from "../Provider/internal/ProfileDecoder.ts"
import { withPresetTools } from "../Provider/internal/ProfileRequest.ts"
import type { RedirectProvider } from "../Provider/internal/Provider.ts"
import { applicationFault, type OAuthFault, profileInvalid } from "./Fault.ts"
import type { Connection } from "./Connection.ts"
import { fetchOver } from "./Transport.ts"

/**
 * The identity that a provider asserts.
 *
 * @category models
 * @since 0.1.0
 */
export interface SignedIn {
  /** The user that the provider's `profile` function made; `id` is the provider's id of the person. */
  readonly user: User & { readonly id: string }
  /** The tokens, with the name of the provider and its id of the person. */
  readonly account: Account
  /** The provider's statement about the person. */
  readonly profile: Profile
  readonly tokens: TokenSet
  /** The document with the email address says that the provider verified it. */
  readonly emailVerified: boolean
  /** The document says that the address is not verified, or something else than yes or no. */
  readonly emailDenied: boolean
  /** The ID token, decrypted and verified. */
  readonly idToken?: SignedIdToken | undefined
}

/**
 * The ID token of a sign-in, for what the session does with its provider later.
 *
 * @category models
 * @since 0.1.0
 */
export interface SignedIdToken {
  readonly text: string
  readonly issuer: string
  readonly claims: Readonly<Record<string, unknown>>
}

/** Texts that come out when a missing or structured id is turned into one. */
const notAnId: ReadonlySet<string> = new Set(["", "undefined", "null", "NaN", "Infinity", "-Infinity", "true", "false"])

/** The id of a user as text. Systems have whole numbers too. */
const Id = Schema.Union([Schema.String, WholeNumber]).pipe(
  Schema.decodeTo(
    Schema.String,
    SchemaTransformation.transform({
      decode: (id: string | number) => String(id),
      encode: (id: string): string | number => id
    })
  )
)

const decodeId = Schema.decodeUnknownOption(Id)

/** The id of the person, or `undefined` when the text does not name one. */
const readId = (text: string, profile: Profile): string | undefined => {
  if (!isLine(text, longest.id) || notAnId.has(text.trim()) || text.startsWith("[object ")) return undefined
  const isTextOfNothing = [profile.id, profile.sub].some(
    (raw: unknown) =>
      raw !== undefined &&
      raw !== null &&
      typeof raw !== "bigint" &&
      Option.isNone(decodeId(raw)) &&
      asText(raw) === text
  )
  return isTextOfNothing ? undefined : text
}

/** The string that a careless mapping makes of a value. */
const asText = (raw: unknown): string | undefined =>
  Array.isArray(raw) ? raw.join(",") : typeof raw === "number" || typeof raw === "boolean" ? String(raw) : undefined

/** The standard claims that are texts (OIDC Core section 5.1). */
const standardClaims: ReadonlySet<string> = new Set([
  "name",
  "given_name",
  "family_name",
  "middle_name",
  "nickname",
  "preferred_username",
  "profile",
  "website",
  "gender",
  "birthdate",
  "zoneinfo",
  "locale",
  "phone_number"
])

/** A document without `__proto__`, whose texts are cleaned where `isCleaned` says so. */
const clean = (
  document: Readonly<Record<string, unknown>>,
  isCleaned: (name: string) => boolean
): Record<string, unknown> => {
  const cleaned: Record<string, unknown> = {}
  for (const name of Object.keys(document)) {
    const value = document[name]
    if (name === "__proto__") continue
    cleaned[name] = typeof value === "string" && isCleaned(name) ? toLine(value, longest.text) : value
  }
  return cleaned
}

/** Why the picture of a preset's mapping is left out: the provider or the person there chose it, not the application. */
const pictureFault = (image: string): string | undefined => {
  if (!isLine(image, image.length)) return "it has control characters, or half a surrogate pair"
  if (image.startsWith("https://")) return undefined
  // The scheme stands at the beginning, and encoding the rest of a large picture costs more than all else.
  const beginning = image.trimStart().slice(0, longest.label)
  const { protocol } = URL.canParse(beginning, "https://relative.invalid")
    ? new URL(beginning, "https://relative.invalid")
    : { protocol: "https:" }
  const isPicture = protocol === "data:" && /^data:image\//i.test(beginning)
  return !isPicture && ["blob:", "data:", "file:", "javascript:", "vbscript:"].includes(protocol)
    ? `the scheme ${protocol} is no place for a picture`
    : undefined
}

/** The picture of a user. What the application's own `profile` answered stays as it is. */
const readImage = (
  provider: RedirectProvider,
  image: string | null | undefined
): Effect.Effect<string | null | undefined> => {
  const fault = typeof image !== "string" || provider.hasOwnProfile ? undefined : pictureFault(image)
  return fault === undefined
    ? Effect.succeed(image)
    : Effect.as(Effect.logWarning(`The picture in the profile from ${provider.id} is left out: ${fault}`), undefined)
}

/** The canonical spelling of an address (`EmailAddress.ts`); `undefined` for an invalid one. */
const readEmail = (email: string | null | undefined): string | null | undefined =>
  typeof email === "string" ? Result.getOrUndefined(EmailAddress.parseTrusted(email)) : email

/**
 * The address of a user. Anything else is left out: it would be stored, compared and sent mails to. One preset maps the name of
 * the user in its place, which nothing takes for an address.
 */
const emailOf = (
  provider: RedirectProvider,
  email: string | null | undefined
): Effect.Effect<string | null | undefined> => {
  const address = readEmail(email)
  const isName =
    typeof email === "string" &&
    descriptionOf(provider.profile)?.emailVerified === "user-name" &&
    isLine(email, longest.label) &&
    !email.includes("@")
  if (isName) return Effect.succeed(email)
  return typeof email !== "string" || address !== undefined || email === ""
    ? Effect.succeed(address)
    : Effect.as(
        Effect.logWarning(`The email in the profile from ${provider.id} is left out: it is no email address`),
        undefined
      )
}

type EmailProof = Pick<SignedIn, "emailVerified" | "emailDenied">

/** Does the document that names the address say that it is verified? Apple writes the value as text too. */
const claimedProof = (provider: RedirectProvider, profile: Profile, email: string | null | undefined): EmailProof => {
  const { email: own, email_verified: verified }: { email?: unknown; email_verified?: unknown } = profile
  const isSame = typeof email === "string" && typeof own === "string" && (own === email || readEmail(own) === email)
  const emailVerified = isSame && (verified === true || (provider.conform === "apple" && verified === "true"))
  // Outside OpenID Connect `verified` may mean the address: the library accepts `false` as a denial, and `true` proves nothing.
  const isSaid = (verified ?? undefined) !== undefined || profile["verified"] === false
  return { emailVerified, emailDenied: !emailVerified && isSaid }
}

/** The state of the address: as the preset states it, else by the standard claim. */
const proofOf = (provider: RedirectProvider, profile: Profile, email: string | null | undefined): EmailProof => {
  const description = descriptionOf(provider.profile)
  if (description === undefined || description.emailVerified === "claim") return claimedProof(provider, profile, email)
  const said = typeof email === "string" ? decodeStatement(description, profile) : undefined
  // A platform may have this member without documenting it: the library accepts only that an address is not verified.
  const { email_verified: verified }: { email_verified?: unknown } = profile
  const isDenied = said === false || (said === undefined && (verified === false || verified === "false"))
  const isVouched = description.vouches === true && typeof email === "string" && !isDenied
  return { emailVerified: said === true || isVouched, emailDenied: isDenied }
}

const optionalText = Schema.optional(Schema.NullOr(Schema.String))

/** The user that a `profile` function made. Without an `id` it is the one of the profile. Further members are kept. */
const MappedUser = Schema.StructWithRest(
  Schema.Struct({ id: Schema.optionalKey(Id), name: optionalText, email: optionalText, image: optionalText }),
  [Schema.Record(Schema.String, Schema.Unknown)]
)

const decodeUser = Schema.decodeUnknownEffect(MappedUser)

const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

/** Why a user is refused, by the member that is at fault. */
const faultOf = ({ issue }: Schema.SchemaError): string => {
  const [member] = issuesOf(issue).issues[0]?.path?.map(String) ?? []
  if (member === undefined) return "could not be turned into a user"
  if (member === "id") return "has no usable id"
  return `has ${member === "name" ? "a" : "an"} ${member} that is no text`
}

/** Reads the user that a `profile` function made. */
const readUser = Effect.fnUntracedEager(function* (
  provider: RedirectProvider,
  profile: Profile,
  made: unknown
): Effect.fn.Return<User & { readonly id: string }, OAuthFault> {
  const refusal = (reason: string) => profileInvalid(`the profile from ${provider.id} ${reason}`)
  const user = yield* Effect.mapErrorEager(decodeUser(made), (failure) => refusal(faultOf(failure)))
  const { email, id: given, image } = user
  // A mapping that returns no id keeps the provider's id of the person.
  const text = given ?? Option.getOrUndefined(decodeId(profile.sub ?? profile.id))
  const id = text === undefined ? undefined : readId(text, profile)
  if (id === undefined) return yield* refusal("has no usable id")
  return {
    ...clean(user, (name) => name !== "email" && name !== "image"),
    id,
    ...("email" in user ? { email: yield* emailOf(provider, email) } : {}),
    ...("image" in user ? { image: yield* readImage(provider, image) } : {})
  }
})

/** The data of a provider. `addressFrom` is the document that names the email address, where it is not the profile itself. */
interface Asserted extends Pick<SignedIn, "idToken" | "tokens"> {
  readonly claims: SignedIdToken["claims"]
  readonly addressFrom?: SignedIdToken["claims"] | undefined
}

/** Maps a profile; what the mapping does wrong is one fault, whatever it was. */
export const toSignedIn = Effect.fnUntraced(function* (
  { provider, transport }: Connection,
  { addressFrom, claims, idToken, tokens }: Asserted
): Effect.fn.Return<SignedIn, OAuthFault> {
  const profile: Profile = clean(claims, (name) => standardClaims.has(name))
  const attempt = { tokens, fetch: fetchOver(transport, "userinfo endpoint", yield* Effect.context()) }
  const given = withPresetTools(provider.id, attempt, { fetch: attempt.fetch })
  const answer = yield* Effect.mapError(
    askNow<unknown>("profile", () => mapProfile(provider, profile, tokens, given), [tokens, provider.source]),
    applicationFault(`the profile function of ${provider.id}`, profileInvalid)
  )
  const user = yield* readUser(provider, profile, answer)
  const account = { ...tokens, provider: provider.id, type: provider.type, providerAccountId: user.id }
  return { user, account, profile, tokens, idToken, ...proofOf(provider, addressFrom ?? profile, user.email) }
})
