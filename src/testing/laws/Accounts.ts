/**
 * Laws of accounts.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { absent, claim, present, law, type Law, rejects, same } from "./Law.ts"

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

export const accountLaws: ReadonlyArray<Law> = [
  law({
    name: "an account leads to its user",
    demands: "A linked account finds the user it was linked to, and an unknown one finds no user.",
    needs: ["createUser", "linkAccount", "getUserByAccount"],
    check: ({ account, store, stored, text }) =>
      Effect.gen(function* () {
        const [one, other] = [yield* stored(), yield* stored()]
        const [first, second, third] = [account(one.id), account(one.id, { provider: "second" }), account(other.id)]
        for (const each of [first, second, third]) yield* store.linkAccount(each)
        yield* same((yield* present(store.getUserByAccount(first), "the user")).id, one.id, "the user")
        yield* same(
          (yield* present(store.getUserByAccount(second), "the user")).id,
          one.id,
          "the user of the second account"
        )
        yield* same((yield* present(store.getUserByAccount(third), "the other user")).id, other.id, "the other user")
        yield* absent(store.getUserByAccount({ ...first, provider: "second" }), "an id at another provider")
        yield* absent(store.getUserByAccount({ ...first, providerAccountId: text() }), "an unknown id")
      })
  }),
  law({
    name: "an account is linked once",
    demands: "Linking it again, to any user, fails as a unique violation, and it leads where it led.",
    needs: ["createUser", "linkAccount", "getUserByAccount"],
    check: ({ account, store, stored }) =>
      Effect.gen(function* () {
        const [one, other] = [yield* stored(), yield* stored()]
        const newAccount = account(one.id)
        yield* store.linkAccount(newAccount)
        yield* rejects(store.linkAccount({ ...newAccount, userId: other.id }), "an account of another user", "unique")
        yield* rejects(store.linkAccount(newAccount), "an account that is linked already", "unique")
        yield* same((yield* present(store.getUserByAccount(newAccount), "the user")).id, one.id, "the user")
      })
  }),
  law({
    name: "ids of accounts are compared byte by byte",
    demands: "Zeros, blanks, case and Unicode forms make another account, up to 255 characters.",
    needs: ["createUser", "linkAccount", "getUserByAccount"],
    check: ({ account, store, stored, text }) =>
      Effect.gen(function* () {
        const [one, other] = [yield* stored(), yield* stored()]
        const id = `7${text()}`
        const newAccount = account(one.id, { providerAccountId: id })
        yield* store.linkAccount(newAccount)
        for (const variant of variants(id)) {
          const variantAccount = account(other.id, { providerAccountId: variant })
          yield* absent(store.getUserByAccount(variantAccount), `the account ${JSON.stringify(variant.slice(0, 40))}`)
          yield* store.linkAccount(variantAccount)
          const owner = yield* present(store.getUserByAccount(variantAccount), "the account of the other user")
          yield* same(owner.id, other.id, "the user of the other account")
        }
        yield* same((yield* present(store.getUserByAccount(newAccount), "the user")).id, one.id, "the user")
        yield* absent(
          store.getUserByAccount({ ...newAccount, provider: "LAWS" }),
          "an account at a provider in another case"
        )
      })
  }),
  law({
    name: "numbers of accounts are compared as text",
    demands: "The ids 1, 01, 1.0 and 1e0 are four accounts.",
    needs: ["createUser", "linkAccount", "getUserByAccount"],
    check: ({ account, store, stored, text }) =>
      Effect.gen(function* () {
        const provider = text()
        const ids = ["1", "01", "1.0", "1e0", "+1", "0x1"]
        for (const providerAccountId of ids) {
          const one = yield* stored()
          const newAccount = account(one.id, { provider, providerAccountId })
          yield* absent(store.getUserByAccount(newAccount), `the account ${providerAccountId}`)
          yield* store.linkAccount(newAccount)
          yield* same((yield* present(store.getUserByAccount(newAccount), "the user")).id, one.id, "the user")
        }
      })
  }),
  law({
    name: "provider and id of an account do not run together",
    demands: "The account c of the provider a:b is not the account b:c of the provider a.",
    needs: ["createUser", "linkAccount", "getUserByAccount"],
    check: ({ account, store, stored, text }) =>
      Effect.gen(function* () {
        const provider = text()
        const [one, other] = [yield* stored(), yield* stored()]
        for (const separator of [":", "/", "|", ",", "\u0001", "-", "_", "."]) {
          const first = account(one.id, { provider: `${provider}${separator}b`, providerAccountId: "c" })
          const second = account(other.id, { provider, providerAccountId: `b${separator}c` })
          yield* store.linkAccount(first)
          yield* absent(store.getUserByAccount(second), `the same text with ${JSON.stringify(separator)} elsewhere`)
          yield* store.linkAccount(second)
          yield* same((yield* present(store.getUserByAccount(first), "the user")).id, one.id, "the user")
        }
      })
  }),
  law({
    name: "nothing leads to a user who is not there",
    demands: "An account linked to an unknown user is refused, or leads to no user.",
    needs: ["createUser", "linkAccount", "getUserByAccount"],
    check: ({ account, store, stored, unknownId }) =>
      Effect.gen(function* () {
        yield* stored()
        const orphan = account(unknownId())
        yield* Effect.result(store.linkAccount(orphan))
        yield* absent(store.getUserByAccount(orphan), "a user by an account of an unknown user")
      })
  }),
  law({
    name: "unlinkAccount removes that account only",
    demands: "It leads nowhere, can be linked by another user, and unlinking what is not linked does not fail.",
    needs: ["createUser", "linkAccount", "unlinkAccount", "getUserByAccount"],
    check: ({ account, store, stored, text }) =>
      Effect.gen(function* () {
        const [one, other] = [yield* stored(), yield* stored()]
        const [gone, stays, theirs] = [account(one.id), account(one.id), account(other.id)]
        for (const each of [gone, stays, theirs]) yield* store.linkAccount(each)
        yield* store.unlinkAccount(gone)
        yield* store.unlinkAccount(gone)
        yield* store.unlinkAccount({ provider: "laws", providerAccountId: text() })
        yield* absent(store.getUserByAccount(gone), "the unlinked account")
        yield* present(store.getUserByAccount(stays), "the other account of the user")
        yield* present(store.getUserByAccount(theirs), "the account of the other user")
        yield* store.linkAccount({ ...gone, userId: other.id })
        yield* same((yield* present(store.getUserByAccount(gone), "the account")).id, other.id, "the next user")
      })
  }),
  law({
    name: "an account keeps its tokens",
    demands: "Tokens of 8 kB, scope and expires_at come back unchanged; further members may be dropped, not changed.",
    needs: ["createUser", "linkAccount", "getAccount"],
    check: ({ account, store, stored, text }) =>
      Effect.gen(function* () {
        const one = yield* stored()
        const long = (start: string) => `${start}.${"A1-_".repeat(2048)}`
        const newAccount = account(one.id, {
          access_token: long("access"),
          refresh_token: long("refresh"),
          id_token: long("id"),
          token_type: "bearer",
          scope: "openid e-mail:read https://laws.example/all",
          expires_at: 4_102_444_799,
          session_state: "state"
        })
        yield* store.linkAccount(newAccount)
        const row = yield* present(store.getAccount(newAccount.providerAccountId, newAccount.provider), "the account")
        yield* same(row.userId, one.id, "the user")
        yield* same(row.type, newAccount.type, "the type")
        yield* same(row.provider, newAccount.provider, "the provider")
        yield* same(row.providerAccountId, newAccount.providerAccountId, "the id")
        for (const name of ["access_token", "refresh_token", "id_token", "token_type", "scope", "expires_at"] as const)
          yield* same(row[name], newAccount[name], name)
        const state = row["session_state"]
        yield* claim(state === undefined || state === null || state === "state", "session_state is changed")
        yield* absent(store.getAccount(text(), "laws"), "an unknown account")
        yield* absent(
          store.getAccount(newAccount.provider, newAccount.providerAccountId),
          "an account with its key the wrong way round"
        )
      })
  }),
  law({
    name: "updateAccount changes the given tokens",
    demands: "Members that are left out stay, null removes one, and an unknown account is answered with false.",
    needs: ["createUser", "linkAccount", "getAccount", "updateAccount"],
    check: ({ account, store, stored, text }) =>
      Effect.gen(function* () {
        const one = yield* stored()
        const tokens = { access_token: "access-1", refresh_token: "refresh-1", scope: "a b", expires_at: 1_900_000_000 }
        const [given, other] = [account(one.id, tokens), account(one.id, tokens)]
        for (const each of [given, other]) yield* store.linkAccount(each)
        const { provider, providerAccountId } = given
        const read = present(store.getAccount(providerAccountId, provider), "the account")
        const change = { provider, providerAccountId, access_token: "access-2", expires_at: null }
        yield* same(yield* store.updateAccount(change), true, "the answer")
        const row = yield* read
        yield* same(row.access_token, "access-2", "access_token")
        yield* same(row.refresh_token, "refresh-1", "refresh_token")
        yield* same(row.scope, "a b", "scope")
        yield* same(row.expires_at ?? undefined, undefined, "expires_at")
        yield* same(row.userId, one.id, "the user")
        const otherRow = yield* present(store.getAccount(other.providerAccountId, provider), "the other account")
        yield* same(otherRow.access_token, "access-1", "access_token of the other account")
        const unknown = { ...change, providerAccountId: text() }
        yield* same(yield* store.updateAccount(unknown), false, "the answer for an unknown account")
        yield* absent(store.getAccount(unknown.providerAccountId, provider), "the unknown account")
      })
  }),
  law({
    name: "updateAccount compares the refresh token",
    demands:
      "With another one, or none, than the account has, nothing changes; of many callers with it, one changes it.",
    needs: ["createUser", "linkAccount", "getAccount", "updateAccount"],
    check: ({ account, store, stored }) =>
      Effect.gen(function* () {
        const one = yield* stored()
        const newAccount = account(one.id, { access_token: "access-1", refresh_token: "refresh-1" })
        yield* store.linkAccount(newAccount)
        const { provider, providerAccountId } = newAccount
        const read = present(store.getAccount(providerAccountId, provider), "the account")
        const key = { provider, providerAccountId }
        for (const refresh_token of ["refresh-0", "REFRESH-1", undefined]) {
          const result = yield* store.updateAccount({ ...key, access_token: "stolen" }, { refresh_token })
          yield* same(result, false, "the answer for another refresh token")
        }
        yield* same((yield* read).access_token, "access-1", "access_token")
        const answers = yield* Effect.forEach(
          [2, 3, 4, 5, 6, 7, 8, 9],
          (number) =>
            store.updateAccount(
              { ...key, access_token: `access-${number}`, refresh_token: `refresh-${number}` },
              { refresh_token: "refresh-1" }
            ),
          { concurrency: "unbounded" }
        )
        yield* same(answers.filter((changed) => changed).length, 1, "the number of callers that changed it")
        const { access_token, refresh_token } = yield* read
        yield* same(access_token?.slice(7), refresh_token?.slice(8), "the pair of tokens")
        yield* store.updateAccount({ ...key, refresh_token: null })
        const again = { ...key, access_token: "access-10" }
        yield* same(yield* store.updateAccount(again, { refresh_token: undefined }), true, "the answer for none")
        yield* same((yield* read).access_token, "access-10", "access_token at the end")
      })
  }),
  law({
    name: "listAccounts answers the accounts of the user",
    demands: "All of theirs, none of others, and an empty list for an unknown user.",
    needs: ["createUser", "linkAccount", "unlinkAccount", "listAccounts"],
    check: ({ account, store, stored, unknownId }) =>
      Effect.gen(function* () {
        const [one, other] = [yield* stored(), yield* stored()]
        const mine = [account(one.id), account(one.id), account(one.id)]
        for (const each of mine) yield* store.linkAccount(each)
        yield* store.linkAccount(account(other.id))
        const ids = (rows: ReadonlyArray<{ readonly providerAccountId: string }>) =>
          rows
            .map((row) => row.providerAccountId)
            .sort()
            .join(" ")
        yield* same(ids(yield* store.listAccounts(one.id)), ids(mine), "the list")
        for (const each of mine) yield* store.unlinkAccount(each)
        yield* same((yield* store.listAccounts(one.id)).length, 0, "the length of the list after unlinking")
        yield* same((yield* store.listAccounts(other.id)).length, 1, "the length of the other list")
        yield* same((yield* store.listAccounts(unknownId())).length, 0, "the length of the list of an unknown user")
      })
  })
]
