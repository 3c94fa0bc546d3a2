/** Several doormen in one process, on one router: nothing of one is known to another. */
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type * as HttpClient from "effect/http/HttpClient"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { Doorman } from "../../src/Doorman.ts"
import { Csrf } from "../../src/browser/Csrf.ts"
import * as Access from "../../src/Access.ts"
import * as Http from "../../src/Http.ts"
import { Jwt } from "../../src/Jwt.ts"
import { EmailSender } from "../../src/email/EmailSender.ts"
import { OAuthClient } from "../../src/oauth/OAuthClient.ts"
import { Seal } from "../../src/browser/Seal.ts"
import { SharedState } from "../../src/SharedState.ts"
import { idp, memoryProvider } from "../MemoryProvider.ts"
import { options, otherSecret, password, secret, type Site, type Visitor, visitor } from "../Visitor.ts"
import { forLayer, type PlainOptions } from "../ForLayer.ts"

interface Tenant {
  readonly name: "a" | "b"
  readonly options: Partial<PlainOptions>
  readonly client?: Layer.Layer<HttpClient.HttpClient>
}

/** Layers of the application: constants, which every tenant is provided to. */
const mounted = Http.layer(Access.Default)
const middlewares = Http.layer(Access.Default, { mount: false })
const behindSession = Http.routes(Access.Default)

/** The routes of a tenant, all made of the same layers. */
const routesOf = ({ client = FetchHttpClient.layer, name, options: more }: Tenant) =>
  Layer.mergeAll(
    mounted,
    HttpRouter.add(
      "GET",
      `/${name}/me`,
      Effect.map(Access.Default.CurrentUser, (user) => HttpServerResponse.text(user.name ?? "nobody"))
    ).pipe(Layer.provide(behindSession)),
    HttpRouter.add("POST", `/${name}/same-site`, HttpServerResponse.text("ok")).pipe(Layer.provide(Http.layerSameSite)),
    HttpRouter.add(
      "GET",
      `/${name}/read`,
      Effect.gen(function* () {
        const doorman = yield* Doorman
        return HttpServerResponse.text(String(doorman.settings.hosts.origin))
      })
    )
  ).pipe(
    Layer.provide(
      HttpRouter.middleware<{ provides: Doorman }>()(
        Effect.map(Doorman, (doorman) => (handler) => Effect.provideService(handler, Doorman, doorman))
      ).layer
    ),
    Layer.provide(
      Doorman.layer(forLayer({ ...options(), basePath: `/${name}/auth`, ...more })).pipe(Layer.provide(client))
    )
  )

const at = async (tenants: readonly [Tenant, Tenant], test: (ask: Site) => Promise<void>): Promise<void> => {
  const [a, b] = tenants
  const { dispose, handler } = HttpRouter.toWebHandler(
    Layer.merge(routesOf(a), routesOf(b)).pipe(Layer.provide(HttpServer.layerServices)),
    { disableLogger: true }
  )
  await test((request) => handler(request))
  await dispose()
}

const apart: readonly [Tenant, Tenant] = [
  { name: "a", options: { secret, origin: "https://a.example" } },
  { name: "b", options: { secret: otherSecret, origin: "https://b.example" } }
]

const text = async (response: Promise<Response>): Promise<string> => (await response).text()

/** Sends the cookies of one browser with another's. */
const lend = (from: Visitor, to: Visitor): void => {
  to.cookies.clear()
  for (const [name, value] of from.cookies) to.cookies.set(name, value)
}

describe("two doormen in one process", () => {
  it("H287 each have their own actions, sessions and protected routes, made of the same layers", () =>
    at(apart, async (ask) => {
      const ann = visitor(ask, "https://a.example", "/a/auth")
      const bob = visitor(ask, "https://b.example", "/b/auth")
      assert.strictEqual((await ann.signIn("ann")).status, 302)
      assert.strictEqual((await bob.signIn("bob")).status, 302)
      assert.strictEqual(await text(ann.get("/a/me")), "ann")
      assert.strictEqual(await text(bob.get("/b/me")), "bob")
      assert.strictEqual(await text(ann.get("/a/read")), "https://a.example")
      assert.strictEqual(await text(bob.get("/b/read")), "https://b.example")
      // The session of one is none at the other, although the cookies have the same name.
      assert.strictEqual((await ann.get("/b/me")).status, 401)
      assert.strictEqual((await bob.get("/a/me")).status, 401)
      lend(ann, bob)
      assert.strictEqual((await bob.get("/b/me")).status, 401)
      assert.isNull(await bob.session())
      assert.strictEqual((await ann.post("/a/same-site", {}, { "sec-fetch-site": "same-origin" })).status, 200)
      assert.strictEqual((await ann.post("/b/same-site", {}, { origin: "https://a.example" })).status, 403)
    }))

  it("H287 let only their own people into the endpoints of an `HttpApi`", async () => {
    const guarded = ({ name, options: more }: Tenant) => {
      const api = HttpApi.make(`api of ${name}`).add(
        HttpApiGroup.make("people")
          .add(HttpApiEndpoint.get("who", `/${name}/who`, { success: Schema.NullOr(Schema.String) }))
          .middleware(Access.Default.RequireSession)
      )
      const people = HttpApiBuilder.group(api, "people", (handlers) =>
        handlers.handle("who", () => Effect.map(Access.Default.CurrentUser, (user) => user.name))
      )
      return Layer.merge(mounted, HttpApiBuilder.layer(api).pipe(Layer.provide(people))).pipe(
        Layer.provide(middlewares),
        Layer.provide(Doorman.layer(forLayer({ ...options(), basePath: `/${name}/auth`, ...more }))),
        Layer.provide(FetchHttpClient.layer)
      )
    }
    const { dispose, handler } = HttpRouter.toWebHandler(
      Layer.merge(guarded(apart[0]), guarded(apart[1])).pipe(Layer.provide(HttpServer.layerServices)),
      { disableLogger: true }
    )
    const ann = visitor((request) => handler(request), "https://a.example", "/a/auth")
    const bob = visitor((request) => handler(request), "https://b.example", "/b/auth")
    await ann.signIn("ann")
    await bob.signIn("bob")
    assert.strictEqual(await text(ann.get("/a/who")), '"ann"')
    assert.strictEqual(await text(bob.get("/b/who")), '"bob"')
    assert.strictEqual((await ann.get("/b/who")).status, 401)
    assert.strictEqual((await bob.get("/a/who")).status, 401)
    await dispose()
  })

  it("mount their actions once each, however often the constant layer is merged", async () => {
    const tenants = apart.flatMap(({ name, options: more }) => {
      const doorman = Doorman.layer(forLayer({ ...options(), basePath: `/${name}/auth`, ...more })).pipe(
        Layer.provide(FetchHttpClient.layer)
      )
      return [mounted.pipe(Layer.provide(doorman)), mounted.pipe(Layer.provide(doorman))] as const
    })
    const { dispose, handler } = HttpRouter.toWebHandler(
      Layer.mergeAll(Layer.empty, ...tenants).pipe(Layer.provide(HttpServer.layerServices)),
      { disableLogger: true }
    )
    for (const name of ["a", "b"]) {
      const person = visitor((request) => handler(request), `https://${name}.example`, `/${name}/auth`)
      assert.strictEqual((await person.signIn("ann")).status, 302)
      assert.strictEqual((await person.session())?.user?.name, "ann")
    }
    await dispose()
  })

  it("H287 do not answer for each other's base path", () =>
    at(apart, async (ask) => {
      const providers = await (await ask(new Request("https://x.example/a/auth/providers"))).json()
      assert.strictEqual(providers.acme.signinUrl, "https://a.example/a/auth/signin/acme")
      const others = await (await ask(new Request("https://x.example/b/auth/providers"))).json()
      assert.strictEqual(others.acme.signinUrl, "https://b.example/b/auth/signin/acme")
      assert.strictEqual((await ask(new Request("https://x.example/auth/providers"))).status, 404)
    }))

  it("H193, H287 count attempts apart, also for one `authorize` and one secret", async () => {
    let asked = 0
    const shared = password(() => {
      asked++
      return null
    })
    await at(
      [
        { name: "a", options: { secret, origin: "https://a.example", providers: [shared] } },
        { name: "b", options: { secret, origin: "https://b.example", providers: [shared] } }
      ],
      async (ask) => {
        const ann = visitor(ask, "https://a.example", "/a/auth")
        for (let attempt = 0; attempt < 14; attempt++) await ann.signIn()
        const before = asked
        assert.isBelow(before, 14)
        await visitor(ask, "https://b.example", "/b/auth").signIn()
        assert.strictEqual(asked, before + 1)
      }
    )
  })

  it("H287 ask one issuer each by their own client, and remember what it said each for themselves", async () => {
    const [first, second] = [memoryProvider(), memoryProvider()]
    await at(
      [
        { name: "a", client: first.layer, options: { ...apart[0].options, providers: [idp()] } },
        { name: "b", client: second.layer, options: { ...apart[1].options, providers: [idp()] } }
      ],
      async (ask) => {
        for (const [tenant, provider] of [
          ["a", first],
          ["b", second]
        ] as const) {
          const origin = `https://${tenant}.example`
          const person = visitor(ask, origin, `/${tenant}/auth`)
          const started = await person.submit(`/${tenant}/auth/signin/idp`)
          const back = provider.agree(started.headers.get("location") ?? "")
          assert.strictEqual(back.origin, origin)
          const landed = await person.get(`${back.pathname}${back.search}`)
          assert.include([302, 303], landed.status)
          assert.isNotNull(await person.session())
          for (const path of ["/.well-known/openid-configuration", "/keys", "/token"]) {
            assert.strictEqual(provider.count(path), 1, `${tenant} ${path}`)
          }
        }
      }
    )
  })

  it("H287 refuse the sign-in of one at the other", async () => {
    const provider = memoryProvider()
    const both = { client: provider.layer }
    await at(
      [
        { name: "a", ...both, options: { ...apart[0].options, providers: [idp()] } },
        { name: "b", ...both, options: { ...apart[1].options, providers: [idp()] } }
      ],
      async (ask) => {
        const ann = visitor(ask, "https://a.example", "/a/auth")
        const started = await ann.submit("/a/auth/signin/idp")
        const back = provider.agree(started.headers.get("location") ?? "")
        const bob = visitor(ask, "https://b.example", "/b/auth")
        lend(ann, bob)
        const landed = await bob.get(`/b/auth/callback/idp${back.search}`)
        assert.match(landed.headers.get("location") ?? "", /[?&]error=/)
        assert.isNull(await bob.session())
      }
    )
  })

  it.gen("H287 share no service and no memory", function* () {
    const build = (more: Partial<PlainOptions>) =>
      Effect.map(
        Layer.build(Doorman.layer(forLayer({ ...options(), ...more })).pipe(Layer.provide(FetchHttpClient.layer))),
        (context) => Context.get(context, Doorman)
      )
    const [one, other] = [yield* build({}), yield* build({})]
    for (const key of [Csrf, Jwt, EmailSender, OAuthClient, Seal, SecureRandom.SecureRandom, SharedState]) {
      const [mine, theirs] = [one, other].map(({ services }) => services.mapUnsafe.get(key.key))
      assert.isDefined(mine, key.key)
      assert.notStrictEqual(mine, theirs, key.key)
    }
  })
})

describe("two doormen on one host", () => {
  const host = "https://app.example"
  const one: readonly [Tenant, Tenant] = [
    { name: "a", options: { secret, origin: host } },
    { name: "b", options: { secret: otherSecret, origin: host } }
  ]

  it("with cookies of equal names take the browser from each other: the last one to sign in has it", () =>
    at(one, async (ask) => {
      const ann = visitor(ask, host, "/a/auth")
      await ann.signIn("ann")
      const there: Visitor = visitor(ask, host, "/b/auth")
      lend(ann, there)
      await there.signIn("bob")
      lend(there, ann)
      assert.isNull(await ann.session())
      assert.strictEqual((await ann.get("/a/me")).status, 401)
    }))

  it("with cookies of their own stand side by side", () =>
    at(
      [
        { name: "a", options: { ...one[0].options, cookies: named("a") } },
        { name: "b", options: { ...one[1].options, cookies: named("b") } }
      ],
      async (ask) => {
        const ann = visitor(ask, host, "/a/auth")
        const there = visitor(ask, host, "/b/auth")
        await ann.signIn("ann")
        lend(ann, there)
        await there.signIn("bob")
        lend(there, ann)
        assert.strictEqual(await text(ann.get("/a/me")), "ann")
        assert.strictEqual(await text(ann.get("/b/me")), "bob")
        const out = await ann.submit("/a/auth/signout")
        assert.strictEqual(out.status, 302)
        assert.strictEqual((await ann.get("/a/me")).status, 401)
        assert.strictEqual(await text(ann.get("/b/me")), "bob")
      }
    ))

  it("with one secret and cookies of equal names have one session: a secret is what tells tenants apart", () =>
    at(
      [
        { name: "a", options: { secret, origin: host } },
        { name: "b", options: { secret, origin: host } }
      ],
      async (ask) => {
        const ann = visitor(ask, host, "/a/auth")
        await ann.signIn("ann")
        assert.strictEqual(await text(ann.get("/b/me")), "ann")
      }
    ))
})

/** Names that tell the cookies of a tenant from those of its neighbours. */
const named = (tenant: string): NonNullable<PlainOptions["cookies"]> => ({
  sessionToken: { name: `__Secure-${tenant}.session`, options: { secure: true } },
  callbackUrl: { name: `__Secure-${tenant}.callback-url`, options: { secure: true } },
  csrfToken: { name: `__Secure-${tenant}.csrf`, options: { secure: true } }
})
