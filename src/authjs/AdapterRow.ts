/**
 * Reads the rows that an Auth.js adapter answers.
 *
 * The members of a row are looked up in the row and in its class, then decoded by the Schemas of `models/Stored.ts`; what
 * cannot be decoded is `undefined`. Everything may be a getter that throws, so the caller expects that.
 *
 * @since 0.1.0
 */
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { memberOf } from "../internal/OwnProperty.ts"
import { asUserId, isUserId, SessionId, UserId } from "../models/Id.ts"
import * as Stored from "../models/Stored.ts"
import type { AdapterAccount, AdapterAuthenticator, AdapterSession, AdapterUser, VerificationToken } from "../Models.ts"
import { detailNames, detailsOf, type ListedSession } from "../storage/Details.ts"

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
  readonly shown: (id: unknown) => UserId | undefined
  /** Can a user of this store have the id? */
  readonly possible: (id: string) => boolean
  /** An id as the store wants it. */
  readonly given: (id: string) => string | number | bigint
  /** The id as a number, until a row has shown which kind of ids the store has. */
  readonly asNumber: (id: string) => number | undefined
}

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
        return asUserId(String(id))
      }
      return isUserId(id) ? id : undefined
    },
    possible: (id) => seen.kind === "text" || (Stored.whole.test(id) && isInside(id, seen.kind)),
    given: (id) => {
      if (seen.kind === "text" || !Stored.whole.test(id) || !isInside(id, seen.kind)) return id
      return seen.kind === "bigint" ? BigInt(id) : Number(id)
    },
    asNumber: (id) => (!seen.any && Stored.whole.test(id) && isInside(id, "number") ? Number(id) : undefined)
  }
}

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

// The members that are known, with ids that `Ids` has read: further members pass as they are, so none is decoded.
const decodeUser = Schema.decodeUnknownOption(Schema.Struct({ ...Stored.AdapterUser.schema.fields, id: UserId }))
const decodeAccount = Schema.decodeUnknownOption(Stored.AdapterAccount)
const decodeSession = Schema.decodeUnknownOption(
  Schema.Struct({ ...Stored.AdapterSession.schema.fields, userId: UserId })
)
const decodeListedSession = Schema.decodeUnknownOption(Schema.Struct({ id: SessionId, expires: Stored.Time }))
const decodeAuthenticator = Schema.decodeUnknownOption(Stored.AdapterAuthenticator)
const decodeVerificationToken = Schema.decodeUnknownOption(Stored.VerificationToken)

/** Members of a row, of its class included. */
const membersOf = (row: Row, names: ReadonlyArray<string>): Row =>
  Object.fromEntries(names.map((name) => [name, memberOf(row, name)]))

/** @internal */
export const toUser = (row: unknown, ids: Ids): AdapterUser | undefined => {
  if (!isRow(row)) return undefined
  const { id, ...members } = membersOf(row, ["id", "email", "emailVerified", "name", "image"])
  const user = Option.getOrUndefined(decodeUser({ ...members, id: ids.shown(id) }))
  return user && { ...further(row), ...user }
}

/** Members of the token endpoint's answer (RFC 6749 section 5.1). */
const tokenMembers = ["access_token", "refresh_token", "id_token", "token_type", "scope", "expires_at", "expires_in"]

/** @internal */
export const toAccount = (row: unknown, ids: Ids): AdapterAccount | undefined => {
  if (!isRow(row)) return undefined
  const { userId, ...members } = membersOf(row, ["userId", "type", "provider", "providerAccountId"])
  const account: Row = { ...further(row), ...members, userId: ids.shown(userId) }
  for (const name of tokenMembers) {
    const token = memberOf(row, name) ?? undefined
    if (token === undefined) delete account[name]
    else account[name] = token
  }
  return Option.getOrUndefined(decodeAccount(account))
}

/** @internal */
export const toSession = (row: unknown, ids: Ids, asked?: string): AdapterSession | undefined => {
  if (!isRow(row)) return undefined
  const { expires, sessionToken, userId } = membersOf(row, ["sessionToken", "userId", "expires"])
  const session = Option.getOrUndefined(
    decodeSession({ sessionToken: sessionToken ?? asked, userId: ids.shown(userId), expires })
  )
  return session && { ...further(row), ...session }
}

/** A session of a list: its id, its end and its details, without any other column that the store returned. @internal */
export const toListedSession = (row: unknown): ListedSession | undefined => {
  if (!isRow(row)) return undefined
  const session = Option.getOrUndefined(decodeListedSession(membersOf(row, ["id", "expires"])))
  return session && { ...session, ...detailsOf(membersOf(row, detailNames)) }
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
export const toVerificationToken = (row: unknown): VerificationToken | undefined =>
  isRow(row)
    ? Option.getOrUndefined(decodeVerificationToken(membersOf(row, ["identifier", "token", "expires"])))
    : undefined

/** @internal */
export const toAuthenticator = (row: unknown, ids: Ids): AdapterAuthenticator | undefined => {
  if (!isRow(row)) return undefined
  const { userId, ...members } = membersOf(row, [
    "userId",
    "credentialID",
    "providerAccountId",
    "credentialPublicKey",
    "counter",
    "credentialDeviceType",
    "credentialBackedUp",
    "transports"
  ])
  return Option.getOrUndefined(decodeAuthenticator({ ...further(row), ...members, userId: ids.shown(userId) }))
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
