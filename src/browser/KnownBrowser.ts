/**
 * Which accounts have signed in with this browser, as a sealed cookie says: for them it has budgets of its own, so that no
 * attempt of others makes its user wait.
 *
 * The cookie holds a random id and keyed digests of the last accounts. It signs in to nothing.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { AuthRequest } from "../http/AuthRequest.ts"
import { type ResponseCookie, set } from "../http/Cookie.ts"
import * as Base64Url from "../crypto/Base64Url.ts"
import { Seal } from "./Seal.ts"
import { cookiesFor, Settings } from "../config/Settings.ts"

/**
 * What the cookie says.
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

const decode = Schema.decodeUnknownOption(
  Schema.Struct({ id: Schema.String, accounts: Schema.Array(Schema.String), since: Schema.Number })
)

/** Accounts that one browser remembers. */
const mostAccounts = 8

/** Characters of a key that tell accounts of one browser apart. */
const keyLength = 16

const day = 24 * 60 * 60

/** Seconds for which a browser is known. */
const maxAge = 180 * day

/** Milliseconds after which a sign-in writes the cookie again, so that it does not end while the browser is used. */
const renewal = 30 * day * 1000

/**
 * What the browser of the request says.
 *
 * @category combinators
 * @since 0.1.0
 */
export const knownBrowser: Effect.Effect<KnownBrowser | undefined, never, Settings | AuthRequest | Seal> =
  Effect.contextWith((context: Context.Context<Settings | AuthRequest | Seal>) => knownBrowserIn(context))

/**
 * The same, with the services of a context.
 *
 * @category combinators
 * @since 0.1.0
 */
export const knownBrowserIn = (
  context: Context.Context<Settings | AuthRequest | Seal>
): Effect.Effect<KnownBrowser | undefined> => {
  const { cookies, url } = Context.get(context, AuthRequest)
  const { name } = cookiesFor(Context.get(context, Settings), url).browser
  const value = cookies.conflicts?.has(name) === true ? undefined : cookies.values.get(name)
  if (value === undefined || value === "") return Effect.undefined
  return Effect.map(Context.get(context, Seal).open(name, value), (opened) =>
    opened.ok ? Option.getOrUndefined(decode(opened.claims)) : undefined
  )
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
  context: Context.Context<Settings | AuthRequest | Seal | SecureRandom.SecureRandom>,
  accounts: ReadonlyArray<string>,
  known: KnownBrowser | undefined
): Effect.Effect<ReadonlyArray<ResponseCookie>> => {
  const { browser } = cookiesFor(Context.get(context, Settings), Context.get(context, AuthRequest).url)
  const { randomBytes } = Context.get(context, SecureRandom.SecureRandom)
  const now = Context.get(context, Clock.Clock).currentTimeMillisUnsafe()
  const isRecent = known !== undefined && now - known.since < renewal
  if (isRecent && accounts.every((account) => isKnownIn(known, account))) return Effect.succeed([])
  const keys = accounts.map((account) => account.slice(0, keyLength))
  const names = [...new Set([...keys, ...(known?.accounts ?? [])])].slice(0, mostAccounts)
  const remember = (id: string) =>
    Effect.map(
      Context.get(context, Seal).seal(browser.name, { id, accounts: names, since: now }, maxAge, now),
      (value) => [set(browser, value, { maxAge })]
    )
  return known === undefined
    ? Effect.flatMap(randomBytes(16), (bytes) => remember(Base64Url.encode(bytes)))
    : remember(known.id)
}
