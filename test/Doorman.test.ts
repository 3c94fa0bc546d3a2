/**
 * Every service can be replaced by a layer. For each: the replacement is at work in whole requests, and a second doorman
 * beside it, in the same server, does not see it.
 */
import { assert, describe, it, vi } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { TestClock } from "effect/testing"
import * as Adapter from "../src/Adapter.ts"
import * as Audit from "../src/Audit.ts"
import { Doorman, type DoormanOptions } from "../src/Doorman.ts"
import * as Callbacks from "../src/Callbacks.ts"
import { Jwt } from "../src/Jwt.ts"
import { AdapterError } from "../src/Errors.ts"
import * as Events from "../src/Events.ts"
import * as Http from "../src/Http.ts"
import * as Keyring from "../src/Keyring.ts"
import * as Login from "../src/signin/LinkingRules.ts"
import * as Mailer from "../src/Mailer.ts"
import * as PageRenderer from "../src/Pages.ts"
import { Email } from "../src/Provider/Email.ts"
import { type Opened, Seal } from "../src/browser/Seal.ts"
import * as SessionPolicy from "../src/session/SessionPolicy.ts"
import * as SharedState from "../src/SharedState.ts"
import * as Telemetry from "../src/Telemetry.ts"
import { getToken } from "../src/compat/Token.ts"
import { idp, memoryProvider } from "./MemoryProvider.ts"
import { listener, locationOf, otherSecret, password, secret, site, type Visitor, visitor } from "./Visitor.ts"
import { offline } from "./Offline.ts"

type At = "one" | "other"

const options = (at: At, more: Partial<DoormanOptions> = {}): DoormanOptions => ({
  providers: [password()],
  secret: Redacted.make(secret),
  origin: site,
  basePath: `/${at}`,
  logger: listener().logger,
  ...more
})

type Made = Layer.Layer<Doorman, unknown, HttpClient.HttpClient>

/** Two doormen at one server, and a browser at each. */
const side = async (
  one: Made,
  other: Made,
  use: (one: Visitor, other: Visitor) => Promise<void>,
  client: Layer.Layer<HttpClient.HttpClient> = offline
): Promise<void> => {
  const { dispose, handler } = HttpRouter.toWebHandler(
    Layer.mergeAll(Http.layerMount().pipe(Layer.provide(one)), Http.layerMount().pipe(Layer.provide(other))).pipe(
      Layer.provide(client),
      Layer.provide(HttpServer.layerServices),
      Layer.orDie
    ),
    { disableLogger: true }
  )
  const at = (request: Request) => handler(request)
  await use(visitor(at, site, "/one"), visitor(at, site, "/other")).finally(() => void dispose())
}

/** Equal options twice; one `Doorman` gets the layer. */
const replacing = <A>(
  layer: Layer.Layer<A>,
  use: (one: Visitor, other: Visitor) => Promise<void>,
  more: () => Partial<DoormanOptions> = () => ({}),
  client?: Layer.Layer<HttpClient.HttpClient>
): Promise<void> =>
  side(
    Doorman.layer(options("one", more())).pipe(Layer.provide(layer)),
    Doorman.layer(options("other", more())),
    use,
    client
  )

const address = "ann@example.com"

/** Asks for a link. */
const ask = (person: Visitor, path: string): Promise<Response> =>
  person.submit(`${path}/signin/email`, { email: address })

const withLinks = (mails: Mailer.Mailer["Service"], adapter = Adapter.makeMemory()): Partial<DoormanOptions> => ({
  providers: [Email({ consumeOn: "get", from: "site@app.example" }), password()],
  adapter,
  mailer: mails
})

/** The link of the first mail, when it has been sent: sending goes on behind the answer. */
const linkOf = ({ mails }: Mailer.Mailbox["Service"]): Promise<string> =>
  vi.waitFor(
    () => {
      const [mail] = Effect.runSync(mails)
      if (mail === undefined) throw new Error("not sent yet")
      const { pathname, search } = new URL(mail.url)
      return `${pathname}${search}`
    },
    { timeout: 60_000 }
  )

/** Goes to the provider and comes back. */
const viaProvider = async (person: Visitor, path: string, provider: ReturnType<typeof memoryProvider>) => {
  const away = await person.submit(`${path}/signin/idp`, { callbackUrl: "/welcome" })
  const back = provider.agree(away.headers.get("location") ?? "")
  return person.get(`${back.pathname}${back.search}`)
}

const lifetimeOf = async (person: Visitor): Promise<number> => {
  const session = await person.session()
  return Math.round((Date.parse(session?.expires ?? "") - Date.now()) / 1000)
}

describe("a layer replaces", () => {
  it("the adapter and the mailer", async () => {
    const [store, others] = [Adapter.makeMemory(), Adapter.makeMemory()]
    const [box, othersBox] = [Mailer.capture(), Mailer.capture()]
    const wanted = (at: At) =>
      Doorman.layer({
        ...options(at),
        providers: [Email({ consumeOn: "get", from: "site@app.example" })],
        adapter: Adapter.Adapter,
        mailer: Mailer.Mailer
      })
    const given = (adapter: Adapter.AdapterShape, mailer: Mailer.Mailer["Service"]) =>
      Layer.merge(Layer.succeed(Adapter.Adapter, adapter), Layer.succeed(Mailer.Mailer, mailer))
    await side(
      wanted("one").pipe(Layer.provide(given(store, box))),
      wanted("other").pipe(Layer.provide(given(others, othersBox))),
      async (one) => {
        await ask(one, "/one")
        assert.match(await linkOf(box), /^\/one\/callback\/email\?/)
        await one.get(await linkOf(box))
        assert.strictEqual((await one.session())?.user?.["email"], address)
        assert.isTrue(Option.isSome(Effect.runSync(store.getUserByEmail(address))))
        assert.isTrue(Option.isNone(Effect.runSync(others.getUserByEmail(address))))
        assert.deepStrictEqual(Effect.runSync(othersBox.mails), [])
      }
    )
  })

  it("the keyring", async () => {
    const keys = Keyring.layer(Redacted.make(otherSecret), Redacted.make(secret))
    await replacing(keys, async (one, other) => {
      const read = async (person: Visitor, path: string, key: string) => {
        await person.submit(`${path}/callback/credentials`, { username: "ann", password: "pw" })
        const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join("; ")
        return getToken({ req: { headers: { cookie } }, secret: key, secureCookie: true })
      }
      assert.strictEqual((await read(one, "/one", otherSecret))?.name, "ann")
      assert.isNull(await read(one, "/one", secret))
      assert.strictEqual((await read(other, "/other", secret))?.name, "ann")
      // Values of the older secret still open; the other `Doorman` does not know the newer one.
      for (const [name, value] of other.cookies) if (name.includes("session")) one.cookies.set(name, value)
      assert.strictEqual((await one.session())?.user?.["name"], "ann")
      const cookies = new Map(one.cookies)
      await one.signIn("eve")
      for (const [name, value] of one.cookies) if (name.includes("session")) other.cookies.set(name, value)
      assert.isNull(await other.session())
      assert.isAbove(cookies.size, 0)
    })
  })

  it("the session policy", async () => {
    await replacing(SessionPolicy.layer({ maxAge: "8 hours" }), async (one, other) => {
      await one.signIn()
      await other.signIn()
      assert.closeTo(await lifetimeOf(one), 8 * 3600, 60)
      assert.closeTo(await lifetimeOf(other), 30 * 24 * 3600, 60)
    })
  })

  it("the linking policy, wherever else there is another one", async () => {
    const [box, othersBox] = [Mailer.capture(), Mailer.capture()]
    const refusing = Login.layer((situation, usual) => (situation.by === "mailbox" ? "refuse" : usual))
    const made = side(
      Doorman.layer(options("one", withLinks(box))).pipe(Layer.provide(refusing)),
      Doorman.layer(options("other", withLinks(othersBox))),
      async (one, other) => {
        await ask(one, "/one")
        await ask(other, "/other")
        assert.include(locationOf(await one.get(await linkOf(box))) ?? "", "error=")
        assert.isNull(await one.session())
        await other.get(await linkOf(othersBox))
        assert.strictEqual((await other.session())?.user?.["email"], address)
      }
    )
    await made
  })

  it("the callbacks", async () => {
    const callbacks = Callbacks.make({ signIn: ({ user }) => user.name !== "ann" })
    await replacing(Layer.succeed(Callbacks.Callbacks, callbacks), async (one, other) => {
      assert.include(locationOf(await one.signIn()) ?? "", "error=AccessDenied")
      await one.signIn("bob")
      assert.strictEqual((await one.session())?.user?.["name"], "bob")
      await other.signIn()
      assert.strictEqual((await other.session())?.user?.["name"], "ann")
    })
  })

  it("the events", async () => {
    const told: Array<string> = []
    const events = Events.Events.of({ emit: (name) => Effect.sync(() => void told.push(name)) })
    await replacing(Layer.succeed(Events.Events, events), async (one, other) => {
      await other.signIn()
      await other.session()
      assert.deepStrictEqual(told, [])
      await one.signIn()
      await one.session()
      assert.deepStrictEqual(told, ["signIn", "session"])
    })
  })

  it("the pages", async () => {
    const pages = PageRenderer.layer({ signIn: () => ({ body: "<p>ours</p>", status: 200, headers: {} }) })
    await replacing(pages, async (one, other) => {
      assert.include(await (await one.get("/one/signin")).text(), "<p>ours</p>")
      assert.include(await (await one.get("/one/signout")).text(), "<form")
      assert.notInclude(await (await other.get("/other/signin")).text(), "ours")
    })
  })

  it("the randomness", async () => {
    const drawn: Array<number> = []
    const counted = Layer.succeed(
      SecureRandom.SecureRandom,
      SecureRandom.make((size) => {
        drawn.push(size)
        return new Uint8Array(size).fill(7)
      })
    )
    await replacing(counted, async (one, other) => {
      await other.csrfToken()
      assert.deepStrictEqual(drawn, [])
      const token = await one.csrfToken()
      assert.isNotEmpty(drawn)
      one.cookies.clear()
      assert.strictEqual(await one.csrfToken(), token)
    })
  })

  it("the HTTP client", async () => {
    const [provider, others] = [memoryProvider(), memoryProvider()]
    const more = { providers: [idp()] }
    await side(
      Doorman.layer(options("one", more)).pipe(Layer.provide(provider.layer)),
      Doorman.layer(options("other", more)).pipe(Layer.provide(others.layer)),
      async (one) => {
        assert.strictEqual(locationOf(await viaProvider(one, "/one", provider)), `${site}/welcome`)
        assert.strictEqual((await one.session())?.user?.["name"], "Ada")
        assert.isAbove(provider.count("/token"), 0)
        assert.deepStrictEqual(others.received, [])
      }
    )
  })

  it("the shared state of used attempts", async () => {
    const provider = memoryProvider()
    const asked: Array<string> = []
    const state = Layer.succeed(SharedState.SharedState, {
      ...SharedState.makeMemory(),
      once: (purpose) =>
        Effect.sync(() => {
          asked.push(purpose)
          return false
        })
    })
    const more = () => ({ providers: [idp()] })
    const use = async (one: Visitor, other: Visitor) => {
      assert.include(locationOf(await viaProvider(one, "/one", provider)) ?? "", "code=flow_used")
      assert.deepStrictEqual(asked, ["flow"])
      assert.strictEqual(locationOf(await viaProvider(other, "/other", provider)), `${site}/welcome`)
      assert.deepStrictEqual(asked, ["flow"])
    }
    await replacing(state, use, more, provider.layer)
  })

  it("a store that two of them share", async () => {
    const provider = memoryProvider()
    const keys: Array<string> = []
    const values = new Map<string, string>()
    const store: SharedState.StateStore = {
      get: (key) => Effect.sync(() => values.get(key)),
      swap: ({ after, before, key }) =>
        Effect.sync(() => {
          keys.push(key)
          if (values.get(key) !== before) return false
          if (after === undefined) values.delete(key)
          else values.set(key, after)
          return true
        })
    }
    const more = () => ({ providers: [idp()] })
    const use = async (one: Visitor) => {
      assert.strictEqual(locationOf(await viaProvider(one, "/one", provider)), `${site}/welcome`)
      assert.lengthOf(keys, 1)
      assert.match(keys[0] ?? "", /^once\.flow:[\w-]{43}$/)
    }
    await replacing(SharedState.layer(store), use, more, provider.layer)
  })

  const refusing = (purpose: string, asked: Array<string> = []) => {
    const state = SharedState.makeMemory()
    return Layer.succeed(SharedState.SharedState, {
      ...state,
      limit: (rule, key) =>
        rule.purpose === purpose
          ? Effect.sync(() => {
              asked.push(key)
              return { isAllowed: false, retryAfter: Duration.minutes(1) }
            })
          : state.limit(rule, key)
    })
  }

  it("the limit of sign-ins", () =>
    replacing(refusing("account"), async (one, other) => {
      assert.include(locationOf(await one.signIn()) ?? "", "code=throttled")
      await other.signIn()
      assert.isNotNull(await other.session())
    }))

  it("the limit of mails", async () => {
    const [box, othersBox] = [Mailer.capture(), Mailer.capture()]
    const asked: Array<string> = []
    await side(
      Doorman.layer(options("one", withLinks(box))).pipe(Layer.provide(refusing("mailbox", asked))),
      Doorman.layer(options("other", withLinks(othersBox))),
      async (one, other) => {
        await ask(one, "/one")
        await ask(other, "/other")
        assert.isNotEmpty(await linkOf(othersBox))
        assert.lengthOf(asked, 1)
        assert.deepStrictEqual(Effect.runSync(box.mails), [])
      }
    )
  })

  it("the shared state of revoked sessions", async () => {
    const ended: Array<string> = []
    const list = Layer.succeed(SharedState.SharedState, {
      ...SharedState.makeMemory(),
      mark: (_, token) => Effect.sync(() => void ended.push(token)),
      isMarked: (_, token) => Effect.sync(() => ended.includes(token))
    })
    const down = Effect.fail(new AdapterError({ method: "deleteSession", reason: "unavailable", detail: "down" }))
    // The row stays: what the list says is all that ends the session.
    const [box, othersBox] = [Mailer.capture(), Mailer.capture()]
    const made = (at: At, mails: Mailer.Mailer["Service"]) =>
      Doorman.layer(options(at, withLinks(mails, { ...Adapter.makeMemory(), deleteSession: () => down })))
    await side(Layer.provide(made("one", box), list), made("other", othersBox), async (one, other) => {
      for (const [person, path, mails, count] of [
        [other, "/other", othersBox, 0],
        [one, "/one", box, 1]
      ] as const) {
        await ask(person, path)
        await person.get(await linkOf(mails))
        assert.isNotNull(await person.session())
        const kept = new Map(person.cookies)
        await person.submit(`${path}/signout`)
        assert.lengthOf(ended, count)
        for (const [name, value] of kept) person.cookies.set(name, value)
        assert.isNull(await person.session())
      }
    })
  })

  it("who listens to audit events", async () => {
    const told: Array<string> = []
    const sink = Audit.layerSink(({ _tag }) => Effect.sync(() => void told.push(_tag)))
    await replacing(sink, async (one, other) => {
      await other.signIn()
      assert.deepStrictEqual(told, [])
      await one.signIn()
      assert.deepStrictEqual(told, ["SignedIn"])
    })
  })

  it("whether anything is measured", async () => {
    const reads = Metric.withAttributes(Telemetry.sessionReads, { outcome: "signed_out" })
    const count = () => Effect.runSync(Metric.value(reads)).count
    await replacing(Telemetry.layer, async (one, other) => {
      const before = count()
      await other.session()
      assert.strictEqual(count(), before)
      await one.session()
      assert.strictEqual(count(), before + 1)
    })
  })

  it("the seal", async () => {
    const kept = new Map<string, Extract<Opened, { ok: true }>["claims"]>()
    const seal = Seal.of({
      seal: (_, claims) =>
        Effect.sync(() => {
          const name = `kept-${kept.size}`
          kept.set(name, { ...claims, iat: 0, exp: 0, jti: name })
          return name
        }),
      open: (_, token) => {
        const claims = kept.get(token)
        return Effect.succeed<Opened>(
          claims === undefined
            ? { ok: false, reason: "not_authentic" }
            : { ok: true, claims, keyIndex: 0, current: true }
        )
      }
    })
    await replacing(Layer.succeed(Seal, seal), async (one, other) => {
      await one.signIn()
      assert.include([...one.cookies.values()], "kept-0")
      assert.strictEqual((await one.session())?.user?.["name"], "ann")
      const before = kept.size
      await other.signIn()
      assert.strictEqual(kept.size, before)
      assert.notInclude([...other.cookies.values()].join(), "kept")
    })
  })

  it.gen("the clock, for the whole server", function* () {
    const clock = yield* Clock.Clock
    yield* TestClock.setTime(Date.UTC(2030, 0, 1))
    const app = Http.layerMount().pipe(
      Layer.provide(Doorman.layer(options("one"))),
      Layer.provide([offline, HttpServer.layerServices]),
      Layer.merge(Layer.succeed(Clock.Clock, clock))
    )
    const { dispose, handler } = HttpRouter.toWebHandler(app, { disableLogger: true })
    const one = visitor((request) => handler(request), site, "/one")
    yield* Effect.promise(() => one.signIn())
    const session = yield* Effect.promise(() => one.session())
    assert.strictEqual(session?.expires, "2030-01-31T00:00:00.000Z")
    yield* TestClock.adjust("31 days")
    assert.isNull(yield* Effect.promise(() => one.session()))
    yield* Effect.promise(dispose)
  })
})

describe("two doormen", () => {
  class Invites extends Context.Service<Invites, { readonly names: ReadonlyArray<string> }>()("test/Doorman/Invites") {}
  const invited = (...names: ReadonlyArray<string>) => Layer.succeed(Invites, { names })

  it("each ask the service that was given to them, not the one of the server with that name", async () => {
    const made = (at: At) =>
      Doorman.layer({
        ...options(at),
        callbacks: { signIn: ({ user }) => Effect.map(Invites, ({ names }) => names.includes(user.name ?? "")) }
      })
    const ownPage = PageRenderer.layer({})
    const app = Layer.mergeAll(
      Http.layerMount().pipe(Layer.provide(made("one")), Layer.provide([invited("ann"), ownPage])),
      Http.layerMount().pipe(Layer.provide(made("other")), Layer.provide([invited("bob"), ownPage])),
      // The services below belong to the server: they are current while it answers requests.
      invited("ann", "bob"),
      PageRenderer.layer({ signOut: () => ({ body: "the server's", status: 200, headers: {} }) })
    )
    const { dispose, handler } = HttpRouter.toWebHandler(
      app.pipe(Layer.provide([offline, HttpServer.layerServices]), Layer.orDie),
      { disableLogger: true }
    )
    for (const [path, friend, stranger] of [
      ["/one", "ann", "bob"],
      ["/other", "bob", "ann"]
    ] as const) {
      const person = visitor((request) => handler(request), site, path)
      assert.include(locationOf(await person.signIn(stranger)) ?? "", "error=AccessDenied")
      await person.signIn(friend)
      assert.strictEqual((await person.session())?.user?.["name"], friend)
      assert.notInclude(await (await person.get(`${path}/signout`)).text(), "the server's")
    }
    await dispose()
  })

  it.gen("share what one layer gives to both, and nothing else", function* () {
    const made = (at: At) => Layer.provide(Doorman.layer(options(at)), offline)
    const shared = Layer.sync(SharedState.SharedState, SharedState.makeMemory)
    const [memo, scope] = [yield* Layer.makeMemoMap, yield* Effect.scope]
    const memories = (layer: Layer.Layer<Doorman, unknown>) =>
      Effect.map(Layer.buildWithMemoMap(layer, memo, scope), (context) => {
        const { services } = Context.get(context, Doorman)
        return [Context.get(services, SharedState.SharedState), Context.get(services, Jwt)]
      })
    const [state, jwt] = yield* memories(made("one").pipe(Layer.provide(shared)))
    const [same, another] = yield* memories(made("other").pipe(Layer.provide(shared)))
    assert.strictEqual(state, same)
    assert.notStrictEqual(jwt, another)
    assert.notStrictEqual(state, (yield* memories(made("other")))[0])
  })

  it("close what a callback opened when it has answered", async () => {
    const steps: Array<string> = []
    const made = Doorman.layer({
      ...options("one"),
      callbacks: {
        signIn: () =>
          Effect.acquireRelease(
            Effect.sync(() => steps.push("opened") > 0),
            () => Effect.sync(() => void steps.push("closed"))
          )
      },
      events: { signIn: () => void steps.push("signed in") }
    })
    await side(made, Doorman.layer(options("other")), async (one) => {
      await one.signIn()
      assert.deepStrictEqual(steps, ["opened", "closed", "signed in"])
    })
  })
})
