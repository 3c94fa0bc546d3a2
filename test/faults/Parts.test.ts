/**
 * Parts that fail in ways of their own, and what is done about it.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { TestClock } from "effect/testing"
import { inspect } from "node:util"
import { asUserId } from "../../src/models/Id.ts"
import type { Options } from "../../src/config/Settings.ts"
import { capture } from "../../src/Mailer.ts"
import { Email } from "../../src/Provider/Email.ts"
import { Passkey } from "../../src/Provider/Passkey.ts"
import type { Services } from "../../src/composition/Services.ts"
import type { AdapterShape } from "../../src/storage/AdapterShape.ts"
import { allMethods } from "../../src/storage/MethodTable.ts"
import { at, attributesOf, browser, config, cookieOf, start, world } from "../Browser.ts"
import { ask, press } from "../Mailed.ts"
import { idp, memoryProvider } from "../MemoryProvider.ts"
import { password } from "../Visitor.ts"
import { type Flow, flows } from "./Flows.ts"
import type { Fault } from "./Injector.ts"
import { callsOf, playFault } from "./Play.ts"
import { inScene, oauth, type Scene, sent, sessionCookie, sessionOf, shortly, signInAtProvider } from "./Scene.ts"
import { makeVault } from "./Store.ts"

const flow = (name: string): Flow => {
  const [found] = flows.filter((one) => one.name === name)
  assert.isDefined(found)
  return found
}

const hour = 60 * 60 * 1000

describe("what parts throw", () => {
  const trap = () =>
    new Proxy(
      {},
      {
        get: () => {
          throw new Error("do not look")
        },
        has: () => {
          throw new Error("do not look")
        },
        ownKeys: () => {
          throw new Error("do not look")
        },
        getPrototypeOf: () => {
          throw new Error("do not look")
        }
      }
    )
  const getter = () =>
    Object.defineProperty(new Error("x"), "message", {
      get: () => {
        throw new Error("do not look")
      }
    })
  const circular = () => {
    const one = new Error("one")
    const two = new Error("two", { cause: one })
    one.cause = two
    return one
  }
  const things: ReadonlyArray<readonly [string, () => unknown]> = [
    ["H273 a text", () => "no"],
    ["H273 null", () => null],
    ["H273 nothing", () => undefined],
    ["H273 a number", () => Number.NaN],
    ["H273 a symbol", () => Symbol("no")],
    ["H273 a function", () => () => "no"],
    ["H273 a frozen object", () => Object.freeze({ message: "no" })],
    ["H273 an object without a prototype", () => Object.create(null) as unknown],
    ["H273 an error whose message throws", getter],
    ["H273 an object that throws when it is looked at", trap],
    ["H274 an error of ten megabytes", () => new Error("x".repeat(10 * 1024 * 1024))],
    ["H274 an error that causes itself", circular]
  ]
  for (const [name, thing] of things) {
    it.effect(`${name}: a failure like any other, at every call of a first sign-in`, () =>
      Effect.forEach(["transactions", "steps", "promises"] as const, (store) =>
        Effect.gen(function* () {
          const one = { flow: flow("first sign-in, OAuth"), store, strategy: "database" as const }
          const { calls } = yield* callsOf(one)
          for (const [index, call] of calls.entries()) {
            const { answer, problems, retry } = yield* playFault(one, call, index, "defect", thing)
            assert.deepStrictEqual(problems, [], call)
            const expected = call.startsWith("/") ? "signin OAuthCallbackError" : "error Configuration"
            assert.deepStrictEqual([answer, retry], [expected, "ok"], call)
          }
        })
      )
    )
  }

  it.effect("H274 leaves a log of a few lines, for every thrown value", () =>
    inScene(
      { store: "promises", strategy: "database", options: () => ({ providers: [oauth()] }) },
      Effect.fnUntraced(function* (scene) {
        scene.injector.strange = () => new Error("x".repeat(10 * 1024 * 1024), { cause: circular() })
        scene.injector.arm({ at: 2, fault: "defect" })
        yield* signInAtProvider(scene)
        scene.injector.disarm()
        const failures = scene.log.entries.filter(({ level }) => level === "Error" || level === "Warn")
        assert.strictEqual(failures.length, 1)
        assert.isBelow(inspect(failures, { depth: 12, maxStringLength: null, showHidden: true }).length, 20_000)
      })
    )
  )
})

describe("a session", () => {
  const written: ReadonlyArray<Fault> = ["fail", "defect", "hang", "done, fails", "done, hangs", "down"]

  for (const name of flows.map((one) => one.name).filter((one) => !/session|sign-out|asked|added while/.test(one))) {
    it.gen(`H269 that could not be written sets no cookie: ${name}`, function* () {
      const one = { flow: flow(name), store: "transactions" as const, strategy: "database" as const }
      const { calls } = yield* callsOf(one)
      const index = calls.indexOf("createSession")
      assert.isAtLeast(index, 0)
      for (const fault of written) {
        yield* inScene(
          { store: one.store, strategy: one.strategy, options: one.flow.options },
          Effect.fnUntraced(function* (scene) {
            yield* one.flow.before(scene)
            const { sessions } = yield* scene.vault.rows
            scene.injector.arm({ at: index, fault })
            const seen = yield* one.flow.act(scene)
            scene.injector.disarm()
            assert.strictEqual(shortly(seen), "error Configuration", fault)
            assert.isUndefined(sessionOf(seen), fault)
            assert.deepStrictEqual((yield* scene.vault.rows).sessions, sessions, fault)
          })
        )
      }
    })
  }

  it.effect(
    "H268 that could not be deleted is refused all the same, and the answer does not say that all is well",
    () =>
      Effect.forEach(["transactions", "steps", "promises"] as const, (store) =>
        Effect.forEach(written, (fault) =>
          inScene(
            { store, strategy: "database", options: () => ({ providers: [oauth()] }) },
            Effect.fnUntraced(function* (scene) {
              yield* signInAtProvider(scene)
              const token = scene.person.cookies.get(sessionCookie) ?? ""
              scene.injector.arm({ at: 0, fault })
              const seen = yield* sent(scene, scene.person.submit("/auth/signout"))
              scene.injector.disarm()
              assert.strictEqual(seen.failure?._tag, "SignOutError")
              assert.isFalse(scene.person.cookies.has(sessionCookie))
              assert.deepStrictEqual(
                scene.told.filter((one) => one.name === "signOut"),
                []
              )
              const thief = browser()
              thief.cookies.set(sessionCookie, token)
              assert.isNull(yield* thief.session)
            })
          )
        )
      )
  )

  it.effect("H271 does not end early, nor last longer, when the clock goes backwards", () =>
    Effect.forEach(["database", "jwt"] as const, (strategy) =>
      inScene(
        {
          store: "transactions",
          strategy,
          options: () => ({ providers: [oauth()], session: { strategy, maxAge: 7200 } })
        },
        Effect.fnUntraced(function* (scene) {
          yield* signInAtProvider(scene)
          // A token that comes from more than five minutes ahead is not believed; a row is.
          const steps = strategy === "jwt" ? [1 / 60, 1 / 15] : [1, 24, 24 * 365, 24 * 365 * 40]
          for (const back of steps) {
            const now = start - back * hour
            yield* TestClock.setTime(now)
            const seen = yield* scene.person.get("/auth/session")
            assert.strictEqual(seen.failure, undefined)
            assert.notStrictEqual(seen.body, "null")
            const { expires } = JSON.parse(seen.body) as { expires: string }
            assert.isAbove(Date.parse(expires), now)
            assert.isAtMost(Date.parse(expires), start + 7200_000)
            for (const line of seen.lines) {
              const { expires: until, "max-age": age } = attributesOf(line)
              assert.isAtLeast(Number(age ?? 0), 0)
              assert.isFalse(cookieOf(line).gone)
              assert.isAbove(until === undefined ? now + 1 : Date.parse(until), now)
            }
          }
        })
      )
    )
  )
})

describe("a clock that goes backwards", () => {
  it.effect("H271 keeps links and attempts good, and they still count once", () =>
    inScene(
      { store: "transactions", strategy: "database", options: () => ({ providers: [oauth(), Email()] }) },
      Effect.fnUntraced(function* (scene) {
        yield* ask(scene.person, "ann@example.com")
        const back = scene.provider.agree(yield* scene.person.leave("idp"))
        yield* TestClock.setTime(start - hour / 15)
        const [mail] = yield* scene.mailbox.mails
        const link = new URL(mail?.url ?? "")
        const other = browser()
        assert.strictEqual(shortly(yield* press(other, link)), "ok")
        assert.strictEqual(shortly(yield* press(browser(), link)), "error Verification")
        const cookies = new Map(scene.person.cookies)
        const seen = yield* scene.person.get(back)
        assert.strictEqual(shortly(seen), "ok")
        const thief = browser()
        for (const [name, value] of cookies) thief.cookies.set(name, value)
        assert.isUndefined(sessionOf(yield* thief.get(back)))
        for (const line of seen.lines) assert.isAtLeast(Number(attributesOf(line)["max-age"] ?? 0), 0)
      })
    )
  )
})

describe("when everything is down at the start", () => {
  const calls: Array<string> = []
  const dead = (name: string) =>
    Effect.suspend(() => {
      calls.push(name)
      return Effect.die(`${name} is down`)
    })
  const store = {
    ...Object.fromEntries([...allMethods].map((method) => [method, () => dead(method)])),
    methods: allMethods
  } as unknown as AdapterShape
  const provider = {
    ...memoryProvider(),
    layer: Layer.succeed(
      HttpClient.HttpClient,
      HttpClient.make(() => dead("client"))
    )
  }
  const options = (strategy: "database" | "jwt"): Options =>
    config({
      adapter: store,
      mailer: { send: () => dead("mailer") },
      providers: [idp(), Email(), Passkey(), password()],
      experimental: { enableWebAuthn: true },
      session: { strategy }
    })

  for (const strategy of ["database", "jwt"] as const) {
    it.effect(`H272 the site starts and says who is signed in, with sessions by ${strategy}`, () =>
      Effect.gen(function* () {
        calls.length = 0
        const who = browser()
        const seen = yield* who.get("/auth/session")
        assert.deepStrictEqual([seen.status, seen.body, seen.lines, calls], [200, "null", [], []])
        for (const path of ["/auth/csrf", "/auth/providers", "/auth/signin", "/auth/signout", "/auth/error"]) {
          assert.strictEqual((yield* who.get(path)).status, 200, path)
        }
        assert.deepStrictEqual(calls, [])
        // A password needs none of them where sessions are tokens.
        const entered = yield* who.signInWithPassword("ann")
        assert.strictEqual(shortly(entered), strategy === "jwt" ? "ok" : "error Configuration")
        const session = yield* who.session
        assert.strictEqual(session?.user?.["name"], strategy === "jwt" ? "ann" : undefined)
        const visitor = browser()
        assert.strictEqual((yield* visitor.submit("/auth/signin/idp")).failure?._tag, "OAuthSignInError")
        assert.strictEqual((yield* ask(visitor, "ann@example.com")).failure?._tag, "AdapterError")
        // A session that cannot be looked up is nobody's for this answer, and its cookie stays.
        visitor.cookies.set(sessionCookie, "a-session-token-of-somebody-else")
        const unknown = yield* visitor.get("/auth/session")
        assert.deepStrictEqual([unknown.status, unknown.body], [200, "null"])
        assert.strictEqual(visitor.cookies.has(sessionCookie), strategy === "database")
      }).pipe(at(options(strategy), provider))
    )
  }
})

describe("a store whose reads lag behind", () => {
  class Inside extends Context.Service<Inside, true>()("effect-doorman/test/Inside") {}

  /** Reads outside of a transaction go to a copy that has heard of nothing yet. */
  const lagging = (real: AdapterShape): AdapterShape => {
    const late =
      <Args extends ReadonlyArray<unknown>, A, E>(call: (...args: Args) => Effect.Effect<Option.Option<A>, E>) =>
      (...args: Args): Effect.Effect<Option.Option<A>, E> =>
        Effect.withFiber((fiber) =>
          Option.isSome(Context.getOption(fiber.context, Inside)) ? call(...args) : Effect.succeedNone
        )
    return {
      ...real,
      getUser: late(real.getUser),
      getUserByEmail: late(real.getUserByEmail),
      getUserByAccount: late(real.getUserByAccount),
      getAccount: late(real.getAccount),
      transaction: (program) => real.transaction(Effect.provideService(program, Inside, true))
    }
  }

  it.effect("H267 signs users in by every method but keys, and creates no user twice", () => {
    const vault = makeVault()
    const mails = capture()
    const provider = memoryProvider()
    const options = config({ adapter: lagging(vault.store), mailer: mails, providers: [oauth(), Email()] })
    const program = Effect.gen(function* () {
      for (let times = 0; times < 3; times++) {
        const who = browser()
        const seen = yield* who.get(provider.agree(yield* who.leave("idp")))
        assert.strictEqual(shortly(seen), "ok")
        yield* ask(browser(), "ann@example.com")
        const sentMails = yield* mails.mails
        assert.strictEqual(shortly(yield* press(browser(), new URL(sentMails.at(-1)?.url ?? ""))), "ok")
      }
      const { accounts, sessions, users } = yield* vault.rows
      assert.deepStrictEqual([users.length, accounts.length, sessions.length], [2, 1, 6])
    })
    return Effect.provide(program, world(options, provider))
  })
})

describe("a link", () => {
  const name = "link followed, new user"

  it.effect("H261, H262 whose sign-in failed works again, after every kind of failure", () =>
    Effect.forEach(["transactions", "steps", "promises"] as const, (store) =>
      Effect.gen(function* () {
        const one = { flow: flow(name), store, strategy: "database" as const }
        const { calls } = yield* callsOf(one)
        const taken = calls.indexOf("useVerificationToken")
        for (const index of calls.keys()) {
          if (index <= taken) continue
          for (const fault of ["fail", "defect", "hang", "done, fails"] as const) {
            yield* inScene(
              { store, strategy: "database", options: one.flow.options },
              Effect.fnUntraced(function* (scene) {
                yield* one.flow.before(scene)
                const [mail] = yield* scene.mailbox.mails
                scene.injector.arm({ at: index, fault })
                const failed = yield* one.flow.act(scene)
                scene.injector.disarm()
                // The beginning of a unit cannot be done and then fail.
                if (shortly(failed) === "ok") return
                const seen = yield* press(scene.person, new URL(mail?.url ?? ""))
                assert.strictEqual(shortly(seen), "ok", `${calls[index]} ${fault}`)
                assert.strictEqual(shortly(yield* press(browser(), new URL(mail?.url ?? ""))), "error Verification")
              })
            )
          }
        }
      })
    )
  )
})

describe("a store without transactions", () => {
  const steps = (scene: Scene) => scene.injector.calls.slice(scene.injector.calls.indexOf("createSession") + 1)

  it.effect("H275 is left as it was: what a sign-in did is taken back, last first", () =>
    Effect.forEach(["steps", "promises"] as const, (store) =>
      inScene(
        { store, strategy: "database", options: () => ({ providers: [oauth()] }) },
        Effect.fnUntraced(function* (scene): Effect.fn.Return<void, unknown, Services> {
          scene.injector.arm()
          yield* signInAtProvider(scene)
          const at = scene.injector.calls.indexOf("createSession")
          scene.injector.disarm()
          const [user] = (yield* scene.vault.rows).users
          yield* scene.vault.store.deleteUser(asUserId(user?.id ?? ""))
          scene.person.cookies.clear()
          scene.injector.arm({ at, fault: "done, fails" })
          const seen = yield* signInAtProvider(scene)
          assert.strictEqual(shortly(seen), "error Configuration")
          assert.deepStrictEqual(steps(scene), ["deleteSession", "unlinkAccount", "deleteUser"])
          scene.injector.disarm()
          const rows = yield* scene.vault.rows
          assert.deepStrictEqual([rows.users, rows.accounts, rows.sessions], [[], [], []])
        })
      )
    )
  )
})
