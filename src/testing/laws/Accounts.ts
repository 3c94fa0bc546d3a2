/**
 * Laws of accounts.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { UserId } from "../../models/Id.ts"
import type { AccountKey } from "../../storage/AdapterShape.ts"
import {
  absent,
  claim,
  finds,
  law,
  type Law,
  oneAmong,
  present,
  race,
  rejects,
  same,
  sameMembers,
  sameSet
} from "./Law.ts"

/** Ids that differ in what a store might overlook. */
const variants = (id: string): ReadonlyArray<string> => [
  `0${id}`,
  `${id} `,
  ` ${id}`,
  `${id}.0`,
  id.toUpperCase(),
  `${id}\u00e9`,
  `${id}e\u0301`,
  `${id}e`,
  id + "z".repeat(255 - id.length),
  `${id + "z".repeat(254 - id.length)}y`
]

const idOf = ({ providerAccountId }: AccountKey): string => providerAccountId

const needs = ["createUser", "linkAccount", "getUserByAccount"] as const

export const accountLaws: ReadonlyArray<Law> = [
  law(
    "an account leads to its user",
    "A linked account finds the user it was linked to, and an unknown one finds no user.",
    needs,
    function* ({ link, pair, store, text }) {
      const [one, other] = yield* pair
      const first = yield* link(one.id)
      const second = yield* link(one.id, { provider: "second" })
      const third = yield* link(other.id)
      yield* finds(store.getUserByAccount(first), one.id, "the user")
      yield* finds(store.getUserByAccount(second), one.id, "the user of the second account")
      yield* finds(store.getUserByAccount(third), other.id, "the other user")
      yield* absent(store.getUserByAccount({ ...first, provider: "second" }), "an id at another provider")
      yield* absent(store.getUserByAccount({ ...first, providerAccountId: text() }), "an unknown id")
    }
  ),
  law(
    "an account is linked once",
    "Linking it again, to any user, fails as a unique violation, and it leads where it led.",
    needs,
    function* ({ link, pair, store }) {
      const [one, other] = yield* pair
      const row = yield* link(one.id)
      yield* rejects(store.linkAccount({ ...row, userId: other.id }), "an account of another user", "unique")
      yield* rejects(store.linkAccount(row), "an account that is linked already", "unique")
      yield* finds(store.getUserByAccount(row), one.id, "the user")
    }
  ),
  law(
    "ids of accounts are compared byte by byte",
    "Zeros, blanks, case and Unicode forms make another account, up to 255 characters.",
    needs,
    function* ({ account, link, pair, store, text }) {
      const [one, other] = yield* pair
      const row = yield* link(one.id, { providerAccountId: `7${text()}` })
      for (const providerAccountId of variants(row.providerAccountId)) {
        const variant = account(other.id, { providerAccountId })
        yield* absent(store.getUserByAccount(variant), `the account ${JSON.stringify(providerAccountId.slice(0, 40))}`)
        yield* store.linkAccount(variant)
        yield* finds(store.getUserByAccount(variant), other.id, "the user of the other account")
      }
      yield* finds(store.getUserByAccount(row), one.id, "the user")
      yield* absent(store.getUserByAccount({ ...row, provider: "LAWS" }), "an account at a provider in another case")
    }
  ),
  law(
    "numbers of accounts are compared as text",
    "The ids 1, 01, 1.0 and 1e0 are four accounts.",
    needs,
    function* ({ account, store, stored, text }) {
      const provider = text()
      for (const providerAccountId of ["1", "01", "1.0", "1e0", "+1", "0x1"]) {
        const row = account((yield* stored()).id, { provider, providerAccountId })
        yield* absent(store.getUserByAccount(row), `the account ${providerAccountId}`)
        yield* store.linkAccount(row)
        yield* finds(store.getUserByAccount(row), row.userId, "the user")
      }
    }
  ),
  law(
    "provider and id of an account do not run together",
    "The account c of the provider a:b is not the account b:c of the provider a.",
    needs,
    function* ({ account, link, pair, store, text }) {
      const provider = text()
      const [one, other] = yield* pair
      for (const separator of [":", "/", "|", ",", "\u0001", "-", "_", "."]) {
        const first = yield* link(one.id, { provider: `${provider}${separator}b`, providerAccountId: "c" })
        const second = account(other.id, { provider, providerAccountId: `b${separator}c` })
        yield* absent(store.getUserByAccount(second), `the same text with ${JSON.stringify(separator)} elsewhere`)
        yield* store.linkAccount(second)
        yield* finds(store.getUserByAccount(first), one.id, "the user")
      }
    }
  ),
  law(
    "nothing leads to a user who is not there",
    "An account linked to an unknown user is refused, or leads to no user.",
    needs,
    function* ({ account, store, stored, unknownId }) {
      yield* stored()
      const orphan = account(unknownId())
      yield* Effect.result(store.linkAccount(orphan))
      yield* absent(store.getUserByAccount(orphan), "a user by an account of an unknown user")
    }
  ),
  law(
    "unlinkAccount removes that account only",
    "It leads nowhere, can be linked by another user, and unlinking what is not linked does not fail.",
    [...needs, "unlinkAccount"],
    function* ({ link, pair, store, text }) {
      const [one, other] = yield* pair
      const [gone, stays, theirs] = [yield* link(one.id), yield* link(one.id), yield* link(other.id)]
      for (const key of [gone, gone, { provider: "laws", providerAccountId: text() }]) yield* store.unlinkAccount(key)
      yield* absent(store.getUserByAccount(gone), "the unlinked account")
      yield* present(store.getUserByAccount(stays), "the other account of the user")
      yield* present(store.getUserByAccount(theirs), "the account of the other user")
      yield* store.linkAccount({ ...gone, userId: other.id })
      yield* finds(store.getUserByAccount(gone), other.id, "the next user")
    }
  ),
  law(
    "an account keeps its tokens",
    "Tokens of 8 kB, scope and expires_at come back unchanged; further members may be dropped, not changed.",
    ["createUser", "linkAccount", "getAccount"],
    function* ({ link, store, stored, text }) {
      const long = (start: string) => `${start}.${"A1-_".repeat(2048)}`
      const account = yield* link((yield* stored()).id, {
        access_token: long("access"),
        refresh_token: long("refresh"),
        id_token: long("id"),
        token_type: "bearer",
        scope: "openid e-mail:read https://laws.example/all",
        expires_at: 4_102_444_799,
        session_state: "state"
      })
      const { provider, providerAccountId } = account
      const row = yield* present(store.getAccount(providerAccountId, provider), "the account")
      yield* sameMembers(row, account, [
        "userId",
        "type",
        "provider",
        "providerAccountId",
        "access_token",
        "refresh_token",
        "id_token",
        "token_type",
        "scope",
        "expires_at"
      ])
      const state = row["session_state"]
      yield* claim(state === undefined || state === null || state === "state", "session_state is changed")
      yield* absent(store.getAccount(text(), "laws"), "an unknown account")
      yield* absent(store.getAccount(provider, providerAccountId), "an account with its key the wrong way round")
    }
  ),
  law(
    "updateAccount changes the given tokens",
    "Members that are left out stay, null removes one, and an unknown account is answered with false.",
    ["createUser", "linkAccount", "getAccount", "updateAccount"],
    function* ({ link, store, stored, text }) {
      const { id } = yield* stored()
      const tokens = { access_token: "access-1", refresh_token: "refresh-1", scope: "a b", expires_at: 1_900_000_000 }
      const [{ provider, providerAccountId }, other] = [yield* link(id, tokens), yield* link(id, tokens)]
      const change = { provider, providerAccountId, access_token: "access-2", expires_at: null }
      yield* same(yield* store.updateAccount(change), true, "the answer")
      const row = yield* present(store.getAccount(providerAccountId, provider), "the account")
      yield* sameMembers(row, { ...tokens, userId: id, access_token: "access-2" }, [
        "access_token",
        "refresh_token",
        "scope",
        "userId"
      ])
      yield* same(row.expires_at ?? undefined, undefined, "expires_at")
      const otherRow = yield* present(store.getAccount(other.providerAccountId, provider), "the other account")
      yield* same(otherRow.access_token, "access-1", "access_token of the other account")
      const unknown = { ...change, providerAccountId: text() }
      yield* same(yield* store.updateAccount(unknown), false, "the answer for an unknown account")
      yield* absent(store.getAccount(unknown.providerAccountId, provider), "the unknown account")
    }
  ),
  law(
    "updateAccount compares the refresh token",
    "With another one, or none, than the account has, nothing changes; of many callers with it, one changes it.",
    ["createUser", "linkAccount", "getAccount", "updateAccount"],
    function* ({ link, store, stored }) {
      const tokens = { access_token: "access-1", refresh_token: "refresh-1" }
      const { provider, providerAccountId } = yield* link((yield* stored()).id, tokens)
      const read = present(store.getAccount(providerAccountId, provider), "the account")
      const key = { provider, providerAccountId }
      for (const refresh_token of ["refresh-0", "REFRESH-1", undefined]) {
        const result = yield* store.updateAccount({ ...key, access_token: "stolen" }, { refresh_token })
        yield* same(result, false, "the answer for another refresh token")
      }
      yield* same((yield* read).access_token, "access-1", "access_token")
      const exits = yield* race((number) =>
        store.updateAccount(
          { ...key, access_token: `access-${number}`, refresh_token: `refresh-${number}0` },
          { refresh_token: "refresh-1" }
        )
      )
      yield* oneAmong(exits, (isChanged) => isChanged, "change the account")
      const { access_token, refresh_token } = yield* read
      yield* same(`${access_token?.slice(7)}0`, refresh_token?.slice(8), "the pair of tokens")
      yield* store.updateAccount({ ...key, refresh_token: null })
      const again = { ...key, access_token: "access-10" }
      yield* same(yield* store.updateAccount(again, { refresh_token: undefined }), true, "the answer for none")
      yield* same((yield* read).access_token, "access-10", "access_token at the end")
    }
  ),
  law(
    "listAccounts answers the accounts of the user",
    "All of theirs, none of others, and an empty list for an unknown user.",
    ["createUser", "linkAccount", "unlinkAccount", "listAccounts"],
    function* ({ link, pair, store, unknownId }) {
      const [one, other] = yield* pair
      const mine = [yield* link(one.id), yield* link(one.id), yield* link(one.id)]
      const theirs = [yield* link(other.id)]
      const listed = (userId: UserId, expected: ReadonlyArray<AccountKey>, what: string) =>
        Effect.flatMap(store.listAccounts(userId), (rows) => sameSet(rows.map(idOf), expected.map(idOf), what))
      yield* listed(one.id, mine, "the list")
      for (const each of mine) yield* store.unlinkAccount(each)
      yield* listed(one.id, [], "the list after unlinking")
      yield* listed(other.id, theirs, "the other list")
      yield* listed(unknownId(), [], "the list of an unknown user")
    }
  )
]
