/** What `import()` brings, loaded when it is first needed. */
import * as Effect from "effect/Effect"

/** The result of `load`, which is called until it has succeeded once. Calls at the same time may each load: a runtime loads a module once. */
export const lazily = <A>(load: () => Promise<A>): Effect.Effect<A> => {
  let loaded: Effect.Effect<A> | undefined
  const loading = Effect.map(Effect.promise(load), (result) => {
    loaded = Effect.succeed(result)
    return result
  })
  return Effect.suspend(() => loaded ?? loading)
}
