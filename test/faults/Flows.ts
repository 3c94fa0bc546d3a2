/**
 * The flows, as data: what was before, what the person does, and how one sees that they got where they wanted.
 */
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { TestClock } from "effect/testing"
import type { Options } from "../../src/AuthConfig.ts"
import { browser, type Seen } from "../Browser.ts"
import { idp } from "../MemoryProvider.ts"
import { password } from "../Visitor.ts"
import {
  oauth,
  type Played,
  type Scene,
  sent,
  sessionCookie,
  sessionOf,
  signInAtProvider,
  type Strategy
} from "./Scene.ts"
import type { StoreKind } from "./Store.ts"

export interface Flow {
  readonly name: string
  readonly strategies: ReadonlyArray<Strategy>
  /** Default: all of them. */
  readonly stores?: ReadonlyArray<StoreKind>
  readonly options?: (scene: Pick<Scene, "mailbox">) => Partial<Options>
  /** What was before: nothing goes wrong in it. */
  readonly before: (scene: Scene) => Played<unknown>
  readonly act: (scene: Scene) => Played<Seen>
  /** What the person does after a failure. Default: the same again. */
  readonly again?: (scene: Scene) => Played<Seen>
  /** Did the person get there? Throws when not. */
  readonly arrived: (scene: Scene) => Played<unknown>
  /** Which answers count as success; default `ok`. */
  readonly success?: string
}

const account = (providerAccountId: string) => ({
  provider: "idp",
  providerAccountId,
  type: "oidc" as const,
  userId: ""
})

const isSignedIn = (email: string) =>
  Effect.fnUntraced(function* (scene: Scene) {
    const session = yield* scene.person.session
    assert.strictEqual(session?.user?.["email"], email)
  })

/** Somebody makes a user outside of any flow. */
export const madeByApplication = Effect.fnUntraced(function* (
  scene: Scene,
  user: { readonly id: string; readonly email: string; readonly emailVerified: Date | null }
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
    // Whoever was overtaken by another request of theirs may have no address.
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

export const flows: ReadonlyArray<Flow> = [
  {
    name: "first sign-in, OpenID Connect",
    strategies: ["database", "jwt"],
    options: () => ({ providers: [idp()] }),
    ...first
  },
  {
    name: "first sign-in, OAuth",
    strategies: ["database"],
    options: () => ({ providers: [oauth()] }),
    ...first
  },
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
    before: (scene) => madeByApplication(scene, { id: "id of ann", email: "ann@example.com", emailVerified: null }),
    act: (scene) => sent(scene, scene.person.signInWithPassword("ann")),
    arrived: isSignedIn("ann@example.com")
  },
  {
    name: "session read and renewed",
    options: () => ({ providers: [oauth()] }),
    ...reading((scene) => sent(scene, scene.person.get("/auth/session")))
  },
  {
    name: "session update",
    options: () => ({ providers: [oauth()] }),
    ...reading(postSession)
  },
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
  }
]
