/**
 * Modules of Node without an import, so that bundles for other runtimes need none of them.
 *
 * @since 0.1.0
 */

/** A module of Node by its name; `undefined` where there is none. Edge runtimes may throw when they are merely asked. */
export const nodeModule = (id: string): unknown => {
  try {
    const process: unknown = Reflect.get(globalThis, "process")
    if (typeof process !== "object" || process === null) return undefined
    const getBuiltinModule: unknown = Reflect.get(process, "getBuiltinModule")
    return typeof getBuiltinModule === "function" ? Reflect.apply(getBuiltinModule, process, [id]) : undefined
  } catch {
    return undefined
  }
}
