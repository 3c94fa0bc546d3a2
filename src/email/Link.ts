/**
 * Sign-in links: how a token is kept, how a link is read, and how a browser remembers which one it asked for.
 *
 * The store holds a keyed hash of the token and never the token. The key is derived from the secret and serves no other
 * purpose, and the provider is part of what is hashed. A link that Auth.js sent is found by the hash that it stores, so that
 * links on their way survive a take-over.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { Settings, cookiesFor } from "../config/Settings.ts"
import { AuthRequest } from "../http/AuthRequest.ts"
import { clear, type ResponseCookie, set } from "../http/Cookie.ts"
import { singleValueOf } from "../http/CookieHeader.ts"
import * as EmailAddress from "../models/EmailAddress.ts"
import { MalformedRequest, Verification } from "../Errors.ts"
import { ownMember } from "../internal/OwnProperty.ts"
import { WaitingPasskey } from "../models/WaitingPasskey.ts"
import { equalText, sha256 } from "../crypto/Sha256.ts"
import type { EmailProvider } from "../Provider/internal/Provider.ts"
import { Seal } from "../browser/Seal.ts"
import { remembersIn } from "../session/RememberMe.ts"
import { dateAt } from "../internal/DateAt.ts"

/**
 * The content of a link.
 *
 * @category models
 * @since 0.1.0
 */
export interface Link {
  readonly identifier: string
  readonly token: string
}

/** Characters of the longest token. */
export const longestToken = 512

const secretsOf = (settings: Settings["Service"], provider: EmailProvider): ReadonlyArray<string> =>
  provider.secret === undefined ? settings.secrets.map(Redacted.value) : [Redacted.value(provider.secret)]

/**
 * SHA-256 with a key, in two turns, so that a longer text cannot be made of a hash (as in RFC 2104).
 *
 * @category combinators
 * @since 0.1.0
 */
export const digest = (purpose: string, secret: string, text: string): string => {
  const key = sha256(`effect-doorman ${purpose} ${secret}`, "hex")
  return sha256(key + sha256(key + text, "hex"), "hex")
}

const own = (provider: EmailProvider, secret: string, token: string): string =>
  digest("sign-in link", secret, `${provider.id} ${token}`)

/** As Auth.js hashes it: the token with the secret, or with a list of them joined by commas. */
const theirs = (token: string, ...secrets: ReadonlyArray<string>): string => sha256(token + secrets.join(","), "hex")

/** Digits of a token that are random; those after them follow from these. */
const randomDigits = 60

/**
 * A token of 64 hexadecimal digits, from as many random ones. The last four tell it from the tokens of Auth.js, so that the
 * store is asked for the right form first: some forget every link of an address that is asked for a wrong one.
 *
 * @category constructors
 * @since 0.1.0
 */
export const ownToken = (random: string): string => {
  const digits = random.slice(0, randomDigits)
  return digits + sha256(`effect-doorman sign-in link ${digits}`, "hex").slice(randomDigits)
}

/**
 * The stored value of a token.
 *
 * @category constructors
 * @since 0.1.0
 */
export const storedToken = (settings: Settings["Service"], provider: EmailProvider, token: string): string =>
  own(provider, secretsOf(settings, provider)[0] ?? "", token)

/**
 * Everything that a store may hold of a token: under each secret in our form, and in that of Auth.js. The one that it holds
 * most likely comes first.
 *
 * @category constructors
 * @since 0.1.0
 */
export const storedTokens = (
  settings: Settings["Service"],
  provider: EmailProvider,
  token: string
): ReadonlyArray<string> => {
  const secrets = secretsOf(settings, provider)
  const ours = secrets.map((secret) => own(provider, secret, token))
  const foreign = new Set([
    theirs(token, ...secrets),
    ...secrets.map((secret) => theirs(token, secret)),
    ...secrets.map((_, index) => theirs(token, ...secrets.slice(index)))
  ])
  const isOurs = provider.generateVerificationToken !== undefined || ownToken(token) === token
  return isOurs ? [...ours, ...foreign] : [...foreign, ...ours]
}

/**
 * Names a mailbox for the throttle, without telling which it is.
 *
 * @category constructors
 * @since 0.1.0
 */
export const mailboxKey = (settings: Settings["Service"], identifier: string): string =>
  digest("mailbox", Redacted.value(settings.secrets[0]), EmailAddress.mailboxOf(identifier))

/**
 * Names an address for the browsers that know it. It is exact: where a server has another mailbox behind the `+` of an address,
 * its owner gets nothing of this one.
 *
 * @category constructors
 * @since 0.1.0
 */
export const addressKey = (settings: Settings["Service"], identifier: string): string =>
  digest("address", Redacted.value(settings.secrets[0]), identifier)

/**
 * Reads an address by the rule of a provider: its own spelling may name hosts without a dot and letters beyond ASCII.
 *
 * @category constructors
 * @since 0.1.0
 */
export const readAddress = (
  { normalizeIdentifier }: EmailProvider,
  address: unknown
): Result.Result<string, EmailAddress.EmailAddressFault> =>
  normalizeIdentifier === undefined ? EmailAddress.parse(address) : EmailAddress.parseTrusted(address)

/**
 * Reads the link of a request, from its address or from the form of the confirmation page.
 *
 * @category constructors
 * @since 0.1.0
 */
export const linkOf = (
  request: AuthRequest["Service"],
  provider: EmailProvider
): Result.Result<Link, MalformedRequest | Verification> =>
  Result.gen(function* () {
    const token = yield* parameter(request, "token")
    const email = yield* parameter(request, "email")
    const incomplete = new Verification({ provider: provider.id, detail: "The link is not complete" })
    if (token === undefined || token === "" || token.length > longestToken) return yield* Result.fail(incomplete)
    return { token, identifier: yield* Result.mapError(readAddress(provider, email), () => incomplete) }
  })

/** A parameter that must not be there twice. */
const parameter = (
  { body, url }: AuthRequest["Service"],
  name: string
): Result.Result<string | undefined, MalformedRequest> => {
  const inBody = ownMember(body, name)
  const values = [...url.searchParams.getAll(name), ...(inBody === undefined ? [] : [inBody])]
  const [first] = values
  const isOne = values.every((value) => value === first) && url.searchParams.getAll(name).length < 2
  return isOne && (first === undefined || typeof first === "string")
    ? Result.succeed(first)
    : Result.fail(new MalformedRequest({ detail: `${name} is there more than once, or is not text` }))
}

/** A link in the cookie. `until` is missing in cookies of earlier versions. */
const decodeKept = Schema.decodeUnknownOption(
  Schema.Struct({
    provider: Schema.String,
    identifier: Schema.String,
    stored: Schema.String,
    passkey: Schema.optional(WaitingPasskey),
    temp: Schema.optional(Schema.Boolean),
    until: Schema.optional(Schema.Finite)
  })
)

/**
 * A link that this browser asked for. `stored` is what the store keeps of its token.
 *
 * @category models
 * @since 0.1.0
 */
export interface AskedLink {
  readonly identifier: string
  readonly stored: string
  readonly passkey?: WaitingPasskey | undefined
}

/**
 * The content of this browser's cookie. `expires` is missing in cookies of earlier versions.
 *
 * @category models
 * @since 0.1.0
 */
export interface RememberedLink extends AskedLink {
  /** Does the session outlive the browser? */
  readonly isRemembered: boolean
  readonly expires: Date | undefined
  /** The cookie as it is: no other browser has it. */
  readonly cookie: string
}

/**
 * When a link ends that is sent now (milliseconds since 1970).
 *
 * @category constructors
 * @since 0.1.0
 */
export const endOf = ({ maxAge }: EmailProvider, now: number): Date => dateAt(now + maxAge * 1000)

/**
 * The cookie that remembers which link this browser asked for, as long as the link is valid.
 *
 * @category combinators
 * @since 0.1.0
 */
export const rememberLink = Effect.fnUntraced(function* (
  provider: EmailProvider,
  { identifier, passkey, stored }: AskedLink
): Effect.fn.Return<ResponseCookie, never, Settings | AuthRequest | Seal> {
  const [settings, request] = [yield* Settings, yield* AuthRequest]
  const { link } = cookiesFor(settings, request.url)
  const { seal } = yield* Seal
  const expires = endOf(provider, yield* Clock.currentTimeMillis)
  const temp = remembersIn(settings, request) ? undefined : true
  const claims = { provider: provider.id, identifier, stored, passkey, temp, until: expires.getTime() }
  const value = yield* seal(link.name, claims, provider.maxAge)
  return set(link, value, { maxAge: provider.maxAge, expires })
})

/**
 * The link of this provider that this browser asked for last.
 *
 * @category combinators
 * @since 0.1.0
 */
export const askedLink = Effect.fnUntraced(function* (
  provider: EmailProvider
): Effect.fn.Return<RememberedLink | undefined, never, Settings | AuthRequest | Seal> {
  const { cookies, url } = yield* AuthRequest
  const { name } = cookiesFor(yield* Settings, url).link
  const value = singleValueOf(cookies, name)
  if (value === undefined) return undefined
  const { open } = yield* Seal
  const opening = yield* open(name, value)
  const kept = opening.ok ? Option.getOrUndefined(decodeKept(opening.claims)) : undefined
  if (kept?.provider !== provider.id) return undefined
  const { identifier, passkey, stored, temp, until } = kept
  const expires = until === undefined ? undefined : dateAt(until)
  return { identifier, stored, passkey, isRemembered: temp !== true, expires, cookie: value }
})

/**
 * Reads this browser's memory of a link, when it asked for that link.
 *
 * @category combinators
 * @since 0.1.0
 */
export const askedHere = Effect.fnUntraced(function* (
  provider: EmailProvider,
  { identifier, token }: Link
): Effect.fn.Return<RememberedLink | undefined, never, Settings | AuthRequest | Seal> {
  const linkRequest = yield* askedLink(provider)
  if (linkRequest === undefined || linkRequest.identifier !== identifier) return undefined
  const isThis = storedTokens(yield* Settings, provider, token).some((stored) => equalText(stored, linkRequest.stored))
  return isThis ? linkRequest : undefined
})

/**
 * The cookie that forgets it.
 *
 * @category combinators
 * @since 0.1.0
 */
export const forgetLink = (
  settings: Settings["Service"],
  request: AuthRequest["Service"]
): ReadonlyArray<ResponseCookie> => {
  const { link } = cookiesFor(settings, request.url)
  return request.cookies.values.has(link.name) ? [clear(link)] : []
}
