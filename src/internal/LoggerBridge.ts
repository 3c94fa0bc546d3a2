/**
 * Brings what the programs log to a logger of the application, or to the console.
 *
 * One failure is one line (`ConsoleLine.ts`).
 *
 * @since 0.1.0
 */
import * as Logger from "effect/Logger"
import * as References from "effect/References"
import type { WarningCode } from "../Warnings.ts"
import { withErr } from "./AuthJsError.ts"
import { line } from "./ConsoleLine.ts"
import { ownMember } from "./OwnMembers.ts"

/** What the bridge needs of a failure or a warning; the values themselves are one floor up. */
interface Entry {
  readonly _tag: string
  readonly message: string
}

/** The application's logger, as far as it goes. */
export interface Target {
  readonly error?: ((error: Error) => void) | undefined
  readonly warn?: ((code: WarningCode) => void) | undefined
  readonly debug?: ((message: string, metadata?: unknown) => void) | undefined
}

/** A logger that hands on to `target`, and to the console what it leaves out. */
export const bridge = (target: Target, debug: boolean): Logger.Logger<unknown, void> =>
  Logger.make(({ fiber, logLevel, message }) => {
    const parts: ReadonlyArray<unknown> = Array.isArray(message) ? message : [message]
    const [first, ...rest] = parts
    const safe = guarded(target)
    const named = ownMember(fiber.getRef(References.CurrentLogAnnotations), "requestId")
    const requestId = typeof named === "string" ? named : undefined
    switch (logLevel) {
      case "Error":
      case "Fatal": {
        const error = first instanceof Error ? first : new Error(textOf(first))
        return safe(
          "error",
          target.error === undefined
            ? () => line("error", describe(error, debug, requestId))
            : () => target.error?.(withErr(error))
        )
      }
      case "Warn": {
        const { warn } = target
        return safe(
          "warn",
          isEntry(first) && isWarningCode(first._tag) && warn !== undefined
            ? () => warn(first._tag as WarningCode)
            : () => line("warn", isEntry(first) ? `[${first._tag}] ${first.message}` : textOf(first))
        )
      }
      default: {
        const text = first instanceof Error ? describe(first, false, undefined) : textOf(first)
        if (target.debug !== undefined)
          return safe("debug", () => target.debug?.(text, rest.length === 0 ? about(requestId) : rest[0]))
        return debug ? line("debug", text) : undefined
      }
    }
  })

/** A logger that throws, or rejects, must not take the request or the process with it. */
const guarded =
  (target: Target) =>
  (level: keyof Target, write: () => unknown): void => {
    const failed = (cause: unknown): void => {
      if (target[level] !== undefined) line("error", `The configured logger failed: ${textOf(cause)}`)
    }
    try {
      const written = write()
      if (typeof written === "object" && written !== null) Promise.resolve(written).then(undefined, failed)
    } catch (cause) {
      failed(cause)
    }
  }

const codes: ReadonlySet<string> = new Set([
  "debug-enabled",
  "csrf-disabled",
  "env-url-basepath-redundant",
  "env-url-basepath-mismatch",
  "experimental-webauthn"
] satisfies ReadonlyArray<WarningCode>)

const isWarningCode = (code: string): boolean => codes.has(code)

const isEntry = (value: unknown): value is Entry =>
  typeof value === "object" && value !== null && "_tag" in value && typeof value._tag === "string" && "message" in value

/** What a failure that is nobody's alarm belongs to. */
const about = (requestId: string | undefined): unknown => (requestId === undefined ? undefined : { requestId })

/** Type, message, the messages of the causes, and the request; stacks only while debugging. */
const describe = (error: Error, stack: boolean, requestId: string | undefined): string => {
  const parts = [`${property(error, "type") ?? error.name}: ${textOf(error)}`]
  const provider = property(error, "provider")
  if (provider !== undefined) parts.push(`provider ${provider}`)
  const code = property(error, "code")
  if (code !== undefined) parts.push(`code ${code}`)
  const remedy = property(error, "remedy")
  if (remedy !== undefined && remedy !== error.message) parts.push(remedy)
  let cause = member(error, "cause")
  for (let depth = 0; depth < 3 && cause !== undefined && cause !== null; depth++) {
    parts.push(`caused by ${causeText(cause)}`)
    cause = typeof cause === "object" ? member(cause, "cause") : undefined
  }
  if (requestId !== undefined) parts.push(`request ${requestId}`)
  if (stack && typeof error.stack === "string") parts.push(error.stack)
  return parts.join(" | ")
}

/** What a cause says, with the name of its class in front where that says more. */
const causeText = (cause: unknown): string => {
  const text = textOf(cause)
  try {
    const name = cause instanceof Error ? property(cause, "name") : undefined
    return name === undefined || name === "" || name === "Error" ? text : `${name}: ${text}`
  } catch {
    return text
  }
}

/** A member of anything that was thrown; nothing, when looking at it throws. */
const member = (value: object, name: string): unknown => {
  try {
    return Reflect.get(value, name)
  } catch {
    return undefined
  }
}

const property = (value: object, name: string): string | undefined => {
  const text = member(value, name)
  return typeof text === "string" ? text : undefined
}

/** Reads the message of anything that was thrown, strange objects included. */
const textOf = (value: unknown): string => {
  try {
    if (value instanceof Error) return value.message
    if (typeof value === "string") return value
    return (typeof value === "object" && value !== null) || typeof value === "function" ? "an object" : String(value)
  } catch {
    return "something that cannot be shown"
  }
}
