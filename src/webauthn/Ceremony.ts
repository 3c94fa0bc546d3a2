/**
 * Remembers, in the browser, what was asked of it: the challenge of a ceremony, and everything that the answer must fit.
 *
 * The record is sealed, valid for five minutes and for one answer. A browser may have three ceremonies open at once (a field
 * that offers keys, a button, another tab); they share a cookie. A ceremony that Auth.js began is finished here.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { Settings, cookiesFor } from "../config/Settings.ts"
import { AuthRequest } from "../http/AuthRequest.ts"
import * as EmailAddress from "../models/EmailAddress.ts"
import { clear, flowMaxAge, type ResponseCookie, set } from "../http/Cookie.ts"
import { singleValueOf } from "../http/CookieHeader.ts"
import { type AdapterError, type FailureCode, InvalidCheck, type SharedStateError } from "../Errors.ts"
import { equalText, sha256 } from "../crypto/Sha256.ts"
import { Seal } from "../browser/Seal.ts"
import type { AdapterShape } from "../storage/AdapterShape.ts"
import { useOnce } from "../storage/AdapterState.ts"
import { dateAt } from "../internal/DateAt.ts"

/** Seconds for which a ceremony may be finished. */
const maxAge = 300

const text = Schema.optional(Schema.String)

const Ceremony = Schema.Struct({
  /** 32 random bytes, as base64url. */
  challenge: Schema.String,
  action: Schema.Literals(["register", "authenticate"]),
  provider: Schema.String,
  /** The domain that keys belong to; not known of a ceremony that began at Auth.js. */
  rpId: text,
  /** Names the session in which it began. */
  session: text,
  /** Of a user who adds a key: their id. */
  user: text,
  /** The profile for a new user. */
  person: Schema.optional(Schema.Struct({ email: Schema.String, name: text, image: text, padding: text })),
  /** Hashes of the ids that were allowed; any when it is absent. */
  allowed: Schema.optional(Schema.Array(Schema.String)),
  /** Seconds since 1970. */
  until: Schema.Number
})

/**
 * A ceremony that was begun.
 *
 * @category models
 * @since 0.1.0
 */
export type Ceremony = typeof Ceremony.Type

const decode = Schema.decodeUnknownOption(Schema.Array(Ceremony))

/** Salt of what Auth.js seals of a ceremony. */
const innerSalt = "encodedWebauthnChallenge"

const nullable = Schema.optional(Schema.NullOr(Schema.String))

/** A ceremony as Auth.js seals it: the challenge, and for a new key whose it will be. */
const Begun = Schema.Struct({
  challenge: Schema.String,
  registerData: Schema.optional(Schema.Struct({ id: nullable, email: Schema.String, name: nullable, image: nullable }))
})

const decodeBegun = Schema.decodeUnknownOption(Begun)

/** The registrant of a key, in the form that Auth.js keeps. */
type Registering = NonNullable<(typeof Begun.Type)["registerData"]>

/** Ceremonies that a browser may have open; the oldest go first. */
const most = 3

/** Characters of a cookie value for which a browser has room. */
const longest = 3900

/** The record's name for a credential: enough to tell fifty apart. */
const nameOf = (credentialId: string): string => sha256(credentialId, "base64url").slice(0, 12)

/** Names the credentials that a ceremony allows. @internal */
export const credentialNames = (credentialIds: ReadonlyArray<string>): ReadonlyArray<string> =>
  credentialIds.map(nameOf)

/** Was this credential among those that the browser was asked for? @internal */
export const allows = (ceremony: Ceremony, credentialId: string): boolean =>
  ceremony.allowed === undefined || ceremony.allowed.includes(nameOf(credentialId))

/** The ceremonies that the browser has open, oldest first; or why there are none. */
const open = Effect.gen(function* () {
  const request = yield* AuthRequest
  const { webauthnChallenge } = cookiesFor(yield* Settings, request.url)
  const value = singleValueOf(request.cookies, webauthnChallenge.name)
  if (value === undefined) return "flow_missing"
  const opening = yield* Effect.flatMap(Seal, ({ open }) => open(webauthnChallenge.name, value))
  if (!opening.ok) return opening.reason === "expired" ? "flow_expired" : "flow_mismatch"
  const records = Option.getOrElse(decode(opening.claims["open"]), () => [])
  const now = (yield* Clock.currentTimeMillis) / 1000
  const fresh = records.filter(({ until }) => until > now)
  return fresh.length > 0 ? fresh : records.length > 0 ? "flow_expired" : "flow_mismatch"
})

/** The owner of a key that was requested at Auth.js; `undefined` when another user, or none, is signed in now. */
const ownerOf = (
  { email, id, image, name }: Registering,
  current: string | undefined
): Pick<Ceremony, "user" | "person"> | undefined => {
  if (typeof id === "string") return id === current ? { user: id } : undefined
  // Auth.js keeps the typed address unchanged; here an address has one spelling.
  const address = Result.getOrUndefined(EmailAddress.parse(email))
  if (current !== undefined || address === undefined) return undefined
  return {
    person: {
      email: address,
      ...(typeof name === "string" ? { name } : {}),
      ...(typeof image === "string" ? { image } : {})
    }
  }
}

/** The ceremony that Auth.js began in this browser. What it does not say, the answer has to show. */
const begunElsewhere = Effect.fnUntraced(function* (
  answer: Answer
): Effect.fn.Return<Ceremony | undefined, never, Settings | AuthRequest | Seal> {
  const request = yield* AuthRequest
  const { name } = cookiesFor(yield* Settings, request.url).webauthnChallenge
  const { open } = yield* Seal
  const outer = yield* open(name, singleValueOf(request.cookies, name) ?? "")
  if (!outer.ok || "open" in outer.claims || outer.claims["provider"] !== answer.provider) return undefined
  const { value } = outer.claims
  const inner = yield* open(innerSalt, typeof value === "string" ? value : "")
  const beginning = inner.ok ? Option.getOrUndefined(decodeBegun(inner.claims)) : undefined
  if (beginning === undefined) return undefined
  const { challenge, registerData } = beginning
  const owner = registerData === undefined ? {} : ownerOf(registerData, answer.user)
  const until = (yield* Clock.currentTimeMillis) / 1000 + flowMaxAge
  return owner === undefined
    ? undefined
    : {
        challenge,
        action: registerData === undefined ? "authenticate" : "register",
        provider: answer.provider,
        session: answer.session,
        until,
        ...owner
      }
})

/**
 * Begins a ceremony; the cookie remembers it.
 *
 * @category combinators
 * @since 0.1.0
 */
export const begin = Effect.fnUntraced(function* (
  ceremony: Omit<Ceremony, "until">
): Effect.fn.Return<ReadonlyArray<ResponseCookie>, never, Settings | AuthRequest | Seal> {
  const request = yield* AuthRequest
  const { webauthnChallenge } = cookiesFor(yield* Settings, request.url)
  const { seal } = yield* Seal
  const now = yield* Clock.currentTimeMillis
  const earlier = yield* open
  const records: Array<Ceremony> = [
    ...(typeof earlier === "string" ? [] : earlier.slice(1 - most)),
    { ...ceremony, until: now / 1000 + maxAge }
  ]
  const sealRecords = () => seal(webauthnChallenge.name, { open: records }, maxAge)
  let value = yield* sealRecords()
  while (value.length > longest && records.length > 1) {
    records.shift()
    value = yield* sealRecords()
  }
  return [set(webauthnChallenge, value, { maxAge, expires: dateAt(now + maxAge * 1000) })]
})

/**
 * Removes what the browser remembers.
 *
 * @category combinators
 * @since 0.1.0
 */
export const forget: Effect.Effect<ReadonlyArray<ResponseCookie>, never, Settings | AuthRequest> = Effect.gen(
  function* () {
    const request = yield* AuthRequest
    const { webauthnChallenge } = cookiesFor(yield* Settings, request.url)
    return request.cookies.values.has(webauthnChallenge.name) ? [clear(webauthnChallenge)] : []
  }
)

/** An answer, and who gives it: the session and the user, when there are any. */
interface Answer extends Pick<Ceremony, "action" | "challenge" | "provider" | "session"> {
  readonly user?: string | undefined
}

/**
 * Finds the ceremony that an answer belongs to and uses it up, whatever becomes of the answer.
 *
 * @category combinators
 * @since 0.1.0
 */
export const finish = Effect.fnUntraced(function* (
  adapter: AdapterShape,
  answer: Answer
): Effect.fn.Return<Ceremony, InvalidCheck | AdapterError | SharedStateError, Settings | AuthRequest | Seal> {
  const elsewhere = yield* begunElsewhere(answer)
  const records = elsewhere === undefined ? yield* open : [elsewhere]
  if (typeof records === "string") return yield* refuse(answer.provider, records)
  const ceremony = records.find(({ challenge }) => equalText(challenge, answer.challenge))
  if (ceremony === undefined || ceremony.action !== answer.action || ceremony.provider !== answer.provider)
    return yield* refuse(answer.provider, "flow_mismatch")
  const key = `webauthn ${sha256(ceremony.challenge, "base64url")}`
  if (!(yield* useOnce(adapter, "webauthn", key, Math.ceil(ceremony.until * 1000) + 1000)))
    return yield* refuse(answer.provider, "flow_used")
  return ceremony.session === answer.session ? ceremony : yield* refuse(answer.provider, "flow_mismatch")
})

const refuse = (provider: string, code: FailureCode): Effect.Effect<never, InvalidCheck> =>
  Effect.fail(new InvalidCheck({ provider, code, detail: causes[code] ?? "The answer belongs to no open ceremony" }))

const causes: { readonly [Code in FailureCode]?: string } = {
  flow_missing: "The browser holds no record of a ceremony",
  flow_mismatch: "The answer belongs to another ceremony, or to another session",
  flow_expired: "The ceremony took longer than five minutes",
  flow_used: "The ceremony was finished before"
}
