/**
 * Connections of ordinary servers: the first use opens them, and so does the first one after they were closed.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"

/** A resource that is open, and the scope that closes it. */
interface Opened<A> {
  readonly value: A
  readonly scope: Scope.Closeable
}

/** A resource that is opened when it is used. */
export interface OnDemand<A> {
  /** The resource. Fails with what its opening rejects with; the next use tries again. */
  readonly value: Effect.Effect<A, unknown>
  readonly close: () => Promise<void>
}

/**
 * Makes a resource that is opened when it is used.
 *
 * @category constructors
 * @since 0.1.0
 */
export const onDemand = <A>(open: Effect.Effect<A, unknown, Scope.Scope>): OnDemand<A> => {
  const start: Effect.Effect<Opened<A>, unknown> = Effect.flatMap(Scope.make(), (scope) =>
    Scope.provide(open, scope).pipe(
      Effect.map((value) => ({ value, scope })),
      Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause)))
    )
  )
  let opening: Promise<Opened<A>> | undefined
  let ready: Opened<A> | undefined
  const openOnce = (): Promise<Opened<A>> => {
    if (opening !== undefined) return opening
    const own = Effect.runPromise(start)
    opening = own
    own.then(
      (opened) => {
        if (opening === own) ready = opened
      },
      () => {
        if (opening === own) opening = undefined
      }
    )
    return own
  }
  return {
    value: Effect.suspend(() =>
      ready === undefined
        ? // The caller of the store turns what it failed with into an AdapterError.
          // @effect-diagnostics-next-line unknownInEffectCatch:off
          Effect.map(Effect.tryPromise({ try: openOnce, catch: (cause) => cause }), ({ value }) => value)
        : Effect.succeed(ready.value)
    ),
    close: () => {
      const closing = opening
      opening = undefined
      ready = undefined
      return closing === undefined
        ? Promise.resolve()
        : closing.then(
            ({ scope }) => Effect.runPromise(Scope.close(scope, Exit.void)),
            () => undefined
          )
    }
  }
}
