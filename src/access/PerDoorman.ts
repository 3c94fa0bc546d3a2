/**
 * Layers that belong to one `Doorman` each.
 *
 * Effect builds a layer once, whatever it is provided with: a layer that is a constant would serve the first `Doorman` of a
 * process and stand in for all others. Made here, every `Doorman` gets one of its own, and two uses with the same `Doorman` share
 * it as ever.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as Layer from "effect/Layer"
import { Doorman } from "../Doorman.ts"

/** A layer for each `Doorman`. */
export const perDoorman = <A, R>(make: () => Layer.Layer<A, never, R>): Layer.Layer<A, never, Doorman | R> => {
  const layers = new WeakMap<object, Layer.Layer<A, never, R>>()
  return Layer.fromBuild((memoMap, scope) =>
    Effect.flatMap(Doorman, (doorman) => Layer.buildWithMemoMap(cachedIn(layers, doorman, make), memoMap, scope))
  )
}

/** A layer for each `Doorman` at each router. */
export const perRouter = <A, R>(
  make: () => Layer.Layer<A, never, R>
): Layer.Layer<A, never, Doorman | HttpRouter.HttpRouter | R> => {
  const layers = new WeakMap<object, WeakMap<object, Layer.Layer<A, never, R>>>()
  return Layer.fromBuild((memoMap, scope) =>
    Effect.gen(function* () {
      const mounts = cachedIn(
        layers,
        yield* HttpRouter.HttpRouter,
        () => new WeakMap<object, Layer.Layer<A, never, R>>()
      )
      return yield* Layer.buildWithMemoMap(cachedIn(mounts, yield* Doorman, make), memoMap, scope)
    })
  )
}

const cachedIn = <A extends object>(made: WeakMap<object, A>, key: object, make: () => A): A => {
  const value = made.get(key) ?? make()
  made.set(key, value)
  return value
}
