/**
 * Session tokens: what the session cookie holds, sealed by the library or by functions of the application.
 *
 * The salt is the name of the session cookie. Reading takes what is in the cookie and in its chunks and never fails: a
 * token that cannot be used says why, so that the action can clear the cookie. For middleware that must not load Effect
 * there is `Token.ts`.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { Settings, cookiesFor, type JwtDecodeCall } from "./config/Settings.ts"
import type { AuthRequest } from "./http/AuthRequest.ts"
import type { CookieTemplate, ResponseCookie } from "./http/Cookie.ts"
import { JwtSessionError, type SharedStateError, type TokenError } from "./Errors.ts"
import { fromAnswer } from "./internal/Answer.ts"
import { headerSize, largestField, readCookie, reserve, valueOfCookie, writeCookie } from "./http/CookieHeader.ts"
import * as Row from "./internal/ServiceRow.ts"
import {
  endOf,
  markAt,
  markName,
  markOf,
  refusalOf,
  retiredMark,
  type SessionMark,
  withoutMark
} from "./session/SessionMark.ts"
import { unopenedCause } from "./http/UnopenedCookie.ts"
import { unopenedTexts } from "./http/UnopenedTexts.ts"
import type { JWT } from "./Models.ts"
import { type Opened, openWith, Seal } from "./browser/Seal.ts"
import { isTemporary } from "./session/RememberMe.ts"
import { holdSession } from "./session/SessionCookies.ts"
import { make as makeRevocation, type TokenRevocation } from "./session/TokenRevocation.ts"
import { SharedState, type SharedStateShape } from "./SharedState.ts"
import { dateAt } from "./internal/DateAt.ts"

export type { ResponseCookie } from "./http/Cookie.ts"
export type { SessionMark } from "./session/SessionMark.ts"
export type { RetainedSession, TokenRevocation, TokenSession } from "./session/TokenRevocation.ts"
export type { CookieOptions } from "./http/Cookie.ts"
export type { AuthRequest } from "./http/AuthRequest.ts"

/**
 * The session token of a request.
 *
 * @category models
 * @since 0.1.0
 */
export type ReadToken =
  | { readonly _tag: "Absent"; readonly names: ReadonlyArray<string> }
  | {
      readonly _tag: "Valid"
      readonly claims: JWT
      readonly names: ReadonlyArray<string>
      /** A retired secret opened it: the session must be sealed anew before that secret ends. */
      readonly isRetired?: boolean
      /** The library's own facts about the session. */
      readonly mark?: SessionMark | undefined
    }
  | {
      readonly _tag: "Invalid"
      readonly error: JwtSessionError
      readonly names: ReadonlyArray<string>
    }
  | {
      /** It is not known whether the session was revoked, so it counts nowhere, and its cookies stay. */
      readonly _tag: "Unknown"
      readonly claims: JWT
      readonly mark?: SessionMark | undefined
      readonly error: SharedStateError
      readonly names: ReadonlyArray<string>
    }

/**
 * Names the user of a session, for values that must not outlive a change of user. `undefined` means signed out.
 *
 * @category combinators
 * @since 0.1.0
 * @internal
 */
export const subject = (token: ReadToken): string | undefined =>
  token._tag === "Valid" || token._tag === "Unknown"
    ? String(token.claims.sub ?? token.claims.email ?? "somebody")
    : undefined

/**
 * Reads and writes session tokens.
 *
 * @category services
 * @since 0.1.0
 */
export class Jwt extends Context.Service<
  Jwt,
  {
    /** Makes a token for the cookie of that name. Fails when the application's `encode` does. */
    readonly encode: (claims: JWT, salt: string) => Effect.Effect<string, TokenError>
    /**
     * Opens a token. Fails when it cannot be used, with the reason in `detail`. `isFresh` asks at once whether the session was
     * revoked; while that is not known the failure has a `SharedStateError` as its cause.
     */
    readonly decode: (token: string, salt: string, isFresh?: boolean) => Effect.Effect<JWT, TokenError>
    /**
     * The token of a request; of several candidates the first that opens counts. `name` is that of another cookie than its own.
     */
    readonly read: (request: AuthRequest["Service"], name?: string) => Effect.Effect<ReadToken>
    /** The cookies that hold new claims, and those that remove leftovers of the old. `expires` is in milliseconds. */
    readonly write: (
      request: AuthRequest["Service"],
      claims: JWT,
      present: ReadonlyArray<string>,
      expires: number,
      mark?: SessionMark
    ) => Effect.Effect<ReadonlyArray<ResponseCookie>, TokenError>
    /** Ends sessions before their tokens expire, with `session.revocation`. */
    readonly revocation?: TokenRevocation | undefined
  }
>()("effect-doorman/Jwt") {
  /**
   * Tokens as the configuration says.
   *
   * @internal
   */
  static readonly make = (
    settings: Settings["Service"],
    seal: Seal["Service"],
    state: SharedStateShape
  ): Jwt["Service"] => {
    const { revocationCheck } = settings.session
    const revocation =
      revocationCheck === undefined ? undefined : makeRevocation(state, revocationCheck, settings.jwt.maxAge)
    const encode = makeEncode(settings, seal)
    const open = makeOpen(settings, seal)

    const decode = (token: string, salt: string, isFresh = false): Effect.Effect<JWT, JwtSessionError> =>
      revocation === undefined
        ? Effect.map(open(token, salt), ({ claims }) => claims)
        : Effect.flatMap(open(token, salt), (opened) =>
            Effect.matchEffect(revocation.isRevoked(opened, isFresh), {
              onSuccess: (isRevoked) => (isRevoked ? Effect.fail(unopened("revoked")) : Effect.succeed(opened.claims)),
              onFailure: (cause) => Effect.fail(unchecked(cause))
            })
          )

    return Jwt.of({
      encode,
      decode,
      read: makeRead(settings, open, revocation),
      write: makeWrite(settings, encode),
      revocation
    })
  }

  /** @internal */
  static readonly row: Row.Row<Jwt, Jwt["Service"], Settings | Seal> = Row.row(Jwt, (context) =>
    Jwt.make(Context.get(context, Settings), Context.get(context, Seal), Context.get(context, SharedState))
  )

  /** The service as a layer. @internal */
  static readonly layer: Layer.Layer<Jwt, never, Settings | Seal> = Row.layer(Jwt.row)
}

/** The secrets as the functions of the application get them. */
const plainSecrets = ({ jwt }: Settings["Service"]) => {
  const [first, ...rest] = jwt.secrets
  return rest.length === 0 ? Redacted.value(first) : jwt.secrets.map(Redacted.value)
}

const templateOf = (settings: Settings["Service"], request: AuthRequest["Service"]): CookieTemplate =>
  cookiesFor(settings, request.url).sessionToken

type Encode = (claims: JWT, salt: string, lifetime?: number) => Effect.Effect<string, JwtSessionError>

/** Makes tokens, by the library or by the function of the application. */
const makeEncode = (settings: Settings["Service"], seal: Seal["Service"]): Encode => {
  const { encode: customEncode, maxAge, options } = settings.jwt
  return (claims, salt, lifetime = maxAge) =>
    customEncode === undefined
      ? Effect.catchDefect(seal.seal(salt, claims, lifetime), (cause) =>
          Effect.fail(unwritten("The claims cannot be written as JSON", cause))
        )
      : fromAnswer(
          "jwt.encode",
          () => customEncode({ ...options, token: claims, secret: plainSecrets(settings), salt, maxAge: lifetime }),
          { claims, secret: plainSecrets(settings) }
        ).pipe(
          Effect.mapError((cause) => unwritten("jwt.encode failed", cause)),
          Effect.flatMap((token: unknown) =>
            typeof token === "string" && token !== ""
              ? Effect.succeed(token)
              : Effect.fail(unwritten("jwt.encode returned no token"))
          )
        )
}

type Open = (token: string, salt: string) => Effect.Effect<OpenedToken, JwtSessionError>

/** Opens tokens: with the secrets, with retired ones, or by the function of the application. */
const makeOpen = (settings: Settings["Service"], seal: Seal["Service"]): Open => {
  const { decode: customDecode, maxAge, options } = settings.jwt

  /** Opens with the retired secrets that have not ended, when those of the configuration do not open the token. */
  const openRetired = Effect.fnUntraced(function* (
    token: string,
    salt: string,
    reason: RefusalReason
  ): Effect.fn.Return<OpenedToken, JwtSessionError> {
    const isOfOtherKey = reason === "key_unknown" || reason === "not_authentic"
    const now = yield* Clock.currentTimeMillis
    const retired = isOfOtherKey ? retiredAt(settings, now) : []
    let refusal = reason
    for (const { secret, until } of retired) {
      const older = yield* openWith([Redacted.value(secret)], salt, token, settings.jwt.acceptA256GCM)
      if (older.ok) {
        const former = markAt(markOf(older.claims), settings.session.absoluteMaxAge, now)
        return { claims: { ...older.claims, [markName]: retiredMark(former, until) }, isRetired: true }
      }
      if (older.reason !== reason) refusal = older.reason
    }
    return yield* unopened(refusal)
  })

  /** Opens a token by the function of the application. */
  const openBy = (
    decode: NonNullable<typeof customDecode>,
    token: string,
    salt: string
  ): Effect.Effect<OpenedToken, JwtSessionError> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      fromAnswer(
        "jwt.decode",
        () => decode({ ...options, token, secret: plainSecrets(settings), salt, maxAge, ...retiredFor(settings, now) }),
        { token, secret: plainSecrets(settings) }
      )
    ).pipe(
      Effect.mapError((cause) => new JwtSessionError({ detail: "jwt.decode failed", cause })),
      Effect.flatMap((claims) =>
        typeof claims === "object" && claims !== null
          ? Effect.succeed({ claims })
          : Effect.fail(new JwtSessionError({ detail: "jwt.decode returned no claims" }))
      )
    )

  // Not where the session is over, or a newer version of the library wrote it.
  return Effect.fnUntraced(function* (token, salt): Effect.fn.Return<OpenedToken, JwtSessionError> {
    const now = yield* Clock.currentTimeMillis
    if (customDecode !== undefined)
      return yield* Effect.fromResult(unlessOver(yield* openBy(customDecode, token, salt), now))
    const opened = yield* seal.open(salt, token)
    return yield* Effect.fromResult(
      unlessOver(opened.ok ? opened : yield* openRetired(token, salt, opened.reason), now)
    )
  })
}

/** Reads the token of a request. */
const makeRead = (
  settings: Settings["Service"],
  open: Open,
  revocation: TokenRevocation | undefined
): Jwt["Service"]["read"] => {
  /** The session of a candidate. */
  const readOne = Effect.fnUntraced(function* (
    request: AuthRequest["Service"],
    candidate: string,
    name: string,
    names: ReadonlyArray<string>
  ): Effect.fn.Return<Exclude<ReadToken, { readonly _tag: "Absent" }>> {
    const opened = yield* Effect.result(open(candidate, name))
    if (Result.isFailure(opened)) return { _tag: "Invalid", error: opened.failure, names }
    const { claims, isRetired, mark } = opened.success
    const valid = { _tag: "Valid", claims, names, isRetired: isRetired === true, mark } as const
    if (revocation === undefined) return valid
    const isRevoked = yield* Effect.result(revocation.isRevoked(valid, canChange(request)))
    if (Result.isFailure(isRevoked)) return { _tag: "Unknown", claims, mark, error: isRevoked.failure, names }
    return isRevoked.success ? { _tag: "Invalid", error: unopened("revoked"), names } : valid
  })

  return Effect.fnUntraced(function* (request, name = templateOf(settings, request).name): Effect.fn.Return<ReadToken> {
    const found = readCookie(request.cookies, name)
    const names = found.names.filter((one) => valueOfCookie(request.cookies, one) !== "")
    let first: ReadToken | undefined
    for (const candidate of found.candidates) {
      const token = yield* readOne(request, candidate, name, names)
      if (token._tag !== "Invalid") return token
      first = first ?? token
    }
    return first ?? { _tag: "Absent", names }
  })
}

/** Writes the token into cookies. */
const makeWrite = (settings: Settings["Service"], encode: Encode): Jwt["Service"]["write"] =>
  Effect.fnUntraced(function* (request, claims, present, expires, mark): Effect.fn.Return<
    ReadonlyArray<ResponseCookie>,
    JwtSessionError
  > {
    const { maxAge } = settings.jwt
    const { name } = templateOf(settings, request)
    const end = endOf(mark) ?? Number.POSITIVE_INFINITY
    const lifetime = Math.min(maxAge, Math.ceil((end - (yield* Clock.currentTimeMillis)) / 1000))
    const token = yield* encode(
      mark === undefined ? withoutMark(claims) : { ...claims, [markName]: mark },
      name,
      lifetime
    )
    const written = writeCookie(name, token)
    const { size } = written
    if (!written.ok) {
      return yield* unwritten(`The token does not fit into cookies: ${written.reason}, ${size} of ${written.limit}`)
    }
    if (size > largestSession) {
      return yield* unwritten(
        `The token does not fit into requests: its cookies take ${size} of ${largestSession} bytes`
      )
    }
    if (size > largestReported) yield* reportSize(request, size, present)
    return holdSession(settings, request, present, written.cookies, {
      expires: dateAt(expires),
      isTemporary: isTemporary(mark)
    })
  })

/** A token that opened, unless the session is over or a newer version of the library wrote it; its claims without the mark. */
const unlessOver = (opened: OpenedToken, now: number): Result.Result<OpenedToken, JwtSessionError> => {
  const mark = markOf(opened.claims)
  if (mark === undefined) return Result.succeed(opened)
  const refusal = refusalOf(mark, now)
  return refusal === undefined
    ? Result.succeed({ ...opened, claims: withoutMark(opened.claims), mark })
    : Result.fail(unopened(refusal))
}

/** A token that cannot be written is the application's mistake: its claims, or its `encode`. */
const unwritten = (detail: string, cause?: unknown): JwtSessionError =>
  new JwtSessionError({
    detail,
    blame: "operator",
    fix: "Put fewer and plainer claims into the token, or correct jwt.encode.",
    ...(cause === undefined ? {} : { cause })
  })

/**
 * Most bytes of the cookies of a session. The server of Node reads 16 384 bytes of header fields, with what browsers send beside and
 * an attempt: with a larger session it would answer each request with 431, also that of a sign-out.
 */
const largestSession = 13_000

/** Bytes of the cookies of a session that leave room for the other cookies of the library. */
const largestReported = largestField - reserve

/** Reports a session that is too large for common servers, unless the one that it replaces was so already. */
const reportSize = (
  { cookies }: AuthRequest["Service"],
  size: number,
  present: ReadonlyArray<string>
): Effect.Effect<void> => {
  const former = present.map((name) => ({ name, value: valueOfCookie(cookies, name) ?? "" }))
  if (headerSize(former) > largestReported) return Effect.void
  return Effect.logError(
    new JwtSessionError({
      detail: `The session takes ${size} bytes in cookies. Common servers refuse requests with more than ${largestField} bytes of cookies, and other cookies need ${reserve} of them`,
      blame: "operator",
      fix: "Put less into the token: keep an id there and the rest in your database, or use database sessions."
    })
  )
}

/** A token that does not open. The fix depends on the reason: a wrong clock is not a changed secret. */
const unopened = (reason: RefusalReason): JwtSessionError => {
  const cause = unopenedCause(reason)
  const fix = cause === undefined ? endedSession : `Sign in again. ${unopenedTexts[cause].remedy}`
  return new JwtSessionError({ detail: reason, fix })
}

const endedSession =
  "Sign in again: the session has ended. If new sessions end at once, compare the clocks of the servers."

/** Claims, and whether a retired secret opened them. */
interface OpenedToken {
  readonly claims: JWT
  readonly isRetired?: boolean
  readonly mark?: SessionMark
}

type RefusalReason = Extract<Opened, { readonly ok: false }>["reason"] | "version_unknown" | "revoked"

/** May a request change something? The bound of a check that was made before does not hold there. */
const canChange = ({ method }: AuthRequest["Service"]): boolean => method !== "GET"

/**
 * A session of which it is not known whether it was revoked.
 *
 * @category constructors
 * @since 0.1.0
 * @internal
 */
export const unchecked = (cause: SharedStateError): JwtSessionError =>
  new JwtSessionError({
    detail: "It is not known whether the session was revoked",
    blame: "operator",
    fix: "Look at the cause: the store of the shared state failed. Sessions count again as soon as it answers.",
    cause
  })

/** The retired secrets that have not ended at `now`, in milliseconds since 1970. The one that ends last stands first. */
const retiredAt = ({ jwt }: Settings["Service"], now: number): Settings["Service"]["jwt"]["retired"] =>
  jwt.retired.filter(({ until }) => now < until).toSorted((one, other) => other.until - one.until)

/** The argument of a function of the application; without retired secrets the member is absent. */
const retiredFor = (settings: Settings["Service"], now: number): Pick<JwtDecodeCall, "retiredSecrets"> => {
  const retiredSecrets = retiredAt(settings, now).map(({ secret, until }) => ({
    secret: Redacted.value(secret),
    until: new Date(until)
  }))
  return retiredSecrets.length === 0 ? {} : { retiredSecrets }
}

/**
 * Opens a session token that came without its cookie. It is sealed for the name of the cookie, and its bearer may use
 * another scheme than the browser did: the cookie `name` of this request goes first.
 *
 * @category combinators
 * @since 0.1.0
 * @internal
 */
export const decodeBearer = (
  { plainCookies, secureCookies }: Settings["Service"],
  { decode }: Jwt["Service"],
  token: string,
  name: string
): Effect.Effect<JWT, JwtSessionError> => {
  const other = [plainCookies.sessionToken.name, secureCookies.sessionToken.name].find((salt) => salt !== name)
  return Effect.catch(decode(token, name), (error) =>
    other === undefined ? Effect.fail(error) : Effect.mapError(decode(token, other), () => error)
  )
}

/**
 * Reads a token that came without its cookie as the session cookie of a request. It is sealed for the name of the cookie, and its
 * bearer may use another scheme than the browser did.
 *
 * @category combinators
 * @since 0.1.0
 * @internal
 */
export const readBearer = Effect.fnUntraced(function* (
  request: AuthRequest["Service"],
  bearer: string
): Effect.fn.Return<ReadToken, never, Jwt | Settings> {
  const settings = yield* Settings
  const jwt = yield* Jwt
  const readAs = (name: string) =>
    jwt.read({ ...request, cookies: { values: new Map([[name, bearer]]), conflicts: undefined } }, name)
  const { name } = cookiesFor(settings, request.url).sessionToken
  const token = yield* readAs(name)
  const other = [settings.plainCookies, settings.secureCookies].find(({ sessionToken }) => sessionToken.name !== name)
  if (token._tag !== "Invalid" || other === undefined) return token
  const second = yield* readAs(other.sessionToken.name)
  return second._tag === "Invalid" ? token : second
})
