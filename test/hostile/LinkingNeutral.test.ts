/**
 * Disclosure of a refusal to link: equal for every owner of the address or the account.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { asUserId } from "../../src/models/Id.ts"
import { makeMemory } from "../../src/Adapter.ts"
import type { Options } from "../../src/config/Settings.ts"
import { capture } from "../../src/Mailer.ts"
import { Email } from "../../src/Provider/Email.ts"
import { Passkey } from "../../src/Provider/Passkey.ts"
import type { AdapterShape } from "../../src/storage/AdapterShape.ts"
import { type Browser, config, cookieOf, type Seen } from "../Browser.ts"
import { idp } from "../MemoryProvider.ts"
import { type Watched, watch } from "../secrecy/Watched.ts"
import { site } from "../Visitor.ts"
import { optionsOf } from "../webauthn/Person.ts"
import { create, type CreationOptions } from "../webauthn/SoftwareAuthenticator.ts"

const on = (milliseconds: number): Date => new Date(milliseconds)

const contested = "contested.canary@mail.example"
const owner = "owner-canary-4711"
const foreign = "foreign-subject-canary-4711"

/** The owner of the address, or of the account, of a visitor. */
const holders: ReadonlyArray<readonly [string, (store: AdapterShape) => Effect.Effect<unknown, unknown>]> = [
  [
    "a user with a proven mailbox",
    (store) => store.createUser({ id: asUserId(owner), email: contested, emailVerified: on(1) })
  ],
  [
    "a user who has proven nothing",
    (store) => store.createUser({ id: asUserId(owner), email: contested, emailVerified: null })
  ],
  [
    "a user with an account elsewhere",
    (store) =>
      Effect.andThen(
        store.createUser({ id: asUserId(owner), email: contested, emailVerified: null }),
        store.linkAccount({
          userId: asUserId(owner),
          type: "oidc",
          provider: "other",
          providerAccountId: "other subject"
        })
      )
  ],
  [
    "a user with a key",
    (store) =>
      Effect.gen(function* () {
        yield* store.createUser({ id: asUserId(owner), email: contested, emailVerified: on(1) })
        yield* store.linkAccount({
          userId: asUserId(owner),
          type: "webauthn",
          provider: "passkey",
          providerAccountId: "a2V5"
        })
        yield* store.createAuthenticator({
          userId: asUserId(owner),
          credentialID: "a2V5",
          providerAccountId: "a2V5",
          credentialPublicKey: "cHVibGlj",
          counter: 0,
          credentialDeviceType: "singleDevice",
          credentialBackedUp: false
        })
      })
  ]
]

/** The account that somebody comes with is of another user, whatever their address. */
const accountOfAnother: ReadonlyArray<readonly [string, (store: AdapterShape) => Effect.Effect<unknown, unknown>]> =
  holders.map(([title, make]) => [
    `${title}, whose account it is`,
    (store) =>
      Effect.andThen(
        make(store),
        store.linkAccount({ userId: asUserId(owner), type: "oidc", provider: "idp", providerAccountId: foreign })
      )
  ])

interface Site {
  readonly world: Watched
  readonly store: AdapterShape
}

const makeSite = (strategy: "database" | "jwt"): Site => {
  const store = makeMemory()
  const options: Options = config({
    providers: [idp(), idp({ id: "own", issuer: "https://idp.example" }), Email(), Passkey()],
    experimental: { enableWebAuthn: true },
    adapter: store,
    mailer: capture(),
    session: { strategy }
  })
  return { store, world: watch(options) }
}

const signIn = Effect.fnUntraced(function* ({ world }: Site, who: Browser, provider: string, claims: object) {
  Object.assign(world.provider.claims, claims)
  const away = yield* who.leave(provider)
  return yield* who.get(world.provider.agree(away))
})

const register = Effect.fnUntraced(function* (who: Browser, email: string) {
  const asked = yield* who.get(`/auth/webauthn-options/passkey?action=register&email=${encodeURIComponent(email)}`)
  const { data } = create(optionsOf<CreationOptions>(asked), site)
  return yield* who.send("POST", "/auth/callback/passkey", {
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ action: "register", data: JSON.stringify(data) }).toString()
  })
})

/** The public view of an answer, and of its page. */
const told = Effect.fnUntraced(function* (who: Browser, { body, headers, lines, location, status }: Seen) {
  const page = yield* who.get(location ?? "/none")
  return {
    status,
    location,
    headers: [...headers].filter(([name]) => name !== "set-cookie"),
    cookies: lines.map((line) => {
      const { gone, name } = cookieOf(line)
      return [name.replace(/flow\..+/, "flow"), gone]
    }),
    body,
    page: page.body.replaceAll(/[0-9a-f]{64}/g, "token")
  }
})

/** The log lines that a deployment keeps. */
const kept = ({ world }: Site) =>
  world.lines
    .filter(({ level }) => ["Fatal", "Error", "Warn", "Info"].includes(level))
    .map(({ level, message }) => [level, String(message)])

/** A key for an address waits for a mailed proof, whosever the address is. */
const waiting = `${site}/auth/verify-request?provider=email&type=email`

/** Plays before each of these holders; all that is seen and kept must be the same, and name nobody. */
const alike = (
  people: typeof holders,
  strategy: "database" | "jwt",
  location: string,
  play: (site: Site, who: Browser) => Effect.Effect<Seen, unknown, Layer.Success<Watched["layer"]>>
) =>
  Effect.gen(function* () {
    const all: Array<unknown> = []
    for (const [title, make] of people) {
      const here = makeSite(strategy)
      const who = here.world.person()
      const one = yield* Effect.gen(function* () {
        yield* make(here.store)
        const seen = yield* play(here, who)
        assert.strictEqual(seen.location, location, title)
        return yield* told(who, seen)
      }).pipe(Effect.provide(here.world.layer))
      const log = kept(here)
      if (location !== waiting) assert.isAbove(log.length, 0, "a refusal is worth a line")
      const refusal = JSON.stringify([one, log])
      assert.deepStrictEqual(
        [contested, owner, foreign, "other subject"].filter((secret) => refusal.includes(secret)),
        [],
        title
      )
      // A visitor may read the typed address again, and never its owner.
      const bodies = here.world.seen.map(({ body }) => body).join("\n")
      assert.deepStrictEqual(
        [owner, foreign, "other subject", "a2V5"].filter((secret) => bodies.includes(secret)),
        [],
        title
      )
      all.push([one, log])
    }
    for (const one of all) assert.deepStrictEqual(one, all[0])
  })

const refused = `${site}/auth/signin?error=OAuthAccountNotLinked`

for (const strategy of ["database", "jwt"] as const) {
  describe(`a refusal to link, with sessions of kind ${strategy}`, () => {
    // A person whose address the provider verified owns it, and is asked when its user never proved it.
    for (const vouched of [false, undefined]) {
      it.effect(`H243 is one to every person who comes with the address of any user (email_verified: ${vouched})`, () =>
        alike(holders, strategy, refused, (here, who) =>
          signIn(here, who, "idp", { sub: "stranger", email: contested, email_verified: vouched })
        )
      )
    }

    it.effect("H243 is the same to a signed-in user who comes with an account of any user", () =>
      alike(accountOfAnother, strategy, refused, (here, who) =>
        Effect.andThen(
          signIn(here, who, "own", { sub: "me", email: "me@mail.example", email_verified: true }),
          signIn(here, who, "idp", { sub: foreign, email: contested, email_verified: true })
        )
      )
    )

    it.effect("H243 is the same to a person who makes a key for the address of any user", () =>
      alike(holders, strategy, waiting, (_, who) => register(who, contested))
    )
  })
}

describe("a refusal to link", () => {
  it.gen("H243 says the same of an address as of an account", function* () {
    const refusals: Array<unknown> = []
    for (const [people, provider, claims] of [
      [holders, undefined, { sub: "stranger", email: contested }],
      [accountOfAnother, "own", { sub: foreign, email: "another.canary@mail.example" }]
    ] as const) {
      const here = makeSite("database")
      const who = here.world.person()
      const seen = yield* Effect.gen(function* () {
        yield* Effect.forEach(people.slice(0, 1), ([, make]) => make(here.store))
        // Without a session the account of another user is a sign-in as them.
        if (provider !== undefined) yield* signIn(here, who, provider, { sub: "me", email: "me@mail.example" })
        // The page knows who is signed in here.
        const { page: _, ...answer } = yield* told(who, yield* signIn(here, who, "idp", claims))
        return answer
      }).pipe(Effect.provide(here.world.layer))
      assert.strictEqual(seen.location, refused)
      refusals.push([seen, kept(here).slice(-1)])
    }
    assert.deepStrictEqual(refusals[0], refusals[1])
  })
})
