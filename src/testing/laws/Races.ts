/**
 * Laws of many callers at once: sixty-four fibers want the same, and one gets it.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type { AdapterError } from "../../Errors.ts"
import { sessionIdOf } from "../../storage/Details.ts"
import {
  absent,
  claim,
  crowd,
  finds,
  law,
  type Law,
  oneAmong,
  oneWinner,
  present,
  race,
  same,
  sameMembers
} from "./Law.ts"

type Call = Effect.Effect<unknown, AdapterError>

/** Claims that no caller failed. */
const allSucceed = (exits: ReadonlyArray<Exit.Exit<unknown, unknown>>, what: string) => {
  const failures = exits.filter(Exit.isFailure).length
  return claim(failures === 0, `${failures} of ${crowd} callers who ${what} fail`)
}

const isTrue = (answer: boolean): boolean => answer

export const raceLaws: ReadonlyArray<Law> = [
  law(
    "one of many uses a verification token",
    "Of 64 callers at once one gets the token, and the others nothing.",
    ["createVerificationToken", "useVerificationToken"],
    function* ({ soon, store, text }) {
      const token = { identifier: `${text()}@laws.example`, token: text(), expires: soon }
      yield* store.createVerificationToken(token)
      yield* oneAmong(yield* race(() => store.useVerificationToken(token)), Option.isSome, "use one token")
    }
  ),
  law(
    "one of many uses a key",
    "Of 64 callers of useOnce at once one gets true, and the others false.",
    ["useOnce"],
    function* ({ soon, store, text }) {
      const key = text()
      yield* oneAmong(yield* race(() => store.useOnce(key, soon)), isTrue, "use one key")
    }
  ),
  law(
    "one of many creates the user of an address",
    "Of 64 callers at once one creates the user; the others fail with a unique violation.",
    ["createUser", "getUserByEmail"],
    function* ({ store, text, user }) {
      const email = `${text()}@laws.example`
      const exits = yield* race(() => store.createUser(user({ email })))
      const winner = exits[yield* oneWinner(exits, "create a user of one address")]
      const id = winner !== undefined && Exit.isSuccess(winner) ? winner.value.id : ""
      yield* finds(store.getUserByEmail(email), id, "the user of the address")
    }
  ),
  law(
    "one of many links an account",
    "Of 64 callers for two users one links it; the others fail with a unique violation.",
    ["createUser", "linkAccount", "getUserByAccount"],
    function* ({ account, pair, store }) {
      const [one, other] = yield* pair
      const newAccount = account(one.id)
      const ownerOf = (index: number) => (index % 2 === 0 ? one.id : other.id)
      const exits = yield* race((index) => store.linkAccount({ ...newAccount, userId: ownerOf(index) }))
      const winner = yield* oneWinner(exits, "link one account")
      yield* finds(store.getUserByAccount(newAccount), ownerOf(winner), "the user")
    }
  ),
  law(
    "one of many registers a credential",
    "Of 64 callers at once one registers it; the others fail with a unique violation.",
    ["createUser", "createAuthenticator", "listAuthenticatorsByUserId"],
    function* ({ authenticator, store, stored }) {
      const one = yield* stored()
      const passkey = authenticator(one.id)
      yield* oneWinner(yield* race(() => store.createAuthenticator(passkey)), "register one credential")
      yield* same((yield* store.listAuthenticatorsByUserId(one.id)).length, 1, "the number of credentials")
    }
  ),
  law(
    "one of many raises a counter",
    "Of 64 callers with the same counter one succeeds: the others have a copy of the credential.",
    ["createUser", "createAuthenticator", "getAuthenticator", "updateAuthenticatorCounter"],
    function* ({ register, store, stored }) {
      const { credentialID } = yield* register((yield* stored()).id, { counter: 7 })
      const exits = yield* race(() => store.updateAuthenticatorCounter(credentialID, 8))
      const winners = exits.filter(Exit.isSuccess).length
      yield* claim(winners === 1, `${winners} of ${crowd} callers raise the counter`)
      yield* same((yield* present(store.getAuthenticator(credentialID), "it")).counter, 8, "the counter")
    }
  ),
  law(
    "a deleted session stays deleted under changes",
    "Of 64 callers some move the end and some delete; none fails, and in the end there is no session.",
    ["createUser", "createSession", "getSessionAndUser", "updateSession", "deleteSession"],
    function* ({ signIn, soon, store, stored }) {
      const sessionToken = yield* signIn((yield* stored()).id)
      const exits = yield* race((index): Call =>
        index % 8 === 4
          ? store.deleteSession(sessionToken)
          : store.updateSession({ sessionToken, expires: new Date(soon.getTime() + index * 1000) })
      )
      yield* allSucceed(exits, "change or delete one session")
      yield* absent(store.getSessionAndUser(sessionToken), "the deleted session")
    }
  ),
  law(
    "one of many ends a session",
    "Of 64 callers of endSession at once one gets true, and the others false.",
    ["createUser", "createSession", "getSessionAndUser", "endSession"],
    function* ({ signIn, store, stored }) {
      const { id } = yield* stored()
      const token = yield* signIn(id)
      yield* oneAmong(yield* race(() => store.endSession(id, sessionIdOf(token))), isTrue, "end one session")
      yield* absent(store.getSessionAndUser(token), "the ended session")
    }
  ),
  law(
    "changes of different members are all kept",
    "When callers change the name and others the image at once, no change undoes another.",
    ["createUser", "getUser", "updateUser"],
    function* ({ store, stored }) {
      const { id } = yield* stored({ name: "before", image: "before" })
      const exits = yield* race((index) =>
        store.updateUser(index % 2 === 0 ? { id, name: "after" } : { id, image: "after" })
      )
      yield* allSucceed(exits, "change one user")
      const row = yield* present(store.getUser(id), "the user")
      yield* sameMembers(row, { name: "after", image: "after" }, ["name", "image"])
    }
  ),
  law(
    "a deleted user stays deleted under sign-ins",
    "Accounts and sessions that are made while a user is deleted lead to no user.",
    ["createUser", "getUser", "deleteUser", "linkAccount", "getUserByAccount", "createSession", "getSessionAndUser"],
    function* ({ account, signIn, store, stored, text }) {
      const { id } = yield* stored()
      const accounts = Array.from({ length: crowd }, () => account(id))
      const sessions = Array.from({ length: crowd }, text)
      yield* race((index): Call => {
        const newAccount = accounts[index]
        if (index === crowd / 2 || newAccount === undefined) return store.deleteUser(id)
        return index % 2 === 0 ? store.linkAccount(newAccount) : signIn(id, { sessionToken: sessions[index] ?? "" })
      })
      yield* absent(store.getUser(id), "the deleted user")
      for (const given of accounts) yield* absent(store.getUserByAccount(given), "the deleted user by account")
      for (const token of sessions) yield* absent(store.getSessionAndUser(token), "a session of the deleted user")
    }
  )
]
