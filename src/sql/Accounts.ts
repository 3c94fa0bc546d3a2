/**
 * Accounts in a table, their tokens encrypted where that is asked for.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { AdapterError } from "../Errors.ts"
import type { AdapterAccount } from "../Models.ts"
import type { AccountChange, AccountKey, AccountMethods } from "../storage/AdapterShape.ts"
import {
  type Access,
  all,
  assign,
  type Assignment,
  boundUser,
  fault,
  first,
  holdable,
  insertOwned,
  run,
  selectColumns,
  together
} from "./Access.ts"
import { isStorable, textOf } from "../internal/Text.ts"
import { decodeAccount } from "./Rows.ts"
import { isSealed } from "./TokenCipher.ts"

const secretMembers = ["refresh_token", "access_token", "id_token"] as const
type SecretMember = (typeof secretMembers)[number]

/** The tokens of accounts, encrypted where that is asked for. */
const makeTokens = ({ cipher }: Access) => {
  /** Without a cipher a text that looks sealed is refused: a later read could not distinguish the two. */
  const sealMember = (
    method: keyof AccountMethods,
    account: Pick<AccountChange, keyof AccountKey | SecretMember>,
    member: SecretMember
  ) => {
    const token = account[member]
    if (token === undefined || token === null) return Effect.succeed(token)
    if (cipher !== undefined) return cipher.seal([account.provider, account.providerAccountId, member], token)
    return isSealed(token)
      ? Effect.fail(fault(method, "invalid", `This is no ${member} of a provider`))
      : Effect.succeed(token)
  }

  const openMember = (
    method: keyof AccountMethods,
    row: AdapterAccount,
    member: SecretMember
  ): Effect.Effect<Partial<Record<typeof member, string>>, AdapterError> => {
    const sealedText = row[member]
    if (sealedText === undefined || !isSealed(sealedText)) return Effect.succeed({})
    const token =
      cipher === undefined ? Effect.succeedNone : cipher.open([row.provider, row.providerAccountId, member], sealedText)
    return Effect.flatMap(
      token,
      Option.match({
        onNone: () => Effect.fail(fault(method, "invalid", `No secret of encryptTokens opens ${member}`)),
        onSome: (text) => Effect.succeed({ [member]: text })
      })
    )
  }

  const openTokens = Effect.fnUntraced(function* (method: keyof AccountMethods, row: AdapterAccount) {
    const tokens = yield* Effect.forEach(secretMembers, (member) => openMember(method, row, member))
    return tokens.reduce<AdapterAccount>((account, token) => ({ ...account, ...token }), row)
  })

  return { sealMember, openTokens }
}

type Tokens = ReturnType<typeof makeTokens>

/** The condition that names an account. */
const makeIs =
  ({ names, sql }: Access) =>
  (provider: string, providerAccountId: string) =>
    sql`${sql(names.columns.accounts.provider)} = ${provider} AND ${sql(names.columns.accounts.providerAccountId)} = ${providerAccountId}`

const makeLink = (access: Access, { sealMember }: Tokens) => {
  const { names, newIds, sql } = access
  const { id, ...columns } = names.columns.accounts
  return Effect.fnUntraced(function* (account: AdapterAccount) {
    const newId = yield* newIds.accounts
    const { expires_at, userId } = account
    const assignments: ReadonlyArray<Assignment> = [
      ...(newId === undefined ? [] : [[id, newId] as const]),
      [columns.type, account.type],
      [columns.provider, account.provider],
      [columns.providerAccountId, account.providerAccountId],
      [columns.refresh_token, yield* sealMember("linkAccount", account, "refresh_token")],
      [columns.access_token, yield* sealMember("linkAccount", account, "access_token")],
      [columns.id_token, yield* sealMember("linkAccount", account, "id_token")],
      [columns.expires_at, expires_at === undefined ? undefined : Math.trunc(expires_at)],
      [columns.scope, account.scope],
      [columns.session_state, textOf(account["session_state"])],
      [columns.token_type, account.token_type]
    ]
    yield* insertOwned(access, "linkAccount", "accounts", {
      userId,
      assignments,
      returning: sql.literal("1 AS linked"),
      taken: "The account is linked already"
    })
  })
}

const makeUpdate = (access: Access, { sealMember }: Tokens) => {
  const { cipher, names, sql } = access
  const columns = names.columns.accounts
  const table = sql(names.tables.accounts)
  const is = makeIs(access)

  /**
   * The condition that an account has this refresh token. Sealed, a token looks different each time: the row is read, and what is
   * compared is its text. `undefined` where it has another token.
   */
  const hasToken = Effect.fnUntraced(function* (key: AccountKey, token: string | undefined) {
    const column = sql(columns.refresh_token)
    if (token === undefined) return sql`${column} IS NULL`
    if (cipher === undefined) return sql`${column} = ${token}`
    const [row] = yield* run(
      "updateAccount",
      sql`SELECT ${column} AS stored FROM ${table} WHERE ${is(key.provider, key.providerAccountId)}`
    )
    const sealedText = row?.["stored"]
    if (typeof sealedText !== "string") return undefined
    const clear = isSealed(sealedText)
      ? yield* cipher.open([key.provider, key.providerAccountId, "refresh_token"], sealedText)
      : Option.some(sealedText)
    return Option.contains(clear, token) ? sql`${column} = ${sealedText}` : undefined
  })

  return Effect.fnUntraced(function* (change: AccountChange, before?: { readonly refresh_token: string | undefined }) {
    const { expires_at, provider, providerAccountId, scope, token_type } = change
    if (!isStorable(provider) || !isStorable(providerAccountId)) return false
    const condition = before === undefined ? sql`1 = 1` : yield* hasToken(change, before.refresh_token)
    if (condition === undefined) return false
    const method = "updateAccount"
    const values = yield* holdable(method, [
      [columns.refresh_token, yield* sealMember(method, change, "refresh_token")],
      [columns.access_token, yield* sealMember(method, change, "access_token")],
      [columns.id_token, yield* sealMember(method, change, "id_token")],
      [columns.expires_at, typeof expires_at === "number" ? Math.trunc(expires_at) : expires_at],
      [columns.scope, scope],
      [columns.token_type, token_type]
    ])
    const given = values.filter(([, value]) => value !== undefined)
    // An account whose tokens stay is looked for by writing what names it.
    const assignments = given.length === 0 ? [[columns.provider, provider] as const] : given
    const rows = yield* run(
      method,
      sql`UPDATE ${table} SET ${assign(sql, assignments)}
        WHERE ${is(provider, providerAccountId)} AND ${condition} RETURNING 1 AS changed`
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
export const make = (access: Access): AccountMethods => {
  const { names, sql } = access
  const table = sql(names.tables.accounts)
  const { id: _, ...columns } = names.columns.accounts
  const fields = selectColumns(sql, columns)
  const is = makeIs(access)
  const tokens = makeTokens(access)

  /** An account that is a key takes the key with it: one that stayed could not be registered again. */
  const unlinkRows = (provider: string, providerAccountId: string) => {
    const keys = names.columns.authenticators
    const owner = sql`SELECT ${sql(columns.userId)} FROM ${table}
      WHERE ${is(provider, providerAccountId)} AND ${sql(columns.type)} = ${"webauthn"}`
    return Effect.asVoid(
      Effect.andThen(
        run(
          "unlinkAccount",
          sql`DELETE FROM ${sql(names.tables.authenticators)}
            WHERE ${sql(keys.providerAccountId)} = ${providerAccountId} AND ${sql(keys.userId)} IN (${owner})`
        ),
        run("unlinkAccount", sql`DELETE FROM ${table} WHERE ${is(provider, providerAccountId)}`)
      )
    )
  }

  return {
    linkAccount: makeLink(access, tokens),
    updateAccount: makeUpdate(access, tokens),
    unlinkAccount: ({ provider, providerAccountId }) =>
      isStorable(provider) && isStorable(providerAccountId)
        ? together(access, "unlinkAccount", unlinkRows(provider, providerAccountId))
        : Effect.void,
    getAccount: Effect.fnUntraced(function* (providerAccountId, provider) {
      if (!isStorable(provider) || !isStorable(providerAccountId)) return Option.none<AdapterAccount>()
      const row = yield* first(
        "getAccount",
        decodeAccount,
        sql`SELECT ${fields} FROM ${table} WHERE ${is(provider, providerAccountId)}`
      )
      return yield* Effect.transposeOption(Option.map(row, (found) => tokens.openTokens("getAccount", found)))
    }),
    listAccounts: Effect.fnUntraced(function* (userId) {
      const bound = boundUser(access, userId)
      if (bound === undefined) return []
      const rows = yield* all(
        "listAccounts",
        decodeAccount,
        sql`SELECT ${fields} FROM ${table} WHERE ${sql(columns.userId)} = ${bound}`
      )
      return yield* Effect.forEach(rows, (row) => tokens.openTokens("listAccounts", row))
    })
  }
}
