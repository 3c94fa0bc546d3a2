/**
 * How and when the user of a session was authenticated.
 *
 * For passwords, links and passkeys the time is that of the sign-in here. For a provider it is `auth_time` of a verified ID token
 * (OpenID Connect Core section 2): a provider may answer for a person whom it authenticated days ago, so without that claim no
 * time is known. The methods are those of RFC 8176 where it has a name for them.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { SessionMark } from "./SessionMark.ts"
import { isLine } from "../internal/Text.ts"
import type { AdapterSession } from "../Models.ts"
import type { AdapterShape } from "../storage/AdapterShape.ts"
import { detailsOf } from "../storage/Details.ts"

/** What is known of an authentication. */
export interface Authentication {
  /** When it happened, in milliseconds since 1970. */
  readonly at: number | undefined
  /** The methods (RFC 8176). */
  readonly amr: ReadonlyArray<string>
  /** The authentication context class (OpenID Connect Core section 2). */
  readonly acr: string | undefined
}

/** Nothing is known. */
export const unknownAuthentication: Authentication = { at: undefined, amr: [], acr: undefined }

/** An authentication at this moment, by these methods. */
export const authenticatedNow = (
  amr: ReadonlyArray<string>,
  acr?: string
): Effect.Effect<Authentication & { readonly at: number }> =>
  Effect.map(Clock.currentTimeMillis, (at) => authenticatedAt(at, amr, acr))

/** An authentication at a time in milliseconds. */
export const authenticatedAt = (
  at: number,
  amr: ReadonlyArray<string>,
  acr?: string
): Authentication & { readonly at: number } => ({ at, amr: amr.filter(isMethod).slice(0, mostMethods), acr })

/** Bounds of what a provider may say: they keep a session cookie small. */
const mostMethods = 16
const longestMethod = 64
const longestContext = 256

/** The names are separated by blanks where a store keeps them. */
const isMethod = (value: unknown): value is string =>
  typeof value === "string" && value !== "" && !value.includes(" ") && isLine(value, longestMethod)

const methodsOf = (amr: unknown): ReadonlyArray<string> =>
  Array.isArray(amr) ? amr.filter(isMethod).slice(0, mostMethods) : []

const contextOf = (acr: unknown): string | undefined =>
  typeof acr === "string" && acr !== "" && isLine(acr, longestContext) ? acr : undefined

/** A time in seconds. A time ahead of the clock of this process counts as now. */
const timeOf = (seconds: unknown, now: number): number | undefined =>
  typeof seconds === "number" && Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds * 1000, now) : undefined

/** What the claims of a verified ID token say, at `now` in milliseconds since 1970. */
export const ofClaims = (claims: Readonly<Record<string, unknown>>, now: number): Authentication => ({
  at: timeOf(claims["auth_time"], now),
  amr: methodsOf(claims["amr"]),
  acr: contextOf(claims["acr"])
})

/** The mark of a session that begins with this authentication. */
export const markedWith = (mark: SessionMark | undefined, { acr, amr, at }: Authentication): SessionMark | undefined =>
  mark === undefined
    ? undefined
    : {
        ...mark,
        ...(at === undefined ? {} : { at: Math.floor(at / 1000) }),
        ...(amr.length === 0 ? {} : { amr }),
        ...(acr === undefined ? {} : { acr })
      }

/** What the mark of a session says. An attacker who knows a retired secret can have made the mark. */
export const ofMark = (mark: SessionMark | undefined, now: number): Authentication =>
  mark === undefined || mark["retired"] === true
    ? unknownAuthentication
    : { at: timeOf(mark["at"], now), amr: methodsOf(mark["amr"]), acr: contextOf(mark["acr"]) }

/** What the row of a session says. A store that keeps no details may have columns of these names for something else. */
export const authenticationOfRow = ({ methods }: AdapterShape, row: AdapterSession): Authentication => {
  if (!methods.has("touchSession")) return unknownAuthentication
  const { acr, amr, authenticatedAt } = detailsOf(row)
  return { at: authenticatedAt?.getTime(), amr: methodsOf(amr?.split(" ")), acr: contextOf(acr) }
}
