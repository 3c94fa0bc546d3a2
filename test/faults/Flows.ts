/**
 * The flows, as data: what was before, what the person does, and how one sees that they got where they wanted.
 */
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { TestClock } from "effect/testing"
import { asUserId, type UserId } from "../../src/models/Id.ts"
import type { Options } from "../../src/config/Settings.ts"
import { Email } from "../../src/Provider/Email.ts"
import { Passkey } from "../../src/Provider/Passkey.ts"
import { type Browser, browser, type Seen } from "../Browser.ts"
import { ask, press } from "../Mailed.ts"
import { idp } from "../MemoryProvider.ts"
import { password } from "../Visitor.ts"
import { optionsOf } from "../webauthn/Person.ts"
import { create, type CreationOptions, get, type RequestOptions } from "../webauthn/SoftwareAuthenticator.ts"
import {
  oauth,
  type Played,
  type Scene,
  sent,
  spent,
  sessionCookie,
  sessionOf,
  signInAtProvider,
  type Strategy
} from "./Scene.ts"

export interface Flow {
  readonly name: string
  readonly strategies: ReadonlyArray<Strategy>
  readonly options?: (scene: Pick<Scene, "mailbox">) => Partial<Options>
  /** The preparation, without faults. */
  readonly before: (scene: Scene) => Played<unknown>
  readonly act: (scene: Scene) => Played<Seen>
  /** The person's next step after a failure. Default: the step again. */
  readonly again?: (scene: Scene) => Played<Seen>
  /** The person's next step when another request used the link, or took the address. */
  readonly renewed?: (scene: Scene) => Played<Seen>
  /** Did the person get there? Throws when not. */
  readonly arrived: (scene: Scene) => Played<unknown>
  /** The answer for a person whom another person overtook. */
  readonly overtaken?: string
}

const account = (providerAccountId: string) => ({
  provider: "idp",
  providerAccountId,
  type: "oidc" as const,
  userId: asUserId("")
})

const isSignedIn = (email: string) =>
  Effect.fnUntraced(function* (scene: Scene) {
    const session = yield* scene.person.session
    assert.strictEqual(session?.user?.["email"], email)
  })

/** Somebody makes a user outside of any flow. */
export const madeByApplication = Effect.fnUntraced(function* (
  scene: Scene,
  user: { readonly id: UserId; readonly email: string; readonly emailVerified: Date | null }
) {
  yield* scene.vault.store.createUser({ name: "Ann", ...user })
  scene.vault.own.add(user.id)
})

const owns = (scene: Scene, providerAccountId: string) =>
  Effect.map(scene.vault.store.getUserByAccount({ provider: "idp", providerAccountId }), Option.getOrUndefined)

const first: Pick<Flow, "before" | "act" | "arrived"> = {
  before: (scene) =>
    Effect.sync(() => {
      scene.rivals.account = account("person-1")
    }),
  act: (scene) => signInAtProvider(scene),
  arrived: Effect.fnUntraced(function* (scene: Scene) {
    // A person who was overtaken by another request of theirs may have no address.
    assert.isNotNull(yield* scene.person.session)
    assert.isDefined(yield* owns(scene, "person-1"))
  })
}

const day = 24 * 60 * 60

const signedIn = (scene: Scene) => Effect.map(signInAtProvider(scene), (seen) => assert.isDefined(sessionOf(seen)))

/** Signs in with the first account again if need be. */
const signedInAgain = Effect.fnUntraced(function* (scene: Scene, email: string) {
  const session = yield* scene.person.session
  if (session?.user?.["email"] === email) return
  yield* signInAtProvider(scene)
})

const linkSecond = Effect.fnUntraced(function* (scene: Scene) {
  scene.provider.claims["id"] = "person-2"
  scene.provider.claims["sub"] = "person-2"
  scene.provider.claims["email"] = "second@example.com"
  return yield* signInAtProvider(scene)
})

const postSession = (scene: Scene): Played<Seen> =>
  sent(
    scene,
    Effect.gen(function* () {
      const { csrfToken } = JSON.parse((yield* scene.person.get("/auth/csrf")).body)
      return yield* scene.person.send("POST", "/auth/session", {
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ csrfToken, data: { name: "Ann" } })
      })
    })
  )

const reading = (act: Flow["act"]): Pick<Flow, "strategies" | "before" | "act" | "again" | "arrived"> => ({
  strategies: ["database"],
  before: Effect.fnUntraced(function* (scene: Scene) {
    yield* signedIn(scene)
    yield* TestClock.adjust(`${2 * day} seconds`)
  }),
  act,
  again: Effect.fnUntraced(function* (scene: Scene) {
    if (!scene.person.cookies.has(sessionCookie)) yield* signedIn(scene)
    return yield* act(scene)
  }),
  arrived: isSignedIn("ada@example.com")
})

const linkOf = (scene: Scene) =>
  Effect.map(scene.mailbox.mails, (mails) => new URL(mails.at(-1)?.url ?? "https://there-is.no/mail"))

const askForLink = (scene: Scene, email: string) => sent(scene, ask(scene.person, email))

/** Presses the button of the page behind the last link. */
const follow = Effect.fnUntraced(function* (scene: Scene) {
  const link = yield* linkOf(scene)
  return yield* spent(scene, link.href, (who) => press(who, link))
})

const withMail = () => ({ providers: [Email(), oauth(), password()] })

const following = (email: string): Pick<Flow, "options" | "act" | "renewed" | "arrived"> => ({
  options: withMail,
  act: follow,
  renewed: (scene) => Effect.andThen(askForLink(scene, email), follow(scene)),
  arrived: Effect.fnUntraced(function* (scene: Scene) {
    yield* isSignedIn(email)(scene)
    const user = Option.getOrThrow(yield* scene.vault.store.getUserByEmail(email))
    assert.isNotNull(user.emailVerified)
  })
})

/** Somebody else names the address at a provider that does not vouch for it. */
const namedByAnother = Effect.fnUntraced(function* (scene: Scene) {
  const seen = yield* signInAtProvider(scene)
  assert.isDefined(sessionOf(seen))
  const user = Option.getOrThrow(yield* scene.vault.store.getUserByEmail("ada@example.com"))
  scene.vault.own.add(user.id)
  scene.person.cookies.clear()
  yield* askForLink(scene, "ada@example.com")
})

/** The owner of the address has it, and nothing of the user who named it before. */
const released = Effect.fnUntraced(function* (scene: Scene) {
  yield* following("ada@example.com").arrived(scene)
  const owner = Option.getOrThrow(yield* scene.vault.store.getUserByEmail("ada@example.com"))
  const before = yield* owns(scene, "person-1")
  assert.isDefined(before)
  assert.notStrictEqual(before?.id, owner.id)
  assert.strictEqual((yield* scene.vault.rows).users.length, 2)
})

const chooseNewAccount = (scene: Scene) =>
  spent(scene, "new account", (who) => who.submit("/auth/signin/email", { account: "new" }))

const mailFlows: ReadonlyArray<Flow> = [
  {
    name: "link asked for",
    strategies: ["database"],
    options: withMail,
    before: () => Effect.void,
    act: (scene) => askForLink(scene, "ann@example.com"),
    arrived: Effect.fnUntraced(function* (scene: Scene) {
      const seen = yield* press(browser(), yield* linkOf(scene))
      assert.isDefined(sessionOf(seen))
    })
  },
  {
    name: "link followed, new user",
    strategies: ["database", "jwt"],
    ...following("ann@example.com"),
    before: (scene) => askForLink(scene, "ann@example.com")
  },
  {
    name: "link followed, known mailbox",
    strategies: ["database", "jwt"],
    ...following("ann@example.com"),
    before: Effect.fnUntraced(function* (scene: Scene) {
      yield* askForLink(scene, "ann@example.com")
      yield* follow(scene)
      scene.person.cookies.clear()
      yield* askForLink(scene, "ann@example.com")
    })
  },
  {
    name: "link followed, address released",
    strategies: ["database", "jwt"],
    ...following("ada@example.com"),
    options: () => ({ ...withMail(), unprovenAddress: "release" }),
    before: namedByAnother,
    arrived: released
  },
  {
    name: "link followed, new account chosen",
    strategies: ["database", "jwt"],
    ...following("ada@example.com"),
    before: Effect.fnUntraced(function* (scene: Scene) {
      yield* namedByAnother(scene)
      yield* follow(scene)
    }),
    act: chooseNewAccount,
    renewed: (scene) =>
      askForLink(scene, "ada@example.com").pipe(Effect.andThen(follow(scene)), Effect.andThen(chooseNewAccount(scene))),
    arrived: released
  }
]

const site = "https://app.example"

const postKey = (action: string, data: unknown) => (who: Browser) =>
  who.send("POST", "/auth/callback/passkey", {
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ action, data: JSON.stringify(data) }).toString()
  })

/** Makes a key in the browser of the scene. */
const makeKey = Effect.fnUntraced(function* (scene: Scene, query: string) {
  const asked = yield* sent(scene, scene.person.get(`/auth/webauthn-options/passkey?action=register${query}`))
  if (asked.status !== 200) return asked
  const { credential, data } = create(optionsOf<CreationOptions>(asked), site)
  scene.keys.push(credential)
  return yield* spent(scene, `key ${data.id}`, postKey("register", data))
})

const useKey = Effect.fnUntraced(function* (scene: Scene) {
  const [key] = scene.keys
  const asked = yield* sent(scene, scene.person.get("/auth/webauthn-options/passkey?action=authenticate"))
  if (asked.status !== 200 || key === undefined) return asked
  key.counter++
  const data = get(key, optionsOf<RequestOptions>(asked), site)
  return yield* spent(scene, `use ${key.counter}`, postKey("authenticate", data))
})

const withKeys = () => ({ providers: [Passkey(), oauth()], experimental: { enableWebAuthn: true } })

/** Does the last key that was made sign in, in another browser? */
const keyWorks = Effect.fnUntraced(function* (scene: Scene, email: string) {
  const key = scene.keys.at(-1)
  assert.isDefined(key)
  const other = browser()
  const asked = yield* other.get("/auth/webauthn-options/passkey?action=authenticate")
  key.counter++
  yield* postKey("authenticate", get(key, optionsOf<RequestOptions>(asked), site))(other)
  assert.strictEqual((yield* other.session)?.user?.["email"], email)
})

const keyFlows: ReadonlyArray<Flow> = [
  {
    name: "first sign-in, passkey",
    overtaken: "signin AccountNotLinked",
    strategies: ["database", "jwt"],
    options: withKeys,
    before: () => Effect.void,
    act: (scene) => makeKey(scene, "&email=ann%40example.com"),
    // The key of an attempt whose answer got lost may be the one that counts.
    again: Effect.fnUntraced(function* (scene: Scene) {
      const seen = yield* makeKey(scene, "&email=ann%40example.com")
      if (sessionOf(seen) !== undefined || scene.keys.length < 2) return seen
      scene.keys.pop()
      return yield* useKey(scene)
    }),
    arrived: Effect.fnUntraced(function* (scene: Scene) {
      yield* isSignedIn("ann@example.com")(scene)
      yield* keyWorks(scene, "ann@example.com")
    })
  },
  {
    name: "passkey added while signed in",
    strategies: ["database", "jwt"],
    options: withKeys,
    before: signedIn,
    act: (scene) => makeKey(scene, ""),
    again: Effect.fnUntraced(function* (scene: Scene) {
      yield* signedInAgain(scene, "ada@example.com")
      return yield* makeKey(scene, "")
    }),
    arrived: Effect.fnUntraced(function* (scene: Scene) {
      yield* isSignedIn("ada@example.com")(scene)
      yield* keyWorks(scene, "ada@example.com")
    })
  },
  {
    name: "passkey sign-in",
    strategies: ["database", "jwt"],
    options: withKeys,
    before: Effect.fnUntraced(function* (scene: Scene) {
      const seen = yield* makeKey(scene, "&email=ann%40example.com")
      assert.isDefined(sessionOf(seen))
      scene.person.cookies.clear()
    }),
    act: useKey,
    arrived: isSignedIn("ann@example.com")
  }
]

export const flows: ReadonlyArray<Flow> = [
  {
    name: "first sign-in, OpenID Connect",
    strategies: ["database", "jwt"],
    options: () => ({ providers: [idp()] }),
    ...first
  },
  { name: "first sign-in, OAuth", strategies: ["database"], options: () => ({ providers: [oauth()] }), ...first },
  {
    name: "returning sign-in",
    strategies: ["database", "jwt"],
    options: () => ({ providers: [oauth()] }),
    before: Effect.fnUntraced(function* (scene: Scene) {
      yield* signedIn(scene)
      scene.person.cookies.clear()
    }),
    act: (scene) => signInAtProvider(scene),
    arrived: isSignedIn("ada@example.com")
  },
  {
    name: "link while signed in",
    strategies: ["database", "jwt"],
    options: () => ({ providers: [oauth()] }),
    before: (scene) =>
      Effect.tap(signedIn(scene), () =>
        Effect.sync(() => {
          scene.rivals.account = account("person-2")
        })
      ),
    act: linkSecond,
    again: Effect.fnUntraced(function* (scene: Scene) {
      for (const name of ["id", "sub", "email"]) Reflect.deleteProperty(scene.provider.claims, name)
      yield* signedInAgain(scene, "ada@example.com")
      return yield* linkSecond(scene)
    }),
    arrived: Effect.fnUntraced(function* (scene: Scene) {
      yield* isSignedIn("ada@example.com")(scene)
      assert.strictEqual((yield* owns(scene, "person-2"))?.email, "ada@example.com")
    })
  },
  {
    name: "password",
    strategies: ["database"],
    options: () => ({ providers: [password()] }),
    before: (scene) =>
      madeByApplication(scene, { id: asUserId("id of ann"), email: "ann@example.com", emailVerified: null }),
    act: (scene) => sent(scene, scene.person.signInWithPassword("ann")),
    arrived: isSignedIn("ann@example.com")
  },
  {
    name: "session read and renewed",
    options: () => ({ providers: [oauth()] }),
    ...reading((scene) => sent(scene, scene.person.get("/auth/session")))
  },
  { name: "session update", options: () => ({ providers: [oauth()] }), ...reading(postSession) },
  {
    name: "sign-out",
    strategies: ["database"],
    options: () => ({ providers: [oauth()] }),
    before: signedIn,
    act: (scene) => sent(scene, scene.person.submit("/auth/signout")),
    arrived: Effect.fnUntraced(function* (scene: Scene) {
      const token = scene.answers.flatMap((seen) => sessionOf(seen) ?? [])[0] ?? ""
      assert.isFalse(scene.person.cookies.has(sessionCookie))
      const thief = browser()
      thief.cookies.set(sessionCookie, token)
      assert.isNull(yield* thief.session)
    })
  },
  ...mailFlows,
  ...keyFlows
]
