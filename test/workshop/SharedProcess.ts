/**
 * For test files that share a process: each begins with empty memories, and leaves the process as it found it.
 *
 * Timers, stubs and spies of the runner are put back here. What else a file changes and does not put back fails the file.
 */
import * as Context from "effect/Context"
import { afterAll, vi } from "vitest"
import { forgetProcess } from "../../src/composition/Services.ts"
import { LogLimit } from "../../src/telemetry/LogLimit.ts"

forgetProcess()

// The limit of the log that belongs to the process: Effect keeps the default of a reference in it.
const limiter = Context.get(Context.empty(), LogLimit)
Reflect.deleteProperty(LogLimit, "~effect/Context/defaultValue")
if (Context.get(Context.empty(), LogLimit) === limiter) throw new Error("the limit of the log is not a new one")

const events = ["exit", "uncaughtException", "unhandledRejection", "warning", "SIGINT", "SIGTERM", "SIGHUP"]

const membersOf = (name: string, owner: object): ReadonlyArray<readonly [string, unknown]> =>
  Reflect.ownKeys(owner).map((key) => {
    const { get, value } = Reflect.getOwnPropertyDescriptor(owner, key) ?? {}
    return [`${name}.${String(key)}`, get ?? value]
  })

/** The constructors of the platform with their prototypes, and what holds functions of it. */
const builtins: ReadonlyArray<readonly [string, object]> = [
  ["Atomics", Atomics],
  ["crypto", crypto],
  ["Intl", Intl],
  ["JSON", JSON],
  ["Math", Math],
  ["performance", performance],
  ["Reflect", Reflect],
  ...Object.entries(Object.getOwnPropertyDescriptors(globalThis)).flatMap(([name, { value }]) => {
    if (typeof value !== "function") return []
    const prototype: unknown = value.prototype
    const constructor = [name, value as object] as const
    return typeof prototype === "object" && prototype !== null
      ? [constructor, [`${name}.prototype`, prototype] as const]
      : [constructor]
  })
]

/** What a test file could change for those that follow. */
const state = (): ReadonlyMap<string, unknown> =>
  new Map<string, unknown>([
    ...membersOf("globalThis", globalThis),
    ...builtins.flatMap(([name, owner]) => membersOf(name, owner)),
    ...membersOf("process", process).filter(([, value]) => typeof value === "function"),
    ...Object.entries(console).map(([name, value]) => [`console.${name}`, value] as const),
    ...Object.entries(process.env).map(([name, value]) => [`process.env.${name}`, value] as const),
    ...events.map((event) => [`the listeners of ${event}`, process.listenerCount(event)] as const),
    ["the working directory", process.cwd()]
  ])

const before = state()

/** Packages add globals of their own when they are loaded, and tests none; `graceful-fs` wraps what changes the directory. */
const isOfPackage = (name: string): boolean =>
  name === "process.chdir" ||
  name === "process.cwd" ||
  (/^(?:globalThis\.(?:__|Symbol\()|Reflect\.)/.test(name) && !before.has(name))

afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  const after = state()
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => !Object.is(before.get(name), after.get(name)) && !isOfPackage(name)
  )
  if (changed.length > 0) throw new Error(`left for the test files that follow: ${changed.join(", ")}`)
})
