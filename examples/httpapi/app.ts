/**
 * The handlers, and the application that they make together with a page of its API at /docs. It requires a `Doorman`, so
 * that tests give their own.
 */
import * as Http from "effect-doorman/Http"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpApiScalar from "effect/http-api/HttpApiScalar"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import { Api, Site } from "./api.ts"

export class Notes extends Context.Service<Notes, Ref.Ref<ReadonlyArray<string>>>()("app/Notes") {
  static readonly layer = Layer.effect(Notes, Ref.make<ReadonlyArray<string>>(["The first note"]))
}

export const list = Effect.gen(function* () {
  const { name } = yield* Site.CurrentUser
  const notes = yield* Ref.get(yield* Notes)
  return [`Hello ${name}`, ...notes]
})

export const add = Effect.fnUntraced(function* (text: string) {
  const { name } = yield* Site.allow(({ role }) => role === "editor")
  return yield* Ref.updateAndGet(yield* Notes, (notes) => [...notes, `${text} (${name})`])
})

const Handlers = Layer.mergeAll(
  HttpApiBuilder.group(Api, "front", (handlers) => handlers.handle("health", () => Effect.succeed("fine"))),
  HttpApiBuilder.group(Api, "notes", (handlers) =>
    handlers.handle("list", () => list).handle("add", ({ payload }) => add(payload.text))
  )
)

export const App = Layer.mergeAll(
  HttpApiBuilder.layer(Api, { openapiPath: "/openapi.json" }).pipe(
    Layer.provide(Handlers),
    HttpRouter.provideRequest(Notes.layer)
  ),
  HttpApiScalar.layer(Api, { path: "/docs" })
).pipe(Layer.provide(Http.layer(Site)))
