/**
 * One list composes a configuration. Each key of it is replaced by a marker that is provided to the layer of the doorman, and
 * whole requests find the marker at work.
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
import { Doorman, type DoormanOptions } from "../src/Doorman.ts"
import { Settings, type Options } from "../src/config/Settings.ts"
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

/** Plays a scene at a doorman that is given a layer. */
const play = async <A>(scene: Scene, layer: Layer.Layer<A>): Promise<void> => {
  Effect.runSync(box.clear)
  const auth: Layer.Layer<Doorman, unknown, HttpClient.HttpClient> = Layer.provide(
    Doorman.layer(scene.options()),
    layer
  )
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
  it.each(configuring)("%s is at work", async (key, make) => {
    let uses = 0
    await play(
      stored,
      layerOf(
        key,
        make(() => void uses++)
      )
    )
    assert.isAbove(uses, 0)
  })

  it.each(keys)("%s is at work", async (key) => {
    let uses = 0
    for (const scene of [tokens, stored, away]) {
      const service = (await servicesOf(scene)).mapUnsafe.get(key)
      assert.isDefined(service)
      const marker = marked(service, () => void uses++)
      await play(scene, layerOf(key, marker))
      if (uses > 0) break
    }
    assert.isAbove(uses, 0)
  })

  it("listens and counts", async () => {
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
      Audit.layerSink(() => Effect.sync(use(Audit.Audit.key)))
    )
    await play(tokens, layerOf(CurrentMetrics.key, marked(meters, use(CurrentMetrics.key))))
    assert.sameMembers([...uses], [...Services.observers])
  })

  it("makes what uses it with the replacement", async () => {
    const own = await servicesOf(tokens)
    const seal = Context.get(own, Seal)
    const salts: Array<string> = []
    const watching = {
      ...seal,
      seal: (...given: Parameters<typeof seal.seal>) => (salts.push(given[0]), seal.seal(...given))
    }
    await play(tokens, Layer.succeed(Seal, watching))
    assert.include(salts, "__Host-authjs.session-token")
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
    await play(scene, Layer.succeed(Settings, short))
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

  it("counts for each Doorman, also where another one runs inside of its action", async () => {
    const other = Doorman.layer(forLayer({ ...common, providers: [password()] })).pipe(Layer.provide(offline))
    await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const one = Context.get(yield* Layer.build(other), Doorman)
          const two = Context.get(yield* Layer.build(Layer.fresh(other)), Doorman)
          assert.strictEqual(yield* Effect.provideContext(two.servicesHere, one.services), two.services)
          // A layer that is built there takes nothing from the action.
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
