import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { TestClock } from "effect/testing"
import type { Auth } from "../../src/Auth.ts"
import { layer as settingsLayer, Settings, type Options } from "../../src/config/Settings.ts"
import { Csrf } from "../../src/browser/Csrf.ts"
import { Jwt } from "../../src/Jwt.ts"
import { Seal } from "../../src/browser/Seal.ts"
import { layer as servicesLayer } from "../ServicesLayer.ts"
import { at, browser, config, start } from "../Browser.ts"
import { idp, memoryProvider } from "../MemoryProvider.ts"
import { countedBytes, otherSecret, secret } from "../Visitor.ts"
import { forLayer } from "../ForLayer.ts"

describe("Services", () => {
  it.effect("signs a person in, shows who they are, and forgets them after thirty days", () => {
    const provider = memoryProvider()
    const person = browser()
    return Effect.gen(function* () {
      const away = yield* person.leave("idp", { callbackUrl: "/welcome" })
      const back = yield* person.get(provider.agree(away))
      assert.strictEqual(back.location, "https://app.example/welcome")
      assert.deepStrictEqual(yield* person.session, {
        user: { name: "Ada", email: "ada@example.com" },
        expires: "2027-02-14T08:00:00.000Z"
      })
      yield* TestClock.adjust("31 days")
      assert.isNull(yield* person.session)
    }).pipe(at(config({ providers: [idp()] }), provider))
  })

  it.effect("requires what the Effects of callbacks and events require, and gives it to them", () => {
    class Members extends Context.Service<Members, { readonly roleOf: (name: string) => Effect.Effect<string> }>()(
      "test/Members"
    ) {}
    const told: Array<string> = []
    const times: Array<number> = []
    const options: Options<Members> = {
      ...config(),
      callbacks: {
        jwt: ({ token }) =>
          Effect.gen(function* () {
            const members = yield* Members
            times.push(yield* Clock.currentTimeMillis)
            return { ...token, role: yield* members.roleOf(token.name ?? "") }
          }),
        session: ({ session, token }) => ({ ...session, role: token?.["role"] })
      },
      events: {
        session: ({ session }) =>
          Effect.map(Members, () => void told.push(`${session.user?.name} ${String(Reflect.get(session, "role"))}`))
      }
    }
    const members = Layer.succeed(Members, { roleOf: (name) => Effect.succeed(`role of ${name}`) })
    const layer = servicesLayer(forLayer(options))
    const named: Members extends Layer.Services<typeof layer> ? true : false = true
    // @ts-expect-error the facade has nowhere to take the service from
    const plain: Parameters<typeof Auth>[1] = options
    assert.isDefined([named, plain])
    const platform = Layer.merge(countedBytes(), memoryProvider().layer)
    return Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const person = browser()
      const token = yield* Jwt.use(({ encode }) => encode({ name: "Ada" }, "__Host-authjs.session-token"))
      person.cookies.set("__Host-authjs.session-token", token)
      yield* TestClock.adjust("1 hour")
      assert.deepInclude(JSON.parse((yield* person.get("/auth/session")).body), { role: "role of Ada" })
      assert.deepStrictEqual(told, ["Ada role of Ada"])
      assert.deepStrictEqual(times, [start + 3_600_000])
    }).pipe(Effect.provide(Layer.provideMerge(Layer.provide(layer, members), platform)))
  })

  it.gen("fails with the first problem of the options, as a typed error", Effect.scoped, function* () {
    const problem = (options: Partial<ReturnType<typeof config>>) =>
      Effect.flip(Layer.build(servicesLayer(forLayer(config(options))))).pipe(
        Effect.provide(Layer.merge(countedBytes(), memoryProvider().layer))
      )
    const { secret: _, ...rest } = config()
    const missing = yield* Effect.flip(Layer.build(servicesLayer(forLayer(rest)))).pipe(
      Effect.provide(Layer.merge(countedBytes(), memoryProvider().layer))
    )
    assert.strictEqual(missing._tag, "MissingSecret")
    assert.strictEqual((yield* problem({ secret: ["", ""] }))._tag, "MissingSecret")
    assert.strictEqual((yield* problem({ trustHost: false }))._tag, "UntrustedHost")
    assert.strictEqual((yield* problem({ session: { strategy: "database" } }))._tag, "MissingAdapter")
    assert.strictEqual((yield* problem({ adapter: {} }))._tag, "MissingAdapterMethods")
  })

  it.gen("H287 holds two configurations beside each other without mixing them up", function* () {
    const sealed = (secrets: string) =>
      Jwt.use(({ encode }) => encode({ sub: "1" }, "a")).pipe(at(config({ secret: secrets })))
    const opened = (token: string, secrets: string) =>
      Effect.result(Jwt.use(({ decode }) => decode(token, "a"))).pipe(at(config({ secret: secrets })))
    const [one, other] = [yield* sealed(secret), yield* sealed(otherSecret)]
    assert.strictEqual((yield* opened(one, secret))._tag, "Success")
    assert.strictEqual((yield* opened(other, otherSecret))._tag, "Success")
    assert.strictEqual((yield* opened(one, otherSecret))._tag, "Failure")
    assert.strictEqual((yield* opened(other, secret))._tag, "Failure")
  })

  it.effect("can be put together from the layers of the services too", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const settings = yield* Settings
      assert.strictEqual(settings.basePath, "/auth")
      const { open } = yield* Seal
      const token = yield* Jwt.use(({ encode }) => encode({ sub: "1" }, "a"))
      assert.isTrue((yield* open("a", token)).ok)
      assert.isFunction((yield* Csrf).verify)
    }).pipe(
      Effect.provide(
        Layer.merge(Jwt.layer, Csrf.layer).pipe(
          Layer.provideMerge(Seal.layer),
          Layer.provideMerge(Layer.merge(settingsLayer(config()), countedBytes()))
        )
      )
    )
  )
})
