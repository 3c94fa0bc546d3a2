/**
 * Brings what the programs log to a logger of the application, or to the console.
 *
 * One failure is one line (`ConsoleLine.ts`). The application's `error` receives the mistakes of the operator or a provider.
 * A mistake of a visitor goes to its `debug`. A level for which it has no function goes to the console. The line ends with the cause: the value that a
 * driver, a runtime or a function of the application threw. Of an object that is no error only its class, code, status and message
 * are shown, never its other values: these may be anything. Nothing here throws, whatever such a value does when it is read.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Logger from "effect/Logger"
import * as References from "effect/References"
import { withErr } from "./AuthJsError.ts"
import { line } from "../internal/ConsoleLine.ts"
import { member } from "../internal/ThrownValue.ts"
import { ownMember } from "../internal/OwnProperty.ts"
import { type WarningText, warningText } from "../internal/WarningTexts.ts"

/** The part of a warning that the bridge needs. */
interface Warning extends WarningText {
  readonly _tag: string
}

/** The application's logger, as far as it goes. */
export interface Target {
  readonly error?: ((error: Error) => void) | undefined
  // A method: loggers declare the codes of the specification alone.
  warn?(code: string, text?: string): void
  readonly debug?: ((message: string, metadata?: unknown) => void) | undefined
}

/** A logger that hands on to `target`, and to the console what it leaves out. */
export const bridge = (target: Target, debug: boolean): Logger.Logger<unknown, void> => {
  const safe = guard(target)
  return Logger.make(({ cause, fiber, logLevel, message }) => {
    const parts: ReadonlyArray<unknown> = Array.isArray(message) ? message : [message]
    const behind: unknown = cause.reasons.length === 0 ? undefined : Cause.squash(cause)
    // An entry with only a cause describes that cause.
    const [first, metadata] = parts.length === 0 ? [behind] : parts
    const requestName = ownMember(fiber.getRef(References.CurrentLogAnnotations), "requestId")
    const requestId = typeof requestName === "string" ? requestName : undefined
    const entry: Entry = { first, behind, metadata, requestId }
    if (logLevel === "Error" || logLevel === "Fatal") {
      if (target.error !== undefined) {
        const error = first instanceof Error ? withErr(first) : new Error(textOf(entry, false))
        return safe("error", () => target.error?.(error))
      }
      for (const one of problemsOf(first)) line("error", textOf({ ...entry, first: one }, debug))
      return
    }
    if (logLevel === "Warn") {
      const code = isWarning(first) ? first._tag : (property(first, "type") ?? "advice")
      const isOwn = target.warn !== undefined
      const text = isWarning(first) ? warningText(first) : textOf(entry, debug && !isOwn)
      if (isOwn) return safe("warn", () => target.warn?.(code, text))
      return line("warn", isWarning(first) ? `[${code}] ${text}` : text)
    }
    if (target.debug === undefined) {
      if (logLevel === "Info") return line("info", textOf(entry, debug))
      return debug ? line("debug", debugLine(entry)) : undefined
    }
    return safe("debug", () => target.debug?.(textOf(entry, false), metadataOf(entry)))
  })
}

/** One entry of the log. */
interface Entry {
  readonly first: unknown
  /** The cause that was logged with it. */
  readonly behind: unknown
  readonly metadata: unknown
  readonly requestId: string | undefined
}

/** A failure of a configuration may hold several problems: each has a line of its own. */
const problemsOf = (failure: unknown): ReadonlyArray<unknown> => {
  const problems = failure instanceof Error ? member(failure, "problems") : undefined
  const errors = Array.isArray(problems) ? problems.filter((one): one is Error => one instanceof Error) : []
  return errors.length === 0 ? [failure] : errors
}

/** A logger that throws, or rejects, must not take the request or the process with it. */
const guard =
  (target: Target) =>
  (level: keyof Target, write: () => unknown): void => {
    const reportFailure = (cause: unknown): void => {
      if (target[level] !== undefined) line("error", `The configured logger failed: ${causeText(cause)}`)
    }
    try {
      const result = write()
      if (typeof result === "object" && result !== null) Promise.resolve(result).then(undefined, reportFailure)
    } catch (cause) {
      reportFailure(cause)
    }
  }

const isWarning = (value: unknown): value is Warning =>
  typeof value === "object" &&
  value !== null &&
  !(value instanceof Error) &&
  "_tag" in value &&
  typeof value._tag === "string" &&
  "remedy" in value

/** What goes with an entry of the debug log: its own metadata, or the failure; and the request that it belongs to. */
const metadataOf = ({ first, metadata, requestId }: Entry): unknown => {
  const fields = first instanceof Error ? { error: first } : metadata
  if (requestId === undefined) return fields
  if (fields === undefined) return { requestId }
  return typeof fields === "object" && fields !== null && !Array.isArray(fields) ? { ...fields, requestId } : fields
}

/** A line of the debug log on the console: the message, and its metadata as JSON. */
const debugLine = (entry: Entry): string => {
  const text = textOf(entry, false)
  if (entry.metadata === undefined) return text
  try {
    return `${text} ${JSON.stringify(metadataOf(entry))}`
  } catch {
    return text
  }
}

/** What an entry says; the stack of a failure only while debugging. */
const textOf = ({ behind, first, requestId }: Entry, stack: boolean): string => {
  if (first instanceof Error) return describe(first, stack, requestId)
  const text = causeText(first)
  return behind === undefined || behind === first ? text : `${text} | caused by ${causeText(behind)}`
}

/** Type, message, the messages of the causes, and the request; the stack only where it is asked for. */
const describe = (error: Error, stack: boolean, requestId: string | undefined): string => {
  const parts = [`${property(error, "type") ?? error.name}: ${messageOf(error)}`]
  for (const name of ["provider", "field", "variable"]) {
    const text = property(error, name)
    if (text !== undefined) parts.push(`${name === "field" ? "option" : name} ${text}`)
  }
  const code = property(error, "code")
  if (code !== undefined) parts.push(`code ${code}`)
  const remedy = property(error, "remedy")
  if (remedy !== undefined && remedy !== property(error, "message")) parts.push(remedy)
  for (const cause of causesOf(error)) parts.push(`caused by ${causeText(cause)}`)
  if (requestId !== undefined) parts.push(`request ${requestId}`)
  const places = stack ? property(error, "stack") : undefined
  if (places !== undefined) parts.push(places)
  return parts.join(" | ")
}

const property = (value: unknown, name: string): string | undefined => {
  const text = member(value, name)
  return typeof text === "string" ? text : undefined
}

const messageOf = (error: Error): string => property(error, "message") ?? "something that cannot be shown"

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
const causeText = (value: unknown): string => {
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
