/**
 * Account linking in whole flows: a stranger prepares an account on a foreign address, and its owner signs in.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import * as Option from "effect/Option"
import { asUserId } from "../../src/models/Id.ts"
import type { Options } from "../../src/config/Settings.ts"
import { AccessDenied } from "../../src/Errors.ts"
import { Email } from "../../src/Provider/Email.ts"
import { Passkey } from "../../src/Provider/Passkey.ts"
import type { Services } from "../../src/composition/Services.ts"
import { type Browser, browser, type Seen } from "../Browser.ts"
import { ask, press } from "../Mailed.ts"
import { idp } from "../MemoryProvider.ts"
import { password, site } from "../Visitor.ts"
import { optionsOf } from "../webauthn/Person.ts"
import {
  create,
  type CreationOptions,
  type Credential,
  get,
  type RequestOptions
} from "../webauthn/SoftwareAuthenticator.ts"
import { madeByApplication } from "./Flows.ts"
import { inScene, oauth, type Scene, sessionCookie, sessionOf, shortly, type Strategy } from "./Scene.ts"
import type { StoreKind } from "./Store.ts"

/** A scene with all sign-in methods. */
const here = (
  more: Partial<Options> = {},
  { store = "transactions", strategy = "database" }: { readonly store?: StoreKind; readonly strategy?: Strategy } = {}
) => {
  const options = () => ({
    providers: [oauth(), idp({ id: "vouching" }), Email(), Passkey(), password()],
    experimental: { enableWebAuthn: true },
    ...more
  })
  return {
    use: (play: (scene: Scene) => Effect.Effect<unknown, unknown, Services>) =>
      inScene({ store, strategy, options }, play)
  }
}

/** The profile of the person at both providers from now on. */
const says = (scene: Scene, { id, ...claims }: Readonly<Record<string, unknown>>) =>
  Effect.sync(() => Object.assign(scene.provider.claims, claims, { id, sub: id }))

const signIn = Effect.fnUntraced(function* (scene: Scene, who: Browser, provider = "idp") {
  return yield* who.get(scene.provider.agree(yield* who.leave(provider)))
})

const followLink = Effect.fnUntraced(function* (scene: Scene, who: Browser, email: string) {
  yield* ask(who, email)
  const mails = yield* scene.mailbox.mails
  return yield* press(who, new URL(mails.at(-1)?.url ?? site))
})

const postKey = (who: Browser, action: string, data: unknown) =>
  who.send("POST", "/auth/callback/passkey", {
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ action, data: JSON.stringify(data) }).toString()
  })

const registerKey = Effect.fnUntraced(function* (who: Browser, email?: string) {
  const query = email === undefined ? "" : `&email=${encodeURIComponent(email)}`
  const asked = yield* who.get(`/auth/webauthn-options/passkey?action=register${query}`)
  const { credential, data } = create(optionsOf<CreationOptions>(asked), site)
  return { seen: yield* postKey(who, "register", data), credential }
})

const useKey = Effect.fnUntraced(function* (who: Browser, key: Credential) {
  const asked = yield* who.get("/auth/webauthn-options/passkey?action=authenticate")
  key.counter++
  return yield* postKey(who, "authenticate", get(key, optionsOf<RequestOptions>(asked), site))
})

const emailOf = (who: Browser) => Effect.map(who.session, (session) => session?.user?.["email"])

const userOf = (scene: Scene, email: string) => Effect.map(scene.vault.store.getUserByEmail(email), Option.getOrThrow)

const victims = "victim@example.com"

/** Somebody has signed in as the user of an address that they never proved. */
const squatter = Effect.fnUntraced(function* (scene: Scene) {
  yield* madeByApplication(scene, { id: asUserId("id of ann"), email: victims, emailVerified: null })
  const who = browser()
  yield* who.signInWithPassword("ann")
  assert.strictEqual(yield* emailOf(who), victims)
  return who
})

/** Begins a new account after a proof. */
const beginAnew = (who: Browser, provider = "email") => who.submit(`/auth/signin/${provider}`, { account: "new" })

describe("the first proof of a mailbox", () => {
  for (const store of ["transactions", "steps", "promises"] as const) {
    it.use(
      `H229, H232 leads to a new account without anything of a stranger, on a store with ${store}`,
      here({}, { store }),
      function* (scene) {
        const attacker = yield* squatter(scene)
        yield* says(scene, { id: "attacker", email: "attacker@example.com" })
        assert.strictEqual(shortly(yield* signIn(scene, attacker)), "ok")
        const victim = browser()
        assert.strictEqual(shortly(yield* followLink(scene, victim, victims)), "signin UnprovenAddress")
        assert.isNull(yield* victim.session)
        assert.strictEqual((yield* userOf(scene, victims)).id, "id of ann")
        assert.strictEqual(shortly(yield* beginAnew(victim)), "ok")
        const owner = yield* userOf(scene, victims)
        assert.notStrictEqual(owner.id, "id of ann")
        assert.isNotNull(owner.emailVerified)
        assert.strictEqual(yield* emailOf(victim), victims)
        const { accounts, sessions, users } = yield* scene.vault.rows
        assert.deepStrictEqual(
          [...accounts, ...sessions].filter(({ userId }) => userId === owner.id).length,
          1,
          "one session and no account"
        )
        // The stranger keeps what is theirs, and no way into the account of the owner.
        assert.strictEqual(users.length, 2)
        for (const who of [attacker, browser(), browser()]) {
          yield* signIn(scene, who)
          yield* who.signInWithPassword("ann")
          assert.notStrictEqual(yield* emailOf(who), victims)
        }
      }
    )
  }

  it.use("H232 makes a link of accounts that was begun before worthless", here(), function* (scene) {
    const attacker = yield* squatter(scene)
    yield* says(scene, { id: "attacker", email: "attacker@example.com" })
    const back = scene.provider.agree(yield* attacker.leave("idp"))
    const victim = browser()
    yield* followLink(scene, victim, victims)
    yield* beginAnew(victim)
    yield* attacker.get(back)
    const owner = yield* userOf(scene, victims)
    assert.isFalse((yield* scene.vault.rows).accounts.some(({ userId }) => userId === owner.id))
  })

  it.use("H232 gives nothing to a token session of another user", here({}, { strategy: "jwt" }), function* (scene) {
    const attacker = browser()
    yield* says(scene, { id: "attacker", email: victims })
    yield* signIn(scene, attacker)
    const victim = browser()
    yield* followLink(scene, victim, victims)
    yield* beginAnew(victim)
    const owner = yield* userOf(scene, victims)
    // The token stays what it was, a session of the other user: it links to that user and to nobody else.
    yield* says(scene, { id: "another", email: "attacker@example.com" })
    yield* signIn(scene, attacker)
    const { accounts } = yield* scene.vault.rows
    assert.isFalse(accounts.some(({ userId }) => userId === owner.id))
    assert.strictEqual(yield* emailOf(victim), victims)
  })

  it.use("H231 leaves the key that a stranger made for the address without the account", here(), function* (scene) {
    // The key was made before the site had mail: with it, a key for an address waits for the proof.
    const attacker = yield* squatter(scene)
    const { credential, seen } = yield* registerKey(attacker)
    assert.strictEqual(shortly(seen), "ok")
    const victim = browser()
    assert.strictEqual(shortly(yield* followLink(scene, victim, victims)), "signin UnprovenAddress")
    assert.strictEqual(shortly(yield* beginAnew(victim)), "ok")
    const again = browser()
    assert.strictEqual(shortly(yield* useKey(again, credential)), "ok")
    assert.notStrictEqual(yield* emailOf(again), victims)
    assert.strictEqual(yield* emailOf(victim), victims)
  })

  it.use("keeps what is there when the mailbox and the session are one person's", here(), function* (scene) {
    const owner = yield* squatter(scene)
    const { credential } = yield* registerKey(owner)
    assert.strictEqual(shortly(yield* followLink(scene, owner, victims)), "ok")
    const other = browser()
    assert.strictEqual(shortly(yield* useKey(other, credential)), "ok")
    assert.strictEqual(yield* emailOf(other), victims)
  })

  for (const [method, come] of [
    ["a password", (_: Scene, who: Browser) => who.signInWithPassword("ann")],
    ["a provider", (scene: Scene, who: Browser) => signIn(scene, who)]
  ] as const) {
    it.use(
      `marks the address of a user who signs in by ${method} in the browser that proved it`,
      here(),
      function* (scene) {
        const before = yield* squatter(scene)
        yield* says(scene, { id: "mine", email: "elsewhere@example.com" })
        yield* signIn(scene, before)
        const owner = browser()
        yield* followLink(scene, owner, victims)
        assert.strictEqual(shortly(yield* come(scene, owner)), "ok")
        const user = yield* userOf(scene, victims)
        assert.strictEqual(user.id, "id of ann")
        assert.isNotNull(user.emailVerified)
        const later = browser()
        assert.strictEqual(shortly(yield* followLink(scene, later, victims)), "ok")
        assert.strictEqual((yield* scene.vault.rows).users.length, 1)
      }
    )
  }

  it.use("marks nothing for a sign-in as another user, or in another browser", here(), function* (scene) {
    const attacker = yield* squatter(scene)
    const victim = browser()
    yield* followLink(scene, victim, victims)
    yield* says(scene, { id: "other", email: "other@example.com" })
    yield* signIn(scene, victim)
    yield* attacker.signInWithPassword("ann")
    assert.isNull((yield* userOf(scene, victims)).emailVerified)
  })

  it.use(
    "asks again, and gives nothing, when the proof is used twice or by another browser",
    here(),
    function* (scene) {
      yield* squatter(scene)
      const victim = browser()
      yield* followLink(scene, victim, victims)
      const thief = browser()
      assert.strictEqual(shortly(yield* beginAnew(thief)), "error Verification")
      const copy = browser()
      for (const [name, value] of victim.cookies) copy.cookies.set(name, value)
      assert.strictEqual(shortly(yield* beginAnew(victim)), "ok")
      yield* TestClock.adjust("61 seconds")
      assert.strictEqual(shortly(yield* beginAnew(copy)), "error Verification")
      assert.isNull(yield* copy.session)
      assert.strictEqual(shortly(yield* beginAnew(victim)), "error Verification")
    }
  )
})

describe("a passkey of a new person, where mail is configured", () => {
  const lastLink = (scene: Scene) => Effect.map(scene.mailbox.mails, (mails) => new URL(mails.at(-1)?.url ?? site))

  for (const store of ["transactions", "steps", "promises"] as const) {
    it.use(
      `waits for the link that was sent to its address, on a store with ${store}`,
      here({}, { store }),
      function* (scene) {
        const who = browser()
        const { credential, seen } = yield* registerKey(who, victims)
        assert.strictEqual(new URL(seen.location ?? "").pathname, "/auth/verify-request")
        assert.deepStrictEqual((yield* scene.vault.rows).users, [])
        assert.isNull(yield* who.session)
        assert.strictEqual(shortly(yield* press(who, yield* lastLink(scene))), "ok")
        const user = yield* userOf(scene, victims)
        assert.isNotNull(user.emailVerified)
        const again = browser()
        assert.strictEqual(shortly(yield* useKey(again, credential)), "ok")
        assert.strictEqual(yield* emailOf(again), victims)
      }
    )
  }

  it.use("is nothing when the link is followed in another browser, or when another link is", here(), function* (scene) {
    const stranger = browser()
    const { credential } = yield* registerKey(stranger, victims)
    const victim = browser()
    assert.strictEqual(shortly(yield* press(victim, yield* lastLink(scene))), "ok")
    assert.strictEqual(shortly(yield* useKey(browser(), credential)), "error WebAuthnVerificationError")
    const { accounts, authenticators } = yield* scene.vault.rows
    assert.deepStrictEqual([accounts, authenticators], [[], []])
  })

  it.use("is not added to a user who has the address", here(), function* (scene) {
    yield* followLink(scene, browser(), victims)
    const who = browser()
    const { seen } = yield* registerKey(who, victims)
    assert.strictEqual(new URL(seen.location ?? "").pathname, "/auth/verify-request")
    assert.strictEqual(shortly(yield* press(who, yield* lastLink(scene))), "ok")
    assert.deepStrictEqual((yield* scene.vault.rows).authenticators, [])
  })
})

describe("an address that another user has taken", () => {
  it.use(
    "H230 is asked about when a provider vouches for it, and goes to a new account of its owner",
    here(),
    function* (scene) {
      yield* squatter(scene)
      yield* says(scene, { id: "owner", email: victims, email_verified: true })
      const owner = browser()
      assert.strictEqual(shortly(yield* signIn(scene, owner, "vouching")), "signin UnprovenAddress")
      assert.isNull(yield* owner.session)
      const page = yield* owner.get("/auth/signin?error=UnprovenAddress")
      assert.include(page.body, 'action="/auth/signin/vouching"')
      assert.include(page.body, 'name="account" value="new"')
      const away = yield* beginAnew(owner, "vouching")
      assert.strictEqual(shortly(yield* owner.get(scene.provider.agree(away.location ?? ""))), "ok")
      assert.strictEqual(yield* emailOf(owner), victims)
      const user = yield* userOf(scene, victims)
      assert.notStrictEqual(user.id, "id of ann")
      assert.isNotNull(user.emailVerified)
      const next = browser()
      assert.strictEqual(shortly(yield* signIn(scene, next, "vouching")), "ok")
      assert.strictEqual(yield* emailOf(next), victims)
    }
  )

  it.effect("H233, H235 is never linked for a provider that does not vouch for it with a boolean", () =>
    Effect.forEach([false, "true", "yes", 1, {}, ["true"], null, undefined], (said) =>
      here({
        providers: [idp({ id: "trusted", allowDangerousEmailAccountLinking: true }), idp({ id: "vouching" }), Email()]
      }).use((scene) =>
        Effect.gen(function* () {
          yield* followLink(scene, browser(), victims)
          yield* says(scene, { id: "attacker", email: victims, email_verified: said })
          const seen = yield* signIn(scene, browser(), "trusted")
          const isClaim = said === null || said === undefined
          // A configuration may trust a provider that says nothing, never a provider that denies.
          assert.strictEqual(shortly(seen), isClaim ? "ok" : "signin OAuthAccountNotLinked")
          const plain = yield* signIn(scene, browser(), "vouching")
          assert.strictEqual(shortly(plain), "signin OAuthAccountNotLinked")
        })
      )
    )
  )

  it.use("H243 is refused in the same words for every user, and names none", here(), function* (scene) {
    yield* followLink(scene, browser(), "proven@example.com")
    const withKey = browser()
    yield* followLink(scene, withKey, "key@example.com")
    yield* registerKey(withKey)
    yield* says(scene, { id: "somebody", email: "oauth@example.com" })
    yield* signIn(scene, browser())
    const answers: Array<unknown> = []
    for (const email of ["proven@example.com", "key@example.com", "oauth@example.com"]) {
      yield* says(scene, { id: "stranger", email, email_verified: undefined })
      const seen = yield* signIn(scene, browser(), "vouching")
      const names = seen.lines.map((line) => line.replace(/authjs\.flow\.[^=]+/, "authjs.flow"))
      answers.push([seen.status, seen.location, names])
      const page = yield* browser().get(seen.location ?? "")
      assert.notInclude(page.body, email)
    }
    assert.deepStrictEqual(answers, [answers[0], answers[0], answers[0]])
    const keys: Array<unknown> = []
    for (const email of ["proven@example.com", "key@example.com", "oauth@example.com"]) {
      const { seen } = yield* registerKey(browser(), email)
      keys.push([seen.status, seen.location])
    }
    assert.deepStrictEqual(keys, [keys[0], keys[0], keys[0]])
  })

  it.use("H236 is the same address in capitals, by every way", here(), function* (scene) {
    yield* followLink(scene, browser(), "Victim@Example.com")
    const { id } = yield* userOf(scene, victims)
    const again = browser()
    yield* followLink(scene, again, " VICTIM@EXAMPLE.COM ")
    assert.strictEqual(yield* emailOf(again), victims)
    yield* says(scene, { id: "owner", email: "VICTIM@example.com", email_verified: true })
    for (const provider of ["idp", "vouching"]) {
      assert.strictEqual(shortly(yield* signIn(scene, browser(), provider)), "signin OAuthAccountNotLinked")
    }
    const { seen } = yield* registerKey(browser(), "vICTIM@example.com")
    assert.strictEqual(new URL(seen.location ?? "").pathname, "/auth/verify-request")
    assert.deepStrictEqual(
      (yield* scene.vault.rows).users.map((user) => user.id),
      [id]
    )
  })

  it.effect("H236 is not the same as one of other characters that look alike", () =>
    Effect.forEach(
      [
        "ｖictim@example.com",
        "victim@example.com\u200b",
        "vıctim@example.com",
        "victim@exaｍple.com",
        "victim＠example.com"
      ],
      (email) =>
        here().use((scene) =>
          Effect.gen(function* () {
            yield* followLink(scene, browser(), victims)
            const { id } = yield* userOf(scene, victims)
            const asked = yield* ask(browser(), email)
            assert.strictEqual(shortly(asked), "signin EmailSignin")
            yield* says(scene, { id: "attacker", email, email_verified: true })
            const who = browser()
            yield* signIn(scene, who, "vouching")
            assert.notStrictEqual(yield* emailOf(who), victims)
            const { users } = yield* scene.vault.rows
            assert.deepStrictEqual(
              users.filter((user) => user.email === victims).map((user) => user.id),
              [id]
            )
          })
        )
    )
  )
})

describe("linking while signed in", () => {
  it.use(
    "H237 takes accounts with other addresses, and two of one provider; the user's own address stays",
    here(),
    function* (scene) {
      const who = browser()
      yield* followLink(scene, who, victims)
      for (const id of ["one", "two", "two"]) {
        yield* says(scene, { id, email: `${id}@example.com` })
        assert.strictEqual(shortly(yield* signIn(scene, who)), "ok")
        assert.strictEqual(yield* emailOf(who), victims)
      }
      const { accounts, users } = yield* scene.vault.rows
      assert.deepStrictEqual(accounts.map(({ providerAccountId }) => providerAccountId).toSorted(), ["one", "two"])
      assert.strictEqual(users.length, 1)
      assert.strictEqual(scene.told.filter(({ name }) => name === "linkAccount").length, 2)
    }
  )

  it.use("H237, H238 does not take an account of another user", here(), function* (scene) {
    yield* says(scene, { id: "theirs", email: "theirs@example.com" })
    yield* signIn(scene, browser())
    const who = browser()
    yield* followLink(scene, who, victims)
    const seen = yield* signIn(scene, who)
    assert.strictEqual(shortly(seen), "signin OAuthAccountNotLinked")
    assert.strictEqual(yield* emailOf(who), victims)
  })
})

describe("an account", () => {
  it.use("H241 is named by its id byte by byte", here(), function* (scene) {
    const ids = ["1", "01", "1 ", "1.0", "a", "A", "á", "a\u0301"]
    for (const [index, id] of ids.entries()) {
      yield* says(scene, { id, email: `person-${index}@example.com` })
      assert.strictEqual(shortly(yield* signIn(scene, browser())), "ok", id)
    }
    const { accounts, users } = yield* scene.vault.rows
    assert.strictEqual(users.length, ids.length)
    assert.deepStrictEqual(accounts.map(({ providerAccountId }) => providerAccountId).toSorted(), ids.toSorted())
    // A provider that writes numbers means the same number as text.
    yield* says(scene, { id: 1, email: "anybody@example.com" })
    const who = browser()
    yield* signIn(scene, who)
    assert.strictEqual(yield* emailOf(who), "person-0@example.com")
  })

  it.use(
    "H242 is proven in the attempt that was made for its provider, and for the address that the provider names",
    here({
      providers: [
        oauth(),
        idp({ id: "vouching" }),
        idp({ id: "renaming", profile: () => ({ id: "somebody", name: "Ada", email: "renamed@example.com" }) })
      ]
    }),
    function* (scene) {
      yield* says(scene, { id: "somebody", email: "own@example.com", email_verified: true })
      const who = browser()
      const back = scene.provider.agree(yield* who.leave("idp"))
      const elsewhere = new URL(back.href.replace("/callback/idp", "/callback/vouching"))
      const crossed = yield* who.get(elsewhere)
      assert.strictEqual(shortly(crossed), "signin OAuthCallbackError")
      assert.deepStrictEqual((yield* scene.vault.rows).users, [])
      assert.strictEqual(shortly(yield* signIn(scene, browser(), "renaming")), "ok")
      assert.isNull((yield* userOf(scene, "renamed@example.com")).emailVerified)
      assert.strictEqual(shortly(yield* signIn(scene, browser(), "vouching")), "ok")
      assert.isNotNull((yield* userOf(scene, "own@example.com")).emailVerified)
    }
  )

  it.use("H244 of a user who was deleted leads to a new one, who inherits nothing", here(), function* (scene) {
    const who = browser()
    yield* signIn(scene, who)
    yield* registerKey(who)
    const [before] = (yield* scene.vault.rows).users
    yield* scene.vault.store.deleteUser(asUserId(before?.id ?? ""))
    assert.isNull(yield* who.session)
    assert.strictEqual(shortly(yield* signIn(scene, who)), "ok")
    const { accounts, authenticators, sessions, users } = yield* scene.vault.rows
    assert.strictEqual(users.length, 1)
    assert.notStrictEqual(users[0]?.id, before?.id)
    assert.deepStrictEqual([accounts.length, authenticators.length, sessions.length], [1, 0, 1])
  })
})

describe("the application's signIn", () => {
  interface Way {
    readonly before?: (scene: Scene) => Effect.Effect<unknown, unknown, Services>
    readonly more?: Partial<Options>
    readonly come: (scene: Scene, who: Browser) => Effect.Effect<Seen, unknown, Services>
  }
  const ways: Readonly<Record<string, Way>> = {
    oauth: { come: (scene, who) => signIn(scene, who) },
    oidc: { come: (scene, who) => signIn(scene, who, "vouching") },
    credentials: {
      before: (scene) =>
        madeByApplication(scene, { id: asUserId("id of ann"), email: "ann@example.com", emailVerified: null }),
      come: (_, who) => who.signInWithPassword("ann")
    },
    email: { come: (scene, who) => followLink(scene, who, victims) },
    webauthn: {
      more: { providers: [Passkey()] },
      come: (_, who) => Effect.map(registerKey(who, victims), ({ seen }) => seen)
    }
  }
  const denied = "error AccessDenied"
  const answers: ReadonlyArray<readonly [string, () => unknown, string]> = [
    ["true", () => true, "ok"],
    ["a promise of true", () => Promise.resolve(true), "ok"],
    ["an Effect of true", () => Effect.succeed(true), "ok"],
    ["false", () => false, denied],
    ["a promise of false", () => Promise.resolve(false), denied],
    ["an Effect of false", () => Effect.succeed(false), denied],
    ["nothing", () => undefined, denied],
    ["an empty text", () => "", denied],
    ["a number", () => 1, denied],
    ["an object", () => ({}), denied],
    ["an address of the site", () => "/please-wait", "to /please-wait"],
    ["an address elsewhere", () => "https://evil.example/", "to /"],
    [
      "an error that is thrown",
      () => {
        throw new Error("no")
      },
      denied
    ],
    [
      "a text that is thrown",
      () => {
        // oxlint-disable-next-line no-throw-literal, only-throw-error
        throw "no"
      },
      denied
    ],
    ["a promise that is rejected", () => Promise.reject(new Error("no")), denied],
    ["an Effect that fails", () => Effect.fail("no"), denied],
    ["an Effect that dies", () => Effect.die("no"), denied],
    ["an error of the library", () => Effect.fail(new AccessDenied({ detail: "no" })), denied]
  ]
  const seenAs = (seen: Seen): string => {
    const isAway = seen.failure === undefined && sessionOf(seen) === undefined
    return isAway ? `to ${new URL(seen.location ?? "", site).pathname}` : shortly(seen)
  }
  for (const [name, answer, expected] of answers) {
    it.effect(`H245 means the same for every type of provider when it answers ${name}`, () =>
      Effect.forEach(Object.entries(ways), ([type, way]) =>
        here({
          ...way.more,
          callbacks: { signIn: ({ email }) => (email?.verificationRequest === true ? true : (answer() as boolean)) }
        }).use((scene) =>
          Effect.gen(function* () {
            yield* way.before?.(scene) ?? Effect.void
            const before = yield* scene.vault.rows
            const who = browser()
            const seen = yield* way.come(scene, who)
            assert.strictEqual(seenAs(seen), expected, type)
            assert.strictEqual(who.cookies.has(sessionCookie), expected === "ok", type)
            if (expected !== "ok") assert.deepStrictEqual(yield* scene.vault.rows, before, type)
            const told = scene.told.map(({ name }) => name)
            assert.strictEqual(told.filter((one) => one === "signIn").length, expected === "ok" ? 1 : 0, type)
          })
        )
      )
    )
  }
})
