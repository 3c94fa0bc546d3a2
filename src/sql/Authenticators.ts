/**
 * WebAuthn credentials in a table.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Authenticator } from "../Models.ts"
import type { AuthenticatorMethods } from "../storage/AdapterShape.ts"
import {
  type Access,
  all,
  assign,
  type Assignment,
  boundUser,
  decodeRow,
  fault,
  first,
  holdable,
  insertOwned,
  run,
  selectColumns
} from "./Access.ts"
import { detailAssignments, isDetail, selectedDetails } from "./Details.ts"
import { isStorable } from "../internal/Text.ts"
import { decodeAuthenticator } from "./Rows.ts"

type Methods = Omit<AuthenticatorMethods, "describeAuthenticator"> &
  Partial<Pick<AuthenticatorMethods, "describeAuthenticator">>

const assignmentsOf = ({ hasKeyDetails, names }: Access, authenticator: Authenticator): ReadonlyArray<Assignment> => {
  const columns = names.columns.authenticators
  return [
    [columns.credentialID, authenticator.credentialID],
    [columns.providerAccountId, authenticator.providerAccountId],
    [columns.credentialPublicKey, authenticator.credentialPublicKey],
    [columns.counter, authenticator.counter],
    [columns.credentialDeviceType, authenticator.credentialDeviceType],
    [columns.credentialBackedUp, authenticator.credentialBackedUp],
    [columns.transports, authenticator.transports],
    ...(hasKeyDetails ? detailAssignments(names, "authenticators", authenticator) : [])
  ]
}

/** The method for what only tables with these columns have: the label of a credential and its last use. */
const makeDescribe = ({ names, sql }: Access): AuthenticatorMethods["describeAuthenticator"] => {
  const { credentialID } = names.columns.authenticators
  return Effect.fnUntraced(function* (id, change) {
    const assignments = yield* holdable(
      "describeAuthenticator",
      detailAssignments(names, "authenticators", { label: change.label, lastUsedAt: change.lastUsedAt })
    )
    if (!isStorable(id) || assignments.length === 0) return false
    const rows = yield* run(
      "describeAuthenticator",
      sql`UPDATE ${sql(names.tables.authenticators)} SET ${assign(sql, assignments)} WHERE ${sql(credentialID)} = ${id} RETURNING 1 AS changed`
    )
    return rows.length > 0
  })
}

/**
 * The methods.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (access: Access): Methods => {
  const { names, sql } = access
  const columns = names.columns.authenticators
  const table = sql(names.tables.authenticators)
  const details = access.hasKeyDetails ? selectedDetails(sql, names, "authenticators") : sql.literal("")
  const ownColumns = Object.fromEntries(
    Object.entries(columns).filter(([member]) => !isDetail("authenticators", member))
  )
  const fields = sql`${selectColumns(sql, ownColumns)}${details}`
  const credential = sql(columns.credentialID)
  const counterColumn = sql(columns.counter)

  return {
    ...(access.hasKeyDetails ? { describeAuthenticator: makeDescribe(access) } : {}),
    getAuthenticator: (credentialID) =>
      isStorable(credentialID)
        ? first(
            "getAuthenticator",
            decodeAuthenticator,
            sql`SELECT ${fields} FROM ${table} WHERE ${credential} = ${credentialID}`
          )
        : Effect.succeedNone,
    createAuthenticator: Effect.fnUntraced(function* (authenticator) {
      const row = yield* insertOwned(access, "createAuthenticator", "authenticators", {
        userId: authenticator.userId,
        assignments: assignmentsOf(access, authenticator),
        returning: fields,
        taken: "The credential is registered already"
      })
      return yield* decodeRow("createAuthenticator", decodeAuthenticator, row)
    }),
    listAuthenticatorsByUserId: (userId) => {
      const bound = boundUser(access, userId)
      return bound === undefined
        ? Effect.succeed([])
        : all(
            "listAuthenticatorsByUserId",
            decodeAuthenticator,
            sql`SELECT ${fields} FROM ${table} WHERE ${sql(columns.userId)} = ${bound}`
          )
    },
    updateAuthenticatorCounter: Effect.fnUntraced(function* (credentialID, counter) {
      if (!isStorable(credentialID))
        return yield* fault("updateAuthenticatorCounter", "missing", "There is no such credential")
      yield* holdable("updateAuthenticatorCounter", [[columns.counter, counter]])
      // A credential that does not count stays at zero; every other one has to grow (WebAuthn section 6.1.1).
      const grown = counter === 0 ? sql`${counterColumn} = 0` : sql`${counterColumn} < ${counter}`
      const row = yield* first(
        "updateAuthenticatorCounter",
        decodeAuthenticator,
        sql`UPDATE ${table} SET ${counterColumn} = ${counter}
          WHERE ${credential} = ${credentialID} AND ${grown} RETURNING ${fields}`
      )
      if (Option.isSome(row)) return row.value
      const present = yield* run(
        "updateAuthenticatorCounter",
        sql`SELECT 1 AS found FROM ${table} WHERE ${credential} = ${credentialID}`
      )
      return yield* present.length > 0
        ? fault("updateAuthenticatorCounter", "stale", "The counter has not grown")
        : fault("updateAuthenticatorCounter", "missing", "There is no such credential")
    })
  }
}
