/**
 * Laws of many callers at once: sixty-four fibers want the same, and one gets it.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { sessionIdOf } from "../../storage/Details.ts"
import { absent, claim, crowd, present, law, type Law, oneWinner, race, same } from "./Law.ts"

/** Claims that no caller failed. */
const allSucceed = (exits: ReadonlyArray<Exit.Exit<unknown, unknown>>, what: string) => {
  const failures = exits.filter(Exit.isFailure).length
  return claim(failures === 0, `${failures} of ${crowd} callers who ${what} fail`)
}

const successes = <A>(exits: ReadonlyArray<Exit.Exit<A, unknown>>): ReadonlyArray<A> =>
  exits.flatMap((exit) => (Exit.isSuccess(exit) ? [exit.value] : []))

export const raceLaws: ReadonlyArray<Law> = [
  law({
    name: "one of many uses a verification token",
    demands: "Of 64 callers at once one gets the token, and the others nothing.",
    needs: ["createVerificationToken", "useVerificationToken"],
    check: ({ soon, store, text }) =>
      Effect.gen(function* () {
        const token = { identifier: `${text()}@laws.example`, token: text(), expires: soon }
        yield* store.createVerificationToken(token)
        const exits = yield* race(() => store.useVerificationToken(token))
        yield* allSucceed(exits, "use one token")
        const winners = successes(exits).filter(Option.isSome).length
        yield* claim(winners === 1, `${winners} of ${crowd} callers get the token`)
      })
  }),
  law({
    name: "one of many uses a key",
    demands: "Of 64 callers of useOnce at once one gets true, and the others false.",
    needs: ["useOnce"],
    check: ({ soon, store, text }) =>
      Effect.gen(function* () {
        const key = text()
        const exits = yield* race(() => store.useOnce(key, soon))
        yield* allSucceed(exits, "use one key")
        const winners = successes(exits).filter((first) => first).length
        yield* claim(winners === 1, `${winners} of ${crowd} callers are the first`)
      })
  }),
  law({
    name: "one of many creates the user of an address",
    demands: "Of 64 callers at once one creates the user; the others fail with a unique violation.",
    needs: ["createUser", "getUserByEmail"],
    check: ({ store, user }) =>
      Effect.gen(function* () {
        const email = user().email
        const exits = yield* race(() => store.createUser(user({ email })))
        yield* oneWinner(exits, "create a user of one address", "unique")
        const [winner] = successes(exits)
        const owner = yield* present(store.getUserByEmail(email ?? ""), "the user")
        yield* same(owner.id, winner?.id, "the user of the address")
      })
  }),
  law({
    name: "one of many links an account",
    demands: "Of 64 callers for two users one links it; the others fail with a unique violation.",
    needs: ["createUser", "linkAccount", "getUserByAccount"],
    check: ({ account, store, stored }) =>
      Effect.gen(function* () {
        const [one, other] = [yield* stored(), yield* stored()]
        const newAccount = account(one.id)
        const ownerOf = (index: number) => (index % 2 === 0 ? one.id : other.id)
        const exits = yield* race((index) => store.linkAccount({ ...newAccount, userId: ownerOf(index) }))
        const winner = yield* oneWinner(exits, "link one account", "unique")
        yield* same((yield* present(store.getUserByAccount(newAccount), "the user")).id, ownerOf(winner), "the user")
      })
  }),
  law({
    name: "one of many registers a credential",
    demands: "Of 64 callers at once one registers it; the others fail with a unique violation.",
    needs: ["createUser", "createAuthenticator", "listAuthenticatorsByUserId"],
    check: ({ authenticator, store, stored }) =>
      Effect.gen(function* () {
        const one = yield* stored()
        const passkey = authenticator(one.id)
        const exits = yield* race(() => store.createAuthenticator(passkey))
        yield* oneWinner(exits, "register one credential", "unique")
        yield* same((yield* store.listAuthenticatorsByUserId(one.id)).length, 1, "the number of credentials")
      })
  }),
  law({
    name: "one of many raises a counter",
    demands: "Of 64 callers with the same counter one succeeds: the others have a copy of the credential.",
    needs: ["createUser", "createAuthenticator", "getAuthenticator", "updateAuthenticatorCounter"],
    check: ({ authenticator, store, stored }) =>
      Effect.gen(function* () {
        const passkey = authenticator((yield* stored()).id, { counter: 7 })
        yield* store.createAuthenticator(passkey)
        const exits = yield* race(() => store.updateAuthenticatorCounter(passkey.credentialID, 8))
        const winners = successes(exits).length
        yield* claim(winners === 1, `${winners} of ${crowd} callers raise the counter`)
        yield* same((yield* present(store.getAuthenticator(passkey.credentialID), "it")).counter, 8, "the counter")
      })
  }),
  law({
    name: "a deleted session stays deleted under changes",
    demands: "Of 64 callers some move the end and some delete; none fails, and in the end there is no session.",
    needs: ["createUser", "createSession", "getSessionAndUser", "updateSession", "deleteSession"],
    check: ({ soon, store, stored, text }) =>
      Effect.gen(function* () {
        const sessionToken = text()
        yield* store.createSession({ sessionToken, userId: (yield* stored()).id, expires: soon })
        const exits = yield* race((index): Effect.Effect<unknown, Effect.Error<ReturnType<typeof store.getUser>>> =>
          index % 8 === 4
            ? store.deleteSession(sessionToken)
            : store.updateSession({ sessionToken, expires: new Date(soon.getTime() + index * 1000) })
        )
        yield* allSucceed(exits, "change or delete one session")
        yield* absent(store.getSessionAndUser(sessionToken), "the deleted session")
      })
  }),
  law({
    name: "one of many ends a session",
    demands: "Of 64 callers of endSession at once one gets true, and the others false.",
    needs: ["createUser", "createSession", "getSessionAndUser", "endSession"],
    check: ({ soon, store, stored, text }) =>
      Effect.gen(function* () {
        const { id: userId } = yield* stored()
        const { sessionToken } = yield* store.createSession({ sessionToken: text(), userId, expires: soon })
        const exits = yield* race(() => store.endSession(userId, sessionIdOf(sessionToken)))
        yield* allSucceed(exits, "end one session")
        const winners = successes(exits).filter((ended) => ended).length
        yield* claim(winners === 1, `${winners} of ${crowd} callers end the session`)
        yield* absent(store.getSessionAndUser(sessionToken), "the ended session")
      })
  }),
  law({
    name: "changes of different members are all kept",
    demands: "When callers change the name and others the image at once, no change undoes another.",
    needs: ["createUser", "getUser", "updateUser"],
    check: ({ store, stored }) =>
      Effect.gen(function* () {
        const one = yield* stored({ name: "before", image: "before" })
        const exits = yield* race((index) =>
          store.updateUser(index % 2 === 0 ? { id: one.id, name: "after" } : { id: one.id, image: "after" })
        )
        yield* allSucceed(exits, "change one user")
        const now = yield* present(store.getUser(one.id), "the user")
        yield* same(now.name, "after", "the name")
        yield* same(now.image, "after", "the image")
      })
  }),
  law({
    name: "a deleted user stays deleted under sign-ins",
    demands: "Accounts and sessions that are made while a user is deleted lead to no user.",
    needs: [
      "createUser",
      "getUser",
      "deleteUser",
      "linkAccount",
      "getUserByAccount",
      "createSession",
      "getSessionAndUser"
    ],
    check: ({ account, soon, store, stored, text }) =>
      Effect.gen(function* () {
        const one = yield* stored()
        const accounts = Array.from({ length: crowd }, () => account(one.id))
        const sessions = Array.from({ length: crowd }, text)
        yield* race((index): Effect.Effect<unknown, Effect.Error<ReturnType<typeof store.getUser>>> => {
          const newAccount = accounts[index]
          if (index === crowd / 2 || newAccount === undefined) return store.deleteUser(one.id)
          return index % 2 === 0
            ? store.linkAccount(newAccount)
            : store.createSession({ sessionToken: sessions[index] ?? "", userId: one.id, expires: soon })
        })
        yield* absent(store.getUser(one.id), "the deleted user")
        for (const given of accounts) yield* absent(store.getUserByAccount(given), "the deleted user by account")
        for (const token of sessions) yield* absent(store.getSessionAndUser(token), "a session of the deleted user")
      })
  })
]
