/**
 * Which accounts have signed in with this browser, as a cookie says that only the server can write: for them it has budgets of its
 * own, so that no attempt of others makes its user wait.
 *
 * The cookie holds a random id, a time, and beginnings of the keyed digests of the last accounts, which mean nothing without the
 * secret. A keyed digest of all of it follows. The cookie signs in to nothing.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import { AuthRequest } from "../http/AuthRequest.ts"
import { type ResponseCookie, set } from "../http/Cookie.ts"
import { singleValueOf } from "../http/CookieHeader.ts"
import * as Base64Url from "../crypto/Base64Url.ts"
import { scopeOf } from "../crypto/Scope.ts"
import { equalText, sha256 } from "../crypto/Sha256.ts"
import { cookiesFor, Settings } from "../config/Settings.ts"

/**
 * The content of the cookie.
 *
 * @category models
 * @since 0.1.0
 */
export interface KnownBrowser {
  readonly id: string
  /** Beginnings of the keys of accounts, the latest first. */
  readonly accounts: ReadonlyArray<string>
  /** Milliseconds since 1970. */
  readonly since: number
}

/** Accounts that one browser remembers. */
const mostAccounts = 8

/** Characters of a key that tell accounts of one browser apart. */
const keyLength = 16

const day = 24 * 60 * 60

/** Seconds for which a browser is known. */
const maxAge = 180 * day

/** Milliseconds after which a sign-in writes the cookie again, so that it does not end while the browser is used. */
const renewal = 30 * day * 1000

/** Milliseconds by which the clock of the server that wrote the cookie may be ahead. */
const clockTolerance = 300_000

/** The id, the time, up to eight accounts, and the proof of what is before it. */
const format = /^(([\w-]{22})\.(\d{1,16})\.([\w-]{16}(?:\.[\w-]{16}){0,7}))\.([\w-]{43})$/

/**
 * Only who has the secret can write this. Digested twice, so that nothing can be added to what was digested, and together with the
 * name of the cookie, so that a cookie that any host could set is not taken for one with the prefix `__Host-`.
 */
const proofOf = (secret: Redacted.Redacted, name: string, statement: string): string => {
  const digest = (text: string) => sha256(scopeOf("browser", text, secret), "base64url")
  return digest(digest(`${name} ${statement}`))
}

/**
 * The value of the cookie of this name.
 *
 * @category encoding
 * @since 0.1.0
 */
export const encode = (secret: Redacted.Redacted, name: string, { accounts, id, since }: KnownBrowser): string => {
  const statement = `${id}.${since}.${accounts.join(".")}`
  return `${statement}.${proofOf(secret, name, statement)}`
}

/**
 * Reads a cookie of this name at `now`, in milliseconds; `undefined` where no secret wrote it, or it has expired.
 *
 * @category decoding
 * @since 0.1.0
 */
export const decode = (
  secrets: ReadonlyArray<Redacted.Redacted>,
  name: string,
  value: string,
  now: number
): KnownBrowser | undefined => {
  const [, statement = "", id = "", time, accounts = "", proof = ""] = format.exec(value) ?? []
  if (time === undefined || !secrets.some((secret) => equalText(proofOf(secret, name, statement), proof)))
    return undefined
  const since = Number(time)
  return since - clockTolerance <= now && now < since + maxAge * 1000
    ? { id, accounts: accounts.split("."), since }
    : undefined
}

/**
 * Reads the cookie of the request.
 *
 * @category combinators
 * @since 0.1.0
 */
export const knownBrowser: Effect.Effect<KnownBrowser | undefined, never, Settings | AuthRequest> = Effect.contextWith(
  (context: Context.Context<Settings | AuthRequest>) => Effect.succeed(knownBrowserIn(context))
)

/**
 * Reads the cookie, with the services of a context.
 *
 * @category combinators
 * @since 0.1.0
 */
export const knownBrowserIn = (context: Context.Context<Settings | AuthRequest>): KnownBrowser | undefined => {
  const { cookies, url } = Context.get(context, AuthRequest)
  const settings = Context.get(context, Settings)
  const { name } = cookiesFor(settings, url).browser
  const value = singleValueOf(cookies, name)
  return value === undefined || value === ""
    ? undefined
    : decode(settings.jwt.secrets, name, value, Context.get(context, Clock.Clock).currentTimeMillisUnsafe())
}

/** Has an account signed in with this browser? */
const isKnownIn = (browser: KnownBrowser | undefined, account: string): browser is KnownBrowser =>
  browser?.accounts.includes(account.slice(0, keyLength)) === true

/**
 * The browser, where one of these accounts has signed in with it.
 *
 * @category combinators
 * @since 0.1.0
 */
export const ifKnows = (browser: KnownBrowser | undefined, accounts: ReadonlyArray<string>): KnownBrowser | undefined =>
  accounts.some((account) => isKnownIn(browser, account)) ? browser : undefined

/**
 * The cookie after a sign-in with accounts in a browser that said so much of itself; none while it has a recent one that names
 * them.
 *
 * @category combinators
 * @since 0.1.0
 */
export const rememberAccounts = (
  context: Context.Context<Settings | AuthRequest | SecureRandom.SecureRandom>,
  accounts: ReadonlyArray<string>,
  known: KnownBrowser | undefined
): Effect.Effect<ReadonlyArray<ResponseCookie>> => {
  const settings = Context.get(context, Settings)
  const { browser } = cookiesFor(settings, Context.get(context, AuthRequest).url)
  const now = Context.get(context, Clock.Clock).currentTimeMillisUnsafe()
  const isRecent = known !== undefined && now - known.since < renewal
  if (isRecent && accounts.every((account) => isKnownIn(known, account))) return Effect.succeed([])
  const keys = accounts.map((account) => account.slice(0, keyLength))
  const latest = [...new Set([...keys, ...(known?.accounts ?? [])])].slice(0, mostAccounts)
  const remember = (id: string) => {
    const value = encode(settings.jwt.secrets[0], browser.name, { id, accounts: latest, since: now })
    return [set(browser, value, { maxAge })]
  }
  return known === undefined
    ? Effect.map(Context.get(context, SecureRandom.SecureRandom).randomBytes(16), (bytes) =>
        remember(Base64Url.encode(bytes))
      )
    : Effect.succeed(remember(known.id))
}
