/**
 * Laws of users.
 *
 * @since 0.1.0
 */
import { absent, at, claim, finds, law, type Law, present, rejects, sameMembers, sameSecond } from "./Law.ts"

/** Dates long ago and far ahead, in whole seconds. */
const dates = ["2001-02-03T04:05:06Z", "2024-02-29T23:59:59Z", "2024-03-31T01:30:00Z", "2099-12-31T23:59:59Z"]

const emailVerified = at("2024-05-06T07:08:09Z")

export const userLaws: ReadonlyArray<Law> = [
  law(
    "a created user is found by id and by address",
    "createUser answers the whole user with the id that it has, and both look-ups answer the same user.",
    ["createUser", "getUser", "getUserByEmail"],
    function* ({ store, text, user }) {
      const email = `${text()}@laws.example`
      const newUser = user({ email })
      const row = yield* store.createUser(newUser)
      yield* claim(row.id !== "", "the id is empty")
      const byId = yield* present(store.getUser(row.id), "the user by id")
      const byEmail = yield* present(store.getUserByEmail(email), "the user by address")
      for (const one of [row, byId, byEmail])
        yield* sameMembers(one, { ...newUser, id: row.id }, ["id", "email", "name", "image", "emailVerified"])
    }
  ),
  law(
    "unknown users are not found",
    "Look-ups of an id or an address that no user has find nothing and do not fail.",
    ["createUser", "getUser", "getUserByEmail"],
    function* ({ store, stored, text, unknownId }) {
      yield* stored()
      yield* absent(store.getUser(unknownId()), "a user of an unknown id")
      yield* absent(store.getUserByEmail(`${text()}@laws.example`), "a user of an unknown address")
    }
  ),
  law(
    "an address belongs to one user",
    "createUser with an address that is taken fails as a unique violation and changes nothing.",
    ["createUser", "getUserByEmail"],
    function* ({ store, stored, user }) {
      const { email, id } = yield* stored()
      yield* rejects(store.createUser(user({ email })), "a second user of an address", "unique")
      yield* finds(store.getUserByEmail(email), id, "the user of the address")
    }
  ),
  law(
    "addresses are compared byte by byte",
    "Another case, another Unicode form or a blank make another address.",
    ["createUser", "getUserByEmail"],
    function* ({ store, stored, text }) {
      const name = text()
      const email = `${name}\u00e9@laws.example`
      const decomposed = `${name}e\u0301@laws.example`
      const { id } = yield* stored({ email })
      for (const other of [`${name.toUpperCase()}\u00e9@laws.example`, decomposed, `${email} `, ` ${email}`])
        yield* absent(store.getUserByEmail(other), `the user of ${JSON.stringify(other)}`)
      yield* claim((yield* stored({ email: decomposed })).id !== id, "two addresses have one user")
      yield* finds(store.getUserByEmail(email), id, "the user of the address")
    }
  ),
  law(
    "users without an address are kept apart",
    "Any number of users may have no address; theirs is the empty text, which finds no user.",
    ["createUser", "getUser", "getUserByEmail"],
    function* ({ store, stored }) {
      const [first, second] = [yield* stored({ email: undefined }), yield* stored({ email: undefined })]
      yield* claim(first.id !== second.id, "two users have one id")
      for (const { id } of [first, second]) {
        const row = yield* present(store.getUser(id), "a user without an address")
        yield* sameMembers(row, { id, email: "" }, ["id", "email"])
      }
      yield* absent(store.getUserByEmail(""), "a user of the empty address")
    }
  ),
  law(
    "updateUser changes what is given and nothing else",
    "Members that are not given stay, and so do all other users.",
    ["createUser", "getUser", "updateUser"],
    function* ({ pair, store }) {
      const [one, other] = yield* pair
      const answer = yield* store.updateUser({ id: one.id, emailVerified })
      for (const row of [answer, yield* present(store.getUser(one.id), "the user")])
        yield* sameMembers(row, { ...one, emailVerified }, ["id", "email", "name", "image", "emailVerified"])
      const row = yield* store.updateUser({ id: one.id, name: "Renamed" })
      yield* sameMembers(row, { name: "Renamed", emailVerified }, ["name", "emailVerified"])
      yield* sameMembers(yield* present(store.getUser(other.id), "the other user"), other, ["name", "emailVerified"])
    }
  ),
  law(
    "updateUser moves an address",
    "The old address is free, the new one leads to the user, and a taken one is a unique violation.",
    ["createUser", "getUserByEmail", "updateUser"],
    function* ({ pair, store, stored, text }) {
      const [{ email: oldEmail, id }, other] = yield* pair
      const email = `${text()}@laws.example`
      yield* store.updateUser({ id, email })
      yield* absent(store.getUserByEmail(oldEmail), "the user of the old address")
      yield* finds(store.getUserByEmail(email), id, "the user of the new address")
      yield* rejects(store.updateUser({ id, email: other.email }), "an address that is taken", "unique")
      yield* finds(store.getUserByEmail(other.email), other.id, "the user of the taken address")
      yield* stored({ email: oldEmail })
    }
  ),
  law(
    "updateUser fails for an unknown user",
    "A change of an unknown user fails, and creates no user.",
    ["createUser", "getUser", "updateUser"],
    function* ({ store, stored, unknownId }) {
      yield* stored()
      const id = unknownId()
      yield* rejects(store.updateUser({ id, name: "Nobody" }), "a change of an unknown user")
      yield* absent(store.getUser(id), "a user who was only changed")
    }
  ),
  law(
    "dates of users keep their second",
    "A date is read as it was written, whatever the time zone of the store, to the second at least.",
    ["createUser", "getUser"],
    function* ({ store, stored }) {
      for (const date of [...dates.map(at), at(emailVerified.getTime() + 999)]) {
        const row = yield* stored({ emailVerified: date })
        const again = yield* present(store.getUser(row.id), "the user")
        for (const found of [row, again]) yield* sameSecond(found.emailVerified, date, "emailVerified")
      }
    }
  ),
  law(
    "long and unusual texts of users are kept",
    "Names of 255 characters in any script, quotes and line breaks in them, and images of 2000 come back unchanged.",
    ["createUser", "getUser"],
    function* ({ store, stored }) {
      const start = `O'Neil "Bobby" \\ \n\t; -- %s $1 ? ${"\u00e5\u4e2d\u0639\u05d0"} e\u0301 \u{1f469}\u{200d}\u{1f680} `
      const texts = {
        name: start + "x".repeat(255 - start.length),
        image: `https://laws.example/${"y".repeat(1979)}`
      }
      const { id } = yield* stored(texts)
      yield* sameMembers(yield* present(store.getUser(id), "the user"), texts, ["name", "image"])
      const plain = yield* stored({ name: null, image: null })
      const bare = yield* present(store.getUser(plain.id), "the user without a name")
      for (const name of ["name", "image"] as const)
        yield* claim((bare[name] ?? null) === null, `there is a member ${name} that was not given`)
    }
  ),
  law(
    "answers are copies",
    "What a caller does to a row changes nothing in the store.",
    ["createUser", "getUser"],
    function* ({ store, user }) {
      const newUser = { ...user({ emailVerified: at(emailVerified.getTime()) }) }
      const expected = { ...newUser, emailVerified }
      const created = yield* store.createUser(newUser)
      newUser.emailVerified?.setTime(0)
      Object.assign(newUser, { name: "Changed" })
      for (const row of [created, yield* present(store.getUser(created.id), "the user")]) {
        Object.assign(row, { name: "Changed", email: "changed@laws.example" })
        row.emailVerified?.setTime(0)
      }
      const row = yield* present(store.getUser(created.id), "the user")
      yield* sameMembers(row, expected, ["name", "email", "emailVerified"])
    }
  ),
  law(
    "deleteUser removes what is theirs and nothing else",
    "The user, their accounts and sessions are gone, and others can create them again; other users keep everything.",
    [
      "createUser",
      "getUser",
      "getUserByEmail",
      "deleteUser",
      "linkAccount",
      "getUserByAccount",
      "createSession",
      "getSessionAndUser"
    ],
    function* ({ link, pair, signIn, store, user }) {
      const [gone, stays] = yield* pair
      const accounts = [yield* link(gone.id), yield* link(gone.id, { provider: "other" })] as const
      const tokens = [yield* signIn(gone.id), yield* signIn(gone.id)]
      const [account, token] = [yield* link(stays.id), yield* signIn(stays.id)]
      yield* store.deleteUser(gone.id)
      yield* absent(store.getUser(gone.id), "the deleted user by id")
      yield* absent(store.getUserByEmail(gone.email), "the deleted user by address")
      for (const one of accounts) yield* absent(store.getUserByAccount(one), "the deleted user by account")
      for (const one of tokens) yield* absent(store.getSessionAndUser(one), "a session of the deleted user")
      yield* present(store.getUser(stays.id), "the other user")
      yield* present(store.getUserByAccount(account), "the other user by account")
      yield* present(store.getSessionAndUser(token), "the session of the other user")
      const next = yield* store.createUser(user({ email: gone.email }))
      yield* store.linkAccount({ ...accounts[0], userId: next.id })
      yield* finds(store.getUserByAccount(accounts[0]), next.id, "the user of the account that was linked anew")
      yield* absent(
        store.getUserByAccount(accounts[1]),
        "an account of the deleted user, by the next user of the address"
      )
    }
  ),
  law(
    "deleteUser of an unknown user changes nothing",
    "It does not fail, and neither does the second of two deletions.",
    ["createUser", "getUser", "deleteUser"],
    function* ({ pair, store, unknownId }) {
      const [stays, gone] = yield* pair
      for (const id of [unknownId(), gone.id, gone.id]) yield* store.deleteUser(id)
      yield* present(store.getUser(stays.id), "another user")
    }
  )
]
