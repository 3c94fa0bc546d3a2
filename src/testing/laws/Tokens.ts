/**
 * Laws of what is used once: links in emails, and keys.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { absent, at, present, law, type Law, same, sameSecond } from "./Law.ts"

export const tokenLaws: ReadonlyArray<Law> = [
  law({
    name: "a verification token is used once",
    demands: "The first caller gets it with its address and end, and later callers get nothing.",
    needs: ["createVerificationToken", "useVerificationToken"],
    check: ({ soon, store, text }) =>
      Effect.gen(function* () {
        const token = { identifier: `${text()}@laws.example`, token: text(), expires: soon }
        yield* store.createVerificationToken(token)
        const row = yield* present(store.useVerificationToken(token), "the token")
        yield* same(row.identifier, token.identifier, "the address")
        yield* same(row.token, token.token, "the token")
        yield* sameSecond(row.expires, soon, "the end")
        yield* absent(store.useVerificationToken(token), "the token for the second time")
        yield* absent(store.useVerificationToken({ ...token, token: text() }), "a token that never was")
      })
  }),
  law({
    name: "a verification token is for its address only",
    demands: "With another address or another token nothing is found, and nothing is used up.",
    needs: ["createVerificationToken", "useVerificationToken"],
    check: ({ soon, store, text }) =>
      Effect.gen(function* () {
        const name = text()
        const one = { identifier: `${name}@laws.example`, token: `${text()}a`, expires: soon }
        const other = { identifier: `${text()}@laws.example`, token: text(), expires: soon }
        yield* store.createVerificationToken(one)
        yield* store.createVerificationToken(other)
        const wrong = [
          { identifier: one.identifier, token: other.token },
          { identifier: other.identifier, token: one.token },
          { identifier: `${name.toUpperCase()}@laws.example`, token: one.token },
          { identifier: `${one.identifier} `, token: one.token },
          { identifier: one.identifier, token: one.token.toUpperCase() },
          { identifier: "", token: one.token },
          { identifier: one.identifier, token: "" }
        ]
        for (const key of wrong) yield* absent(store.useVerificationToken(key), "a token with a wrong key")
        yield* present(store.useVerificationToken(one), "the first token after wrong attempts")
        yield* present(store.useVerificationToken(other), "the second token after wrong attempts")
      })
  }),
  law({
    name: "the newest verification token of an address can be used",
    demands: "It can, once, whether or not earlier ones of the address still can; tokens of other addresses stay.",
    needs: ["createVerificationToken", "useVerificationToken"],
    check: ({ soon, store, text }) =>
      Effect.gen(function* () {
        const identifier = `${text()}@laws.example`
        const other = { identifier: `${text()}@laws.example`, token: text() }
        yield* store.createVerificationToken({ ...other, expires: soon })
        const tokens = [text(), text(), text()]
        for (const token of tokens) {
          yield* store.createVerificationToken({ identifier, token, expires: soon })
        }
        const token = tokens.at(-1) ?? ""
        yield* present(store.useVerificationToken({ identifier, token }), "the newest of several tokens")
        yield* absent(store.useVerificationToken({ identifier, token }), "the newest of several tokens, used before")
        yield* present(store.useVerificationToken(other), "the token of another address")
      })
  }),
  law({
    name: "a key is used once",
    demands: "useOnce is true for the first caller with a key and false for all others, key by key.",
    needs: ["useOnce"],
    check: ({ soon, store, text }) =>
      Effect.gen(function* () {
        const [key, other] = [`${text()}a`, text()]
        yield* same(yield* store.useOnce(key, soon), true, "the first use")
        yield* same(yield* store.useOnce(key, soon), false, "the second use")
        yield* same(yield* store.useOnce(key, at(soon.getTime() + 1000)), false, "a use with another end")
        yield* same(yield* store.useOnce(other, soon), true, "the first use of another key")
        yield* same(yield* store.useOnce(key.toUpperCase(), soon), true, "the first use of the key in another case")
      })
  })
]
