/**
 * Storage from some of its methods: which ones it has is read off the object, so that an author writes no list of them.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { AdapterMethod, AdapterShape } from "./AdapterShape.ts"
import { allMethods, makeMethods } from "./MethodTable.ts"
import { fault } from "./StoreFault.ts"

/**
 * Any of the methods of storage.
 *
 * @category models
 * @since 0.1.0
 */
export type AdapterMethods = {
  readonly [Method in AdapterMethod]?: AdapterShape[Method] | undefined
} & Pick<AdapterShape, "sharedState">

/**
 * Storage whose type names the methods that it has. Another method fails with an `AdapterError` of the reason
 * `unsupported`, and `transaction` then runs its program as it is.
 *
 * @category models
 * @since 0.1.0
 */
export interface AdapterOf<Method extends AdapterMethod> extends Omit<AdapterShape, "methods"> {
  readonly methods: ReadonlySet<Method>
}

/**
 * The methods among the members of an object. A member that may be `undefined` counts: only the running program knows.
 *
 * @category models
 * @since 0.1.0
 */
export type MethodsOf<Given> = {
  [Method in AdapterMethod & keyof Given]-?: [Given[Method]] extends [undefined] ? never : Method
}[AdapterMethod & keyof Given]

/** A member that is no method of storage is a mistake, such as `getUserById`. */
type Known<Given> = Given & {
  readonly [Name in keyof Given]: Name extends keyof AdapterShape ? unknown : "There is no such method of storage"
}

/** A method of the object or of its class; what every object has does not count. @internal */
export const functionOf = (adapter: object, name: AdapterMethod): Function | undefined => {
  const value: unknown = Reflect.get(adapter, name)
  return typeof value === "function" &&
    value !== Reflect.get(Object.prototype, name) &&
    value !== unsupportedMethods[name]
    ? value
    : undefined
}

/** The methods that an object has. @internal */
export const methodsIn = (adapter: object, names: Iterable<AdapterMethod>): ReadonlySet<AdapterMethod> =>
  new Set(
    [...names].filter((name) =>
      Result.getOrElse(
        Result.try(() => functionOf(adapter, name) !== undefined),
        () => false
      )
    )
  )

/** The placeholder of a method that a store does not have. It is recognized also after it was copied to another object. */
const unsupportedMethods: Omit<AdapterShape, "methods" | "sharedState"> = {
  ...makeMethods((name) => () => Effect.suspend(() => Effect.fail(fault(name, "unsupported")))),
  transaction: (program) => program
}

/** Storage with these methods of an object, and no others. @internal */
export const only = (adapter: AdapterMethods, methods: ReadonlySet<AdapterMethod>): AdapterShape => {
  const functions = [...methods].map((name) => [name, functionOf(adapter, name)?.bind(adapter)] as const)
  // Each is the method of its name, called on the object that has it.
  const ownMethods = Object.fromEntries(functions) as Partial<AdapterShape>
  const { sharedState } = adapter
  return { ...unsupportedMethods, ...ownMethods, methods, ...(sharedState && { sharedState }) }
}

/**
 * Makes storage of the methods that it has. What a configured feature needs and the storage lacks is a type error where both
 * types say it, and otherwise `MissingAdapterMethods`, which names the feature and the methods.
 *
 * The object may be an instance of a class without other public members, and a copy of another store with some methods replaced, or left out as
 * `undefined`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = <Given extends AdapterMethods>(methods: Known<Given>): AdapterOf<MethodsOf<Given>> =>
  // The type says what `methodsIn` finds.
  only(methods, methodsIn(methods, allMethods)) as AdapterOf<MethodsOf<Given>>
