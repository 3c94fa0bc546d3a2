import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as References from "effect/References"
import * as Entry from "../../src/compat/errors.ts"
import { CallbackRouteError, CredentialsSignin, InvalidConfiguration, MissingCsrf } from "../../src/Errors.ts"
import { bridge, type Target } from "../../src/authjs/LoggerBridge.ts"
import { CsrfDisabled } from "../../src/telemetry/Warnings.ts"

/** Console output: level and line. */
const lines: Array<readonly [string, string]> = []

beforeEach(() => {
  lines.length = 0
  for (const level of ["error", "warn", "info", "debug"] as const) {
    vi.spyOn(console, level).mockImplementation((...words: Array<unknown>) => void lines.push([level, words.join(" ")]))
  }
})
afterEach(() => vi.restoreAllMocks())

const logged = (
  program: Effect.Effect<void>,
  target: Target = {},
  debug = false
): ReadonlyArray<readonly [string, string]> => {
  const logger = Layer.merge(Logger.layer([bridge(target, debug)]), Layer.succeed(References.MinimumLogLevel, "All"))
  Effect.runSync(Effect.provide(program, logger))
  return lines
}

describe("on the console", () => {
  it("a failure is one entry: what it is, why, and what to do", () => {
    const cause = new Error("connect ECONNREFUSED", { cause: "socket" })
    logged(Effect.logError(new CallbackRouteError({ detail: "authorize failed", provider: "credentials", cause })))
    assert.deepStrictEqual(lines, [
      [
        "error",
        [
          "[auth][error] CallbackRouteError: authorize failed",
          "provider: credentials",
          "fix: Look at the cause: a callback or authorize function of the application failed.",
          "caused by connect ECONNREFUSED",
          "caused by socket"
        ].join("\n  ")
      ]
    ])
  })

  it("a cause is told by the name of its class, where it has one of its own", () => {
    class WrongPassword extends Entry.CredentialsSignin {
      override code = "wrong_password"
    }
    const cause = new WrongPassword("no such password", { cause: new TypeError("never mind") })
    const line = logged(Effect.logError(new CredentialsSignin({ code: "wrong_password", cause })))[0]?.[1] ?? ""
    assert.include(line, "caused by WrongPassword wrong_password: no such password")
    const unnamed = Object.assign(new TypeError("socket"), { name: "" })
    const other = logged(Effect.logError(new CallbackRouteError({ detail: "authorize failed", cause: unnamed })))
    assert.match(other[1]?.[1] ?? "", /\n {2}caused by socket$/)
    const person = { name: "Ada", email: "ada@app.example" }
    const thrown = logged(Effect.logError(new CallbackRouteError({ detail: "authorize failed", cause: person })))
    assert.match(thrown[2]?.[1] ?? "", /\n {2}caused by a value with the members name, email$/)
  })

  it("a warning is its code, a sentence and what to do; debug messages show while debugging alone", () => {
    logged(Effect.logWarning(CsrfDisabled.value))
    logged(Effect.logInfo("something"))
    logged(Effect.logDebug("something"))
    assert.deepStrictEqual(lines, [
      ["warn", `[auth][warn] [csrf-disabled] ${CsrfDisabled.value.message} ${CsrfDisabled.value.remedy}`],
      ["info", "[auth][info] something"]
    ])
    logged(Effect.logDebug("something"), {}, true)
    assert.deepStrictEqual(lines.at(-1), ["debug", "[auth][debug] something"])
  })

  it("the stack shows while debugging alone", () => {
    const failure = new MissingCsrf({ detail: "none" })
    assert.notInclude(logged(Effect.logError(failure))[0]?.[1] ?? "", "LoggerBridge.test")
    assert.include(logged(Effect.logError(failure), {}, true)[1]?.[1] ?? "", "LoggerBridge.test")
  })

  const forged = [
    "a\n[auth][error] forged",
    "a\r\nb",
    "\u001b[31mred\u001b[0m",
    "a\u202eb\u2066c",
    "a\u2028b\u0085c",
    "a\u0000b"
  ]
  for (const text of forged) {
    it(`H278 ${JSON.stringify(text)} begins no line, without colour or direction`, () => {
      logged(Effect.logError(new CallbackRouteError({ detail: text, cause: new Error(text) })))
      logged(Effect.logError(text))
      logged(Effect.logWarning(text))
      assert.strictEqual(lines.length, 3)
      for (const [, line] of lines) {
        // oxlint-disable-next-line no-control-regex
        assert.notMatch(line.replaceAll("\n  ", ""), /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/)
        assert.include(line, "\\u")
      }
    })
  }

  it("H279 a line has at most a kilobyte and an entry two, however long what is logged", () => {
    logged(
      Effect.logError(new CallbackRouteError({ detail: "x".repeat(100_000), cause: new Error("y".repeat(100_000)) }))
    )
    logged(Effect.logError("z".repeat(100_000)))
    for (const [, entry] of lines) {
      assert.isAtMost(entry.length, 2100)
      for (const line of entry.split("\n")) assert.isAtMost(line.length, 1100)
    }
  })
  it("H279 escapes do not make it longer than that", () => {
    logged(Effect.logError("\u001b".repeat(100_000)))
    assert.isAtMost(lines[0]?.[1].length ?? 0, 1100)
  })

  const circular: { cause?: unknown } = {}
  circular.cause = circular
  const trap = () => {
    throw new Error("trap")
  }
  const strange: ReadonlyArray<readonly [string, unknown]> = [
    ["null", null],
    ["undefined", undefined],
    ["a symbol", Symbol("s")],
    ["a number", 7],
    ["a circle", circular],
    ["a frozen object", Object.freeze({ message: "m" })],
    ["an object without prototype", Object.create(null)],
    ["an error with a trap for a message", Object.defineProperty(new Error("x"), "message", { get: trap })],
    ["an error with a trap for a cause", Object.defineProperty(new Error("x"), "cause", { get: trap })],
    ["an error with 10 MB", new Error("m".repeat(10_000_000))]
  ]
  for (const [name, value] of strange) {
    it(`logs ${name}, alone and as a cause, without failing`, () => {
      logged(Effect.logError(value))
      logged(Effect.logError(new CallbackRouteError({ detail: "failed", cause: value })))
      logged(Effect.logWarning(value))
      assert.isAtLeast(lines.length, 3)
      for (const [, entry] of lines) assert.isAtMost(entry.length, 2100)
    })
  }
})

describe("strange causes", () => {
  const trap = () => {
    throw new Error("trap")
  }
  it("one that cannot be looked at at all is named so", () => {
    const cause = new Proxy({}, { get: trap, has: trap, ownKeys: trap, getPrototypeOf: trap })
    logged(Effect.logError(new CallbackRouteError({ detail: "failed", cause })))
    assert.include(lines[0]?.[1] ?? "", "caused by something that cannot be shown")
  })
})

describe("to a logger of the application", () => {
  it("errors go as they are, warnings as code and text, the rest as text", () => {
    const told: Array<unknown> = []
    const target: Target = {
      error: (error) => void told.push(error),
      warn: (code, text) => void told.push([code, text]),
      debug: (message, metadata) => void told.push([message, metadata])
    }
    const failure = new CredentialsSignin({ code: "credentials", detail: "no" })
    logged(Effect.logError(failure), target)
    logged(Effect.logWarning(CsrfDisabled.value), target)
    logged(Effect.logDebug("message", { a: 1 }), target)
    logged(Effect.logInfo(failure), target)
    assert.strictEqual(told[0], failure)
    const { message, remedy } = CsrfDisabled.value
    assert.deepStrictEqual(told.slice(1, 3), [
      ["csrf-disabled", `${message} ${remedy}`],
      ["message", { a: 1 }]
    ])
    assert.match(String(told[3]), /^CredentialsSignin: no \| code: credentials/)
    assert.deepStrictEqual(lines, [])
  })

  it("advice goes to warn too: the type of a failure, or advice, and the text", () => {
    const told: Array<unknown> = []
    const warn = (...words: ReadonlyArray<unknown>) => void told.push(words)
    const advice = new InvalidConfiguration({ field: "theme", detail: "theme has no colour", fix: "Write one." })
    logged(Effect.logWarning(advice), { warn })
    logged(Effect.logWarning("Two people wait"), { warn }, true)
    assert.deepStrictEqual(told, [
      ["InvalidConfiguration", "InvalidConfiguration: theme has no colour | option: theme | fix: Write one."],
      ["advice", "Two people wait"]
    ])
    assert.deepStrictEqual(lines, [])
  })

  it("what is no error becomes one", () => {
    const told: Array<Error> = []
    logged(Effect.logError("text"), { error: (error) => void told.push(error) })
    assert.deepStrictEqual([told[0] instanceof Error, told[0]?.message], [true, "text"])
  })

  it("a level that it leaves out goes to the console", () => {
    const told: Array<Error> = []
    logged(Effect.logWarning(CsrfDisabled.value), { error: (error) => void told.push(error) })
    assert.deepStrictEqual([told.length, lines.length], [0, 1])
  })

  it("one that throws is told of and harms nothing", () => {
    const target: Target = {
      error: () => {
        throw new Error("disk full")
      }
    }
    logged(Effect.logError("text"), target)
    assert.deepStrictEqual(lines, [["error", "[auth][error] The configured logger failed: disk full"]])
  })
})
