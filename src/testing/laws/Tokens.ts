/**
 * Laws of what is used once: links in emails, and keys.
 *
 * @since 0.1.0
 */
import { absent, at, type Draw, law, type Law, present, same, sameMembers } from "./Law.ts"

const needs = ["createVerificationToken", "useVerificationToken"] as const

const newToken = ({ soon, text }: Draw) => ({
  identifier: `${text()}@laws.example`,
  token: `${text()}a`,
  expires: soon
})

export const tokenLaws: ReadonlyArray<Law> = [
  law(
    "a verification token is used once",
    "The first caller gets it with its address and end, and later callers get nothing.",
    needs,
    function* (draw) {
      const { store, text } = draw
      const token = newToken(draw)
      yield* store.createVerificationToken(token)
      const row = yield* present(store.useVerificationToken(token), "the token")
      yield* sameMembers(row, token, ["identifier", "token", "expires"])
      yield* absent(store.useVerificationToken(token), "the token for the second time")
      yield* absent(store.useVerificationToken({ ...token, token: text() }), "a token that never was")
    }
  ),
  law(
    "a verification token is for its address only",
    "With another address or another token nothing is found, and nothing is used up.",
    needs,
    function* (draw) {
      const { store } = draw
      const [one, other] = [newToken(draw), newToken(draw)]
      const { identifier, token } = one
      for (const each of [one, other]) yield* store.createVerificationToken(each)
      const wrong = [
        { identifier, token: other.token },
        { identifier: other.identifier, token },
        { identifier: identifier.replace(/^[^@]+/, (name) => name.toUpperCase()), token },
        { identifier: `${identifier} `, token },
        { identifier, token: token.toUpperCase() },
        { identifier: "", token },
        { identifier, token: "" }
      ]
      for (const key of wrong) yield* absent(store.useVerificationToken(key), "a token with a wrong key")
      for (const each of [one, other]) yield* present(store.useVerificationToken(each), "a token after wrong attempts")
    }
  ),
  law(
    "the newest verification token of an address can be used",
    "It can, once, whether or not earlier ones of the address still can; tokens of other addresses stay.",
    needs,
    function* (draw) {
      const { store } = draw
      const [other, newest] = [newToken(draw), newToken(draw)]
      const earlier = [newToken(draw), newToken(draw)].map(({ token }) => ({ ...newest, token }))
      for (const each of [other, ...earlier, newest]) yield* store.createVerificationToken(each)
      yield* present(store.useVerificationToken(newest), "the newest of several tokens")
      yield* absent(store.useVerificationToken(newest), "the newest of several tokens, used before")
      yield* present(store.useVerificationToken(other), "the token of another address")
    }
  ),
  law(
    "a key is used once",
    "useOnce is true for the first caller with a key and false for all others, key by key.",
    ["useOnce"],
    function* ({ soon, store, text }) {
      const [key, other] = [`${text()}a`, text()]
      yield* same(yield* store.useOnce(key, soon), true, "the first use")
      yield* same(yield* store.useOnce(key, soon), false, "the second use")
      yield* same(yield* store.useOnce(key, at(soon.getTime() + 1000)), false, "a use with another end")
      yield* same(yield* store.useOnce(other, soon), true, "the first use of another key")
      yield* same(yield* store.useOnce(key.toUpperCase(), soon), true, "the first use of the key in another case")
    }
  )
]
