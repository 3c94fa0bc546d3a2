/**
 * Looks at what application code threw, which may be anything: an object whose members throw when they are read, or one that
 * nothing is known of at all.
 *
 * @since 0.1.0
 */

/** A member; `undefined` for a value without members, and for one that cannot be read. */
export const member = (value: unknown, name: string): unknown => {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return undefined
  try {
    return Reflect.get(value, name)
  } catch {
    return undefined
  }
}

/** A member that is text; `undefined` for everything else. */
export const textOf = (value: unknown, name: string): string | undefined => {
  const text = member(value, name)
  return typeof text === "string" ? text : undefined
}

/** Is this an error? Not one that does not say. */
export const isError = (value: unknown): value is Error => {
  try {
    return value instanceof Error
  } catch {
    return false
  }
}
