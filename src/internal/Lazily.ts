/** The module of an `import()`, loaded when it is first needed. */
import * as Effect from "effect/Effect"

/**
 * Uses the result of `load`, which is called until it has succeeded once: from then on a use takes no step of its own. Calls at the
 * same time may each load, because a runtime loads a module once.
 */
export const whenLoaded = <A>(
  load: () => Promise<A>
): (<B, E, R>(use: (loaded: A) => Effect.Effect<B, E, R>) => Effect.Effect<B, E, R>) => {
  let result: { readonly loaded: A } | undefined
  const loading = Effect.map(Effect.promise(load), (loaded) => {
    result = { loaded }
    return loaded
  })
  return (use) => (result === undefined ? Effect.flatMap(loading, use) : use(result.loaded))
}

/** The module as an Effect. */
export const lazily = <A>(load: () => Promise<A>): Effect.Effect<A> => {
  const use = whenLoaded(load)
  return Effect.suspend(() => use((loaded) => Effect.succeed(loaded)))
}
