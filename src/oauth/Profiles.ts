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
    SchemaTransformation.transform({ decode: String, encode: (id: string): string | number => id })
  )
)

const decodeId = Schema.decodeUnknownOption(Id)

/** The string that a careless mapping makes of a value. */
const asText = (raw: unknown): string | undefined =>
  Array.isArray(raw) ? raw.join(",") : typeof raw === "number" || typeof raw === "boolean" ? String(raw) : undefined

/** Does the text name one person, and is it not that of a member which names none? */
const isId = (text: string, { id, sub }: Profile): boolean =>
  isLine(text, longest.id) &&
  !notAnId.has(text.trim()) &&
  !text.startsWith("[object ") &&
  ![id, sub].some((raw: unknown) => typeof raw !== "bigint" && Option.isNone(decodeId(raw)) && asText(raw) === text)

/** The standard claims that are texts (OIDC Core section 5.1). */
const standardClaims: ReadonlySet<string> = new Set(
  `name given_name family_name middle_name nickname preferred_username profile website gender birthdate zoneinfo locale
  phone_number`.split(/\s+/)
)

/** A document without `__proto__`, whose texts are cleaned where `isCleaned` says so. */
const clean = (
  document: Readonly<Record<string, unknown>>,
  isCleaned: (name: string) => boolean
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(document)
      .filter(([name]) => name !== "__proto__")
      .map(([name, value]) => [
        name,
        typeof value === "string" && isCleaned(name) ? toLine(value, longest.text) : value
      ])
  )

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

/** The canonical spelling of an address (`EmailAddress.ts`); `undefined` for an invalid one. */
const readEmail = (email: string): string | undefined => Result.getOrUndefined(EmailAddress.parseTrusted(email))

/** Leaves a member of a profile out, with a warning that says why. */
const leaveOut = (member: string, { id }: RedirectProvider, why: string): Effect.Effect<undefined> =>
  Effect.as(Effect.logWarning(`The ${member} in the profile from ${id} is left out: ${why}`), undefined)

/**
 * The address of a user. Anything else is left out: it would be stored, compared and sent mails to. One preset maps the name of
 * the user in its place, which nothing takes for an address.
 */
const emailOf = (provider: RedirectProvider, email: string): Effect.Effect<string | undefined> => {
  const isName =
    descriptionOf(provider.profile)?.emailVerified === "user-name" &&
    isLine(email, longest.label) &&
    !email.includes("@")
  const address = isName ? email : readEmail(email)
  return address !== undefined || email === ""
    ? Effect.succeed(address)
    : leaveOut("email", provider, "it is no email address")
}

type EmailProof = Pick<SignedIn, "emailVerified" | "emailDenied">

/** The state of the address: as the preset states it, else by the standard claim. */
const proofOf = (provider: RedirectProvider, profile: Profile, email: string | null | undefined): EmailProof => {
  const { email: own, email_verified: verified }: { email?: unknown; email_verified?: unknown } = profile
  const hasAddress = typeof email === "string"
  const description = descriptionOf(provider.profile)
  if (description === undefined || description.emailVerified === "claim") {
    const isSame = hasAddress && typeof own === "string" && (own === email || readEmail(own) === email)
    // Apple writes the value as text too.
    const emailVerified = isSame && (verified === true || (provider.conform === "apple" && verified === "true"))
    // Outside OpenID Connect `verified` may mean the address: the library accepts `false` as a denial, and `true` proves nothing.
    const isSaid = (verified ?? undefined) !== undefined || profile["verified"] === false
    return { emailVerified, emailDenied: !emailVerified && isSaid }
  }
  const said = hasAddress ? decodeStatement(description, profile) : undefined
  // A platform may have this member without documenting it: the library accepts only that an address is not verified.
  const emailDenied = said === false || (said === undefined && (verified === false || verified === "false"))
  const isVouched = description.vouches === true && hasAddress && !emailDenied
  return { emailVerified: said === true || isVouched, emailDenied }
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
const readUser = Effect.fnUntraced(function* (
  provider: RedirectProvider,
  profile: Profile,
  made: unknown
): Effect.fn.Return<User & { readonly id: string }, OAuthFault> {
  const refusal = (reason: string) => profileInvalid(`the profile from ${provider.id} ${reason}`)
  const user = yield* Effect.mapError(decodeUser(made), (failure) => refusal(faultOf(failure)))
  const { email, image } = user
  // A mapping that returns no id keeps the provider's id of the person.
  const id = user.id ?? Option.getOrUndefined(decodeId(profile.sub ?? profile.id))
  if (id === undefined || !isId(id, profile)) return yield* refusal("has no usable id")
  // What the application's own `profile` answered stays as it is.
  const unfit = typeof image === "string" && !provider.hasOwnProfile ? pictureFault(image) : undefined
  return {
    ...clean(user, (name) => name !== "email" && name !== "image"),
    id,
    ...(typeof email === "string" ? { email: yield* emailOf(provider, email) } : {}),
    ...(unfit === undefined ? {} : { image: yield* leaveOut("picture", provider, unfit) })
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
