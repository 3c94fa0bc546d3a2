import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { asUserId } from "../../src/models/Id.ts"
import { Adapter, layerMemory } from "../../src/Adapter.ts"
import { Settings, type ConfigurationError } from "../../src/config/Settings.ts"
import { AdapterError, EmailSignInError } from "../../src/Errors.ts"
import { Mailer } from "../../src/Mailer.ts"
import type * as Services from "../../src/composition/Services.ts"
import { layer as servicesLayer, type Required } from "../ServicesLayer.ts"
import { config } from "../Browser.ts"
import { memoryProvider } from "../MemoryProvider.ts"
import { countedBytes } from "../Visitor.ts"
import { forLayer } from "../ForLayer.ts"

const platform = Layer.merge(countedBytes(), memoryProvider().layer)
const silent = Layer.succeed(Mailer, { send: () => Effect.fail(new EmailSignInError({ detail: "Nobody sends" })) })

describe("storage and mail as services", () => {
  it.effect("are required of the application when the options name them, and used", () => {
    // The types are the test: what the options name is what the layer requires.
    const stored: Layer.Layer<Services.Services, ConfigurationError, Required | Adapter> = servicesLayer(
      forLayer({ ...config(), adapter: Adapter })
    )
    const mailing: Layer.Layer<Services.Services, ConfigurationError, Required | Adapter | Mailer> = servicesLayer(
      forLayer({ ...config(), adapter: Adapter, mailer: Mailer })
    )
    const complete = (layer: Layer.Layer<Services.Services, ConfigurationError>) => layer
    assert.isDefined(complete(Layer.provide(mailing, [platform, silent, layerMemory])))
    const incomplete = Layer.provide(mailing, [platform, silent])
    const lacks: [Adapter] extends [Layer.Services<typeof incomplete>] ? "storage" : "nothing" = "storage"
    assert.strictEqual(lacks, "storage")
    return Effect.gen(function* () {
      const settings = yield* Settings
      const adapter = yield* Adapter
      assert.strictEqual(settings.session.strategy, "database")
      yield* adapter.createUser({ id: asUserId("ada"), email: "ada@app.example", emailVerified: null })
      assert.isTrue(Option.isSome(yield* settings.adapter?.getUser(asUserId("ada")) ?? Effect.succeedNone))
    }).pipe(Effect.provide(Layer.provideMerge(stored, [platform, layerMemory])))
  })

  it.gen("fail the layer with a typed error when they cannot be made", Effect.scoped, function* () {
    const down = Effect.fail(new AdapterError({ method: "transaction", reason: "unavailable", detail: "Down" }))
    const built = Layer.build(servicesLayer(forLayer({ ...config(), adapter: down }))).pipe(Effect.provide(platform))
    const failure = yield* Effect.flip(built)
    assert.deepStrictEqual([failure._tag, failure.cause], ["InvalidConfiguration", yield* Effect.flip(down)])
  })
})
