/** The services of one configuration as a layer, without a `Doorman`: a test replaces or asks each of them. */
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import type { DoormanOptions } from "../src/composition/DoormanOptions.ts"
import { compose, givenIn, type Services } from "../src/composition/Services.ts"
import { platformOf, settingsIn, supply } from "../src/composition/Supply.ts"
import { compile, type ConfigurationError } from "../src/config/Settings.ts"

export type Required = HttpClient.HttpClient | SecureRandom.SecureRandom

/** The layer requires the services of the Effects in callbacks and events. */
export const layer = <R = never, Storage = never, Mail = never>(
  options: DoormanOptions<R, Storage, Mail>
): Layer.Layer<Services, ConfigurationError, Required | R | Storage | Mail> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const context = yield* Effect.context<Required | R | Storage | Mail>()
      const platform = platformOf(
        Context.get(context, HttpClient.HttpClient),
        Context.get(context, SecureRandom.SecureRandom)
      )
      const { application, options: own, problems } = yield* supply<Required | R | Storage | Mail>(options, context)
      const settings = yield* Effect.fromResult(compile(own, problems).settings)
      return compose(settingsIn(context, settings), Context.merge(platform, application), givenIn(context))
    })
  )
