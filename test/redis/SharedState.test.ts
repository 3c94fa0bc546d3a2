import * as NodeRedis from "@effect/platform-node/NodeRedis"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { stripTypeScriptTypes } from "node:module"
import { createClient } from "redis"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redis from "effect/persistence/Redis"
import { TestClock } from "effect/testing"
import { layerSharedState } from "../../src/Redis.ts"
import { make, SharedState, type StateStore } from "../../src/SharedState.ts"
import { laws } from "../../src/testing/SharedStateLaws.ts"
import { processes } from "../sql/StateLaws.ts"
import { isRedisHere, type RedisServer, startRedis } from "./RedisServer.ts"

interface DocsClient {
  readonly get: (key: string) => Promise<string | null>
  readonly eval: (script: string, keys: Array<string>, values: Array<string>) => Promise<unknown>
}

/** The store in the example of the page, over this client. */
const storeOfDocs = async (client: DocsClient): Promise<StateStore> => {
  const page = readFileSync(new URL("../../docs/reliability.md", import.meta.url), "utf8")
  const [example = ""] = page.split("```ts\n").filter((part) => part.includes("const script = "))
  const code = example.slice(example.indexOf("// Compares and"), example.indexOf("export const handler"))
  const text = `export default (redis) => { ${stripTypeScriptTypes(code)}; return sharedState }`
  const written: { readonly default: (redis: DocsClient) => StateStore } = await import(
    `data:text/javascript,${encodeURIComponent(text)}`
  )
  return written.default(client)
}

describe.skipIf(!isRedisHere)("Redis", () => {
  let server: RedisServer | undefined
  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server?.stop())

  const place = () => server?.path ?? assert.fail("there is no server")
  const client = Layer.unwrap(Effect.sync(() => NodeRedis.layer({ socket: { path: place(), tls: false } })))
  const quiet = Effect.provide(Logger.layer([]))

  it.layer(Layer.provideMerge(layerSharedState(), client))("shared state", (it) => {
    for (const law of laws) {
      it.effect(`keeps the law: ${law.name}`, () =>
        Effect.gen(function* () {
          const state = yield* SharedState
          const peer = yield* Effect.provide(SharedState, Layer.fresh(layerSharedState()))
          yield* quiet(law.check({ state, peer, advance: TestClock.adjust, many: 300 }))
        })
      )
    }

    it.effect("ends on the server too, a minute after its time", () =>
      Effect.gen(function* () {
        const [{ once }, redis] = [yield* SharedState, yield* Redis.Redis]
        const before = new Set(yield* redis.send<Array<string>>("KEYS", "*"))
        yield* once("endings", "any", "1 minute")
        const [key = ""] = (yield* redis.send<Array<string>>("KEYS", "*")).filter((name) => !before.has(name))
        assert.match(key, /^doorman:once\.endings:[\w-]{43}$/)
        const left = yield* redis.send<number>("PTTL", key)
        assert.isTrue(left > 110_000 && left <= 120_000, `${left} ms`)
      })
    )

    it.effect("keeps sites apart by their prefixes", () =>
      Effect.gen(function* () {
        const first = yield* SharedState
        assert.isTrue(yield* first.once("prefixes", "any", "1 minute"))
        const other = yield* Effect.provide(SharedState, layerSharedState({ prefix: "other:" }))
        assert.isTrue(yield* other.once("prefixes", "any", "1 minute"))
        assert.isFalse(yield* first.once("prefixes", "any", "1 minute"))
      })
    )
  })

  processes("redis", async () => place())

  it.effect("is kept by the store of docs/reliability.md, for servers without Effect", () =>
    Effect.gen(function* () {
      const own = createClient({ socket: { path: place(), tls: false }, database: 1 })
      yield* Effect.promise(() => own.connect())
      const store = yield* Effect.promise(() =>
        storeOfDocs({
          get: (key) => own.get(key),
          eval: (script, keys, values) => own.eval(script, { keys, arguments: values })
        })
      )
      // The times of the server follow those of the test.
      const advance = (time: Duration.Input) =>
        Effect.andThen(
          Effect.promise(async () => {
            for (const key of await own.keys("*"))
              await own.pExpire(key, (await own.pTTL(key)) - Duration.toMillis(time))
          }),
          TestClock.adjust(time)
        )
      const [state, peer] = [make(store), make(store)]
      for (const law of laws) yield* quiet(law.check({ state, peer, advance, many: 300 }))
      assert.isAbove(yield* Effect.promise(() => own.dbSize()), 0)
      yield* Effect.promise(() => own.close())
    })
  )

  it("that is gone is a store that is down", async () => {
    const own = await startRedis()
    const client = NodeRedis.layer({ socket: { path: own.path, tls: false, reconnectStrategy: false } })
    const program = Effect.gen(function* () {
      const { limit, once } = yield* SharedState
      assert.isTrue(yield* once("outage", "before", "1 minute"))
      yield* Effect.promise(own.stop)
      assert.strictEqual((yield* Effect.flip(once("outage", "after", "1 minute"))).reason, "unavailable")
      const rule = { purpose: "outage", limit: 1, window: "1 minute" } as const
      const allowed = yield* Effect.forEach([1, 2], () => limit(rule, "any"))
      assert.deepStrictEqual(
        allowed.map(({ isAllowed }) => isAllowed),
        [true, false]
      )
    })
    await Effect.runPromise(program.pipe(Effect.provide(Layer.provide(layerSharedState(), client)), quiet))
  })
})
