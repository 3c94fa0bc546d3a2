/**
 * Users in tables.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { AdapterError } from "../Errors.ts"
import type { AdapterUser } from "../Models.ts"
import type { UserMethods } from "../storage/AdapterShape.ts"
import {
  type Access,
  assign,
  type Assignment,
  boundUser,
  fault,
  first,
  holdable,
  insert,
  run,
  together,
  userColumns
} from "./Access.ts"
import { isStorable } from "../internal/Text.ts"
import { decodeUser } from "./Rows.ts"

/** The members of a user that have a column. */
const assignmentsOf = (
  { furtherColumns, names: { columns } }: Access,
  user: Readonly<Record<string, unknown>>
): ReadonlyArray<Assignment> => {
  const assignment = (column: string, member: string, value = user[member]): ReadonlyArray<Assignment> =>
    value === undefined ? [] : [[column, value]]
  return [
    ...assignment(columns.users.name, "name"),
    ...assignment(columns.users.email, "email", user["email"] === "" ? null : user["email"]),
    ...assignment(columns.users.emailVerified, "emailVerified"),
    ...assignment(columns.users.image, "image"),
    ...furtherColumns.flatMap((column) => (isScalar(user[column]) ? assignment(column, column) : []))
  ]
}

const isScalar = (value: unknown): boolean =>
  value === null || value instanceof Date || ["string", "number", "boolean"].includes(typeof value)

/** Deletes a user, and before that the rows of other tables that name the user. */
const deleteRows = (access: Access, user: string | number): Effect.Effect<void, AdapterError> => {
  const { names, sql } = access
  const { columns, tables } = names
  const statements = [
    ...(["sessions", "authenticators", "accounts"] as const).map(
      (name) => sql`DELETE FROM ${sql(tables[name])} WHERE ${sql(columns[name].userId)} = ${user}`
    ),
    sql`DELETE FROM ${sql(tables.users)} WHERE ${sql(columns.users.id)} = ${user}`
  ]
  const program = Effect.forEach(statements, (statement) => run("deleteUser", statement), { discard: true })
  return together(access, "deleteUser", program)
}

/**
 * The methods.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (access: Access): UserMethods => {
  const { names, newIds, sql } = access
  const { columns, tables } = names
  const table = sql(tables.users)
  const id = sql(columns.users.id)
  const email = sql(columns.users.email)
  const fields = userColumns(access)
  const fieldsOfU = userColumns(access, "u")

  const one = (method: keyof UserMethods, statement: Parameters<typeof first>[2]) =>
    first(method, decodeUser, statement)

  const getUser = (
    method: keyof UserMethods,
    userId: string
  ): Effect.Effect<Option.Option<AdapterUser>, AdapterError> => {
    const bound = boundUser(access, userId)
    return bound === undefined
      ? Effect.succeedNone
      : one(method, sql`SELECT ${fields} FROM ${table} WHERE ${id} = ${bound}`)
  }

  const createUser: UserMethods["createUser"] = Effect.fnUntraced(function* (user) {
    const newId = yield* newIds.users
    const assignments = yield* holdable("createUser", [
      ...(newId === undefined ? [] : [[columns.users.id, newId] as const]),
      ...assignmentsOf(access, user)
    ])
    const row = yield* one("createUser", sql`${insert(sql, tables.users, assignments)} RETURNING ${fields}`)
    return yield* Option.match(row, {
      onNone: () => Effect.fail(fault("createUser", "unique", "There is a user with this address")),
      onSome: Effect.succeed
    })
  })

  const updateUser: UserMethods["updateUser"] = Effect.fnUntraced(function* (change) {
    const assignments = yield* holdable("updateUser", assignmentsOf(access, change))
    const bound = boundUser(access, change.id)
    if (bound === undefined) return yield* fault("updateUser", "missing", "There is no such user")
    const free =
      change.email === undefined || change.email === null || change.email === ""
        ? sql`1 = 1`
        : sql`NOT EXISTS (SELECT 1 FROM ${table} WHERE ${email} = ${change.email} AND ${id} <> ${bound})`
    const row =
      assignments.length === 0
        ? Option.none()
        : yield* one(
            "updateUser",
            sql`UPDATE ${table} SET ${assign(sql, assignments)} WHERE ${id} = ${bound} AND ${free} RETURNING ${fields}`
          )
    if (Option.isSome(row)) return row.value
    const present = yield* getUser("updateUser", change.id)
    if (Option.isNone(present)) return yield* fault("updateUser", "missing", "There is no such user")
    if (assignments.length > 0) return yield* fault("updateUser", "unique", "There is a user with this address")
    return present.value
  })

  return {
    createUser,
    updateUser,
    getUser: (userId) => getUser("getUser", userId),
    getUserByEmail: (address) =>
      address !== "" && isStorable(address)
        ? one("getUserByEmail", sql`SELECT ${fields} FROM ${table} WHERE ${email} = ${address}`)
        : Effect.succeedNone,
    getUserByAccount: ({ provider, providerAccountId }) =>
      isStorable(provider) && isStorable(providerAccountId)
        ? one(
            "getUserByAccount",
            sql`SELECT ${fieldsOfU} FROM ${sql(tables.accounts)} a JOIN ${table} u ON u.${id} = a.${sql(columns.accounts.userId)}
              WHERE a.${sql(columns.accounts.provider)} = ${provider}
                AND a.${sql(columns.accounts.providerAccountId)} = ${providerAccountId}`
          )
        : Effect.succeedNone,
    deleteUser: (userId) => {
      const bound = boundUser(access, userId)
      return bound === undefined ? Effect.void : deleteRows(access, bound)
    }
  }
}
