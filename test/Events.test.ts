import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import { TestClock } from "effect/testing"
import * as Events from "../src/Events.ts"
import { facade, listener, options, visitor } from "./Visitor.ts"

/** Runs a program and tells which failures it logged. */
const logging = <A>(
  program: Effect.Effect<A>
): Effect.Effect<{ readonly value: A; readonly logged: ReadonlyArray<unknown> }> =>
  Effect.suspend(() => {
    const logged: Array<unknown> = []
    const logger = Logger.make(({ message }) => void logged.push(...(Array.isArray(message) ? message : [message])))
    return Effect.map(Effect.provide(program, Logger.layer([logger])), (value) => ({ value, logged }))
  })

const user = { id: "1" }

describe("events", () => {
  it.gen("wait for values, promises and Effects", function* () {
    const done: Array<string> = []
    const events = Events.make({
      signIn: () => void done.push("value"),
      signOut: async () => {
        await Promise.resolve()
        done.push("promise")
      },
      session: () => Effect.sync(() => done.push("effect"))
    })
    yield* events.emit("signIn", { user })
    yield* events.emit("signOut", { token: null })
    yield* events.emit("session", { session: { expires: "" }, token: {} })
    yield* events.emit("createUser", { user })
    assert.deepStrictEqual(done, ["value", "promise", "effect"])
  })

  const failing: ReadonlyArray<readonly [string, () => ReturnType<NonNullable<Events.EventsOptions["signIn"]>>]> = [
    [
      "throws",
      () => {
        throw new Error("down")
      }
    ],
    ["rejects", () => Promise.reject(new Error("down"))],
    ["rejects with nothing", () => Promise.reject(undefined)],
    ["fails", () => Effect.fail("down")]
  ]
  for (const [what, handler] of failing) {
    it.gen(`a handler that ${what} is logged and harms nothing`, function* () {
      const { logged } = yield* logging(Events.make({ signIn: handler }).emit("signIn", { user }))
      assert.deepStrictEqual(
        logged.map((failure) => Reflect.get(failure as object, "_tag")),
        ["EventError"]
      )
    })
  }

  it.gen("a handler that never answers is given half a minute", function* () {
    const events = Events.make({ signIn: () => new Promise(() => {}) })
    const fiber = yield* Effect.forkChild(logging(events.emit("signIn", { user })))
    yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
    yield* TestClock.adjust("31 seconds")
    const { logged } = yield* Fiber.join(fiber)
    assert.strictEqual(logged.length, 1)
  })

  it.gen("handlers may be methods of a class", function* () {
    const seen: Array<string> = []
    class Audit {
      signIn() {
        seen.push("signIn")
      }
    }
    yield* Events.make(new Audit()).emit("signIn", { user })
    assert.deepStrictEqual(seen, ["signIn"])
  })

  it.gen("a name that every object has is no handler", function* () {
    const events = Events.make({})
    yield* events.emit("constructor" as "signIn", { user })
    yield* events.emit("toString" as "signIn", { user })
  })

  it("H284 each happens once, with what an audit log needs", async () => {
    const happened: Array<readonly [string, Record<string, unknown>]> = []
    const note = (name: string) => (message: object) => void happened.push([name, { ...message }])
    const { logger } = listener()
    const browser = visitor(
      facade(
        options({ events: { signIn: note("signIn"), signOut: note("signOut"), session: note("session") }, logger })
      )
    )
    await browser.submit("/auth/callback/credentials", { username: "ann", password: "wrong" })
    assert.deepStrictEqual(happened, [])
    await browser.signIn()
    assert.deepStrictEqual(
      happened.map(([name]) => name),
      ["signIn"]
    )
    assert.deepInclude(happened[0]?.[1]["user"], { id: "id of ann" })
    assert.deepInclude(happened[0]?.[1]["account"], { provider: "credentials", providerAccountId: "id of ann" })
    await browser.session()
    await browser.submit("/auth/signout")
    assert.deepStrictEqual(
      happened.map(([name]) => name),
      ["signIn", "session", "signOut"]
    )
    assert.deepInclude(happened[2]?.[1]["token"], { sub: "id of ann" })
    await browser.submit("/auth/signout")
    assert.strictEqual(happened.length, 3)
  })

  it("one that fails neither refuses a user nor signs one in", async () => {
    const down = () => {
      throw new Error("down")
    }
    const { logger, told } = listener()
    const browser = visitor(facade(options({ events: { signIn: down, signOut: down, session: down }, logger })))
    await browser.signIn()
    assert.isNotNull(await browser.session())
    await browser.submit("/auth/signout")
    assert.isNull(await browser.session())
    assert.deepStrictEqual(
      told.errors.map((error) => Reflect.get(error, "type")),
      ["EventError", "EventError", "EventError"]
    )
  })
})
