/**
 * Looks at what application code threw, which may be anything: an object whose members throw when they are read, or one that
 * nothing is known of at all.
 *
 * @since 0.1.0
 */

/** A member that is text; `undefined` for everything else, and for one that cannot be read. */
export const textOf = (value: unknown, name: string): string | undefined => {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return undefined
  try {
    const text: unknown = Reflect.get(value, name)
    return typeof text === "string" ? text : undefined
  } catch {
    return undefined
  }
}

/** Is this an error? Not one that does not say. */
export const isError = (value: unknown): value is Error => {
  try {
    return value instanceof Error
  } catch {
    return false
  }
}
