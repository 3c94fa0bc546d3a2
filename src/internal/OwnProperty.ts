/**
 * Own properties of an object. A property that other code in the process put on `Object.prototype` is neither an option nor
 * input.
 *
 * @since 0.1.0
 */

/** Names that every object has; taken when the library is loaded. */
const objectNames: ReadonlySet<string> = new Set([...Object.getOwnPropertyNames(Object.prototype), "prototype"])

/** Is this a name that every object has, or that leads to prototypes? */
export const isObjectName = (name: string): boolean => objectNames.has(name)

/** A member of the object itself; `undefined` for what it inherits. */
export const ownMember = (value: object | undefined, name: string): unknown =>
  value !== undefined && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined

/** A member of the object or of its class; `undefined` for what every object has. */
export const memberOf = <A extends object, Name extends keyof A>(value: A, name: Name): A[Name] | undefined => {
  let at: unknown = value
  while (typeof at === "object" && at !== null && at !== Object.prototype) {
    if (Object.hasOwn(at, name)) return value[name]
    at = Object.getPrototypeOf(at)
  }
  return undefined
}

const isPlain = (value: unknown): value is object => {
  if (typeof value !== "object" || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/**
 * A copy of a plain object, and of plain objects in it down to `depth`, that inherits nothing. Whatever is not plain, lists
 * and instances of classes among them, is kept as it is.
 */
export const withoutPrototype = <A>(value: A, depth = 4): A => {
  if (depth === 0 || !isPlain(value)) return value
  // `any` until here: an object without members is a record of whatever it is given.
  const copy = Object.create(null) as Record<PropertyKey, unknown>
  for (const name of Reflect.ownKeys(value)) copy[name] = withoutPrototype(Reflect.get(value, name), depth - 1)
  // Members and values stay: only the prototype is removed, which no type shows.
  return copy as A
}
