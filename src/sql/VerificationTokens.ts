/**
 * Links that were sent, and keys that count once.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Fragment } from "effect/sql/Statement"
import type { AdapterShape } from "../storage/AdapterShape.ts"
import { type Access, first, holdable, holds, insert, run, together, toColumn } from "./Access.ts"
import { isStorable } from "../internal/Text.ts"
import { decodeVerificationToken } from "./Rows.ts"
import { digestOf, storedForm } from "./StoredToken.ts"
import { dateAt } from "../internal/DateAt.ts"

type Methods = Pick<AdapterShape, "createVerificationToken" | "useVerificationToken" | "useOnce">

/**
 * The methods.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (access: Access): Methods => {
  const { hashTokens, names, sql } = access
  const { columns, tables } = names
  const table = sql(tables.verificationTokens)
  const { expires, identifier, token: tokenColumn } = columns.verificationTokens
  const usedKeys = sql(tables.usedKeys)

  return {
    createVerificationToken: Effect.fnUntraced(function* (token) {
      const assignments = yield* holdable("createVerificationToken", [
        [identifier, token.identifier],
        [expires, token.expires],
        [tokenColumn, storedForm(token.token, hashTokens)]
      ])
      const isSame = sql`${sql(identifier)} = ${token.identifier} AND ${holds(sql, tokenColumn, token.token)}`
      const put = (condition: Fragment) =>
        run(
          "createVerificationToken",
          sql`${insert(sql, tables.verificationTokens, assignments, condition)} RETURNING 1 AS stored`
        )
      // Earlier links of the address stay. The sweeper removes the expired ones.
      const stored = yield* put(sql`NOT EXISTS (SELECT 1 FROM ${table} WHERE ${isSame})`)
      if (stored.length > 0) return
      // A code that was drawn again is written anew.
      const renew = Effect.andThen(
        run("createVerificationToken", sql`DELETE FROM ${table} WHERE ${isSame}`),
        put(sql`1 = 1`)
      )
      yield* Effect.asVoid(together(access, "createVerificationToken", renew))
    }),
    useVerificationToken: ({ identifier: address, token }) =>
      isStorable(address)
        ? first(
            "useVerificationToken",
            decodeVerificationToken(token),
            sql`DELETE FROM ${table} WHERE ${sql(identifier)} = ${address} AND ${holds(sql, tokenColumn, token)}
              RETURNING ${sql(identifier)} AS "identifier", ${sql(expires)} AS "expires"`
          )
        : Effect.succeedNone,
    useOnce: Effect.fnUntraced(function* (key, until) {
      yield* holdable("useOnce", [["expires", until]])
      const now = toColumn(sql, dateAt(yield* Clock.currentTimeMillis))
      const first = yield* run(
        "useOnce",
        sql`INSERT INTO ${usedKeys} (${sql("key")}, ${sql("expires")}) VALUES (${digestOf(key)}, ${toColumn(sql, until)})
          ON CONFLICT (${sql("key")}) DO UPDATE SET ${sql("expires")} = excluded.${sql("expires")}
          WHERE ${usedKeys}.${sql("expires")} <= ${now} RETURNING 1 AS taken`
      )
      return first.length > 0
    })
  }
}
