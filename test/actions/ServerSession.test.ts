import { assert, describe, it } from "@effect/vitest"
import * as Brand from "effect/Brand"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { TestClock } from "effect/testing"
import { asUserId } from "../../src/models/Id.ts"
import { makeMemory, type PromiseAdapter, sessionIdOf } from "../../src/Adapter.ts"
import * as Audit from "../../src/Audit.ts"
import { Doorman } from "../../src/Doorman.ts"
import { AdapterError } from "../../src/Errors.ts"
import * as Access from "../../src/Access.ts"
import * as Http from "../../src/Http.ts"
import type { JwtParams } from "../../src/Callbacks.ts"
import * as UserSessions from "../../src/actions/UserSessions.ts"
import * as Sessions from "../../src/Sessions.ts"
import { type SessionId, UserId } from "../../src/Models.ts"
import type { AdapterShape } from "../../src/storage/AdapterShape.ts"
import {
  dateOf,
  json,
  person,
  sessionCookie,
  setBy,
  type Site,
  site,
  start,
  stores,
  text,
  watched
} from "../access/Site.ts"
import { offline } from "../Offline.ts"
import { options as plain } from "../Visitor.ts"
import { forLayer } from "../ForLayer.ts"

/** Ids as a program without types hands them in. */
const asUser = Brand.nominal<UserId>()
const asSession = Brand.nominal<SessionId>()

const name = Effect.map(Http.session(Access.Default), (found) =>
  Option.match(found, { onNone: () => "nobody", onSome: ({ user }) => String(user.name) })
)

/** A program as a route: its answer, or the tag of its failure. */
const route = <E extends { readonly _tag: string }, R>(path: `/${string}`, program: Effect.Effect<unknown, E, R>) =>
  HttpRouter.add(
    "POST",
    path,
    Effect.map(Effect.result(program), (done) =>
      text(JSON.stringify(Result.isSuccess(done) ? (done.success ?? null) : done.failure._tag))
    )
  )

const said = (answer: Response) => json(answer)

/** The routes of a site whose users are named in the address. */
const routes = Layer.mergeAll(
  route(
    "/enter/:id",
    Effect.gen(function* () {
      const { id = "" } = yield* HttpRouter.params
      const before = yield* name
      yield* Http.signIn({ id: asUserId(id), name: id.replace("id of ", "") })
      return [before, yield* name]
    })
  ),
  route(
    "/leave",
    Effect.andThen(
      Effect.flatMap(name, (before) => Effect.as(Http.signOut, before)),
      (before) => Effect.map(name, (after) => [before, after])
    )
  ),
  route("/name", name),
  route(
    "/id",
    Effect.map(Http.requireSession(Access.Default), ({ id }) => id)
  ),
  route(
    "/list/:id",
    Effect.flatMap(HttpRouter.params, ({ id = "" }) => Sessions.list(asUser(id)))
  ),
  route(
    "/revoke/:id/:session",
    Effect.flatMap(HttpRouter.params, ({ id = "", session = "" }) => Sessions.revoke(asUser(id), asSession(session)))
  ),
  route(
    "/revoke-all/:id",
    Effect.flatMap(HttpRouter.params, ({ id = "" }) => Sessions.revokeAll(asUser(id)))
  ),
  route("/revoke-others", Effect.andThen(Http.revokeOtherSessions, name))
)

/** A site whose sessions are in a store, with two users. */
const kept = Effect.fnUntraced(function* (open: (typeof stores)[number][1], more: Parameters<typeof site>[1] = {}) {
  const watch = watched(yield* open)
  const ann = yield* person(watch.store, "Ann")
  const bob = yield* person(watch.store, "Bob")
  const events: Array<Audit.AuditEvent> = []
  const made = yield* Effect.provide(
    site(routes, { adapter: watch.store, providers: [], session: { maxAge: 1000 }, ...more }),
    Audit.layerSink((event) => Effect.sync(() => events.push(event)))
  )
  const told = () =>
    events.splice(0).map(({ request, time: _time, ...rest }) => ({ ...rest, requested: request !== undefined }))
  return { ...made, ...watch, ann, bob, audit: told }
})

const tokenOf = ({ cookies }: ReturnType<Site["browser"]>) => String(cookies.get(sessionCookie))

describe("The application signs a user in", () => {
  it.gen("with tokens: the cookie is set, the same request sees it, and events are told", function* () {
    const events: Array<unknown> = []
    const { browser } = yield* site(routes, {
      events: { signIn: ({ account, user }) => void events.push([user.id, account?.provider]) }
    })
    const guest = browser()
    const answer = yield* guest.post("/enter/ann")
    assert.deepStrictEqual(yield* said(answer), ["nobody", "ann"])
    assert.strictEqual(setBy(answer).length, 1)
    assert.strictEqual(answer.headers.get("cache-control"), "private, no-store")
    assert.strictEqual(yield* said(yield* guest.post("/name")), "ann")
    // One of its session cookies goes: the session is begun all the same.
    guest.cookies.set(`${sessionCookie}.7`, "stray")
    assert.deepStrictEqual(yield* said(yield* guest.post("/enter/bob")), ["ann", "bob"])
    assert.isFalse(guest.cookies.has(`${sessionCookie}.7`))
    assert.deepStrictEqual(events, [
      ["ann", "application"],
      ["bob", "application"]
    ])
  })

  it.gen("not for a page of another site: no visitor becomes another user without knowing", function* () {
    const { browser } = yield* site(routes)
    const guest = browser()
    const answer = yield* guest.post("/enter/ann", { "sec-fetch-site": "cross-site" })
    assert.strictEqual(yield* said(answer), "NotAllowed")
    assert.lengthOf(setBy(answer), 0)
    assert.strictEqual(yield* said(yield* guest.post("/name")), "nobody")
  })

  for (const [store, open] of stores) {
    it.effect(
      `H061 with sessions in a store: a row of its own, and another user's row of this browser ends (${store})`,
      () =>
        Effect.gen(function* () {
          const { ann, audit, bob, browser, store: rows } = yield* kept(open)
          const guest = browser()
          assert.deepStrictEqual(yield* said(yield* guest.post(`/enter/${ann}`)), ["nobody", "Ann"])
          const first = tokenOf(guest)
          assert.deepStrictEqual(yield* said(yield* guest.post(`/enter/${bob}`)), ["Ann", "Bob"])
          assert.notStrictEqual(tokenOf(guest), first)
          assert.deepStrictEqual(yield* rows.listSessions(asUserId(ann)), [])
          assert.strictEqual((yield* rows.listSessions(asUserId(bob))).length, 1)
          assert.deepStrictEqual(audit(), [
            {
              _tag: "SignedIn",
              provider: "application",
              method: "credentials",
              isNewUser: false,
              userId: ann,
              requested: true
            },
            {
              _tag: "SignedIn",
              provider: "application",
              method: "credentials",
              isNewUser: false,
              userId: bob,
              requested: true
            }
          ])
        })
    )
  }

  it.gen("who is no user of the store is not signed in", function* () {
    const { audit, browser, errors } = yield* kept(Effect.sync(makeMemory))
    const guest = browser()
    const answer = yield* guest.post("/enter/nobody-of-this-name")
    assert.strictEqual(yield* said(answer), "CallbackRouteError")
    assert.deepStrictEqual(setBy(answer), [])
    assert.deepStrictEqual(
      audit().map(({ _tag }) => _tag),
      ["SignInRefused"]
    )
    assert.deepStrictEqual(errors(), [])
  })

  for (const [how, callbacks] of [
    ["refuses", { signIn: () => false }],
    [
      "throws",
      {
        signIn: () => {
          throw new Error("no")
        }
      }
    ],
    ["sends them elsewhere", { signIn: () => "/welcome" }]
  ] as const) {
    it.gen(`callbacks.signIn ${how}: AccessDenied, and no session`, function* () {
      const { ann, audit, browser, store } = yield* kept(Effect.sync(makeMemory), { callbacks })
      const guest = browser()
      const answer = yield* guest.post(`/enter/${ann}`)
      assert.strictEqual(yield* said(answer), "AccessDenied")
      assert.deepStrictEqual(setBy(answer), [])
      assert.deepStrictEqual(yield* store.listSessions(asUserId(ann)), [])
      assert.deepStrictEqual(
        audit().map(({ _tag }) => _tag),
        ["SignInRefused"]
      )
    })
  }

  it.gen("callbacks.jwt makes no token: AccessDenied, and what the browser had is removed", function* () {
    const at = { makes: true }
    // The session of before can be read: the sign-in alone removes it.
    const jwt = ({ token, trigger }: JwtParams) => (at.makes || trigger !== "signIn" ? token : null)
    const { browser } = yield* site(routes, { callbacks: { jwt } })
    const guest = browser()
    yield* guest.post("/enter/ann")
    at.makes = false
    const answer = yield* guest.post("/enter/bob")
    assert.strictEqual(yield* said(answer), "AccessDenied")
    assert.isFalse(guest.cookies.has(sessionCookie))
  })
})

describe("The application signs a user out", () => {
  it.gen("with tokens: the cookie is removed, and the same request is signed out", function* () {
    const events: Array<unknown> = []
    const { browser, post } = yield* site(routes, { events: { signOut: (message) => void events.push(message) } })
    const guest = browser()
    yield* guest.post("/enter/ann")
    const answer = yield* guest.post("/leave")
    assert.deepStrictEqual(yield* said(answer), ["ann", "nobody"])
    assert.include(setBy(answer)[0] ?? "", "Max-Age=0")
    assert.isFalse(guest.cookies.has(sessionCookie))
    assert.strictEqual(events.length, 1)
    const nobody = yield* post("/leave")
    assert.deepStrictEqual(setBy(nobody), [])
    assert.strictEqual(events.length, 1, "nobody was signed in")
  })

  for (const [store, open] of stores) {
    it.effect(
      `with sessions in a store: the row goes, then the cookie; a copy of the cookie is no session (${store})`,
      () =>
        Effect.gen(function* () {
          const { ann, audit, browser, post, store: rows } = yield* kept(open)
          const guest = browser()
          yield* guest.post(`/enter/${ann}`)
          const cookie = `${sessionCookie}=${tokenOf(guest)}`
          audit()
          assert.deepStrictEqual(yield* said(yield* guest.post("/leave")), ["Ann", "nobody"])
          assert.deepStrictEqual(yield* rows.listSessions(asUserId(ann)), [])
          assert.strictEqual(yield* said(yield* post("/name", { cookie })), "nobody")
          assert.deepStrictEqual(audit(), [{ _tag: "SignedOut", userId: ann, requested: true }])
        })
    )

    it.gen(`who proved the session by a bearer token ends it too, and no cookie is set (${store})`, function* () {
      const { ann, bob, audit, browser, post, store: rows } = yield* kept(open)
      const guest = browser()
      yield* guest.post(`/enter/${ann}`)
      const authorization = `Bearer ${tokenOf(guest)}`
      const other = browser()
      yield* other.post(`/enter/${bob}`)
      // The cookie goes first: it is the session, and the token beside it is none of it.
      const beside = yield* other.post("/leave", { authorization })
      assert.deepStrictEqual(yield* said(beside), ["Bob", "nobody"])
      assert.strictEqual((yield* rows.listSessions(asUserId(ann))).length, 1)
      audit()
      const answer = yield* post("/leave", { authorization })
      assert.deepStrictEqual(yield* said(answer), ["Ann", "nobody"])
      assert.deepStrictEqual(setBy(answer), [])
      assert.deepStrictEqual(yield* rows.listSessions(asUserId(ann)), [])
      assert.strictEqual(yield* said(yield* post("/name", { authorization })), "nobody")
      assert.deepStrictEqual(audit(), [{ _tag: "SignedOut", userId: ann, requested: true }])
    })

    it.gen(`the store is down before the sign-out: nothing is known, and everything stays (${store})`, function* () {
      const { ann, browser, post, state, store: rows } = yield* kept(open)
      const guest = browser()
      yield* guest.post(`/enter/${ann}`)
      const cookie = `${sessionCookie}=${tokenOf(guest)}`
      const phone = browser()
      yield* phone.post(`/enter/${ann}`)
      const authorization = `Bearer ${tokenOf(phone)}`
      state.down = true
      for (const answer of [yield* guest.post("/leave"), yield* post("/leave", { authorization })]) {
        assert.strictEqual(yield* said(answer), "SessionUnavailable")
        assert.deepStrictEqual(setBy(answer), [])
      }
      state.down = false
      assert.strictEqual(yield* said(yield* post("/name", { cookie })), "Ann")
      assert.strictEqual((yield* rows.listSessions(asUserId(ann))).length, 2)
    })
  }

  it.gen("the row cannot be deleted: SignOutError, and the session is refused from here on", function* () {
    const memory = makeMemory()
    const at = { down: false }
    const store: AdapterShape = {
      ...memory,
      deleteSession: (token) =>
        at.down
          ? Effect.fail(new AdapterError({ method: "deleteSession", reason: "unavailable", detail: "down" }))
          : memory.deleteSession(token)
    }
    const { ann, audit, browser, post } = yield* kept(Effect.succeed(store))
    const guest = browser()
    yield* guest.post(`/enter/${ann}`)
    const phone = browser()
    yield* phone.post(`/enter/${ann}`)
    const cookie = `${sessionCookie}=${tokenOf(guest)}`
    const authorization = `Bearer ${tokenOf(phone)}`
    audit()
    at.down = true
    const answer = yield* guest.post("/leave")
    assert.strictEqual(yield* said(answer), "SignOutError")
    assert.isFalse(guest.cookies.has(sessionCookie))
    assert.strictEqual(yield* said(yield* post("/name", { cookie })), "nobody")
    const bearer = yield* post("/leave", { authorization })
    assert.strictEqual(yield* said(bearer), "SignOutError")
    assert.deepStrictEqual(setBy(bearer), [])
    assert.strictEqual(yield* said(yield* post("/name", { authorization })), "nobody")
    assert.deepStrictEqual(
      audit().map(({ _tag }) => _tag),
      ["SignOutFailed", "SignOutFailed"]
    )
  })
})

/** This store behind the methods of Auth.js alone. */
const ofAuthJs = (memory: AdapterShape): PromiseAdapter => {
  const run = Effect.runPromise
  return {
    createUser: (user) => run(memory.createUser({ ...user, id: asUserId(user.id) })),
    getUser: (id) => run(Effect.map(memory.getUser(asUserId(id)), Option.getOrNull)),
    getUserByEmail: (email) => run(Effect.map(memory.getUserByEmail(email), Option.getOrNull)),
    getUserByAccount: (key) => run(Effect.map(memory.getUserByAccount(key), Option.getOrNull)),
    updateUser: (change) => run(memory.updateUser({ ...change, id: asUserId(change.id) })),
    linkAccount: (account) => run(memory.linkAccount({ ...account, userId: asUserId(account.userId) })),
    createSession: (session) => run(memory.createSession({ ...session, userId: asUserId(session.userId) })),
    getSessionAndUser: (token) => run(Effect.map(memory.getSessionAndUser(token), Option.getOrNull)),
    updateSession: (change) => run(Effect.map(memory.updateSession(change), Option.getOrNull)),
    deleteSession: (token) => run(Effect.map(memory.deleteSession(token), Option.getOrNull))
  }
}

describe("The sessions of a user", () => {
  for (const [store, open] of stores) {
    it.gen(`are listed, and one that is revoked is none at once (${store})`, function* () {
      const { ann, audit, bob, browser, post, store: rows } = yield* kept(open)
      const laptop = browser()
      const phone = browser()
      const stranger = browser()
      yield* laptop.post(`/enter/${ann}`)
      yield* TestClock.adjust("10 seconds")
      yield* phone.post(`/enter/${ann}`)
      yield* stranger.post(`/enter/${bob}`)
      audit()
      const ids = [sessionIdOf(tokenOf(phone)), sessionIdOf(tokenOf(laptop))]
      const listed = (yield* said(yield* laptop.post(`/list/${ann}`))) as ReadonlyArray<{ id: string; expires: string }>
      assert.deepStrictEqual(
        listed.map(({ expires, id }) => ({ id, expires })),
        ids.map((id, index) => ({ id, expires: dateOf(start + (index === 0 ? 1_010_000 : 1_000_000)).toISOString() }))
      )
      assert.strictEqual(yield* said(yield* laptop.post("/id")), ids[1])
      assert.strictEqual(yield* said(yield* post("/id", { authorization: `Bearer ${tokenOf(phone)}` })), ids[0])
      assert.notInclude(JSON.stringify(listed), tokenOf(phone))

      assert.strictEqual(yield* said(yield* stranger.post(`/revoke/${bob}/${ids[0]}`)), false, "it is another user's")
      assert.strictEqual(yield* said(yield* laptop.post(`/revoke/${ann}/${tokenOf(phone)}`)), false, "that is no id")
      assert.strictEqual(yield* said(yield* phone.post("/name")), "Ann")
      assert.deepStrictEqual(audit(), [])
      assert.strictEqual(yield* said(yield* laptop.post(`/revoke/${ann}/${ids[0]}`)), true)
      const copy = `Bearer ${tokenOf(phone)}`
      const gone = yield* phone.post("/id")
      assert.strictEqual(yield* said(gone), "NotSignedIn")
      assert.strictEqual(yield* said(yield* post("/id", { authorization: copy })), "NotSignedIn")
      assert.strictEqual(yield* said(yield* laptop.post(`/revoke/${ann}/${ids[0]}`)), false)
      assert.deepStrictEqual(audit(), [{ _tag: "SessionsRevoked", which: "one", userId: ann, requested: true }])

      yield* phone.post(`/enter/${ann}`)
      audit()
      assert.strictEqual(yield* said(yield* phone.post("/revoke-others")), "Ann")
      assert.strictEqual(yield* said(yield* laptop.post("/name")), "nobody")
      assert.deepStrictEqual(
        (yield* rows.listSessions(asUserId(ann))).map(({ id }) => id),
        [sessionIdOf(tokenOf(phone))]
      )
      assert.deepStrictEqual(audit(), [{ _tag: "SessionsRevoked", which: "others", userId: ann, requested: true }])
      assert.strictEqual(
        yield* said(yield* phone.post("/revoke-others", { "sec-fetch-site": "cross-site" })),
        "NotAllowed"
      )
      assert.strictEqual(yield* said(yield* post("/revoke-others")), "NotSignedIn")

      assert.strictEqual(yield* said(yield* phone.post(`/revoke-all/${ann}`)), null)
      assert.strictEqual(yield* said(yield* phone.post("/name")), "nobody")
      assert.strictEqual(yield* said(yield* stranger.post("/name")), "Bob")
      assert.deepStrictEqual(audit(), [{ _tag: "SessionsRevoked", which: "all", userId: ann, requested: true }])
    })

    it.gen(`one that is revoked in its own request is none for the rest of it (${store})`, function* () {
      const watch = watched(yield* open)
      const ann = yield* person(watch.store)
      const own = route(
        "/own",
        Effect.gen(function* () {
          const { id, userId } = yield* Http.requireSession(Access.Default)
          return [yield* Sessions.revoke(userId, asSession(id ?? "")), yield* name]
        })
      )
      const { browser } = yield* site(Layer.merge(routes, own), { adapter: watch.store, providers: [] })
      const guest = browser()
      yield* guest.post(`/enter/${ann}`)
      const answer = yield* guest.post("/own")
      assert.deepStrictEqual(yield* said(answer), [true, "nobody"])
      assert.isFalse(guest.cookies.has(sessionCookie))
    })
  }

  for (const [what, more] of [
    ["rows", () => ({ adapter: makeMemory() })],
    ["tokens", () => ({ session: { strategy: "jwt" as const, revocation: true } })]
  ] as const) {
    it.gen(`one that another process ended after it was read ends no other (${what})`, function* () {
      const options = more()
      const ann = "adapter" in options ? yield* person(options.adapter) : "ann"
      const own = route(
        "/late",
        Effect.gen(function* () {
          const { id, userId } = yield* Http.requireSession(Access.Default)
          // Without what the request remembers: as another process does it.
          const services = yield* Effect.flatMap(Doorman, ({ servicesHere }) => servicesHere)
          yield* Effect.provideContext(UserSessions.revoke(userId, asSession(id ?? "")), services)
          return yield* Http.revokeOtherSessions
        })
      )
      const { browser } = yield* site(Layer.merge(routes, own), { providers: [], ...options })
      const [phone, laptop] = [browser(), browser()]
      for (const one of [phone, laptop]) yield* one.post(`/enter/${ann}`)
      assert.strictEqual(yield* said(yield* phone.post("/late")), "NotSignedIn")
      assert.notStrictEqual(yield* said(yield* laptop.post("/name")), "nobody")
      assert.strictEqual(yield* said(yield* phone.post("/name")), "nobody")
      assert.notStrictEqual(yield* said(yield* laptop.post("/revoke-others")), "NotSignedIn")
    })
  }

  it.gen("that are tokens are in no list", function* () {
    const { browser } = yield* site(routes)
    const guest = browser()
    yield* guest.post("/enter/ann")
    for (const path of ["/list/ann", `/revoke/ann/${sessionIdOf("x")}`, "/revoke-all/ann", "/revoke-others"]) {
      assert.strictEqual(yield* said(yield* guest.post(path)), "UnsupportedStrategy", path)
    }
    assert.match(String(yield* said(yield* guest.post("/id"))), /^[\w-]{43}$/)
    assert.strictEqual(yield* said(yield* guest.post("/name")), "ann")
  })

  it.gen("an adapter of Auth.js cannot list them", function* () {
    const memory = makeMemory()
    const ann = yield* person(memory)
    const { browser } = yield* site(routes, { adapter: ofAuthJs(memory), providers: [] })
    const guest = browser()
    assert.deepStrictEqual(yield* said(yield* guest.post(`/enter/${ann}`)), ["nobody", "Ann"])
    for (const path of [`/list/${ann}`, `/revoke/${ann}/${sessionIdOf("x")}`, `/revoke-all/${ann}`, "/revoke-others"]) {
      assert.strictEqual(yield* said(yield* guest.post(path)), "MissingAdapterMethods", path)
    }
    assert.strictEqual(yield* said(yield* guest.post("/name")), "Ann")
  })

  it.gen("can be listed and ended where there is no request, and the audit trail says so", function* () {
    yield* TestClock.setTime(start)
    const store = makeMemory()
    const events: Array<Audit.AuditEvent> = []
    const ann = yield* person(store)
    yield* store.createSession({ sessionToken: "a-token-of-ann", userId: asUserId(ann), expires: dateOf(start + 1000) })
    const texts = { acr: "gold", userAgent: "curl/8.14.1", clientAddress: "192.0.2.1" }
    yield* store.createSession({
      sessionToken: "another-token-of-ann",
      userId: asUserId(ann),
      expires: dateOf(start + 900),
      createdAt: dateOf(start - 2),
      lastSeenAt: dateOf(start),
      authenticatedAt: dateOf(start - 1),
      amr: "pwd otp",
      ...texts
    })
    yield* Effect.gen(function* () {
      assert.deepStrictEqual(yield* Sessions.list(UserId.make(ann)), [
        { id: sessionIdOf("a-token-of-ann"), expires: DateTime.makeUnsafe(start + 1000) },
        {
          id: sessionIdOf("another-token-of-ann"),
          expires: DateTime.makeUnsafe(start + 900),
          createdAt: DateTime.makeUnsafe(start - 2),
          lastSeenAt: DateTime.makeUnsafe(start),
          authenticatedAt: DateTime.makeUnsafe(start - 1),
          amr: ["pwd", "otp"],
          ...texts
        }
      ])
      yield* Sessions.revokeAll(UserId.make(ann))
      assert.deepStrictEqual(yield* Sessions.list(UserId.make(ann)), [])
    }).pipe(
      Effect.provide(
        Doorman.layer(forLayer({ ...plain(), adapter: store, providers: [] })).pipe(
          Layer.provide(
            Layer.merge(
              offline,
              Audit.layerSink((event) => Effect.sync(() => events.push(event)))
            )
          )
        )
      )
    )
    assert.deepStrictEqual(events, [{ _tag: "SessionsRevoked", which: "all", userId: ann, time: start }])
  })
})
