/**
 * Laws of WebAuthn credentials.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { type KeyDetails, keyDetailsOf } from "../../storage/Details.ts"
import { absent, at, claim, present, law, type Law, rejects, same, sameSecond } from "./Law.ts"

const details = {
  label: "My phone \u2013 \u65e5\u672c",
  createdAt: at("2026-01-02T03:04:05Z"),
  lastUsedAt: at("2026-01-03T03:04:05Z")
} satisfies KeyDetails

/** Are the details of a row those that were written? */
const sameDetails = (row: object, expected: KeyDetails) =>
  Effect.forEach(
    ["label", "createdAt", "lastUsedAt"] as const,
    (name) => {
      const [is, was] = [keyDetailsOf(row)[name], expected[name]]
      return is instanceof Date && was instanceof Date ? sameSecond(is, was, name) : same(is, was, name)
    },
    { discard: true }
  )

export const authenticatorLaws: ReadonlyArray<Law> = [
  law({
    name: "a credential is kept whole",
    demands: "createAuthenticator and getAuthenticator answer every member as it was given.",
    needs: ["createUser", "createAuthenticator", "getAuthenticator"],
    check: ({ authenticator, store, stored, text }) =>
      Effect.gen(function* () {
        const one = yield* stored()
        const passkey = authenticator(one.id, {
          credentialID: `${text()}+/${"Ab1/".repeat(50)}==`,
          credentialPublicKey: `${"pQ+/".repeat(200)}=`,
          counter: 4_294_967_295,
          credentialDeviceType: "multiDevice",
          credentialBackedUp: true
        })
        const created = yield* store.createAuthenticator(passkey)
        const again = yield* present(store.getAuthenticator(passkey.credentialID), "the credential")
        for (const row of [created, again]) {
          yield* same(row.userId, one.id, "the user")
          yield* same(row.credentialID, passkey.credentialID, "the id")
          yield* same(row.providerAccountId, passkey.providerAccountId, "the id of the account")
          yield* same(row.credentialPublicKey, passkey.credentialPublicKey, "the public key")
          yield* same(row.counter, passkey.counter, "the counter")
          yield* same(row.credentialDeviceType, passkey.credentialDeviceType, "the kind of device")
          yield* same(row.credentialBackedUp, true, "credentialBackedUp")
          yield* same(row.transports, passkey.transports, "the transports")
        }
        const bare = authenticator(one.id, { transports: null })
        yield* store.createAuthenticator(bare)
        const found2 = yield* present(store.getAuthenticator(bare.credentialID), "the credential without transports")
        yield* claim((found2.transports ?? null) === null, "there are transports that were not given")
        yield* same(found2.credentialBackedUp, false, "credentialBackedUp")
      })
  }),
  law({
    name: "ids of credentials are compared byte by byte",
    demands: "An unknown id finds nothing, and another case is another credential.",
    needs: ["createUser", "createAuthenticator", "getAuthenticator"],
    check: ({ authenticator, store, stored, text }) =>
      Effect.gen(function* () {
        const [one, other] = [yield* stored(), yield* stored()]
        const passkey = authenticator(one.id, { credentialID: `${text()}a` })
        const upper = authenticator(other.id, { credentialID: passkey.credentialID.toUpperCase() })
        yield* store.createAuthenticator(passkey)
        yield* absent(store.getAuthenticator(text()), "an unknown credential")
        yield* absent(store.getAuthenticator(upper.credentialID), "the credential in another case")
        yield* store.createAuthenticator(upper)
        const still = yield* present(store.getAuthenticator(passkey.credentialID), "the credential")
        yield* same(still.userId, one.id, "the user of the credential")
      })
  }),
  law({
    name: "a credential is registered once",
    demands: "Registering it again, for any user, fails as a unique violation, and it stays with its user.",
    needs: ["createUser", "createAuthenticator", "getAuthenticator"],
    check: ({ authenticator, store, stored }) =>
      Effect.gen(function* () {
        const [one, other] = [yield* stored(), yield* stored()]
        const passkey = authenticator(one.id)
        yield* store.createAuthenticator(passkey)
        yield* rejects(
          store.createAuthenticator({ ...passkey, userId: other.id }),
          "a credential of another user",
          "unique"
        )
        yield* rejects(store.createAuthenticator(passkey), "a credential that is registered already", "unique")
        const still = yield* present(store.getAuthenticator(passkey.credentialID), "the credential")
        yield* same(still.userId, one.id, "the user")
      })
  }),
  law({
    name: "listAuthenticatorsByUserId answers the credentials of the user",
    demands: "All of theirs, none of others, and an empty list for an unknown user.",
    needs: ["createUser", "createAuthenticator", "listAuthenticatorsByUserId"],
    check: ({ authenticator, store, stored, unknownId }) =>
      Effect.gen(function* () {
        const [one, other, bare] = [yield* stored(), yield* stored(), yield* stored()]
        const mine = [authenticator(one.id), authenticator(one.id), authenticator(one.id)]
        for (const each of mine) yield* store.createAuthenticator(each)
        const theirs = authenticator(other.id)
        yield* store.createAuthenticator(theirs)
        const ids = (rows: ReadonlyArray<{ readonly credentialID: string }>) =>
          rows
            .map((row) => row.credentialID)
            .sort()
            .join(" ")
        yield* same(ids(yield* store.listAuthenticatorsByUserId(one.id)), ids(mine), "the list")
        yield* same(ids(yield* store.listAuthenticatorsByUserId(other.id)), theirs.credentialID, "the other list")
        yield* same((yield* store.listAuthenticatorsByUserId(bare.id)).length, 0, "the length of an empty list")
        yield* same(
          (yield* store.listAuthenticatorsByUserId(unknownId())).length,
          0,
          "the length of the list of an unknown user"
        )
      })
  }),
  law({
    name: "a counter is stored for its credential",
    demands: "updateAuthenticatorCounter answers the changed row, leaves others, and fails for an unknown credential.",
    needs: ["createUser", "createAuthenticator", "getAuthenticator", "updateAuthenticatorCounter"],
    check: ({ authenticator, store, stored, text }) =>
      Effect.gen(function* () {
        const one = yield* stored()
        const [counted, other, never] = [authenticator(one.id), authenticator(one.id), authenticator(one.id)]
        for (const each of [counted, other, never]) yield* store.createAuthenticator(each)
        const answer = yield* store.updateAuthenticatorCounter(counted.credentialID, 4_000_000_000)
        yield* same(answer.counter, 4_000_000_000, "the counter in the answer")
        const again = yield* present(store.getAuthenticator(counted.credentialID), "the credential")
        yield* same(again.counter, 4_000_000_000, "the counter")
        yield* same(again.credentialPublicKey, counted.credentialPublicKey, "the public key")
        yield* same(
          (yield* present(store.getAuthenticator(other.credentialID), "the other")).counter,
          0,
          "the other counter"
        )
        yield* store.updateAuthenticatorCounter(never.credentialID, 0)
        yield* same(
          (yield* present(store.getAuthenticator(never.credentialID), "it")).counter,
          0,
          "a counter that stays zero"
        )
        yield* rejects(store.updateAuthenticatorCounter(text(), 1), "a counter of an unknown credential")
      })
  }),
  law({
    name: "a counter only grows",
    demands: "A counter that is not larger than the stored one is refused, but for zero over zero.",
    needs: ["createUser", "createAuthenticator", "getAuthenticator", "updateAuthenticatorCounter"],
    check: ({ authenticator, store, stored }) =>
      Effect.gen(function* () {
        const passkey = authenticator((yield* stored()).id, { counter: 5 })
        yield* store.createAuthenticator(passkey)
        for (const counter of [5, 4, 0])
          yield* rejects(
            store.updateAuthenticatorCounter(passkey.credentialID, counter),
            `the counter ${counter} after 5`
          )
        yield* same((yield* present(store.getAuthenticator(passkey.credentialID), "it")).counter, 5, "the counter")
        yield* store.updateAuthenticatorCounter(passkey.credentialID, 6)
      })
  }),
  law({
    name: "credentials go with their user",
    demands: "deleteUser removes the credentials of the user and of no other user.",
    needs: ["createUser", "deleteUser", "createAuthenticator", "getAuthenticator", "listAuthenticatorsByUserId"],
    check: ({ authenticator, store, stored }) =>
      Effect.gen(function* () {
        const [one, other] = [yield* stored(), yield* stored()]
        const [gone, stays] = [authenticator(one.id), authenticator(other.id)]
        yield* store.createAuthenticator(gone)
        yield* store.createAuthenticator(stays)
        yield* store.deleteUser(one.id)
        yield* absent(store.getAuthenticator(gone.credentialID), "the credential of the deleted user")
        yield* same((yield* store.listAuthenticatorsByUserId(one.id)).length, 0, "the length of the list")
        yield* present(store.getAuthenticator(stays.credentialID), "the credential of the other user")
      })
  }),
  law({
    name: "a credential keeps its details",
    demands:
      "Its label, when it was registered and when it was used last are answered as they were given, and none that were not.",
    needs: ["createUser", "createAuthenticator", "getAuthenticator", "describeAuthenticator"],
    check: ({ authenticator, store, stored }) =>
      Effect.gen(function* () {
        const one = yield* stored()
        const [detailed, plain] = [authenticator(one.id), authenticator(one.id)]
        yield* store.createAuthenticator({ ...detailed, ...details })
        yield* store.createAuthenticator(plain)
        yield* sameDetails(yield* present(store.getAuthenticator(detailed.credentialID), "the credential"), details)
        yield* sameDetails(yield* present(store.getAuthenticator(plain.credentialID), "the plain credential"), {})
      })
  }),
  law({
    name: "describeAuthenticator changes that credential",
    demands:
      "It answers true, what is not given stays, other credentials stay, and for an unknown one it answers false.",
    needs: ["createUser", "createAuthenticator", "getAuthenticator", "describeAuthenticator"],
    check: ({ authenticator, store, stored, text }) =>
      Effect.gen(function* () {
        const one = yield* stored()
        const [given, other] = [authenticator(one.id, { counter: 7 }), authenticator(one.id)]
        for (const key of [given, other]) yield* store.createAuthenticator({ ...key, ...details })
        const lastUsedAt = at(details.lastUsedAt.getTime() + 60_000)
        yield* same(yield* store.describeAuthenticator(given.credentialID, { label: "Work" }), true, "the answer")
        yield* same(yield* store.describeAuthenticator(given.credentialID, { lastUsedAt }), true, "the second answer")
        yield* same(
          yield* store.describeAuthenticator(text(), { label: "Work" }),
          false,
          "the answer for an unknown id"
        )
        const changed = yield* present(store.getAuthenticator(given.credentialID), "the credential")
        yield* sameDetails(changed, { ...details, label: "Work", lastUsedAt })
        yield* same(changed.counter, 7, "the counter")
        yield* same(changed.credentialPublicKey, given.credentialPublicKey, "the public key")
        yield* sameDetails(yield* present(store.getAuthenticator(other.credentialID), "the other credential"), details)
      })
  }),
  law({
    name: "a key leaves together with its account",
    demands: "unlinkAccount of a passkey removes the credential too, which can be registered anew, and no other one.",
    needs: ["createUser", "linkAccount", "unlinkAccount", "createAuthenticator", "getAuthenticator"],
    check: ({ account, authenticator, store, stored }) =>
      Effect.gen(function* () {
        const [one, other] = [yield* stored(), yield* stored()]
        const keys = [authenticator(one.id), authenticator(one.id), authenticator(other.id)] as const
        const accountOf = (key: (typeof keys)[number]) =>
          account(key.userId, { type: "webauthn", providerAccountId: key.providerAccountId })
        for (const key of keys) {
          yield* store.linkAccount(accountOf(key))
          yield* store.createAuthenticator(key)
        }
        yield* store.linkAccount(account(other.id, { provider: "second", providerAccountId: keys[1].credentialID }))
        yield* store.unlinkAccount(accountOf(keys[0]))
        yield* store.unlinkAccount({ provider: "second", providerAccountId: keys[1].credentialID })
        yield* absent(store.getAuthenticator(keys[0].credentialID), "the credential of the unlinked account")
        yield* present(store.getAuthenticator(keys[1].credentialID), "the other credential of the user")
        yield* present(store.getAuthenticator(keys[2].credentialID), "the credential of the other user")
        yield* store.createAuthenticator({ ...keys[0], userId: other.id })
      })
  })
]
