/**
 * Laws of users.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { absent, at, claim, present, law, type Law, rejects, same, sameSecond } from "./Law.ts"

/** Dates long ago and far ahead, in whole seconds. */
const dates = ["2001-02-03T04:05:06Z", "2024-02-29T23:59:59Z", "2024-03-31T01:30:00Z", "2099-12-31T23:59:59Z"]

export const userLaws: ReadonlyArray<Law> = [
  law({
    name: "a created user is found by id and by address",
    demands: "createUser answers the whole user with the id that it has, and both look-ups answer the same user.",
    needs: ["createUser", "getUser", "getUserByEmail"],
    check: ({ store, user }) =>
      Effect.gen(function* () {
        const newUser = user()
        const row = yield* store.createUser(newUser)
        yield* claim(row.id !== "", "the id is empty")
        const byId = yield* present(store.getUser(row.id), "the user by id")
        const byEmail = yield* present(store.getUserByEmail(newUser.email ?? ""), "the user by address")
        yield* same(byEmail.id, row.id, "the id of the user by address")
        for (const one of [row, byId, byEmail]) {
          yield* same(one.id, row.id, "the id")
          yield* same(one.email, newUser.email, "the address")
          yield* same(one.name, newUser.name, "the name")
          yield* same(one.image, newUser.image, "the image")
          yield* same(one.emailVerified, null, "emailVerified")
        }
      })
  }),
  law({
    name: "unknown users are not found",
    demands: "Look-ups of an id or an address that no user has find nothing and do not fail.",
    needs: ["createUser", "getUser", "getUserByEmail"],
    check: ({ store, stored, text, unknownId }) =>
      Effect.gen(function* () {
        yield* stored()
        yield* absent(store.getUser(unknownId()), "a user of an unknown id")
        yield* absent(store.getUserByEmail(`${text()}@laws.example`), "a user of an unknown address")
      })
  }),
  law({
    name: "an address belongs to one user",
    demands: "createUser with an address that is taken fails as a unique violation and changes nothing.",
    needs: ["createUser", "getUserByEmail"],
    check: ({ store, stored, user }) =>
      Effect.gen(function* () {
        const first = yield* stored()
        yield* rejects(store.createUser(user({ email: first.email })), "a second user of an address", "unique")
        const still = yield* present(store.getUserByEmail(first.email), "the first user")
        yield* same(still.id, first.id, "the user of the address")
      })
  }),
  law({
    name: "addresses are compared byte by byte",
    demands: "Another case, another Unicode form or a blank make another address.",
    needs: ["createUser", "getUserByEmail"],
    check: ({ store, stored, text }) =>
      Effect.gen(function* () {
        const name = text()
        const email = `${name}\u00e9@laws.example`
        const owner = yield* stored({ email })
        const others = [
          `${name.toUpperCase()}\u00e9@laws.example`,
          `${name}e\u0301@laws.example`,
          `${email} `,
          ` ${email}`
        ]
        for (const other of others) yield* absent(store.getUserByEmail(other), `the user of ${JSON.stringify(other)}`)
        const row = yield* stored({ email: `${name}e\u0301@laws.example` })
        yield* claim(row.id !== owner.id, "two addresses have one user")
        const still = yield* present(store.getUserByEmail(email), "the user of the address")
        yield* same(still.id, owner.id, "the user of the address")
      })
  }),
  law({
    name: "users without an address are kept apart",
    demands: "Any number of users may have no address; theirs is the empty text, which finds no user.",
    needs: ["createUser", "getUser", "getUserByEmail"],
    check: ({ store, stored }) =>
      Effect.gen(function* () {
        const first = yield* stored({ email: undefined })
        const second = yield* stored({ email: undefined })
        yield* claim(first.id !== second.id, "two users have one id")
        for (const one of [first, second]) {
          const again = yield* present(store.getUser(one.id), "a user without an address")
          yield* same(again.id, one.id, "the id")
          yield* same(again.email, "", "the address")
        }
        yield* absent(store.getUserByEmail(""), "a user of the empty address")
      })
  }),
  law({
    name: "updateUser changes what is given and nothing else",
    demands: "Members that are not given stay, and so do all other users.",
    needs: ["createUser", "getUser", "updateUser"],
    check: ({ store, stored }) =>
      Effect.gen(function* () {
        const one = yield* stored()
        const other = yield* stored()
        const emailVerified = at("2024-05-06T07:08:09Z")
        const answer = yield* store.updateUser({ id: one.id, emailVerified })
        const again = yield* present(store.getUser(one.id), "the user")
        for (const now of [answer, again]) {
          yield* same(now.id, one.id, "the id")
          yield* same(now.email, one.email, "the address")
          yield* same(now.name, one.name, "the name")
          yield* same(now.image, one.image, "the image")
          yield* sameSecond(now.emailVerified, emailVerified, "emailVerified")
        }
        const row = yield* store.updateUser({ id: one.id, name: "Renamed" })
        yield* same(row.name, "Renamed", "the new name")
        yield* sameSecond(row.emailVerified, emailVerified, "emailVerified after another change")
        const otherRow = yield* present(store.getUser(other.id), "the other user")
        yield* same(otherRow.name, other.name, "the name of the other user")
        yield* same(otherRow.emailVerified, null, "emailVerified of the other user")
      })
  }),
  law({
    name: "updateUser moves an address",
    demands: "The old address is free, the new one leads to the user, and a taken one is a unique violation.",
    needs: ["createUser", "getUserByEmail", "updateUser"],
    check: ({ store, stored, user }) =>
      Effect.gen(function* () {
        const one = yield* stored()
        const other = yield* stored()
        const email = user().email ?? ""
        yield* store.updateUser({ id: one.id, email })
        yield* absent(store.getUserByEmail(one.email), "the user of the old address")
        const row = yield* present(store.getUserByEmail(email), "the user of the new address")
        yield* same(row.id, one.id, "the user of the new address")
        yield* rejects(store.updateUser({ id: one.id, email: other.email }), "an address that is taken", "unique")
        const still = yield* present(store.getUserByEmail(other.email), "the other user")
        yield* same(still.id, other.id, "the user of the taken address")
        yield* stored({ email: one.email })
      })
  }),
  law({
    name: "updateUser fails for an unknown user",
    demands: "A change of an unknown user fails, and creates no user.",
    needs: ["createUser", "getUser", "updateUser"],
    check: ({ store, stored, unknownId }) =>
      Effect.gen(function* () {
        yield* stored()
        const id = unknownId()
        yield* rejects(store.updateUser({ id, name: "Nobody" }), "a change of an unknown user")
        yield* absent(store.getUser(id), "a user who was only changed")
      })
  }),
  law({
    name: "dates of users keep their second",
    demands: "A date is read as it was written, whatever the time zone of the store, to the second at least.",
    needs: ["createUser", "getUser"],
    check: ({ store, stored }) =>
      Effect.gen(function* () {
        for (const date of dates) {
          const emailVerified = at(date)
          const row = yield* stored({ emailVerified })
          const again = yield* present(store.getUser(row.id), "the user")
          yield* sameSecond(row.emailVerified, emailVerified, "emailVerified in the answer")
          yield* sameSecond(again.emailVerified, emailVerified, "emailVerified")
        }
        const uneven = at(Date.parse("2024-05-06T07:08:09Z") + 999)
        const again = yield* present(store.getUser((yield* stored({ emailVerified: uneven })).id), "the user")
        yield* sameSecond(again.emailVerified, uneven, "emailVerified with milliseconds")
      })
  }),
  law({
    name: "long and unusual texts of users are kept",
    demands:
      "Names of 255 characters in any script, quotes and line breaks in them, and images of 2000 come back unchanged.",
    needs: ["createUser", "getUser"],
    check: ({ store, stored }) =>
      Effect.gen(function* () {
        const start = `O'Neil "Bobby" \\ \n\t; -- %s $1 ? ${"\u00e5\u4e2d\u0639\u05d0"} e\u0301 \u{1f469}\u{200d}\u{1f680} `
        const name = start + "x".repeat(255 - start.length)
        const image = `https://laws.example/${"y".repeat(1979)}`
        const row = yield* stored({ name, image })
        const again = yield* present(store.getUser(row.id), "the user")
        yield* same(again.name, name, "the name")
        yield* same(again.image, image, "the image")
        const plain = yield* stored({ name: null, image: null })
        const bare = yield* present(store.getUser(plain.id), "the user without a name")
        yield* claim((bare.name ?? null) === null, "there is a name that was not given")
        yield* claim((bare.image ?? null) === null, "there is an image that was not given")
      })
  }),
  law({
    name: "answers are copies",
    demands: "What a caller does to a row changes nothing in the store.",
    needs: ["createUser", "getUser"],
    check: ({ store, user }) =>
      Effect.gen(function* () {
        const newUser = { ...user({ emailVerified: at("2024-05-06T07:08:09Z") }) }
        const name = newUser.name
        const created = yield* store.createUser(newUser)
        newUser.emailVerified?.setTime(0)
        Object.assign(newUser, { name: "Changed" })
        for (const row of [created, yield* present(store.getUser(created.id), "the user")]) {
          Object.assign(row, { name: "Changed", email: "changed@laws.example" })
          row.emailVerified?.setTime(0)
        }
        const again = yield* present(store.getUser(created.id), "the user")
        yield* same(again.name, name, "the name")
        yield* same(again.email, newUser.email, "the address")
        yield* sameSecond(again.emailVerified, at("2024-05-06T07:08:09Z"), "emailVerified")
      })
  }),
  law({
    name: "deleteUser removes what is theirs and nothing else",
    demands:
      "The user, their accounts and sessions are gone, and others can create them again; other users keep everything.",
    needs: [
      "createUser",
      "getUser",
      "getUserByEmail",
      "deleteUser",
      "linkAccount",
      "getUserByAccount",
      "createSession",
      "getSessionAndUser"
    ],
    check: ({ account, soon, store, stored, text, user }) =>
      Effect.gen(function* () {
        const gone = yield* stored()
        const stays = yield* stored()
        const accounts = [account(gone.id), account(gone.id, { provider: "other" }), account(stays.id)] as const
        for (const one of accounts) yield* store.linkAccount(one)
        const sessions = [text(), text(), text()] as const
        yield* store.createSession({ sessionToken: sessions[0], userId: gone.id, expires: soon })
        yield* store.createSession({ sessionToken: sessions[1], userId: gone.id, expires: soon })
        yield* store.createSession({ sessionToken: sessions[2], userId: stays.id, expires: soon })
        yield* store.deleteUser(gone.id)
        yield* absent(store.getUser(gone.id), "the deleted user by id")
        yield* absent(store.getUserByEmail(gone.email), "the deleted user by address")
        yield* absent(store.getUserByAccount(accounts[0]), "the deleted user by account")
        yield* absent(store.getUserByAccount(accounts[1]), "the deleted user by another account")
        yield* absent(store.getSessionAndUser(sessions[0]), "a session of the deleted user")
        yield* absent(store.getSessionAndUser(sessions[1]), "another session of the deleted user")
        yield* present(store.getUser(stays.id), "the other user")
        yield* present(store.getUserByAccount(accounts[2]), "the other user by account")
        yield* present(store.getSessionAndUser(sessions[2]), "the session of the other user")
        const next = yield* store.createUser(user({ email: gone.email }))
        yield* store.linkAccount({ ...accounts[0], userId: next.id })
        const owner = yield* present(store.getUserByAccount(accounts[0]), "the account that was linked anew")
        yield* same(owner.id, next.id, "the user of the account that was linked anew")
        yield* absent(
          store.getUserByAccount(accounts[1]),
          "an account of the deleted user, by the next user of the address"
        )
      })
  }),
  law({
    name: "deleteUser of an unknown user changes nothing",
    demands: "It does not fail, and neither does the second of two deletions.",
    needs: ["createUser", "getUser", "deleteUser"],
    check: ({ store, stored, unknownId }) =>
      Effect.gen(function* () {
        const stays = yield* stored()
        const gone = yield* stored()
        yield* store.deleteUser(unknownId())
        yield* store.deleteUser(gone.id)
        yield* store.deleteUser(gone.id)
        yield* present(store.getUser(stays.id), "another user")
      })
  })
]
