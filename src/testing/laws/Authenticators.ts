/**
 * Laws of WebAuthn credentials.
 *
 * @since 0.1.0
 */
import { type KeyDetails, keyDetailsOf } from "../../storage/Details.ts"
import { absent, at, claim, law, type Law, present, rejects, same, sameMembers, sameSet } from "./Law.ts"

const details = {
  label: "My phone \u2013 \u65e5\u672c",
  createdAt: at("2026-01-02T03:04:05Z"),
  lastUsedAt: at("2026-01-03T03:04:05Z")
} satisfies KeyDetails

/** Are the details of a row those that were written? */
const sameDetails = (row: object, expected: KeyDetails) =>
  sameMembers(keyDetailsOf(row), expected, ["label", "createdAt", "lastUsedAt"])

const idOf = ({ credentialID }: { readonly credentialID: string }): string => credentialID

const needs = ["createUser", "createAuthenticator", "getAuthenticator"] as const

export const authenticatorLaws: ReadonlyArray<Law> = [
  law(
    "a credential is kept whole",
    "createAuthenticator and getAuthenticator answer every member as it was given.",
    needs,
    function* ({ authenticator, register, store, stored, text }) {
      const one = yield* stored()
      const passkey = authenticator(one.id, {
        credentialID: `${text()}+/${"Ab1/".repeat(50)}==`,
        credentialPublicKey: `${"pQ+/".repeat(200)}=`,
        counter: 4_294_967_295,
        credentialDeviceType: "multiDevice",
        credentialBackedUp: true
      })
      const created = yield* store.createAuthenticator(passkey)
      for (const row of [created, yield* present(store.getAuthenticator(passkey.credentialID), "the credential")])
        yield* sameMembers(row, passkey, [
          "userId",
          "credentialID",
          "providerAccountId",
          "credentialPublicKey",
          "counter",
          "credentialDeviceType",
          "credentialBackedUp",
          "transports"
        ])
      const { credentialID } = yield* register(one.id, { transports: null })
      const bare = yield* present(store.getAuthenticator(credentialID), "the credential without transports")
      yield* claim((bare.transports ?? null) === null, "there are transports that were not given")
      yield* same(bare.credentialBackedUp, false, "credentialBackedUp")
    }
  ),
  law(
    "ids of credentials are compared byte by byte",
    "An unknown id finds nothing, and another case is another credential.",
    needs,
    function* ({ authenticator, pair, register, store, text }) {
      const [one, other] = yield* pair
      const { credentialID } = yield* register(one.id, { credentialID: `${text()}a` })
      const upper = authenticator(other.id, { credentialID: credentialID.toUpperCase() })
      yield* absent(store.getAuthenticator(text()), "an unknown credential")
      yield* absent(store.getAuthenticator(upper.credentialID), "the credential in another case")
      yield* store.createAuthenticator(upper)
      const row = yield* present(store.getAuthenticator(credentialID), "the credential")
      yield* same(row.userId, one.id, "the user of the credential")
    }
  ),
  law(
    "a credential is registered once",
    "Registering it again, for any user, fails as a unique violation, and it stays with its user.",
    needs,
    function* ({ pair, register, store }) {
      const [one, other] = yield* pair
      const passkey = yield* register(one.id)
      for (const { id } of [other, one])
        yield* rejects(
          store.createAuthenticator({ ...passkey, userId: id }),
          "a credential that is registered",
          "unique"
        )
      const row = yield* present(store.getAuthenticator(passkey.credentialID), "the credential")
      yield* same(row.userId, one.id, "the user")
    }
  ),
  law(
    "listAuthenticatorsByUserId answers the credentials of the user",
    "All of theirs, none of others, and an empty list for an unknown user.",
    ["createUser", "createAuthenticator", "listAuthenticatorsByUserId"],
    function* ({ pair, register, store, stored, unknownId }) {
      const [one, other] = yield* pair
      const mine = [yield* register(one.id), yield* register(one.id), yield* register(one.id)]
      const theirs = [yield* register(other.id)]
      for (const [userId, expected, what] of [
        [one.id, mine, "the list"],
        [other.id, theirs, "the other list"],
        [(yield* stored()).id, [], "an empty list"],
        [unknownId(), [], "the list of an unknown user"]
      ] as const)
        yield* sameSet((yield* store.listAuthenticatorsByUserId(userId)).map(idOf), expected.map(idOf), what)
    }
  ),
  law(
    "a counter is stored for its credential",
    "updateAuthenticatorCounter answers the changed row, leaves others, and fails for an unknown credential.",
    [...needs, "updateAuthenticatorCounter"],
    function* ({ register, store, stored, text }) {
      const { id } = yield* stored()
      const [counted, other, never] = [yield* register(id), yield* register(id), yield* register(id)]
      const counter = 4_000_000_000
      yield* same((yield* store.updateAuthenticatorCounter(idOf(counted), counter)).counter, counter, "the answer")
      yield* store.updateAuthenticatorCounter(idOf(never), 0)
      for (const expected of [{ ...counted, counter }, other, never]) {
        const row = yield* present(store.getAuthenticator(idOf(expected)), "the credential")
        yield* sameMembers(row, expected, ["counter", "credentialPublicKey"])
      }
      yield* rejects(store.updateAuthenticatorCounter(text(), 1), "a counter of an unknown credential")
    }
  ),
  law(
    "a counter only grows",
    "A counter that is not larger than the stored one is refused, but for zero over zero.",
    [...needs, "updateAuthenticatorCounter"],
    function* ({ register, store, stored }) {
      const { credentialID } = yield* register((yield* stored()).id, { counter: 5 })
      for (const counter of [5, 4, 0])
        yield* rejects(store.updateAuthenticatorCounter(credentialID, counter), `the counter ${counter} after 5`)
      yield* same((yield* present(store.getAuthenticator(credentialID), "it")).counter, 5, "the counter")
      yield* store.updateAuthenticatorCounter(credentialID, 6)
    }
  ),
  law(
    "credentials go with their user",
    "deleteUser removes the credentials of the user and of no other user.",
    ["createUser", "deleteUser", "createAuthenticator", "getAuthenticator", "listAuthenticatorsByUserId"],
    function* ({ pair, register, store }) {
      const [one, other] = yield* pair
      const [gone, stays] = [yield* register(one.id), yield* register(other.id)]
      yield* store.deleteUser(one.id)
      yield* absent(store.getAuthenticator(idOf(gone)), "the credential of the deleted user")
      yield* same((yield* store.listAuthenticatorsByUserId(one.id)).length, 0, "the length of the list")
      yield* present(store.getAuthenticator(idOf(stays)), "the credential of the other user")
    }
  ),
  law(
    "a credential keeps its details",
    "Its label, when it was registered and when it was used last are answered as they were given, and none that were not.",
    [...needs, "describeAuthenticator"],
    function* ({ register, store, stored }) {
      const { id } = yield* stored()
      for (const expected of [details, {}]) {
        const { credentialID } = yield* register(id, expected)
        yield* sameDetails(yield* present(store.getAuthenticator(credentialID), "the credential"), expected)
      }
    }
  ),
  law(
    "describeAuthenticator changes that credential",
    "It answers true, what is not given stays, other credentials stay, and for an unknown one it answers false.",
    [...needs, "describeAuthenticator"],
    function* ({ register, store, stored, text }) {
      const { id } = yield* stored()
      const given = yield* register(id, { counter: 7, ...details })
      const other = yield* register(id, details)
      const lastUsedAt = at(details.lastUsedAt.getTime() + 60_000)
      yield* same(yield* store.describeAuthenticator(idOf(given), { label: "Work" }), true, "the answer")
      yield* same(yield* store.describeAuthenticator(idOf(given), { lastUsedAt }), true, "the second answer")
      yield* same(yield* store.describeAuthenticator(text(), { label: "Work" }), false, "the answer for an unknown id")
      const row = yield* present(store.getAuthenticator(idOf(given)), "the credential")
      yield* sameDetails(row, { ...details, label: "Work", lastUsedAt })
      yield* sameMembers(row, given, ["counter", "credentialPublicKey"])
      yield* sameDetails(yield* present(store.getAuthenticator(idOf(other)), "the other credential"), details)
    }
  ),
  law(
    "a key leaves together with its account",
    "unlinkAccount of a passkey removes the credential too, which can be registered anew, and no other one.",
    ["createUser", "linkAccount", "unlinkAccount", "createAuthenticator", "getAuthenticator"],
    function* ({ link, pair, register, store }) {
      const [one, other] = yield* pair
      const [gone, stays, theirs] = [yield* register(one.id), yield* register(one.id), yield* register(other.id)]
      for (const { providerAccountId, userId } of [gone, stays, theirs])
        yield* link(userId, { type: "webauthn", providerAccountId })
      yield* link(other.id, { provider: "second", providerAccountId: idOf(stays) })
      yield* store.unlinkAccount({ provider: "laws", providerAccountId: gone.providerAccountId })
      yield* store.unlinkAccount({ provider: "second", providerAccountId: idOf(stays) })
      yield* absent(store.getAuthenticator(idOf(gone)), "the credential of the unlinked account")
      yield* present(store.getAuthenticator(idOf(stays)), "the other credential of the user")
      yield* present(store.getAuthenticator(idOf(theirs)), "the credential of the other user")
      yield* store.createAuthenticator({ ...gone, userId: other.id })
    }
  )
]
