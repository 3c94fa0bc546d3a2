/**
 * Session tokens for programs without Effect: `encode`, `decode` and `getToken` as plain promises.
 *
 * Middleware imports this module, so it loads nothing but the codec. It is an edge of the library: the real clock and
 * the runtime's randomness are used here, through {@link TokenEnvironment}. Inside the library, services seal and open
 * tokens instead. Secrets may have any length here, so that every token that was ever issued can still be read.
 *
 * @since 0.1.0
 */
import { readCookie } from "../http/CookieHeader.ts"
import { parseCookieHeader, percentDecoded } from "../http/CookieHeader.ts"
import type { CryptoEngine } from "../crypto/CryptoEngine.ts"
import { defaultEngine } from "../crypto/CryptoEngine.ts"
import type { Reason } from "../crypto/Envelope.ts"
import { open, seal } from "../crypto/Jwe.ts"
import { keyring } from "../crypto/Keyring.ts"
import { isFirstTime } from "../internal/OncePerProcess.ts"
import { markOf, ownerOf, refusalOf, withoutMark } from "../session/SessionMark.ts"
import { inForce, type RetiredSecret, retiredSecretsProblem } from "../crypto/RetiredSecrets.ts"
import { unopenedCause, unopenedCode } from "../http/UnopenedCookie.ts"
import type { JWT } from "../models/Shape.ts"

type Awaitable<A> = A | PromiseLike<A>

export type { RetiredSecret } from "../crypto/RetiredSecrets.ts"
export type { JWT } from "../models/Shape.ts"

/**
 * Options of {@link encode}.
 *
 * @category models
 * @since 0.1.0
 */
export interface JWTEncodeParams<Payload = JWT> {
  /** Seconds until the token expires; 2 592 000 (30 days) when left out. */
  maxAge?: number
  /** Name of the cookie the token is for; part of the key derivation. */
  salt: string
  /** The secret, or several with the newest first: the first one seals. */
  secret: string | Array<string>
  /** The claims. */
  token?: Payload
}

/**
 * Options of {@link decode}.
 *
 * @category models
 * @since 0.1.0
 */
export interface JWTDecodeParams {
  /** Name of the cookie the token came in; part of the key derivation. */
  salt: string
  /** The secret, or several with the newest first: each may open. */
  secret: string | Array<string>
  /** Secrets of before: each may open until its date. */
  retiredSecrets?: ReadonlyArray<RetiredSecret>
  /** The token as received. */
  token?: string
  /** Open tokens that another program encrypted with A256GCM; `false` when left out. */
  acceptA256GCM?: boolean
}

/**
 * How an application replaces the token format.
 *
 * @category models
 * @since 0.1.0
 */
export interface JWTOptions {
  /** Seconds until a token expires; 2 592 000 (30 days) by default. */
  maxAge: number
  /** Seals claims. */
  encode: (params: JWTEncodeParams) => Awaitable<string>
  /** Opens a token; `null` or a failure means that it is not valid. */
  decode: (params: JWTDecodeParams) => Awaitable<JWT | null>
}

/**
 * The logger of {@link getToken}. `debug` gets the reason of every token that was refused. `warn` gets the code
 * `session-cookie-unopened` with the likely cause, once a process for each cause; without it the console does.
 *
 * @category models
 * @since 0.1.0
 */
export interface TokenLogger {
  debug: (message: string, metadata?: unknown) => void
  // A method: loggers declare narrower codes, and the console takes anything.
  warn?(code: string, message?: string): void
}

/**
 * Options of {@link getToken}.
 *
 * @category models
 * @since 0.1.0
 */
export interface GetTokenParams<R extends boolean = false> {
  /** The request, or anything with its headers. */
  req: Request | { headers: Headers | Record<string, string> }
  /**
   * Whether to look for the cookies with a prefix, `__Host-` before `__Secure-`, or for the one without, when no `cookieName` is
   * given. By default all are tried in this order, because behind a proxy the scheme of the request may not be that of the site.
   */
  secureCookie?: boolean
  /** Name of the cookie to look for. */
  cookieName?: string
  /** Return the token as it was received instead of its claims. */
  raw?: R
  /** The secret, or several with the newest first. */
  secret?: JWTDecodeParams["secret"]
  /** Secrets of before: each may open until its date. */
  retiredSecrets?: JWTDecodeParams["retiredSecrets"]
  /** Open tokens that another program encrypted with A256GCM; `false` when left out. */
  acceptA256GCM?: JWTDecodeParams["acceptA256GCM"]
  /** Part of the key derivation; the name of the cookie when left out. */
  salt?: JWTDecodeParams["salt"]
  /** Opens tokens of a format of the application's own. */
  decode?: JWTOptions["decode"]
  /** Gets why a token was refused. */
  logger?: TokenLogger
}

/**
 * Why {@link decode} refused a token. The message is always the same; `code` is for logs and never for a browser.
 *
 * @category errors
 * @since 0.1.0
 */
export class TokenRefused extends Error {
  override readonly name = "JWTSessionError"
  readonly type = "JWTSessionError"
  readonly kind = "error"
  readonly code: Reason
  constructor(code: Reason) {
    super("The session token was refused.")
    this.code = code
  }
}

/**
 * A token was found but no secret was given to open it with.
 *
 * @category errors
 * @since 0.1.0
 */
export class SecretRequired extends Error {
  override readonly name = "MissingSecret"
  readonly type = "MissingSecret"
  readonly kind = "error"
  constructor() {
    super("A secret is needed to read a session token: pass `secret`.")
  }
}

/**
 * The dependencies of this module's functions.
 *
 * @category models
 * @since 0.1.0
 */
export interface TokenEnvironment {
  /** The present time in seconds since the epoch. */
  readonly now: () => number
  /** Cryptographically strong random bytes. */
  readonly random: (bytes: number) => Uint8Array
  /** @internal */
  readonly engine?: CryptoEngine
}

/**
 * The functions of this module.
 *
 * @category models
 * @since 0.1.0
 */
export interface Tokens {
  readonly encode: typeof encode
  readonly decode: typeof decode
  readonly getToken: typeof getToken
}

const live: TokenEnvironment = {
  now: () => Date.now() / 1000,
  random: (bytes) => globalThis.crypto.getRandomValues(new Uint8Array(bytes))
}

/**
 * Makes the three functions for another clock and another source of randomness, as a test needs it.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (environment: TokenEnvironment): Tokens => ({
  encode: (params) => encodeIn(environment, params),
  decode: (params) => decodeIn(environment, params),
  getToken: (params) => getTokenIn(environment, params)
})

/**
 * Seals claims into an encrypted token (A256CBC-HS512, RFC 7518 section 5.2.5). `iat`, `exp` and `jti` are set anew.
 *
 * Rejects with a `TypeError` when the claims are no object or cannot be written as JSON, or secret, salt or maximum age
 * cannot be used.
 *
 * @category encoding
 * @since 0.1.0
 */
export function encode<Payload = JWT>(params: JWTEncodeParams<Payload>): Promise<string> {
  return encodeIn(live, params)
}

/**
 * Opens a token and returns its claims; `null` when there is no token.
 *
 * Rejects with {@link TokenRefused} when the token is not authentic, expired 15 seconds ago or more, not valid yet,
 * without `exp` or `iat`, or in any other way not as {@link encode} makes it; with a `TypeError` when secret or salt
 * cannot be used. Nothing checks that the claims have the shape of `Payload`.
 *
 * @category decoding
 * @since 0.1.0
 */
export function decode<Payload = JWT>(params: JWTDecodeParams): Promise<Payload | null> {
  return decodeIn(live, params)
}

/**
 * Finds the session token of a request, in its cookies or else in its `Authorization` header (scheme `Bearer`), and
 * returns the claims, or the token itself with `raw`.
 *
 * `null` when there is no token or it is not valid, and when the browser sent cookies of one name that open for different people.
 * Rejects with {@link SecretRequired} when a token was found and no secret was given.
 *
 * @category decoding
 * @since 0.1.0
 */
export function getToken<R extends boolean = false>(
  params: GetTokenParams<R>
): Promise<(R extends true ? string : JWT) | null> {
  return getTokenIn(live, params)
}

const defaultMaxAge = 30 * 24 * 60 * 60

const secretsOf = (secret: string | ReadonlyArray<string> | undefined): ReadonlyArray<string> =>
  typeof secret === "string" ? [secret] : (secret ?? [])

const engineOf = (environment: TokenEnvironment): CryptoEngine => environment.engine ?? defaultEngine()

const isClaims = (u: unknown): u is Record<string, unknown> => typeof u === "object" && u !== null && !Array.isArray(u)

async function encodeIn<Payload>(environment: TokenEnvironment, params: JWTEncodeParams<Payload>): Promise<string> {
  const { maxAge = defaultMaxAge, salt, secret, token = {} } = params
  if (!isClaims(token)) throw new TypeError("The claims of a token must be an object.")
  const { now, random } = environment
  return seal(keyring(secretsOf(secret), salt, engineOf(environment)), token, { now: now(), maxAge, random })
}

async function decodeIn<Payload>(environment: TokenEnvironment, params: JWTDecodeParams): Promise<Payload | null> {
  const { salt, secret, token } = params
  if (token === undefined || token === null || token === "") return null
  if (typeof token !== "string") throw new TokenRefused("token_malformed")
  const now = environment.now()
  const secrets = secretsOf(secret)
  // Without a secret there is no keyring, whatever is retired.
  const openers = secrets.length === 0 ? secrets : [...secrets, ...retiredOf(params.retiredSecrets, now)]
  const opening = await open(keyring(openers, salt, engineOf(environment)), token, {
    now,
    acceptA256GCM: params.acceptA256GCM
  })
  if (!opening.ok) throw new TokenRefused(opening.reason)
  // The caller names the type of its own claims; the signature of this function makes that the caller's promise.
  return opening.claims as Payload
}

async function getTokenIn<R extends boolean>(
  environment: TokenEnvironment,
  params: GetTokenParams<R>
): Promise<(R extends true ? string : JWT) | null> {
  const match = await findToken(environment, params)
  // `R` is the type of `params.raw`, which decided whether a token or its claims were returned.
  return match as (R extends true ? string : JWT) | null
}

const retiredOf = (list: ReadonlyArray<RetiredSecret> | undefined, now: number): ReadonlyArray<string> => {
  if (list === undefined) return []
  const problem = retiredSecretsProblem(list)
  if (problem !== undefined) throw new TypeError(`retiredSecrets${problem}`)
  return inForce(list, now * 1000)
}

const plainName = "authjs.session-token"
const secureNames = [`__Host-${plainName}`, `__Secure-${plainName}`]

/** The cookies that may hold the session, best first. */
const namesOf = ({ cookieName, secureCookie }: GetTokenParams<boolean>): ReadonlyArray<string> => {
  if (cookieName !== undefined) return [cookieName]
  return secureCookie === undefined ? [...secureNames, plainName] : secureCookie ? secureNames : [plainName]
}

const findToken = async (
  environment: TokenEnvironment,
  params: GetTokenParams<boolean>
): Promise<string | JWT | null> => {
  const { acceptA256GCM, logger, raw, req, retiredSecrets, secret } = params
  if (req === undefined || req === null) throw new Error("getToken needs the request: pass `req`.")
  const header = parseCookieHeader(headerOf(req.headers, "cookie"))
  const names = namesOf(params)
  // Beside a cookie with the prefix, which only a secure page can set, the one without may have been planted.
  const match = names
    .map((name) => ({ ...readCookie(header, name), name, salt: params.salt ?? name }))
    .find(({ candidates }) => candidates.length > 0)
  const inCookies = (match?.candidates ?? []).map((token) => ({ token, salt: match?.salt ?? "" }))
  const bearer = inCookies.length === 0 ? bearerToken(headerOf(req.headers, "authorization")) : undefined
  const salts = new Set(names.map((name) => params.salt ?? name))
  const candidates = bearer === undefined ? inCookies : Array.from(salts, (salt) => ({ token: bearer, salt }))
  const [first] = candidates
  if (first === undefined) return null
  const isAlone = bearer !== undefined || candidates.length === 1
  // Of several cookies only a decrypted one shows which is the session.
  if (raw === true && (isAlone || secret === undefined || secret.length === 0)) return first.token
  if (secret === undefined || secret.length === 0) throw new SecretRequired()
  retiredOf(retiredSecrets, environment.now())
  const openToken = params.decode ?? ((one: JWTDecodeParams) => decodeIn<JWT>(environment, one))
  const sessions: Array<TokenSession> = []
  const reasons: Array<string | undefined> = []
  for (const candidate of candidates) {
    try {
      const claims = await openToken({
        ...candidate,
        secret,
        ...(retiredSecrets === undefined ? {} : { retiredSecrets }),
        ...(acceptA256GCM === undefined ? {} : { acceptA256GCM })
      })
      const refusal = claims ? refusalOf(markOf(claims), environment.now() * 1000) : undefined
      if (!claims || refusal !== undefined) reasons.push(refusal)
      else sessions.push({ token: candidate.token, claims: withoutMark(claims) })
    } catch (error) {
      // Other errors of the library's decoding are no fault of the token, such as a file that could not be loaded.
      if (params.decode === undefined && !(error instanceof TokenRefused)) throw error
      const reason = error instanceof TokenRefused ? error.code : undefined
      reasons.push(reason)
      logger?.debug("getToken refused a token", { code: reason ?? "decode_failed" })
    }
    // A token that came as a bearer is one, under whichever name it was sealed.
    if (bearer !== undefined && sessions.length > 0) break
  }
  const [session] = sessions
  if (session === undefined) {
    if (raw === true) return first.token
    if (bearer === undefined) await warnOfUnopened(reasons, logger)
    return null
  }
  if (new Set(sessions.map(({ claims }) => ownerOf(claims))).size > 1 || match?.isCut === true) {
    logger?.debug("getToken found session cookies that cannot count", { code: "session_conflict" })
    return null
  }
  return raw === true ? session.token : session.claims
}

interface TokenSession {
  readonly token: string
  readonly claims: JWT
}

/** Once a process for each likely cause: every further request of the same browser would say the same. */
const warnOfUnopened = async (
  reasons: ReadonlyArray<string | undefined>,
  logger: TokenLogger | undefined
): Promise<void> => {
  const cause = reasons.map(unopenedCause).find((cause) => cause !== undefined)
  if (cause === undefined || !isFirstTime(`${unopenedCode} ${cause}`)) return
  try {
    const { warn } = await import("../http/UnopenedWarning.ts")
    warn(cause, logger)
  } catch {
    // Without the file of its text the warning is its code: the visitor is signed out all the same.
    logger?.warn?.(unopenedCode)
  }
}

/** One token after the scheme `Bearer` (RFC 6750 section 2.1), percent-decoded; anything else is no token. */
const bearerToken = (authorization: string | undefined): string | undefined => {
  const bearer = /^Bearer ([\x21-\x7e]+)$/.exec(authorization ?? "")?.[1]
  const token = bearer === undefined ? undefined : percentDecoded(bearer)
  return token === "" ? undefined : token
}

const hasGet = (headers: Headers | Record<string, string>): headers is Headers => typeof headers.get === "function"

const headerOf = (headers: Headers | Record<string, string>, name: string): string | undefined => {
  if (hasGet(headers)) return headers.get(name) ?? undefined
  for (const [key, value] of Object.entries(headers)) {
    if (key.toLowerCase() === name && typeof value === "string") return value
  }
  return undefined
}
