/**
 * Options of the engine as options of `Auth` and `createAuth`: storage, mailer and shared state as promises. Many tests hold both
 * faces to one behaviour.
 */
import * as Effect from "effect/Effect"
import { toPromises } from "../src/Adapter.ts"
import type { AuthConfig } from "../src/compat/AuthConfig.ts"
import { withChanges } from "../src/config/Environment.ts"
import { isShape } from "../src/config/Bindings.ts"
import type { Options } from "../src/config/Options.ts"
import { fromAnswer } from "../src/internal/Answer.ts"
import { ofBoth } from "../src/Mailer.ts"
import type { StateStore } from "../src/SharedState.ts"
import type { ServerOptions } from "../src/server/CreateAuth.ts"

type Given = Omit<Partial<Options>, "providers"> & { readonly providers?: ReadonlyArray<unknown> } & ServerOptions

/** One object for each that was given: an instance belongs to the object of its options. */
const made = new WeakMap<object, object>()

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

const once = <A extends object>(given: A, make: (given: A) => object): object => {
  const cached = made.get(given) ?? make(given)
  made.set(given, cached)
  return cached
}

const isStore = (store: unknown): store is StateStore =>
  isObject(store) && typeof Reflect.get(store, "get") === "function" && typeof Reflect.get(store, "swap") === "function"

const stateOf = (store: StateStore) => ({
  get: (key: string) => Effect.runPromise(fromAnswer("get", () => store.get(key))),
  swap: (change: Parameters<StateStore["swap"]>[0]) => Effect.runPromise(fromAnswer("swap", () => store.swap(change)))
})

export const forFunctions = (options: Given): AuthConfig & ServerOptions => {
  const { adapter, mailer, sharedState } = options
  const changes = {
    ...(isObject(adapter) && isShape(adapter) ? { adapter: once(adapter, toPromises) } : {}),
    ...(isObject(mailer) && "send" in mailer && !("sendPlain" in mailer) ? { mailer: once(mailer, ofBoth) } : {}),
    ...(isStore(sharedState) ? { sharedState: once(sharedState, stateOf) } : {})
  }
  // Without a change it is the same object: tests may change its members between requests.
  const plain =
    Object.keys(changes).length === 0
      ? options
      : Object.assign(
          once(options, (given) => withChanges(given, {})),
          options,
          changes
        )
  return plain as AuthConfig & ServerOptions
}
