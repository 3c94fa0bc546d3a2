/** A page of the HttpRouter example without a server: somebody is signed in, on two devices. */
import { assert, it } from "@effect/vitest"
import { Adapter, layerMemory } from "effect-doorman/Adapter"
import { Doorman } from "effect-doorman/Doorman"
import * as Testing from "effect-doorman/testing"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Pages } from "../../examples/httprouter/pages.ts"

const DoormanLayer = Doorman.layer({
  providers: [],
  secret: Testing.secret,
  origin: Testing.siteOrigin,
  adapter: Adapter
}).pipe(Layer.provideMerge(layerMemory))

it.effect("a session that is ended at one device is over at the other", () =>
  Effect.gen(function* () {
    const desk = yield* Testing.browser(Layer.provide(Pages, DoormanLayer))
    const phone = yield* desk.another
    for (const browser of [desk, phone]) yield* browser.become(Testing.signedInAs({ id: "1", name: "<Ada>" }))
    const page = yield* (yield* desk.get("/devices")).text
    assert.include(page, "Signed in as &#60;Ada&#62;")
    const [, id = ""] = /action="\/devices\/([^"]+)"/.exec(page) ?? []
    assert.strictEqual((yield* desk.submit(`/devices/${id}`)).status, 303)
    assert.strictEqual((yield* phone.get("/devices")).status, 401)
    assert.notInclude(yield* (yield* desk.get("/devices")).text, "/devices/")
  }).pipe(Effect.provide(Layer.provideMerge(DoormanLayer, Testing.layer())))
)
