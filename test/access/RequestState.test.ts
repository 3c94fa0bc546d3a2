import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Headers from "effect/http/Headers"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import { asUserId } from "../../src/models/Id.ts"
import type { Options } from "../../src/config/Settings.ts"
import { Doorman } from "../../src/Doorman.ts"
import type { JWT } from "../../src/Models.ts"
import * as Access from "../../src/Access.ts"
import * as RequestState from "../../src/access/RequestState.ts"
import * as Http from "../../src/Http.ts"
import {
  dateOf,
  entering,
  origin,
  person,
  sessionCookie,
  setBy,
  settled,
  site,
  start,
  stores,
  text,
  watched
} from "./Site.ts"

const day = 24 * 60 * 60

/** Counts what a lookup asks the application. */
const counting = (more: Partial<Options> = {}) => {
  const count = { jwt: 0, session: 0, told: 0 }
  const options: Partial<Options> = {
    callbacks: {
      jwt: ({ token }) => {
        count.jwt++
        return token
      },
      session: ({ session }) => {
        count.session++
        return { ...session }
      }
    },
    events: { session: () => void count.told++ },
    session: { updateAge: 0 },
    ...more
  }
  const taken = () => {
    const seen = { ...count }
    Object.assign(count, { jwt: 0, session: 0, told: 0 })
    return seen
  }
  return { options, taken }
}

const who = Effect.map(Http.session(Access.Default), (found) =>
  Option.match(found, { onNone: () => "nobody", onSome: ({ user }) => String(user.name) })
)

describe("A request has one lookup", () => {
  const asked = Effect.gen(function* () {
    const names = yield* Effect.all(
      Array.from({ length: 20 }, () => who),
      { concurrency: "unbounded" }
    )
    const request = yield* HttpServerRequest
    names.push(yield* Effect.provideService(who, HttpServerRequest, request.modify({ url: "/other" })))
    names.push((yield* Access.Default.CurrentUser).name ?? "")
    names.push((yield* Http.requireSession(Access.Default)).user.name ?? "")
    return text([...new Set(names)].join())
  })
  // The same middleware around the whole router, around a part of it, and around the route.
  const routes = HttpRouter.use((router) =>
    Effect.gen(function* () {
      yield* router.prefixed("/deep").prefixed("/er").add("GET", "/asked", asked)
      yield* router.add("GET", "/asked", asked)
    })
  ).pipe(Layer.provide(Http.routes(Access.Default)), Layer.provide(Http.routes(Access.Default)))

  it.gen("however many middlewares, handlers and fibers ask for it, also under a prefix (tokens)", function* () {
    const { options, taken } = counting()
    const { browser } = yield* site(routes, options)
    const ann = browser()
    yield* ann.signIn("ann")
    taken()
    for (const path of ["/asked", "/deep/er/asked"]) {
      const answer = yield* ann.get(path)
      assert.strictEqual(yield* Effect.promise(() => answer.text()), "ann")
      assert.deepStrictEqual(taken(), { jwt: 1, session: 1, told: 1 })
      assert.strictEqual(answer.headers.get("vary"), "Cookie, Authorization", "said once")
    }
  })

  for (const [name, open] of stores) {
    it.gen(`however many ask for it (${name})`, function* () {
      const watch = watched(yield* open)
      const id = yield* person(watch.store)
      const { options, taken } = counting({ adapter: watch.store, providers: [], session: { strategy: "database" } })
      const { browser } = yield* site(Layer.merge(routes, entering(id)), options)
      const ann = browser()
      yield* ann.post("/enter")
      taken()
      watch.calls.clear()
      const answer = yield* ann.get("/asked")
      assert.strictEqual(yield* Effect.promise(() => answer.text()), "Ann")
      assert.deepStrictEqual(taken(), { jwt: 0, session: 1, told: 1 })
      assert.deepStrictEqual([...watch.calls], [["getSessionAndUser", 1]])
    })
  }

  it.gen("a failure is not asked again in the same request, and is in the next", function* () {
    const watch = watched()
    const id = yield* person(watch.store)
    const thrice = HttpRouter.add(
      "GET",
      "/thrice",
      Effect.map(
        Effect.all([Effect.result(who), Effect.result(who), Effect.result(Http.requireSession(Access.Default))]),
        (all) => text(all.map(({ _tag }) => _tag).join())
      )
    )
    const { browser, errors } = yield* site(Layer.merge(thrice, entering(id)), { adapter: watch.store, providers: [] })
    const ann = browser()
    yield* ann.post("/enter")
    watch.calls.clear()
    watch.state.down = true
    const answer = yield* ann.get("/thrice")
    assert.strictEqual(yield* Effect.promise(() => answer.text()), "Failure,Failure,Failure")
    assert.strictEqual(watch.count("getSessionAndUser"), 1)
    assert.strictEqual(errors().length, 1)
    watch.state.down = false
    const back = yield* ann.get("/thrice")
    assert.strictEqual(yield* Effect.promise(() => back.text()), "Success,Success,Success")
  })

  it.gen("who is interrupted while looking leaves nothing behind: those who wait look themselves", function* () {
    const watch = watched()
    const id = yield* person(watch.store)
    const begun = yield* Deferred.make<void>()
    const impatient = HttpRouter.add(
      "GET",
      "/impatient",
      Effect.gen(function* () {
        watch.state.hang = "getSessionAndUser"
        const first = yield* Effect.forkChild(who, { startImmediately: true })
        const second = yield* Effect.forkChild(who, { startImmediately: true })
        const third = yield* Effect.forkChild(who, { startImmediately: true })
        yield* Deferred.succeed(begun, undefined)
        yield* settled
        watch.state.hang = undefined
        // Somebody who only waits goes away: nothing changes.
        yield* Fiber.interrupt(third)
        yield* Fiber.interrupt(first)
        return text(`${yield* Fiber.join(second)} ${yield* who}`)
      })
    )
    const { browser } = yield* site(Layer.merge(impatient, entering(id)), { adapter: watch.store, providers: [] })
    const ann = browser()
    yield* ann.post("/enter")
    watch.calls.clear()
    const answer = yield* ann.get("/impatient")
    assert.strictEqual(yield* Effect.promise(() => answer.text()), "Ann Ann")
    assert.strictEqual(watch.count("getSessionAndUser"), 2)
  })

  for (const [name, open] of stores) {
    it.gen(`one that was prepared before the session ended does not find it any more (${name})`, function* () {
      const watch = watched(yield* open)
      const id = yield* person(watch.store)
      const between = HttpRouter.add(
        "GET",
        "/between",
        Effect.gen(function* () {
          const state = yield* RequestState.current
          const here = yield* Effect.context<never>()
          const kinds = [state.session, state.fresh]
          const prepared = kinds.map((lookUp) => lookUp(here))
          const removed = { name: sessionCookie, value: "", options: { path: "/", secure: true, maxAge: 0 } }
          yield* state.replace(Effect.succeed({ cookies: [removed], failure: undefined }))
          const found = yield* Effect.all(prepared)
          return text(found.map((session) => session?.userId ?? "nobody").join())
        }).pipe(Effect.orDie)
      )
      const { browser } = yield* site(Layer.merge(between, entering(id)), { adapter: watch.store, providers: [] })
      const ann = browser()
      yield* ann.post("/enter")
      watch.calls.clear()
      const answer = yield* ann.get("/between")
      assert.strictEqual(yield* Effect.promise(() => answer.text()), "nobody,nobody")
      assert.strictEqual(watch.count("getSessionAndUser"), 0)
      assert.isFalse(ann.cookies.has(sessionCookie))
    })
  }

  it.gen("a Request that is used again for another request is looked at again", function* () {
    const { options, taken } = counting()
    const { ask, browser } = yield* site(routes, options)
    const ann = browser()
    yield* ann.signIn("ann")
    taken()
    const cookie = [...ann.cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    const request = new Request(`${origin}/asked`, { headers: { cookie } })
    for (let count = 0; count < 3; count++) {
      const answer = yield* ask(request)
      assert.strictEqual(yield* Effect.promise(() => answer.text()), "ann")
      assert.isTrue(setBy(answer).some((line) => line.startsWith(sessionCookie)))
      assert.deepStrictEqual(taken(), { jwt: 1, session: 1, told: 1 })
    }
  })

  it.gen("headers that a middleware took away before do not count", function* () {
    const stripped = HttpRouter.add(
      "GET",
      "/stripped",
      Effect.flatMap(HttpServerRequest, (request) =>
        Effect.provideService(
          Effect.map(who, text),
          HttpServerRequest,
          request.modify({ headers: Headers.remove(request.headers, "cookie") })
        )
      )
    )
    const { browser } = yield* site(stripped)
    const ann = browser()
    yield* ann.signIn()
    const answer = yield* ann.get("/stripped")
    assert.strictEqual(yield* Effect.promise(() => answer.text()), "nobody")
  })
})

describe("A refreshed cookie reaches the browser", () => {
  const app: ReadonlyArray<
    readonly [`/${string}`, number, Effect.Effect<HttpServerResponse.HttpServerResponse, unknown>]
  > = [
    ["/success", 200, Effect.succeed(text("well"))],
    ["/failure", 404, Effect.fail(HttpServerResponse.empty({ status: 404 }))],
    ["/unknown", 500, Effect.fail("something")],
    ["/defect", 500, Effect.die(new Error("a mistake"))],
    ["/redirect", 302, Effect.succeed(HttpServerResponse.redirect("/elsewhere"))],
    ["/stream", 200, Effect.succeed(HttpServerResponse.stream(Stream.make(new TextEncoder().encode("well"))))],
    ["/empty", 204, Effect.succeed(HttpServerResponse.empty())],
    [
      "/own",
      200,
      Effect.succeed(
        text("well").pipe(
          HttpServerResponse.setCookieUnsafe("own", "1"),
          HttpServerResponse.setHeader("cache-control", "public, max-age=60")
        )
      )
    ]
  ]
  const routes = HttpRouter.use((router) =>
    Effect.forEach(app, ([path, , answer]) =>
      router.add("GET", path, Effect.andThen(Effect.orDie(Http.session(Access.Default)), answer))
    )
  )

  it.gen("on every kind of answer, beside the application's own cookies, and no cache may keep it", function* () {
    const { options } = counting()
    const { browser } = yield* site(routes, options)
    const ann = browser()
    yield* ann.signIn()
    for (const [path, status] of app) {
      const before = ann.cookies.get(sessionCookie)
      const answer = yield* ann.get(path)
      assert.strictEqual(answer.status, status, path)
      const lines = setBy(answer)
      assert.strictEqual(lines.filter((line) => line.startsWith(`${sessionCookie}=`)).length, 1, path)
      assert.notStrictEqual(ann.cookies.get(sessionCookie), before)
      assert.strictEqual(
        lines.some((line) => line.startsWith("own=1")),
        path === "/own"
      )
      assert.strictEqual(answer.headers.get("cache-control"), "private, no-store", path)
      yield* Effect.promise(() => answer.text())
    }
  })

  it.gen("what the application sets under the name of the session itself stays", function* () {
    const { options } = counting()
    const own = HttpRouter.add(
      "GET",
      "/own",
      Effect.as(who, HttpServerResponse.setCookieUnsafe(text("x"), sessionCookie, "mine"))
    )
    const { browser } = yield* site(own, options)
    const ann = browser()
    yield* ann.signIn()
    const lines = setBy(yield* ann.get("/own"))
    assert.deepStrictEqual(lines, [`${sessionCookie}=mine`])
  })

  it.gen("an action has the last word, though a middleware around it renewed the session", function* () {
    const size = { padding: "" }
    const around = HttpRouter.middleware(
      Effect.map(
        Doorman,
        (doorman) => (handler) =>
          Effect.andThen(Effect.provideService(Effect.ignore(Http.session(Access.Default)), Doorman, doorman), handler)
      ),
      { global: true }
    )
    const { browser } = yield* site(Layer.merge(around, HttpRouter.add("GET", "/asks", Effect.map(who, text))), {
      callbacks: { jwt: ({ token }) => ({ ...token, padding: size.padding }) }
    })
    const ann = browser()
    yield* ann.signIn()
    assert.deepStrictEqual(
      [...ann.cookies.keys()].filter((name) => name.startsWith(sessionCookie)),
      [sessionCookie]
    )
    // From here on the token takes several cookies.
    size.padding = "x".repeat(5000)
    const form = yield* ann.get("/auth/csrf")
    const { csrfToken } = yield* Effect.promise(() => form.json() as Promise<{ readonly csrfToken: string }>)
    const chunks = [...ann.cookies.keys()].filter((name) => name.startsWith(`${sessionCookie}.`))
    assert.isAbove(chunks.length, 1)
    size.padding = ""
    const small = yield* ann.get("/asks")
    assert.strictEqual(yield* Effect.promise(() => small.text()), "ann")
    size.padding = "x".repeat(5000)
    yield* ann.post("/auth/signout", {}, { csrfToken })
    assert.deepStrictEqual(
      [...ann.cookies.keys()].filter((name) => name.startsWith(sessionCookie)),
      []
    )
  })

  it.gen("a cookie that is no session any more is removed, once", function* () {
    const asks = HttpRouter.add("GET", "/asks", Effect.map(Effect.andThen(who, who), text))
    const { get } = yield* site(asks)
    const answer = yield* get("/asks", { cookie: `${sessionCookie}=nonsense` })
    assert.strictEqual(yield* Effect.promise(() => answer.text()), "nobody")
    assert.strictEqual(setBy(answer).length, 1)
    assert.include(setBy(answer)[0] ?? "", "Max-Age=0")
  })
})

describe("When a cookie is renewed", () => {
  const asks = HttpRouter.add(
    "GET",
    "/asks",
    Effect.map(Http.session(Access.Default), (found) =>
      text(Option.match(found, { onNone: () => "nobody", onSome: ({ expires }) => `${expires.epochMilliseconds}` }))
    )
  )
  const ends = (answer: Response) => Effect.promise(async () => (Number(await answer.text()) - start) / 1000)

  it.effect(
    "a token that nobody can have changed: when it is due, a tenth of its life or a day after it was made",
    () =>
      Effect.gen(function* () {
        for (const [maxAge, patience] of [
          [30 * day, day],
          [1000, 100]
        ] as const) {
          const { browser } = yield* site(asks, { session: { maxAge } })
          const ann = browser()
          yield* ann.signIn()
          yield* TestClock.adjust(`${patience - 1} seconds`)
          const early = yield* ann.get("/asks")
          assert.deepStrictEqual(setBy(early), [])
          assert.strictEqual(yield* ends(early), maxAge)
          yield* TestClock.adjust("1 seconds")
          const due = yield* ann.get("/asks")
          assert.strictEqual(setBy(due).length, 1)
          assert.strictEqual(yield* ends(due), patience + maxAge)
          assert.deepStrictEqual(setBy(yield* ann.get("/asks")), [])
        }
      })
  )

  it.gen("updateAge says how long a token rests", function* () {
    const { browser } = yield* site(asks, { session: { maxAge: 1000, updateAge: 500 } })
    const ann = browser()
    yield* ann.signIn()
    yield* TestClock.adjust("499 seconds")
    assert.deepStrictEqual(setBy(yield* ann.get("/asks")), [])
    yield* TestClock.adjust("1 seconds")
    assert.strictEqual(setBy(yield* ann.get("/asks")).length, 1)
  })

  for (const [how, change] of [
    ["answers another one", (token: JWT, turn: number) => ({ ...token, turn })],
    ["changes the one that it is given", (token: JWT, turn: number) => Object.assign(token, { turn })]
  ] as const) {
    it.gen(`a token that callbacks.jwt changed is written, for any updateAge (${how})`, function* () {
      const at = { turn: 0, seen: [] as Array<unknown> }
      const { browser } = yield* site(asks, {
        session: { maxAge: 1000, updateAge: 500 },
        callbacks: {
          jwt: ({ token }) => {
            at.seen.push(token["turn"])
            return at.turn === 0 ? token : change(token, at.turn)
          }
        }
      })
      const ann = browser()
      yield* ann.signIn()
      at.seen.length = 0
      assert.deepStrictEqual(setBy(yield* ann.get("/asks")), [], "nothing was changed")
      at.turn = 1
      assert.strictEqual(setBy(yield* ann.get("/asks")).length, 1)
      assert.deepStrictEqual(setBy(yield* ann.get("/asks")), [], "it says what it said before")
      at.turn = 2
      assert.strictEqual(setBy(yield* ann.get("/asks")).length, 1)
      assert.deepStrictEqual(at.seen, [undefined, undefined, 1, 1])
    })
  }

  for (const [name, open] of stores) {
    it.gen(`a row and its cookie move together (${name})`, function* () {
      const watch = watched(yield* open)
      const id = yield* person(watch.store)
      const { browser } = yield* site(Layer.merge(asks, entering(id)), {
        adapter: watch.store,
        providers: [],
        session: { maxAge: 1000, updateAge: 100 }
      })
      const ann = browser()
      yield* ann.post("/enter")
      const rowEnds = Effect.map(
        watch.store.listSessions(asUserId(id)),
        ([row]) => ((row?.expires.getTime() ?? 0) - start) / 1000
      )
      yield* TestClock.adjust("99 seconds")
      const early = yield* ann.get("/asks")
      assert.deepStrictEqual(setBy(early), [])
      assert.deepStrictEqual([yield* ends(early), yield* rowEnds], [1000, 1000])
      yield* TestClock.adjust("1 seconds")
      const due = yield* ann.get("/asks")
      assert.include(setBy(due)[0] ?? "", `Expires=${dateOf(start + 1_100_000).toUTCString()}`)
      assert.deepStrictEqual([yield* ends(due), yield* rowEnds], [1100, 1100])
      yield* TestClock.adjust("1101 seconds")
      const over = yield* ann.get("/asks")
      assert.strictEqual(yield* Effect.promise(() => over.text()), "nobody")
      assert.include(setBy(over)[0] ?? "", "Max-Age=0")
    })
  }
})

describe("A session that a token proves is ended", () => {
  for (const [how, value] of [
    ["without a cookie", undefined],
    ["beside an empty cookie", ""],
    ["beside a cookie of a session that is over", "a-session-token-of-long-ago-and-far-away"]
  ] as const) {
    it.gen(how, function* () {
      const { store } = watched()
      const id = yield* person(store)
      const leave = HttpRouter.add("POST", "/leave", Effect.as(Http.signOut, text("out")).pipe(Effect.orDie))
      const { browser, post } = yield* site(Layer.merge(leave, entering(id)), {
        adapter: store,
        providers: [],
        session: { strategy: "database" }
      })
      const ann = browser()
      yield* ann.post("/enter")
      const token = ann.cookies.get(sessionCookie) ?? assert.fail("no session began")
      const cookie = value === undefined ? {} : { cookie: `${sessionCookie}=${value}` }
      const answer = yield* post("/leave", { ...cookie, authorization: `Bearer ${token}` })
      assert.strictEqual(answer.status, 200)
      assert.isTrue(Option.isNone(yield* store.getSessionAndUser(token)))
    })
  }
})

describe("Two doormen", () => {
  it.gen("know nothing of each other's requests", function* () {
    const one = yield* site(HttpRouter.add("GET", "/asks", Effect.map(who, text)))
    const other = yield* site(HttpRouter.add("GET", "/asks", Effect.map(who, text)), {
      secret: "another-secret-0123456789-abcdefghijklmno"
    })
    const ann = one.browser()
    yield* ann.signIn("ann")
    const cookie = `${sessionCookie}=${ann.cookies.get(sessionCookie)}`
    const request = () => new Request(`${origin}/asks`, { headers: { cookie } })
    const [mine, theirs] = yield* Effect.all([one.ask(request()), other.ask(request())], { concurrency: 2 })
    assert.strictEqual(yield* Effect.promise(() => mine.text()), "ann")
    assert.strictEqual(yield* Effect.promise(() => theirs.text()), "nobody")
  })
})
