/**
 * Brings what the programs log to a logger of the application, or to the console.
 *
 * One failure is one entry, with a line for each fact (`ConsoleLine.ts`). The application's `error` receives the mistakes of the operator or a provider.
 * A mistake of a visitor goes to its `debug`. A level for which it has no function goes to the console. The entry ends with the cause: the value that a
 * driver, a runtime or a function of the application threw. Of an object that is no error only its class, code, status and message
 * are shown, never its other values: these may be anything. Nothing here throws, whatever such a value does when it is read.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Logger from "effect/Logger"
import * as References from "effect/References"
import { withErr } from "./AuthJsError.ts"
import { foreign, line } from "../internal/ConsoleLine.ts"
import { causeText, describe } from "../internal/FailureText.ts"
import { isError, member } from "../internal/ThrownValue.ts"
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
      for (const one of problemsOf(first)) write("error", { ...entry, first: one }, debug)
      return
    }
    if (logLevel === "Warn") {
      const type = member(first, "type")
      const code = isWarning(first) ? first._tag : typeof type === "string" ? type : "advice"
      const text = isWarning(first) ? warningText(first) : undefined
      if (target.warn !== undefined) return safe("warn", () => target.warn?.(code, text ?? textOf(entry, false)))
      return text === undefined ? write("warn", entry, debug) : line("warn", `[${code}] ${text}`)
    }
    if (target.debug === undefined) {
      if (logLevel === "Info") return write("info", entry, debug)
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

/** Hands on what a function of the application threw: to the console as the platform prints it, with its stack. */
export const logForeign = (target: Target | undefined, thrown: unknown, requestId: string): void => {
  const text = "The application's own code, or the library, threw what it did not expect"
  if (target?.error === undefined) return foreign(text, [`request: ${requestId}`], thrown)
  const error = isError(thrown) ? thrown : new Error(causeText(thrown))
  guard(target)("error", () => target.error?.(error))
}

/** Writes an entry to the console. The stack of a failure shows while debugging alone. */
const write = (level: "error" | "warn" | "info", entry: Entry, stack: boolean): void => {
  const [text = "", ...facts] = linesOf(entry, stack)
  line(level, text, facts)
}

/** A failure of a configuration may hold several problems: each has an entry of its own. */
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

/** Metadata of a debug entry: its own metadata, or the failure; and the request that it belongs to. */
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

/** The message of an entry, in one string for a logger of the application. */
const textOf = (entry: Entry, stack: boolean): string => linesOf(entry, stack).join(" | ")

const linesOf = ({ behind, first, requestId }: Entry, stack: boolean): ReadonlyArray<string> => {
  if (first instanceof Error) return describe(first, stack, requestId)
  const text = causeText(first)
  return behind === undefined || behind === first ? [text] : [text, `caused by ${causeText(behind)}`]
}
