/**
 * Sessions, session tokens and cookies of a layer as the options of `Auth`: times in seconds, secrets as texts.
 *
 * @since 0.1.0
 */
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { CookieOptions, CookieOverrides } from "../http/Cookie.ts"
import type { InvalidConfiguration } from "../Errors.ts"
import { revealAll } from "../internal/Reveal.ts"
import { isPlainObject } from "../internal/Merge.ts"
import type { SessionTimes } from "../session/SessionPolicy.ts"
import type { JwtOptions, SessionOptions } from "../config/Options.ts"
import { secondsOf, type Time } from "../internal/Times.ts"

/**
 * Sessions, with times as durations such as `"8 hours"`.
 *
 * @category models
 * @since 0.1.0
 */
export interface DoormanSession<R = never> extends Omit<
  SessionOptions<R>,
  "absoluteMaxAge" | "maxAge" | "revocationCheck" | "updateAge"
> {
  /** How long a session lasts that is not used. Default: 30 days. */
  readonly maxAge?: Time | undefined
  /** How long after the sign-in a session ends, however often it is used. Default: never. */
  readonly absoluteMaxAge?: Time | undefined
  /** Least time between two renewals. Default: one day for sessions in a database, none for tokens. */
  readonly updateAge?: Time | undefined
  /** Longest time until every process rejects a token session that was revoked. Default: one minute. */
  readonly revocationCheck?: Time | undefined
}

/**
 * Session tokens, with secrets as `Redacted` and the time as a duration. Custom `encode` and `decode` are functions as in
 * Auth.js: they get secrets as texts and `maxAge` in seconds.
 *
 * @category models
 * @since 0.1.0
 */
export interface DoormanJwt<R = never> extends Omit<JwtOptions<R>, "maxAge" | "secret"> {
  /** How long a token is good. Default: `session.maxAge`. */
  readonly maxAge?: Time | undefined
  /** Secrets for session tokens, when they differ from `secret`. */
  readonly secret?: Redacted.Redacted | ReadonlyArray<Redacted.Redacted> | undefined
}

/**
 * Overrides of cookies, with times as durations.
 *
 * @category models
 * @since 0.1.0
 */
export type DoormanCookies = {
  readonly [Name in keyof CookieOverrides]:
    | {
        readonly name?: string | undefined
        readonly options?: (Omit<CookieOptions, "maxAge"> & { readonly maxAge?: Time | undefined }) | undefined
      }
    | undefined
}

interface Plain<Options> {
  readonly options: Options | undefined
  /** Invalid durations: they stop the configuration. */
  readonly problems: ReadonlyArray<InvalidConfiguration>
}

type Named<A> = readonly [name: string, field: string, time: A]

/** The given times in seconds, by name. */
const inSeconds = (times: ReadonlyArray<Named<SessionTimes["maxAge"] | null | undefined>>) => {
  const seconds: Record<string, number | undefined> = {}
  const problems: Array<InvalidConfiguration> = []
  for (const [name, field, time] of times) {
    if (time === undefined || time === null) continue
    const read = secondsOf(field, time)
    seconds[name] = Result.getOrUndefined(read)
    if (Result.isFailure(read)) problems.push(read.failure)
  }
  return { seconds, problems }
}

/** The times that are durations. A number, which only untyped code has, is seconds already, as in `Auth`. */
const durations = (
  section: string,
  times: { readonly [Name in "absoluteMaxAge" | "maxAge" | "revocationCheck" | "updateAge"]?: Time | undefined }
): ReadonlyArray<Named<Time | undefined>> =>
  Object.entries(times).flatMap(([name, time]) =>
    typeof time === "number" ? [] : [[name, `${section}.${name}`, time] as const]
  )

/** The session options; the times of a `SessionPolicy` take precedence. @internal */
export const plainSession = (
  session: DoormanSession | undefined,
  policy: SessionTimes | undefined
): Plain<SessionOptions> => {
  const { absoluteMaxAge, maxAge, revocationCheck, updateAge } = session ?? {}
  const sessionTimes = inSeconds(durations("session", { absoluteMaxAge, maxAge, revocationCheck, updateAge }))
  const policyTimes = inSeconds([
    ["maxAge", "SessionPolicy.maxAge", policy?.maxAge],
    ["updateAge", "SessionPolicy.updateAge", policy?.updateAge]
  ])
  const seconds = { ...sessionTimes.seconds, ...policyTimes.seconds }
  const problems = [...sessionTimes.problems, ...policyTimes.problems]
  // Without a time to replace it is what it was: a value of a wrong type is refused by the rules for the option.
  return { options: laidOver<SessionOptions>(session, seconds), problems }
}

/** The options of session tokens. @internal */
export const plainJwt = (jwt: DoormanJwt | undefined): Plain<JwtOptions> => {
  const { maxAge, secret } = jwt ?? {}
  const { problems, seconds } = inSeconds(durations("jwt", { maxAge }))
  const secrets = secret === undefined ? {} : { secret: revealAll(secret) }
  return { options: laidOver<JwtOptions>(jwt, { ...seconds, ...secrets }), problems }
}

/** The overrides of cookies. @internal */
export const plainCookies = (cookies: DoormanCookies | undefined): Plain<CookieOverrides> => {
  const changes: Record<string, unknown> = {}
  const problems: Array<InvalidConfiguration> = []
  // What is no override is refused by the rules for the option.
  for (const [name, cookie] of Object.entries(isPlainObject(cookies) ? cookies : {})) {
    const options = isPlainObject(cookie) ? cookie["options"] : undefined
    if (!isPlainObject(cookie) || !isPlainObject(options) || typeof options["maxAge"] === "number") continue
    const { maxAge } = options
    const read = inSeconds([["maxAge", `cookies.${name}.options.maxAge`, maxAge]])
    problems.push(...read.problems)
    if (maxAge !== undefined) changes[name] = { ...cookie, options: { ...options, ...read.seconds } }
  }
  return { options: laidOver<CookieOverrides>(cookies, changes), problems }
}

const laidOver = <Options extends object>(options: object | undefined, members: Partial<Options>) =>
  // Every member that differs between the two is among `members`.
  (Object.keys(members).length === 0 ? options : { ...options, ...members }) as Options | undefined
