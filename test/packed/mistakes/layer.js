/** An Effect application with the environment variables of the process; prints what the program ends with. */
import { Doorman } from "effect-doorman/Doorman"
import { GitHub } from "effect-doorman/Provider/GitHub"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"

const layer = Doorman.layerConfig({ providers: [GitHub] }).pipe(Layer.provide(FetchHttpClient.layer))
const exit = await Effect.runPromiseExit(Effect.scoped(Layer.build(layer)))
console.log(Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "it starts")
