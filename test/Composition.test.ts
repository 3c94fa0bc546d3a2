/**
 * One list composes a configuration. Each key of it is replaced by a marker, and whole requests find the marker at work,
 * whether its layer is provided to the layer of the doorman or merged beside it.
 */
import { readdirSync } from "node:fs"
import { assert, describe, it, vi } from "@effect/vitest"
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Adapter from "../src/Adapter.ts"
import * as Audit from "../src/Audit.ts"
import { note } from "../src/telemetry/AuditEmitter.ts"
import { Doorman, type DoormanOptions } from "../src/Doorman.ts"
import { Settings, type Options } from "../src/config/Settings.ts"
import { AuthRequest, fromWeb } from "../src/http/AuthRequest.ts"
import * as Callbacks from "../src/Callbacks.ts"
import { AdapterError } from "../src/Errors.ts"
import * as Http from "../src/Http.ts"
import * as Keyring from "../src/Keyring.ts"
import * as Mailer from "../src/Mailer.ts"
import type { VerificationToken } from "../src/Models.ts"
import { Email } from "../src/Provider/Email.ts"
import { Passkey } from "../src/Provider/Passkey.ts"
import { Seal } from "../src/browser/Seal.ts"
import * as Services from "../src/composition/Services.ts"
import * as Telemetry from "../src/Telemetry.ts"
import { CurrentMetrics } from "../src/telemetry/Signals.ts"
import * as SessionPolicy from "../src/session/SessionPolicy.ts"
import { getToken } from "../src/compat/Token.ts"
import { refusalOf } from "../src/composition/RequestServices.ts"
import { idp, memoryProvider } from "./MemoryProvider.ts"
import { facade, listener, otherSecret, password, secret, site, type Visitor, visitor } from "./Visitor.ts"
import { forLayer } from "./ForLayer.ts"
import { offline } from "./Offline.ts"

const address = "ann@example.com"

/** A store that cannot record a use and fails to delete sessions: the memories of the process are asked then. */
const poorStore = (): Adapter.AdapterShape => {
  const store = Adapter.makeMemory()
  const methods = new Set([...store.methods].filter((method) => method !== "useOnce" && method !== "transaction"))
  const down = Effect.fail(new AdapterError({ method: "deleteSession", reason: "unavailable", detail: "down" }))
  return { ...store, methods, deleteSession: () => down }
}

interface Scene {
  readonly options: () => DoormanOptions
  readonly play: (person: Visitor, link: () => Promise<string>) => Promise<void>
}

const common = { secret: Redacted.make(secret), origin: site, logger: listener().logger }

/** Sessions in tokens: a password, a provider, and the pages. */
const tokens: Scene = {
  options: () => ({ ...common, providers: [password(), idp()] }),
  play: async (person) => {
    await person.get("/auth/signin")
    await person.signIn()
    await person.session()
    await person.submit("/auth/signin/idp")
    await person.get("/auth/callback/idp?code=none&state=none")
  }
}

const box = Mailer.capture()

/** Sessions in a database: a link, and a passkey. */
const stored: Scene = {
  options: () => ({
    ...common,
    providers: [Email({ consumeOn: "get", from: "site@app.example" }), Passkey],
    experimental: { enableWebAuthn: true },
    adapter: poorStore(),
    mailer: box
  }),
  play: async (person, link) => {
    await person.get("/auth/webauthn-options/passkey")
    await person.submit("/auth/signin/email", { email: address })
    await person.get(await link())
    await person.session()
    await person.submit("/auth/signout")
    await person.session()
  }
}

const provider = memoryProvider()

/** Goes to a provider and comes back. */
const away: Scene = {
  options: () => ({ ...common, providers: [idp()] }),
  play: async (person) => {
    const response = await person.submit("/auth/signin/idp", { callbackUrl: "/welcome" })
    const back = provider.agree(response.headers.get("location") ?? "")
    await person.get(`${back.pathname}${back.search}`)
    assert.isNotNull(await person.session())
  }
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

/** The same service, which says when one of its functions is called. */
const marked = (service: unknown, use: () => void): unknown => {
  if (Effect.isEffect(service)) return Effect.tap(service, () => Effect.sync(use))
  const called = (given: unknown): unknown =>
    typeof given === "function"
      ? new Proxy(given, {
          apply: (target, self, args) => {
            use()
            return Reflect.apply(target, self, args) as unknown
          }
        })
      : given
  return isObject(service)
    ? new Proxy(service, { get: (target, name) => called(Reflect.get(target, name)) })
    : called(service)
}

const layerOf = (key: string, value: unknown): Layer.Layer<never> =>
  Layer.succeedContext(Context.makeUnsafe(new Map([[key, value]])))

type Wired = <A>(
  auth: Layer.Layer<Doorman, unknown, HttpClient.HttpClient>,
  marker: Layer.Layer<A>
) => Layer.Layer<Doorman, unknown, HttpClient.HttpClient>

/** Services that the options make, and how each of them says that it is used. */
const configuring: ReadonlyArray<readonly [string, (use: () => void) => unknown]> = [
  [Keyring.Keyring.key, (use) => ({ current: Effect.sync(() => (use(), { secrets: [Redacted.make(otherSecret)] })) })],
  [
    SessionPolicy.SessionPolicy.key,
    (use) => ({
      get maxAge() {
        use()
        return "8 hours"
      }
    })
  ],
  [Adapter.Adapter.key, (use) => marked(poorStore(), use)],
  [Mailer.Mailer.key, (use) => marked(box, use)]
]

const provided: Wired = (auth, marker) => Layer.provide(auth, marker)
const beside: Wired = (auth, marker) => Layer.merge(auth, marker)
/** The mount gets the marker and the layer of the doorman does not. */
const around: Wired = (auth, marker) => Layer.provideMerge(marker, auth)

/** Plays a scene at a doorman that is wired with a layer. */
const play = async <A>(scene: Scene, wire: Wired, layer: Layer.Layer<A>): Promise<void> => {
  Effect.runSync(box.clear)
  const auth = wire(Doorman.layer(scene.options()), layer)
  const { dispose, handler } = HttpRouter.toWebHandler(
    Http.layerMount().pipe(
      Layer.provide(auth),
      Layer.provide([scene === away ? provider.layer : offline, HttpServer.layerServices]),
      Layer.orDie
    ),
    { disableLogger: true }
  )
  const link = () =>
    vi.waitFor(
      () => {
        const [mail] = Effect.runSync(box.mails)
        if (mail === undefined) throw new Error("not sent yet")
        const { pathname, search } = new URL(mail.url)
        return `${pathname}${search}`
      },
      { timeout: 60_000 }
    )
  await scene
    .play(
      visitor((request) => handler(request), site),
      link
    )
    .finally(() => void dispose())
}

/** The services that a scene would have without the marker. */
const servicesOf = (scene: Scene): Promise<Context.Context<Services.Services>> =>
  Effect.runPromise(
    Effect.scoped(
      Effect.map(
        Layer.build(Layer.provide(Doorman.layer(scene.options()), offline)),
        (context) => Context.get(context, Doorman).services
      )
    )
  )

const keys = [...Services.rowKeys, SecureRandom.SecureRandom.key]

/** Keys that are no part of a configuration, and what makes each of them. */
const elsewhere: Readonly<Record<string, string>> = {
  Doorman: "the layer of a doorman",
  "http/AuthRequest": "the server, for each request",
  "Assurance/Rejection": "the server, for each request",
  "Audit/ClientAddress": "the server, for each request",
  CurrentSession: "the middleware, for each request",
  CurrentUser: "the middleware, for each request",
  MaybeSession: "the middleware, for each request",
  "Access/Public": "an annotation of endpoints",
  "Access/Fresh": "an annotation of endpoints",
  "internal/Answer/Application": "the layer of a doorman",
  "internal/Network": "the layer of a doorman, from its HttpClient",
  "ProviderTokens/RunningRefreshes": "this process",
  "Telemetry/DebugMessages": "the option debug",
  OptionalSession: "a layer of the middleware",
  RequireSession: "a layer of the middleware",
  "Rpc/OptionalSession": "a layer of the middleware",
  "Rpc/RequireSession": "a layer of the middleware",
  "Mailer/Mailbox": "Mailer.layerCapture, for tests",
  "testing/TestEnvironment/AuditLog": "the test environment",
  "testing/IdentityProvider": "the test environment"
}

/** Keys of a configuration that a test further down, or of the module itself, finds at work. */
const tested: ReadonlyArray<string> = [...Services.observers, Telemetry.LogLimit.key, Settings.key]

const source = new URL("../src/", import.meta.url)
const modules = readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts") && !name.startsWith("compat/"))
  .map((name) => new URL(name, source).href)

it("has a row for the key of every service that a module exports", async () => {
  const rows = new Set([...keys, ...configuring.map(([key]) => key), ...tested])
  const found = new Set<string>()
  for (const url of modules) {
    const exported: unknown = await import(url)
    for (const value of isObject(exported) ? Object.values(exported) : []) {
      const key: unknown =
        typeof value === "function" || isObject(value) ? (Reflect.get(value, "key") as unknown) : undefined
      if (typeof key === "string" && key.startsWith("effect-doorman/")) found.add(key)
    }
  }
  assert.isAbove(found.size, 25)
  const other = [...found].filter((key) => !rows.has(key) && !(key.replace("effect-doorman/", "") in elsewhere))
  assert.deepStrictEqual(other, [])
})

describe("every service of the list", () => {
  for (const [name, wire] of [
    ["provided to the layer", provided],
    ["merged beside the layer", beside],
    ["provided to the mount", around]
  ] as const) {
    it.each(configuring)(`%s is at work when it is ${name}`, async (key, make) => {
      let uses = 0
      await play(
        stored,
        wire,
        layerOf(
          key,
          make(() => void uses++)
        )
      )
      assert.isAbove(uses, 0)
    })

    it.each(keys)(`%s is at work when it is ${name}`, async (key) => {
      let uses = 0
      for (const scene of [tokens, stored, away]) {
        const service = (await servicesOf(scene)).mapUnsafe.get(key)
        assert.isDefined(service)
        const marker = marked(service, () => void uses++)
        await play(scene, wire, layerOf(key, marker))
        if (uses > 0) break
      }
      assert.isAbove(uses, 0)
    })

    it(`listens and counts when it is ${name}`, async () => {
      const uses = new Set<string>()
      const use = (key: string) => () => void uses.add(key)
      const meters = Context.get(
        Effect.runSync(
          Effect.scoped(Layer.build(Layer.effect(CurrentMetrics, CurrentMetrics).pipe(Layer.provide(Telemetry.layer))))
        ),
        CurrentMetrics
      )
      await play(
        tokens,
        wire,
        Audit.layerSink(() => Effect.sync(use(Audit.Audit.key)))
      )
      await play(tokens, wire, layerOf(CurrentMetrics.key, marked(meters, use(CurrentMetrics.key))))
      assert.sameMembers([...uses], [...Services.observers])
    })
  }

  it("makes what uses it with the replacement", async () => {
    const own = await servicesOf(tokens)
    const seal = Context.get(own, Seal)
    const salts: Array<string> = []
    const watching = {
      ...seal,
      seal: (...given: Parameters<typeof seal.seal>) => (salts.push(given[0]), seal.seal(...given))
    }
    await play(tokens, beside, Layer.succeed(Seal, watching))
    assert.include(salts, "__Secure-authjs.session-token")
  })

  it("is taken from the settings that are given to the layer", async () => {
    const settings = Context.get(await servicesOf(tokens), Settings)
    const short = { ...settings, session: { ...settings.session, maxAge: 60 }, jwt: { ...settings.jwt, maxAge: 60 } }
    const seen: Array<number> = []
    const scene: Scene = {
      ...tokens,
      play: async (person) => {
        await person.signIn()
        seen.push(Date.parse((await person.session())?.expires ?? "") - Date.now())
      }
    }
    await play(scene, provided, Layer.succeed(Settings, short))
    assert.isBelow(seen[0] ?? Number.NaN, 61_000)
  })
})

describe("what the options say", () => {
  it("gives way to a service that is given to the layer", async () => {
    const [store, own] = [Adapter.makeMemory(), Mailer.capture()]
    const rows: Array<string> = []
    const given = Layer.merge(
      Layer.succeed(Adapter.Adapter, {
        ...store,
        createVerificationToken: (row) => (rows.push(row.identifier), store.createVerificationToken(row))
      }),
      Layer.succeed(Mailer.Mailer, own)
    )
    Effect.runSync(box.clear)
    const auth = Doorman.layer(stored.options()).pipe(Layer.provide(given))
    const { dispose, handler } = HttpRouter.toWebHandler(
      Http.layerMount().pipe(Layer.provide(auth), Layer.provide([offline, HttpServer.layerServices]), Layer.orDie),
      { disableLogger: true }
    )
    await visitor((request) => handler(request), site).submit("/auth/signin/email", { email: address })
    await vi.waitFor(() => assert.lengthOf(Effect.runSync(own.mails), 1), { timeout: 60_000 })
    assert.lengthOf(Effect.runSync(box.mails), 0)
    assert.deepStrictEqual(rows, [address])
    await dispose()
  })

  it("gives way to services that are merged beside the layer", async () => {
    const answers: Array<boolean> = []
    const beside = Layer.mergeAll(
      Layer.succeed(Callbacks.Callbacks, Callbacks.make({ signIn: () => (answers.push(true), true) })),
      Keyring.layer(Redacted.make(otherSecret)),
      SessionPolicy.layer({ maxAge: "1 minute" })
    )
    const auth = Doorman.layer({ ...common, providers: [password()], callbacks: { signIn: () => false } })
    const { dispose, handler } = HttpRouter.toWebHandler(
      Http.layerMount().pipe(
        Layer.provideMerge(Layer.merge(auth, beside)),
        Layer.provide([offline, HttpServer.layerServices]),
        Layer.orDie
      ),
      { disableLogger: true }
    )
    const person = visitor((request) => handler(request), site)
    await person.signIn()
    assert.isBelow(Date.parse((await person.session())?.expires ?? "") - Date.now(), 61_000)
    const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    const token = await getToken({ req: { headers: { cookie } }, secret: otherSecret, secureCookie: true })
    assert.strictEqual(token?.name, "ann")
    assert.deepStrictEqual(answers, [true])
    await dispose()
  })

  it("gives way to settings that are merged beside the layer: host and base path of the mount", async () => {
    const settings = Context.get(await servicesOf(tokens), Settings)
    const hosts = { ...settings.hosts, origin: "https://public.example" }
    const auth = Doorman.layer({ ...common, providers: [password()] })
    const { dispose, handler } = HttpRouter.toWebHandler(
      Http.layerMount().pipe(
        Layer.provide(Layer.merge(auth, Layer.succeed(Settings, { ...settings, hosts, basePath: "/accounts" }))),
        Layer.provide([offline, HttpServer.layerServices]),
        Layer.orDie
      ),
      { disableLogger: true }
    )
    const response = await handler(new Request(`${site}/auth/providers`))
    const { credentials } = await response.json()
    assert.strictEqual(credentials.signinUrl, "https://public.example/accounts/signin/credentials")
    await dispose()
  })

  it.each([
    ["the first public host", ""],
    ["production", "production"]
  ])("refuses a weak keyring beside the layer: %s", async (_, stage) => {
    vi.stubEnv("NODE_ENV", stage)
    const weak = Keyring.layer(Redacted.make("short"))
    const { logger, secret: key } = common
    const auth = Doorman.layer({ logger, secret: key, trustHost: true, providers: [password()] })
    for (const [layer, status] of [
      [auth, 200],
      [Layer.merge(auth, weak), 500]
    ] as const) {
      const { dispose, handler } = HttpRouter.toWebHandler(
        Http.layerMount().pipe(Layer.provide(layer), Layer.provide([offline, HttpServer.layerServices]), Layer.orDie),
        { disableLogger: true }
      )
      const response = await handler(new Request(`${site}/auth/session`))
      assert.strictEqual(response.status, status)
      await dispose()
    }
    vi.unstubAllEnvs()
  })

  it("refuses a weak keyring only where it was found", async () => {
    vi.stubEnv("NODE_ENV", "")
    const { logger, secret: key } = common
    const auth = Doorman.layer({ logger, secret: key, trustHost: true, providers: [password()] })
    const address = new URL(`${site}/auth/session`)
    await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const doorman = Context.get(yield* Layer.build(Layer.provide(auth, offline)), Doorman)
          const own = yield* doorman.servicesHere
          const weak = yield* Effect.provide(doorman.servicesHere, Keyring.layer(Redacted.make("short")))
          assert.isUndefined(refusalOf(doorman, own, address))
          assert.strictEqual(refusalOf(doorman, weak, address)?._tag, "WeakSecret")
          const strong = yield* Effect.provide(doorman.servicesHere, Keyring.layer(Redacted.make(otherSecret)))
          assert.isUndefined(refusalOf(doorman, strong, address))
          // An earlier place keeps its own answer.
          assert.strictEqual(refusalOf(doorman, weak, address)?._tag, "WeakSecret")
        })
      )
    )
    vi.unstubAllEnvs()
  })

  it("counts for each Doorman, also where another one runs inside of its action", async () => {
    const other = Doorman.layer(forLayer({ ...common, providers: [password()] })).pipe(Layer.provide(offline))
    await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const one = Context.get(yield* Layer.build(other), Doorman)
          const two = Context.get(yield* Layer.build(Layer.fresh(other)), Doorman)
          assert.strictEqual(yield* Effect.provideContext(two.servicesHere, one.services), two.services)
          // A layer that is built there takes nothing from the action either.
          const built = yield* Effect.provideContext(Layer.build(Layer.fresh(other)), one.services)
          assert.notStrictEqual(
            Context.get(Context.get(built, Doorman).services, Seal),
            Context.get(one.services, Seal)
          )
        })
      )
    )
  })
})

describe("an audit sink", () => {
  /** How many of two events reach the sink: one of its own doorman, one of a doorman that runs inside an action of it. */
  const heard = (beside: boolean) =>
    Effect.gen(function* () {
      const tags: Array<string> = []
      const sink = Audit.layerSink(({ _tag }) => Effect.sync(() => void tags.push(_tag)))
      const layerOf = (key: string) =>
        Layer.fresh(Doorman.layer(forLayer({ ...common, secret: key, providers: [password()] })))
      const own = beside ? offline : Layer.merge(offline, sink)
      const outer = Context.get(yield* Layer.build(layerOf(secret).pipe(Layer.provide(own))), Doorman)
      const inner = Context.get(yield* Layer.build(layerOf(otherSecret).pipe(Layer.provide(offline))), Doorman)
      const request = yield* fromWeb(new Request(`${site}/auth/session`), "/auth")
      const telling = (doorman: Doorman["Service"], program: Effect.Effect<void>) =>
        Effect.flatMap(doorman.servicesHere, (services) =>
          Effect.provideContext(program, Context.add(services, AuthRequest, request))
        )
      const inside = telling(inner, note({ _tag: "SignedOut" }))
      const both = telling(outer, Effect.andThen(note({ _tag: "SessionConflict", userIds: [] }), inside))
      yield* beside ? Effect.provide(both, sink) : both
      return tags
    }).pipe(Effect.scoped, Effect.runPromise)

  it("of a layer hears nothing of another doorman that runs inside of its action", async () => {
    assert.deepStrictEqual(await heard(false), ["SessionConflict"])
  })

  it("of the place where requests are answered hears both", async () => {
    assert.deepStrictEqual(await heard(true), ["SessionConflict", "SignedOut"])
  })
})

/** Options of the function `Auth`, each of which makes one service of the list. */
const face: ReadonlyArray<readonly [string, (use: () => void) => Partial<Options>]> = [
  ["callbacks", (use) => ({ callbacks: { signIn: () => (use(), true) } })],
  ["events", (use) => ({ events: { signIn: use } })],
  ["jwt", (use) => ({ jwt: { encode: () => (use(), "a token"), decode: () => ({ sub: "1" }) } })],
  [
    "adapter",
    (use) => {
      const store = Adapter.makeMemory()
      return {
        session: { strategy: "jwt" },
        providers: [Email({ consumeOn: "get", from: "site@app.example" }), password()],
        mailer: Mailer.capture(),
        adapter: {
          ...store,
          createVerificationToken: (row: VerificationToken) => (use(), store.createVerificationToken(row))
        }
      }
    }
  ],
  ["sharedState", (use) => ({ sharedState: { get: () => null, swap: () => (use(), true) } })],
  [
    "mailer",
    (use) => ({
      session: { strategy: "jwt" },
      providers: [Email({ consumeOn: "get", from: "site@app.example" }), password()],
      adapter: Adapter.makeMemory(),
      mailer: { send: () => Effect.sync(use) }
    })
  ]
]

describe("an option of the function", () => {
  it.each(face)("%s makes the service that whole requests use", async (_, optionsOf) => {
    const use = vi.fn()
    const options = { secret, trustHost: true, basePath: "/auth", providers: [password()], logger: common.logger }
    const person = visitor(facade({ ...options, ...optionsOf(() => use()) }))
    await person.submit("/auth/signin/email", { email: address })
    await person.signIn()
    await person.session()
    await vi.waitFor(() => assert.isAbove(use.mock.calls.length, 0), { timeout: 60_000 })
  })

  it("secret makes the keyring, and session the policy", async () => {
    const person = visitor(
      facade({
        secret: otherSecret,
        trustHost: true,
        providers: [password()],
        session: { maxAge: 60 },
        logger: common.logger
      })
    )
    await person.signIn()
    const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    const token = await getToken({ req: { headers: { cookie } }, secret: otherSecret, secureCookie: true })
    assert.strictEqual(token?.name, "ann")
    assert.isBelow(Date.parse((await person.session())?.expires ?? "") - Date.now(), 61_000)
  })
})
