/**
 * How the options that an application gives a preset are laid over the preset.
 *
 * The rules, member by member: `undefined` is as if absent; a plain object is laid over a plain object; everything else
 * replaces: texts, functions, arrays as a whole, and instances of classes (a `CryptoKey`, a `URL`), which stay the very
 * instances that were given. Nothing that is given is changed. Symbols are not members here.
 *
 * A token endpoint with an address or a `conform` of the application's own is asked as the standard says: the `request` of
 * a preset, which knows its own endpoint and answer, does not go with it.
 *
 * @since 0.1.0
 */

/** An object whose members are not decoded yet. */
export type Members = Readonly<Record<string, unknown>>

const endpoints: ReadonlySet<string> = new Set(["authorization", "token", "userinfo"])

/** Is this an object literal, as opposed to an instance, an array or a function? */
export const isPlainObject = (value: unknown): value is Members => {
  if (typeof value !== "object" || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null
}

/** Could this be read as a record of members? Instances of classes count, arrays and functions do not. */
export const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Is this a list? */
export const isList = <A>(value: A | ReadonlyArray<A>): value is ReadonlyArray<A> => Array.isArray(value)

const isAddress = (value: unknown): value is string | URL => typeof value === "string" || value instanceof URL

/** An address is short for an endpoint that has nothing else: what is laid over it keeps it. */
const asEndpoint = (value: unknown): unknown => (isAddress(value) ? { url: value } : value)

const endpointBelow = (name: string, base: unknown, over: Members): unknown => {
  const endpoint = asEndpoint(base)
  if (name !== "token" || !isPlainObject(endpoint) || (over["url"] ?? over["conform"]) === undefined) return endpoint
  const { request: _, ...asked } = endpoint
  return asked
}

const mergeAt = (depth: number, base: Members, over: Members): Members => {
  const result: Record<string, unknown> = { ...base }
  for (const [name, value] of Object.entries(over)) {
    if (value === undefined || name === "__proto__") continue
    const below =
      depth === 0 && endpoints.has(name) && isPlainObject(value)
        ? endpointBelow(name, result[name], value)
        : result[name]
    result[name] = depth < 8 && isPlainObject(value) && isPlainObject(below) ? mergeAt(depth + 1, below, value) : value
  }
  return result
}

/** Lays `over` over `base` and answers a new object. Endpoints given as objects keep the address of the preset. */
export const merge = (base: Members, over: Members): Members => mergeAt(0, base, over)
