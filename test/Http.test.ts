import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiTest from "effect/http-api/HttpApiTest"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { asUserId } from "../src/models/Id.ts"
import { makeMemory } from "../src/Adapter.ts"
import * as Access from "../src/Access.ts"
import { Doorman } from "../src/Doorman.ts"
import * as Http from "../src/Http.ts"
import { signedInAs } from "../src/Testing.ts"
import { entering, json, origin, person, sessionCookie, setBy, site, stores, text, watched } from "./access/Site.ts"
import { offline } from "./Offline.ts"
import { options, visitor } from "./Visitor.ts"
import { forLayer } from "./ForLayer.ts"

const said = (answer: Response) => json(answer)

const route = <E extends { readonly _tag: string }, R>(path: `/${string}`, program: Effect.Effect<unknown, E, R>) =>
  HttpRouter.add(
    "POST",
    path,
    Effect.map(Effect.result(program), (done) =>
      text(JSON.stringify(Result.isSuccess(done) ? (done.success ?? null) : done.failure._tag))
    )
  )

describe("An update of the session", () => {
  const name = Effect.map(Http.session(Access.Default), (found) =>
    Option.match(found, { onNone: () => "nobody", onSome: ({ user }) => String(user.name) })
  )
  const update = (to: string) =>
    Effect.map(Http.updateSession(Access.Default, { name: to, sub: "somebody-else" }), ({ user }) => user.name)
  const routes = Layer.mergeAll(
    route("/name", name),
    route(
      "/update/:name",
      Effect.flatMap(HttpRouter.params, ({ name = "" }) => update(name))
    ),
    route(
      "/both",
      Effect.gen(function* () {
        const before = yield* name
        const changed = yield* update("two")
        return [before, changed, yield* name]
      })
    ),
    // Fibers that begin together: none of their changes is lost.
    route(
      "/together",
      Effect.gen(function* () {
        yield* Effect.all(
          [name, ...Array.from({ length: 5 }, () => Http.updateSession(Access.Default, { visit: true })), name],
          { concurrency: "unbounded" }
        )
        return yield* name
      })
    ),
    route("/enter-and-update", Effect.andThen(Http.signIn({ id: asUserId("1"), name: "one" }), update("two")))
  )
  const callbacks: NonNullable<Parameters<typeof site>[1]>["callbacks"] = {
    jwt: async ({ session, token, trigger }) => {
      await new Promise((resolve) => setImmediate(resolve))
      if (trigger !== "update") return token
      const asked = session as { readonly name?: string; readonly visit?: boolean; readonly sub?: string }
      if (asked.name === "bad") throw new Error("canary")
      const visits = Number(token["visits"] ?? 0) + (asked.visit === true ? 1 : 0)
      return { ...token, name: asked.sub ?? asked.name ?? token.name, visits }
    },
    session: ({ session, token }) => ({
      ...session,
      user: { ...session.user, name: `${token?.name} ${String(token?.["visits"] ?? 0)}` }
    })
  }

  it.gen("H067 with tokens: is asked of callbacks.jwt, kept in the cookie, and seen from there on", function* () {
    const { browser, errors, post } = yield* site(routes, { callbacks, session: { maxAge: 1000, updateAge: 900 } })
    const ann = browser()
    yield* ann.signIn("one")
    assert.deepStrictEqual(yield* said(yield* ann.post("/both")), ["one 0", "two 0", "two 0"])
    assert.strictEqual(yield* said(yield* ann.post("/name")), "two 0")
    const failed = yield* ann.post("/update/bad")
    assert.strictEqual(yield* said(failed), "SessionUnavailable")
    assert.deepStrictEqual(setBy(failed), [])
    assert.deepStrictEqual(errors(), ["JwtSessionError"])
    assert.strictEqual(yield* said(yield* ann.post("/name")), "two 0", "what was before stays")
    const cross = yield* ann.post("/update/three", { "sec-fetch-site": "cross-site" })
    assert.strictEqual(yield* said(cross), "NotAllowed")
    assert.strictEqual(yield* said(yield* ann.post("/name")), "two 0")
    assert.strictEqual(yield* said(yield* post("/update/three")), "NotSignedIn")
    assert.strictEqual(yield* said(yield* ann.post("/together")), "two 5")
    assert.strictEqual(yield* said(yield* ann.post("/name")), "two 5")
  })

  it.gen("has the user of the application's own access, for any other schemas", function* () {
    class Numbered extends Access.Service<Numbered>()("numbered", {
      user: Schema.Struct({ id: Schema.Number, name: Schema.String })
    }) {}
    const { store: rows } = watched(makeMemory())
    const id = yield* person(rows)
    const own = Layer.mergeAll(
      entering(id),
      route(
        "/own",
        Effect.map(Http.updateSession(Numbered, { name: "two" }), ({ user }) => user)
      ),
      route("/others", Http.revokeOtherSessions)
    )
    const { browser } = yield* site(own, {
      adapter: rows,
      providers: [],
      callbacks: {
        session: ({ newSession, session }) => ({
          expires: session.expires,
          // Applications without types answer ids of any kind.
          user: { ...(newSession as object), id: 7 as unknown as string }
        })
      }
    })
    const ann = browser()
    yield* ann.post("/enter")
    assert.deepStrictEqual(yield* said(yield* ann.post("/own")), { id: 7, name: "two" })
    assert.strictEqual(yield* said(yield* ann.post("/own", { "sec-fetch-site": "cross-site" })), "NotAllowed")
    assert.strictEqual(yield* said(yield* ann.post("/others")), null)
  })

  it.gen("follows a sign-in of the same request", function* () {
    const { browser } = yield* site(routes, { callbacks })
    const guest = browser()
    assert.strictEqual(yield* said(yield* guest.post("/enter-and-update")), "two 0")
    assert.strictEqual(yield* said(yield* guest.post("/name")), "two 0")
  })

  it.gen("of a bearer token holds for its request, and sets no cookie", function* () {
    const { browser, post } = yield* site(routes, { callbacks })
    const ann = browser()
    yield* ann.signIn("one")
    const authorization = `Bearer ${ann.cookies.get(sessionCookie)}`
    const answer = yield* post("/both", { authorization })
    assert.deepStrictEqual(yield* said(answer), ["one 0", "two 0", "two 0"])
    assert.deepStrictEqual(setBy(answer), [])
    assert.strictEqual(yield* said(yield* post("/name", { authorization })), "one 0")
  })

  for (const [store, open] of stores) {
    it.gen(`H067 with sessions in a store: is told to callbacks.session (${store})`, function* () {
      const { calls, store: rows } = watched(yield* open)
      const id = yield* person(rows)
      const updates: Array<unknown> = []
      const { browser } = yield* site(Layer.merge(routes, entering(id)), {
        adapter: rows,
        providers: [],
        callbacks: {
          session: (params) => {
            if (params.trigger === "update") updates.push(params.newSession)
            return { user: { name: `${params.session.user?.name} ${updates.length}` }, expires: params.session.expires }
          }
        }
      })
      const ann = browser()
      yield* ann.post("/enter")
      calls.clear()
      assert.deepStrictEqual(yield* said(yield* ann.post("/both")), ["Ann 0", "Ann 1", "Ann 1"])
      assert.deepStrictEqual(updates, [{ name: "two" }])
      assert.deepStrictEqual([...calls], [["getSessionAndUser", 2]])
    })
  }
})

class Api extends HttpApi.make("api").add(
  HttpApiGroup.make("me")
    .add(HttpApiEndpoint.get("who", "/me", { success: Schema.Struct({ name: Schema.NullOr(Schema.String) }) }))
    .add(HttpApiEndpoint.get("admin", "/admin", { success: Schema.String, error: Access.NotAllowed }))
    .middleware(Access.Default.RequireSession)
) {}

const Me = HttpApiBuilder.group(Api, "me", (handlers) =>
  handlers
    .handle("who", () => Effect.map(Access.Default.CurrentUser, ({ name }) => ({ name })))
    .handle("admin", () =>
      Effect.as(
        Access.Default.allow(({ name }) => name === "root"),
        "secrets"
      )
    )
)

/** Clients of the test prove a session with this token. */
const bearing = (token: string) =>
  HttpApiMiddleware.layerClient(Access.Default.RequireSession, ({ next, request }) =>
    next(HttpClientRequest.bearerToken(request, token))
  )

describe("A typed client", () => {
  it.gen("catches the problems by their tags, and sends what proves a session", function* () {
    const { state, store } = watched(makeMemory())
    const id = yield* person(store)
    const doorman = Doorman.layer(forLayer({ ...options({ adapter: store, providers: [] }), origin })).pipe(
      Layer.provide(offline)
    )
    yield* Effect.gen(function* () {
      const stranger = yield* HttpApiTest.groups(Api, ["me"])
      const refused = yield* Effect.flip(stranger.me.who())
      assert.strictEqual(refused._tag, "NotSignedIn")
      assert.deepInclude({ ...refused }, { status: 401, code: "NotSignedIn", type: "urn:effect-doorman:NotSignedIn" })
      const token = yield* signedInAs({ id }).bearer
      const ann = yield* Effect.provide(HttpApiTest.groups(Api, ["me"]), bearing(token))
      assert.deepStrictEqual(yield* ann.me.who(), { name: "Ann" })
      assert.strictEqual((yield* Effect.flip(ann.me.admin()))._tag, "NotAllowed")
      state.down = true
      assert.strictEqual((yield* Effect.flip(ann.me.who()))._tag, "SessionUnavailable")
      assert.strictEqual((yield* Effect.flip(stranger.me.who()))._tag, "NotSignedIn", "who proves nothing is nobody")
    }).pipe(
      Effect.provide(
        Me.pipe(
          Layer.provideMerge(Http.layer(Access.Default, { mount: false })),
          Layer.provideMerge(doorman),
          Layer.provideMerge(HttpServer.layerServices)
        )
      )
    )
  })
})

describe("The whole door", () => {
  it("as a web handler: signs in, protects, renews and signs out", async () => {
    const app = HttpApiBuilder.layer(Api).pipe(
      Layer.provide(Me),
      Layer.provideMerge(Http.layer(Access.Default)),
      Layer.provide(Doorman.layer(forLayer(options({ session: { updateAge: 0 } })))),
      Layer.provide(offline),
      Layer.provide(HttpServer.layerServices)
    )
    const { dispose, handler } = HttpRouter.toWebHandler(app, { disableLogger: true })
    const ann = visitor((request) => handler(request))
    assert.strictEqual((await ann.get("/me")).status, 401)
    assert.strictEqual((await ann.signIn()).status, 302)
    const me = await ann.get("/me")
    assert.deepStrictEqual(await me.json(), { name: "ann" })
    assert.strictEqual(setBy(me).length, 1)
    assert.strictEqual(me.headers.get("cache-control"), "private, no-store")
    assert.strictEqual((await ann.submit("/auth/signout")).status, 302)
    assert.strictEqual((await ann.get("/me")).status, 401)
    await dispose()
  })
})
