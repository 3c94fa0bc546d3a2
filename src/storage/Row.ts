/**
 * Reads the rows that an Auth.js adapter answers.
 *
 * Stores differ in how they write the same value: a date as an object, as text or as milliseconds, a number as text because
 * it may be large, a truth as 1. Rows leave here in one form, with the further members that they had; what cannot be read
 * is `undefined`. Everything may be a getter that throws, so the caller expects that.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { memberOf } from "../internal/OwnMembers.ts"
import type { AdapterAccount, AdapterAuthenticator, AdapterSession, AdapterUser, VerificationToken } from "../Models.ts"
import { isSessionId, type ListedSession } from "./ListedSession.ts"

type Row = Record<string, unknown>

const isRow = (value: unknown): value is Row => typeof value === "object" && value !== null && !Array.isArray(value)

/** Does the answer say that there is nothing? @internal */
export const isNothing = (answer: unknown): boolean => answer === undefined || answer === null || answer === false

/**
 * Ids of users, which are text here and may be numbers in the store. The store's own kind is learned from its rows.
 *
 * @internal
 */
export interface Ids {
  /** The id of a row as text. */
  readonly shown: (id: unknown) => string | undefined
  /** Can a user of this store have the id? */
  readonly possible: (id: string) => boolean
  /** An id as the store wants it. */
  readonly given: (id: string) => string | number | bigint
  /** The id as a number, while no row has told which kind the store's are. */
  readonly asNumber: (id: string) => number | undefined
}

const whole = /^(?:0|-?[1-9]\d{0,18})$/

/** Is the number exact here? Larger ones are text, or of the kind bigint. */
const isInside = (id: string, kind: "number" | "bigint"): boolean =>
  kind === "bigint" || Number.isSafeInteger(Number(id))

/** @internal */
export const makeIds = (): Ids => {
  const seen: { kind: "text" | "number" | "bigint"; any: boolean } = { kind: "text", any: false }
  return {
    shown: (id) => {
      seen.any = true
      if (typeof id === "bigint" || (typeof id === "number" && Number.isSafeInteger(id))) {
        seen.kind = typeof id === "bigint" ? "bigint" : "number"
        return String(id)
      }
      return typeof id === "string" && id !== "" ? id : undefined
    },
    possible: (id) => seen.kind === "text" || (whole.test(id) && isInside(id, seen.kind)),
    given: (id) => {
      if (seen.kind === "text" || !whole.test(id) || !isInside(id, seen.kind)) return id
      return seen.kind === "bigint" ? BigInt(id) : Number(id)
    },
    asNumber: (id) => (!seen.any && whole.test(id) && isInside(id, "number") ? Number(id) : undefined)
  }
}

/** Date and time (ISO 8601, RFC 3339), with a blank for the T and without a zone as SQLite writes it, which means UTC. */
const moment = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)\s?(Z|[+-]\d\d(?::?\d\d)?)?$/
const zone = /^([+-]\d\d):?(\d\d)?$/

const millisecondsOf = (value: unknown): number => {
  if (Object.prototype.toString.call(value) === "[object Date]") return Number(value)
  if (typeof value === "number" || typeof value === "bigint") return Number(value)
  if (typeof value !== "string") return Number.NaN
  if (whole.test(value)) return Number(value)
  const parts = moment.exec(value)
  if (parts === null) return Number.NaN
  const [, day, time, offset = "Z"] = parts
  return Date.parse(
    `${day}T${time}${offset.replace(zone, (_, hours: string, minutes = "00") => `${hours}:${minutes}`)}`
  )
}

/** @internal */
export const toDate = (value: unknown): Date | undefined => {
  const date = new Date(millisecondsOf(value))
  return Number.isNaN(date.getTime()) ? undefined : date
}

/** A number that the store may have written as text. */
const toNumber = (value: unknown): number | undefined => {
  if (typeof value !== "number" && typeof value !== "bigint" && !(typeof value === "string" && whole.test(value)))
    return undefined
  const number = Number(value)
  return Number.isFinite(number) ? number : undefined
}

const toTruth = (value: unknown): boolean | undefined => {
  if (typeof value === "boolean") return value
  const number = toNumber(value)
  return number === 0 || number === 1 ? number === 1 : undefined
}

/** A text that reads as a moment is answered as a date by stores that look at the form of values alone. */
const unread = (value: unknown): unknown =>
  Object.prototype.toString.call(value) === "[object Date]" ? toDate(value)?.toISOString() : value

const isText = (value: unknown): value is string => typeof value === "string"
const isOptionalText = (value: unknown): value is string | null | undefined =>
  value === undefined || value === null || typeof value === "string"

/**
 * The further members of a row. An instance of a class that says what it is as plain data, as some mappers answer, has many
 * that are its own affair.
 */
const further = (row: Row): Row => {
  const toJson = memberOf(row, "toJSON")
  const plain: unknown = typeof toJson === "function" ? Reflect.apply(toJson, row, []) : row
  return isRow(plain) ? plain : {}
}

/** Does the answer to a change show the whole user? @internal */
export const isWholeUser = (answer: unknown): boolean =>
  !isRow(answer) ||
  Result.getOrElse(
    Result.try(() => !isNothing(memberOf(answer, "email"))),
    () => true
  )

/** @internal */
export const toUser = (row: unknown, ids: Ids): AdapterUser | undefined => {
  if (!isRow(row)) return undefined
  const id = ids.shown(memberOf(row, "id"))
  const email = memberOf(row, "email") ?? ""
  const proven = memberOf(row, "emailVerified")
  const emailVerified = isNothing(proven) ? null : toDate(proven)
  const name = unread(memberOf(row, "name"))
  const image = memberOf(row, "image")
  if (id === undefined || !isText(email) || emailVerified === undefined) return undefined
  if (!isOptionalText(name) || !isOptionalText(image)) return undefined
  return { ...further(row), id, email, emailVerified, name: name ?? null, image: image ?? null }
}

const accountTypes: ReadonlyArray<AdapterAccount["type"]> = ["oauth", "oidc", "email", "webauthn"]
const isAccountType = (value: unknown): value is AdapterAccount["type"] =>
  accountTypes.some((accountType) => accountType === value)

/** The same members while the value is put together. */
type Writable<A> = { -readonly [Member in keyof A]: A[Member] }

/** Members of the token endpoint's answer that are text (RFC 6749 section 5.1). */
const tokenMembers = ["access_token", "refresh_token", "id_token", "token_type", "scope"] as const
const isLowerCase = (text: string): text is Lowercase<string> => text === text.toLowerCase()

/** @internal */
export const toAccount = (row: unknown, ids: Ids): AdapterAccount | undefined => {
  if (!isRow(row)) return undefined
  const userId = ids.shown(memberOf(row, "userId"))
  const type = memberOf(row, "type")
  const provider = memberOf(row, "provider")
  const providerAccountId = memberOf(row, "providerAccountId")
  if (userId === undefined || !isAccountType(type) || !isText(provider) || !isText(providerAccountId)) return undefined
  const others: Row = { ...further(row) }
  for (const name of [...tokenMembers, "expires_at", "expires_in"]) delete others[name]
  const account: Writable<AdapterAccount> = { ...others, userId, type, provider, providerAccountId }
  for (const name of tokenMembers) {
    const text = memberOf(row, name)
    if (!isOptionalText(text)) return undefined
    if (!isText(text)) continue
    if (name !== "token_type") account[name] = text
    else {
      const lower = text.toLowerCase()
      if (isLowerCase(lower)) account.token_type = lower
    }
  }
  for (const name of ["expires_at", "expires_in"] as const) {
    const seconds = memberOf(row, name)
    if (seconds === undefined || seconds === null) continue
    const number = toNumber(seconds)
    if (number === undefined) return undefined
    account[name] = number
  }
  return account
}

/** @internal */
export const toSession = (row: unknown, ids: Ids, asked?: string): AdapterSession | undefined => {
  if (!isRow(row)) return undefined
  const sessionToken = memberOf(row, "sessionToken") ?? asked
  const userId = ids.shown(memberOf(row, "userId"))
  const expires = toDate(memberOf(row, "expires"))
  return isText(sessionToken) && userId !== undefined && expires !== undefined
    ? { ...further(row), sessionToken, userId, expires }
    : undefined
}

/** A session of a list: its id and end, and nothing else that the store may have told. @internal */
export const toListedSession = (row: unknown): ListedSession | undefined => {
  if (!isRow(row)) return undefined
  const id = memberOf(row, "id")
  const expires = toDate(memberOf(row, "expires"))
  return isText(id) && isSessionId(id) && expires !== undefined ? { id, expires } : undefined
}

/**
 * A session and the user whose it is; `null` when either is missing, as some stores say that there is none. A session that
 * does not repeat its token has the one that was asked for.
 *
 * @internal
 */
export const toSessionAndUser = (
  answer: unknown,
  ids: Ids,
  sessionToken: string
): { readonly session: AdapterSession; readonly user: AdapterUser } | null | undefined => {
  if (!isRow(answer)) return undefined
  if (isNothing(memberOf(answer, "session")) || isNothing(memberOf(answer, "user"))) return null
  const session = toSession(memberOf(answer, "session"), ids, sessionToken)
  const user = toUser(memberOf(answer, "user"), ids)
  return session !== undefined && user !== undefined ? { session, user } : undefined
}

/** @internal */
export const toVerificationToken = (row: unknown): VerificationToken | undefined => {
  if (!isRow(row)) return undefined
  const identifier = memberOf(row, "identifier")
  const token = memberOf(row, "token")
  const expires = toDate(memberOf(row, "expires"))
  return isText(identifier) && isText(token) && expires !== undefined ? { identifier, token, expires } : undefined
}

/** @internal */
export const toAuthenticator = (row: unknown, ids: Ids): AdapterAuthenticator | undefined => {
  if (!isRow(row)) return undefined
  const userId = ids.shown(memberOf(row, "userId"))
  const credentialID = memberOf(row, "credentialID")
  const providerAccountId = memberOf(row, "providerAccountId")
  const credentialPublicKey = memberOf(row, "credentialPublicKey")
  const credentialDeviceType = memberOf(row, "credentialDeviceType")
  const counter = toNumber(memberOf(row, "counter"))
  const credentialBackedUp = toTruth(memberOf(row, "credentialBackedUp"))
  const transports = memberOf(row, "transports")
  if (userId === undefined || counter === undefined || credentialBackedUp === undefined) return undefined
  if (!isText(credentialID) || !isText(providerAccountId) || !isText(credentialPublicKey)) return undefined
  if (!isText(credentialDeviceType) || !isOptionalText(transports)) return undefined
  return {
    ...further(row),
    userId,
    credentialID,
    providerAccountId,
    credentialPublicKey,
    credentialDeviceType,
    counter,
    credentialBackedUp,
    transports: transports ?? null
  }
}

/** A list of rows that all can be read. @internal */
export const toList = <A>(answer: unknown, read: (row: unknown) => A | undefined): ReadonlyArray<A> | undefined => {
  if (isNothing(answer)) return []
  if (!Array.isArray(answer)) return undefined
  const rows: Array<A> = []
  for (const row of answer) {
    const one = read(row)
    if (one === undefined) return undefined
    rows.push(one)
  }
  return rows
}
