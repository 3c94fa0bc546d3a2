/**
 * Whether an address is known must not show: not in an answer, and not in what the store is asked.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { asUserId } from "../../src/models/Id.ts"
import type { AdapterShape } from "../../src/storage/AdapterShape.ts"
import { Passkey } from "../../src/Provider/Passkey.ts"
import { cookieOf, type Browser, type Seen } from "../Browser.ts"
import { password, site as origin } from "../Visitor.ts"
import { cbor } from "../webauthn/Cbor.ts"
import { create, type CreationOptions, get, type RequestOptions } from "../webauthn/SoftwareAuthenticator.ts"
import { makeSite, type Played, submit } from "./StorageFlows.ts"
import { talkativeStore } from "./TalkativeStore.ts"

const known = "known@mail.example"
const unknown = "other@mail.example"

/** The observation: status, headers, the form of the body, names and sizes of cookies. */
const shape = ({ body, headers, lines, location, status }: Seen, address: string) => ({
  status,
  location,
  headers: [...headers].filter(([name]) => name !== "set-cookie" && name !== "location"),
  body: body.replaceAll(address, "address").replaceAll(/[\w-]{40,}/g, ({ length }) => `${length} characters`),
  cookies: lines.map((line) => [cookieOf(line).name, cookieOf(line).value.length, cookieOf(line).gone])
})

const optionsOf = <A>({ body }: Seen): A => (JSON.parse(body) as { readonly options: A }).options

/** Begins and ends the making of a key for an address. */
const makeKey = (provider: string) =>
  Effect.fnUntraced(function* (person: Browser, email: string) {
    const begun = yield* person.get(
      `/auth/webauthn-options/${provider}?action=register&name=Ada+Lovelace&email=${encodeURIComponent(email)}`
    )
    const { data } = create(optionsOf<CreationOptions>(begun), origin)
    const ended = yield* submit(person, `/auth/callback/${provider}`, {
      action: "register",
      data: JSON.stringify(data)
    })
    // A stranger's view of both answers: the second one has the cookies of the first one beside its own.
    return { ...ended, lines: [...begun.lines, ...ended.lines], body: begun.body + ended.body }
  })

/** An application that names new users by what they typed. */
const getUserInfo = async (
  { adapter }: { readonly adapter: { readonly getUserByEmail: (email: string) => Promise<object | null> } },
  { query }: { readonly query: { readonly email: string; readonly name: string } }
) => {
  const { email, name } = query
  const user = await adapter.getUserByEmail(email)
  return user === null ? { user: { email, name }, exists: false } : { user, exists: true }
}

/** A key that the known address has, and no other key. */
const creation: CreationOptions = {
  challenge: "",
  rp: { id: "app.example", name: "" },
  user: { id: "", name: "", displayName: "" },
  excludeCredentials: []
}
const key = create(creation, origin).credential
const credentialID = key.id.toString("base64")

const seed = Effect.fnUntraced(function* (store: AdapterShape) {
  yield* store.createUser({ id: asUserId("1"), email: known, emailVerified: null, name: "Known" })
  yield* store.linkAccount({
    userId: asUserId("1"),
    provider: "first",
    providerAccountId: credentialID,
    type: "webauthn"
  })
  yield* store.createAuthenticator({
    userId: asUserId("1"),
    credentialID,
    providerAccountId: credentialID,
    credentialPublicKey: cbor(key.publicKey).toString("base64"),
    counter: 0,
    credentialDeviceType: "multiDevice",
    credentialBackedUp: true,
    transports: null
  })
})

/** Asks for the keys of an address, and answers for the first of them with another key. */
const forge = Effect.fnUntraced(function* (person: Browser, email: string) {
  const options = optionsOf<RequestOptions>(
    yield* person.get(`/auth/webauthn-options/first?action=authenticate&email=${encodeURIComponent(email)}`)
  )
  const stranger = create(creation, origin).credential
  const id = Buffer.from(options.allowCredentials?.[0]?.id ?? "", "base64url")
  const data = get({ ...stranger, id }, options, origin)
  return yield* submit(person, "/auth/callback/first", { action: "authenticate", data: JSON.stringify(data) })
})

/** A stranger's view of a request for an address at a site where the known one has a user with a key. */
const look = Effect.fnUntraced(function* (ask: (person: Browser, address: string) => Played<Seen>, address: string) {
  const store = talkativeStore("rejects")
  const site = makeSite(store)
  const first = { ...Passkey(), id: "first", enableConditionalUI: false, options: { usernameFirst: true } }
  const whole = makeSite(store, {
    providers: [
      ...site.options.providers.filter((one) => Reflect.get(Object(one), "type") !== "credentials"),
      password(() => null),
      first,
      { ...Passkey(), id: "named", enableConditionalUI: false, options: { getUserInfo } }
    ]
  })
  const answer = yield* Effect.andThen(seed(store.real), ask(whole.world.person(), address)).pipe(
    Effect.provide(whole.world.layer)
  )
  const lines = whole.world.lines.map(({ level, message }) => [level, String(message)])
  return { shape: shape(answer, address), calls: store.calls, lines }
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
    "options without a named action",
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
  ["making a key", makeKey("passkey")],
  ["making a key where addresses come first", makeKey("first")],
  ["making a key where the application names new users", makeKey("named")],
  [
    "a wrong password",
    (person, username) => submit(person, "/auth/callback/credentials", { username, password: "wrong" })
  ]
]

describe("whether an account exists", () => {
  for (const [title, ask] of asks) {
    it.gen(`H196 does not show in ${title}`, function* () {
      assert.deepStrictEqual(yield* look(ask, known), yield* look(ask, unknown))
    })
  }

  it.gen("H196 does not show in a forged answer for a key that the options named", function* () {
    // The log says which check failed, to the operator alone.
    const { lines: _1, ...first } = yield* look(forge, known)
    const { lines: _2, ...second } = yield* look(forge, unknown)
    assert.deepStrictEqual(first, second)
    assert.includeMembers(first.calls, ["getAuthenticator", "getAccount", "getUser"])
  })
})
