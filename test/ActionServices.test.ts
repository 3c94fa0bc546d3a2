/** The type of an action names the services that it uses, and each that is provided around the action has an effect. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import { asUserId } from "../src/models/Id.ts"
import * as HandleAction from "../src/composition/HandleAction.ts"
import * as Adapter from "../src/Adapter.ts"
import type { Settings } from "../src/config/Settings.ts"
import { AuthRequest, fromWeb } from "../src/http/AuthRequest.ts"
import { toWeb } from "../src/http/AuthResponse.ts"
import type { Callbacks } from "../src/Callbacks.ts"
import type { Csrf } from "../src/browser/Csrf.ts"
import type { Events } from "../src/Events.ts"
import { Jwt } from "../src/Jwt.ts"
import type { OAuthClient } from "../src/oauth/OAuthClient.ts"
import type { Seal } from "../src/browser/Seal.ts"
import type * as SecureRandom from "effect/crypto/SecureRandom"
import { layer, options, site } from "./Visitor.ts"

type Needs = Effect.Services<typeof HandleAction.handle>

type Named =
  | Adapter.Adapter
  | Settings
  | AuthRequest
  | Callbacks
  | Csrf
  | Events
  | Jwt
  | OAuthClient
  | Seal
  | SecureRandom.SecureRandom
const isNamed: [Named] extends [Needs] ? true : false = true

const expires = new Date(1_000_000)
const cookie = "__Host-authjs.session-token=the-token"

/** The session of a request with a cookie. */
const session = Effect.gen(function* () {
  const request = yield* Effect.orDie(
    fromWeb(new Request(`${site}/auth/session`, { headers: { cookie } }), "/auth", new URL(`${site}/auth/session`))
  )
  const { response } = yield* Effect.provideService(HandleAction.handle, AuthRequest, request)
  return yield* Effect.promise(() => toWeb(response).text())
})

/** A store with one session. */
const storeOf = (name: string) =>
  Effect.gen(function* () {
    const store = Adapter.makeMemory()
    const user = yield* store.createUser({
      id: asUserId(name),
      name,
      email: `${name}@app.example`,
      emailVerified: null
    })
    yield* store.createSession({ sessionToken: "the-token", userId: user.id, expires })
    return store
  })

describe("what an action needs", () => {
  it("is in its type", () => {
    assert.isTrue(isNamed)
  })

  it.gen("is asked where the action runs: a store around it has an effect", function* () {
    yield* TestClock.setTime(1000)
    const [own, other] = [yield* storeOf("ann"), yield* storeOf("bob")]
    const bodies = yield* Effect.all([session, Effect.provideService(session, Adapter.Adapter, other)]).pipe(
      Effect.provide(layer(options({ adapter: own })))
    )
    assert.include(bodies[0], "ann@app.example")
    assert.include(bodies[1], "bob@app.example")
  })

  it.gen("is asked where the action runs: so are the tokens", function* () {
    const decoding = Effect.gen(function* () {
      const jwt = yield* Jwt
      const claims = { sub: "7", name: "Cleo" }
      return yield* Effect.provideService(session, Jwt, {
        ...jwt,
        read: () => Effect.succeed({ _tag: "Valid", claims, names: [] })
      })
    })
    assert.include(yield* Effect.provide(decoding, layer(options())), "Cleo")
  })
})
