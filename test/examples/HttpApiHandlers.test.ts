/** The handlers without a server, and the application without a socket: with people who are signed in already. */
import { assert, it } from "@effect/vitest"
import { Doorman } from "effect-doorman/Doorman"
import * as Testing from "effect-doorman/testing"
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import { Api, Site } from "../../examples/httpapi/api.ts"
import { add, App, list, Notes } from "../../examples/httpapi/app.ts"

const DoormanLayer = Doorman.layer({ providers: [], secret: Testing.secret, origin: Testing.siteOrigin })

const as = (role: string) => Testing.signedInAs({ id: "1", name: "Ada", role }, { access: Site })

it.gen("editors add notes, readers only read", Effect.provide(Notes.layer), function* () {
  assert.deepStrictEqual(yield* Effect.provide(add("Milk"), as("editor").layer), ["The first note", "Milk (Ada)"])
  const refused = yield* Effect.flip(Effect.provide(add("Beer"), as("reader").layer))
  assert.strictEqual(refused._tag, "NotAllowed")
  assert.include(yield* Effect.provide(list, as("reader").layer), "Hello Ada")
})

it.gen("no endpoint is open that is not marked as public", Effect.provide(Testing.layer()), function* () {
  const browser = yield* Testing.browser(App.pipe(Layer.provide([DoormanLayer, HttpServer.layerServices])))
  assert.deepStrictEqual(yield* Testing.openEndpoints(Api, browser), [])
})
