/**
 * Whether an address is known must not show: not in an answer, and not in what the store is asked.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Passkey } from "../../src/Provider/Passkey.ts"
import { cookieOf, type Browser, type Seen } from "../Browser.ts"
import { password } from "../Visitor.ts"
import { makeSite, type Played, submit } from "./StorageFlows.ts"
import { talkativeStore } from "./TalkativeStore.ts"

const known = "known@mail.example"
const unknown = "other@mail.example"

/** What an observer sees: status, headers, the form of the body, names and sizes of cookies. */
const shape = ({ body, headers, lines, location, status }: Seen, address: string) => ({
  status,
  location,
  headers: [...headers].filter(([name]) => name !== "set-cookie" && name !== "location"),
  body: body.replaceAll(address, "address").replaceAll(/[\w-]{40,}/g, ({ length }) => `${length} characters`),
  cookies: lines.map((line) => [cookieOf(line).name, cookieOf(line).value.length, cookieOf(line).gone])
})

const asks: ReadonlyArray<readonly [string, (person: Browser, address: string) => Played<Seen>]> = [
  ["asking for a link", (person, email) => submit(person, "/auth/signin/email", { email })],
  [
    "opening a link that is wrong",
    (person, email) => person.get(`/auth/callback/email?token=${"a".repeat(64)}&email=${encodeURIComponent(email)}`)
  ],
  [
    "following a link that is wrong",
    (person, email) => submit(person, "/auth/callback/email", { token: "a".repeat(64), email })
  ],
  [
    "options to sign in with a key",
    (person, email) =>
      person.get(`/auth/webauthn-options/passkey?action=authenticate&email=${encodeURIComponent(email)}`)
  ],
  [
    "options for no wish that is named",
    (person, email) => person.get(`/auth/webauthn-options/passkey?email=${encodeURIComponent(email)}`)
  ],
  [
    "options to make a key",
    (person, email) => person.get(`/auth/webauthn-options/passkey?action=register&email=${encodeURIComponent(email)}`)
  ],
  [
    "options to sign in with a key of an address",
    (person, email) => person.get(`/auth/webauthn-options/first?action=authenticate&email=${encodeURIComponent(email)}`)
  ],
  [
    "a wrong password",
    (person, username) => submit(person, "/auth/callback/credentials", { username, password: "wrong" })
  ]
]

describe("whether somebody is known", () => {
  for (const [title, ask] of asks) {
    it.effect(`H196 does not show in ${title}`, () =>
      Effect.gen(function* () {
        const seen: Array<unknown> = []
        for (const address of [known, unknown]) {
          const store = talkativeStore("rejects")
          const site = makeSite(store)
          const whole = makeSite(store, {
            providers: [
              ...site.options.providers.filter((one) => Reflect.get(Object(one), "type") !== "credentials"),
              password(() => null),
              { ...Passkey(), id: "first", enableConditionalUI: false, options: { usernameFirst: true } }
            ]
          })
          const answer = yield* Effect.gen(function* () {
            yield* store.real.createUser({ id: "1", email: known, emailVerified: null, name: "Known" })
            return yield* ask(whole.world.person(), address)
          }).pipe(Effect.provide(whole.world.layer))
          const lines = whole.world.lines.map(({ level, message }) => [level, String(message)])
          seen.push([shape(answer, address), store.calls, lines])
        }
        assert.deepStrictEqual(seen[0], seen[1])
      })
    )
  }
})
