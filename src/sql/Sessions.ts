/**
 * Sessions in a table.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { AdapterShape, SessionMethods } from "../storage/AdapterShape.ts"
import { detailsOf, isSessionId, listed, mostListed } from "../storage/Details.ts"
import {
  type Access,
  all,
  boundUser,
  decodeRow,
  fault,
  first,
  holdable,
  holds,
  insertOwned,
  run,
  userColumns,
  toColumn
} from "./Access.ts"
import { detailAssignments, selectedDetails } from "./Details.ts"
import { decodeListedSession, decodeSession, decodeStoredSession, decodeUser } from "./Rows.ts"
import { digestOfSessionId, isClear, isDigest, sessionIdOfStored, storedForm, storedForms } from "./StoredToken.ts"

type Methods = Omit<SessionMethods, "touchSession"> & Partial<Pick<SessionMethods, "touchSession">>

/** The columns that are read with every session; lists read the other details. */
const isRead = (member: string): boolean => ["lastSeenAt", "authenticatedAt", "amr", "acr"].includes(member)

/** Takes the details of a session out of the row of its user. */
const splitDetails = ({
  "doorman.acr": acr,
  "doorman.amr": amr,
  "doorman.authenticatedAt": authenticatedAt,
  "doorman.lastSeenAt": lastSeenAt,
  ...user
}: Readonly<Record<string, unknown>>) => ({ session: detailsOf({ lastSeenAt, authenticatedAt, amr, acr }), user })

/** A row of a session. */
const sessionFieldsOf = ({ names, sql }: Access) => {
  const { expires, userId } = names.columns.sessions
  return sql`${sql(userId)} AS "userId", ${sql(expires)} AS "expires"`
}

const makeCreate = (access: Access): Methods["createSession"] => {
  const { hashTokens, hasSessionDetails, names, newIds } = access
  const { expires, id, sessionToken: tokenColumn } = names.columns.sessions
  const returning = sessionFieldsOf(access)

  return Effect.fnUntraced(function* (session) {
    const { sessionToken, userId } = session
    if (isDigest(sessionToken)) return yield* fault("createSession", "invalid", "This is no session token")
    const newId = yield* newIds.sessions
    const row = yield* insertOwned(access, "createSession", "sessions", {
      userId,
      assignments: [
        ...(newId === undefined ? [] : [[id, newId] as const]),
        [expires, session.expires],
        [tokenColumn, storedForm(sessionToken, hashTokens)],
        ...(hasSessionDetails ? detailAssignments(names, "sessions", session) : [])
      ],
      returning,
      taken: "The token is in use"
    })
    return yield* decodeRow("createSession", decodeSession(sessionToken), row)
  })
}

/** The sessions of a user: listed, and ended by their ids. */
const makeListed = (access: Access): Pick<Methods, "endSession" | "listSessions"> => {
  const { hasSessionDetails, names, sql } = access
  const { expires, sessionToken: tokenColumn, userId: userColumn } = names.columns.sessions
  const table = sql(names.tables.sessions)
  const listDetails = hasSessionDetails ? selectedDetails(sql, names, "sessions") : sql.literal("")

  /** At most so many rows of a user, those that end last. What has ended is left out later, by the clock of this process. */
  const lastToEnd = sql`ORDER BY ${sql(expires)} DESC LIMIT ${mostListed}`
  const token = sql`${sql(tokenColumn)} AS "sessionToken"`

  const listSessions: Methods["listSessions"] = Effect.fnUntraced(function* (userId) {
    const bound = boundUser(access, userId)
    if (bound === undefined) return []
    const rows = yield* all(
      "listSessions",
      decodeListedSession,
      sql`SELECT ${token}, ${sql(expires)} AS "expires"${listDetails} FROM ${table}
        WHERE ${sql(userColumn)} = ${bound} ${lastToEnd}`
    )
    const sessions = rows.flatMap((row) => {
      const id = sessionIdOfStored(row.sessionToken)
      return id === undefined ? [] : [{ id, expires: row.expires, ...(hasSessionDetails ? detailsOf(row) : {}) }]
    })
    return listed(sessions, yield* Clock.currentTimeMillis)
  })

  /** One statement where tokens are hashed; those in clear are looked through, as many as are listed. */
  const endSession: Methods["endSession"] = Effect.fnUntraced(function* (userId, sessionId) {
    const bound = boundUser(access, userId)
    if (bound === undefined || !isSessionId(sessionId)) return false
    const theirs = sql`${sql(userColumn)} = ${bound}`
    const end = (stored: string) =>
      Effect.map(
        run(
          "endSession",
          sql`DELETE FROM ${table} WHERE ${theirs} AND ${sql(tokenColumn)} = ${stored} RETURNING 1 AS ended`
        ),
        (ended) => ended.length > 0
      )
    if (yield* end(digestOfSessionId(sessionId))) return true
    const rows = yield* all(
      "endSession",
      decodeStoredSession,
      sql`SELECT ${token} FROM ${table} WHERE ${theirs} AND ${isClear(sql, tokenColumn)} ${lastToEnd}`
    )
    const row = rows.find(({ sessionToken }) => sessionIdOfStored(sessionToken) === sessionId)
    return row !== undefined && (yield* end(row.sessionToken))
  })

  return { endSession, listSessions }
}

/**
 * The methods.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (access: Access): Methods => {
  const { hasSessionDetails, names, sql } = access
  const { columns, tables } = names
  const { expires, sessionToken: tokenColumn, userId: userColumn } = columns.sessions
  const table = sql(tables.sessions)
  const fields = sessionFieldsOf(access)
  const users = userColumns(access, "u")
  /** Names that no column of users has. */
  const readDetails = hasSessionDetails
    ? selectedDetails(sql, names, "sessions", { of: isRead, prefix: "s.", under: "doorman." })
    : sql.literal("")
  const sessionFields = sql`s.${sql(userColumn)} AS "doorman.userId", s.${sql(expires)} AS "doorman.expires"${readDetails}`

  const touchSession: AdapterShape["touchSession"] = Effect.fnUntraced(function* (sessionToken, lastSeenAt) {
    const seen = sql(columns.sessions.lastSeenAt)
    yield* holdable("touchSession", [[columns.sessions.lastSeenAt, lastSeenAt]])
    yield* run(
      "touchSession",
      sql`UPDATE ${table} SET ${seen} = ${toColumn(sql, lastSeenAt)} WHERE ${holds(sql, tokenColumn, sessionToken)}`
    )
  })

  return {
    createSession: makeCreate(access),
    ...makeListed(access),
    getSessionAndUser: Effect.fnUntraced(function* (sessionToken) {
      const [row] = yield* run(
        "getSessionAndUser",
        sql`SELECT ${users}, ${sessionFields} FROM ${table} s
          JOIN ${sql(tables.users)} u ON u.${sql(columns.users.id)} = s.${sql(userColumn)}
          WHERE s.${holds(sql, tokenColumn, sessionToken)}`
      )
      if (row === undefined) return Option.none()
      const { "doorman.expires": sessionExpires, "doorman.userId": owner, ...rest } = row
      const { session: known, user } = hasSessionDetails ? splitDetails(rest) : { session: {}, user: rest }
      const session = { ...known, userId: owner, expires: sessionExpires }
      return Option.some({
        session: yield* decodeRow("getSessionAndUser", decodeSession(sessionToken), session),
        user: yield* decodeRow("getSessionAndUser", decodeUser, user)
      })
    }),
    updateSession: Effect.fnUntraced(function* (change) {
      yield* holdable("updateSession", [[expires, change.expires]])
      return yield* first(
        "updateSession",
        decodeSession(change.sessionToken),
        sql`UPDATE ${table} SET ${sql(expires)} = ${toColumn(sql, change.expires)}
          WHERE ${holds(sql, tokenColumn, change.sessionToken)} RETURNING ${fields}`
      )
    }),
    deleteSession: (sessionToken) =>
      first(
        "deleteSession",
        decodeSession(sessionToken),
        sql`DELETE FROM ${table} WHERE ${holds(sql, tokenColumn, sessionToken)} RETURNING ${fields}`
      ),
    ...(hasSessionDetails ? { touchSession } : {}),
    deleteSessions: (userId, except) => {
      const bound = boundUser(access, userId)
      if (bound === undefined) return Effect.void
      const [digest, plain] = storedForms(except ?? "")
      const others = except === undefined ? sql`1 = 1` : sql`${sql(tokenColumn)} NOT IN (${digest}, ${plain})`
      return Effect.asVoid(
        run("deleteSessions", sql`DELETE FROM ${table} WHERE ${sql(userColumn)} = ${bound} AND ${others}`)
      )
    }
  }
}
