import * as NodeRedis from "@effect/platform-node/NodeRedis"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redis from "effect/persistence/Redis"
import { TestClock } from "effect/testing"
import { layerSharedState } from "../../src/Redis.ts"
import { SharedState } from "../../src/SharedState.ts"
import { laws } from "../../src/testing/SharedStateLaws.ts"
import { processes } from "../sql/StateLaws.ts"
import { isRedisHere, type RedisServer, startRedis } from "./RedisServer.ts"

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
