/**
 * Checks of arguments that code without types may leave out: a call that changed nothing must not report success.
 *
 * @since 0.1.0
 */
import type { Options } from "../config/Options.ts"
import { InvalidConfiguration } from "../Errors.ts"
import { textOf } from "../internal/ThrownValue.ts"
import { isServerRequest } from "./IncomingRequest.ts"

/** The type of an argument. */
interface Kind {
  readonly name: string
  readonly has: (value: unknown) => boolean
}

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value)

export const id: Kind = { name: "a text that is not empty", has: (value) => typeof value === "string" && value !== "" }
export const text: Kind = { name: "a text", has: (value) => typeof value === "string" }
export const path: Kind = { name: "the path of a file", has: id.has }
export const connectionUrl: Kind = { name: "the URL of a server", has: id.has }
export const object: Kind = { name: "an object", has: isObject }

/** Options as an application writes them. A promise of them is a forgotten `await`. */
export const isConfig = (value: unknown): value is Options => isObject(value) && !(value instanceof Promise)
export const configuration: Kind = { name: "an object of options", has: isConfig }

/** A text would be searched for a part of it. */
export const optionalList: Kind = { name: "a list", has: (value) => value === undefined || Array.isArray(value) }

export const optionalDate: Kind = {
  name: "a Date",
  has: (value) => value === undefined || (value instanceof Date && Number.isFinite(value.getTime()))
}

/** Without a time between them, the looks at the store would follow each other at once. */
export const optionalSeconds: Kind = {
  name: "a number of seconds above 0",
  has: (value) => value === undefined || (typeof value === "number" && value > 0)
}

/** A session that can be followed. */
export const followed: Kind = {
  name: "a session of getSession, sessions.get or sessions.issue",
  has: (value) =>
    isObject(value) && ["id", "userId", "expires"].every((name) => typeof Reflect.get(Object(value), name) === "string")
}

/** With none of its members, a misspelled one among them, a requirement is met by every session. */
export const requirement: Kind = {
  name: "an object with maxAge, acr or amr",
  has: (value) =>
    isObject(value) && ["maxAge", "acr", "amr"].some((name) => Reflect.get(Object(value), name) !== undefined)
}
export const request: Kind = {
  name: "a Request of the web, a request of node:http, or the Headers of one",
  has: isServerRequest
}

/** The kind of a value, for the log; never its content. */
export const kindOf = (value: unknown): string => {
  if (value === undefined || value === null) return String(value)
  if (typeof value === "function") return "a function"
  if (value === "") return "an empty text"
  if (typeof value !== "object") return `a ${typeof value}`
  const name = textOf(Reflect.get(value, "constructor"), "name")
  return name === undefined || !/^\w{1,60}$/.test(name) ? "an object" : `an object of class ${name}`
}

/**
 * Returns the mistake of a call's arguments; `undefined` without one. `call` is written as in the documentation, such as
 * `sessions.revokeAll(userId)`.
 *
 * @category guards
 * @since 0.1.0
 */
export const misuseOf = (
  call: string,
  given: Readonly<Record<string, readonly [value: unknown, kind: Kind]>>
): InvalidConfiguration | undefined => {
  for (const [field, [value, { has, name }]] of Object.entries(given)) {
    if (has(value)) continue
    const detail = `${call} expects ${name} as ${field}; it got ${kindOf(value)}`
    return new InvalidConfiguration({ field, detail, fix: `Pass ${name} as ${field}.` })
  }
  return undefined
}

/** Runs a call, unless its arguments cannot be used. */
export const checked = <A>(misuse: InvalidConfiguration | undefined, call: () => Promise<A>): Promise<A> =>
  misuse === undefined ? call() : Promise.reject(misuse)
