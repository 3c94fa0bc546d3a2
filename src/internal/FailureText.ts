/**
 * Says in lines what an error is: for the console, for loggers of the application, and for the page that a developer sees.
 *
 * Of an object that is no error only its class, code, status and message are shown, never its other values: these may be anything.
 * Nothing here throws, whatever such a value does when it is read.
 *
 * @since 0.1.0
 */
import { member, textOf } from "./ThrownValue.ts"

/** Type and message, then the option, the fix, the messages of the causes, and the request; the stack only where it is asked for. */
export const describe = (error: Error, stack = false, requestId?: string): ReadonlyArray<string> => {
  const message = messageOf(error)
  const parts = [`${textOf(error, "type") ?? error.name}: ${message}`]
  for (const name of ["provider", "field", "variable", "code"]) {
    const text = textOf(error, name)
    if (text !== undefined) parts.push(`${name === "field" ? "option" : name}: ${text}`)
  }
  const remedy = textOf(error, "remedy")
  if (remedy !== undefined && remedy !== message) parts.push(`fix: ${remedy}`)
  for (const cause of causesOf(error)) parts.push(`caused by ${causeText(cause)}`)
  if (requestId !== undefined) parts.push(`request: ${requestId}`)
  const places = stack ? textOf(error, "stack") : undefined
  if (places !== undefined) parts.push(...places.split("\n").filter((place) => /^\s+at /.test(place)))
  return parts
}

const messageOf = (error: Error): string => textOf(error, "message") ?? "something that cannot be shown"

/** How many causes of a chain are shown. */
const depth = 4

/** The causes of a value, nearest first. Requests that fail on every address of a host keep the errors in a list. */
const causesOf = (value: unknown): ReadonlyArray<unknown> => {
  const chain: Array<unknown> = []
  let at = causeOf(value)
  while (at !== undefined && at !== null && chain.length < depth && !chain.includes(at)) {
    chain.push(at)
    at = causeOf(at)
  }
  return chain
}

const causeOf = (value: unknown): unknown => {
  const errors = member(value, "errors")
  return member(value, "cause") ?? member(value, "reason") ?? (Array.isArray(errors) ? member(errors, "0") : undefined)
}

/** The text of a value that was thrown, on its own. */
export const causeText = (value: unknown): string => {
  if (typeof value === "string") return value
  if ((typeof value !== "object" || value === null) && typeof value !== "function") return String(value)
  const name = nameOf(value)
  const message = member(value, "message")
  const text = typeof message === "string" ? message : ""
  const facts = ["code", "status", "statusCode"].flatMap((fact) => {
    const said = member(value, fact)
    const isSaid = (typeof said === "string" && said !== "" && said.length <= 64) || typeof said === "number"
    return isSaid && !text.includes(String(said)) ? [`${fact === "code" ? "" : "status "}${said}`] : []
  })
  const head = [name, ...facts].filter((part) => part !== "").join(" ")
  if (text !== "") return head === "" ? text : `${head}: ${text}`
  return head === "" ? membersOf(value) : head
}

/** The name of a class or of an error, where it says more than that it is one. */
const nameOf = (value: unknown): string => {
  const name = member(value, "name")
  const isName = typeof name === "string" && /^[A-Z]\w{1,63}$/.test(name) && isErrorLike(value)
  return isName && name !== "Error" ? name : ""
}

/** Is this an error, of whatever realm? Of anything else a `name` may be that of a person. */
const isErrorLike = (value: unknown): boolean => typeof member(value, "stack") === "string"

/** The names of the members of an object, never their values. */
const membersOf = (value: object): string => {
  try {
    const names = Object.keys(value).filter((name) => /^\w{1,40}$/.test(name))
    return names.length === 0 ? "a value without a message" : `a value with the members ${names.slice(0, 8).join(", ")}`
  } catch {
    return "something that cannot be shown"
  }
}
