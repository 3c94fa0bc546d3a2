/**
 * How often a mistake of a client is logged, and what is not limited.
 */
import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { TestClock } from "effect/testing"
import { Doorman } from "../../src/Doorman.ts"
import { AdapterError, type AuthError, CredentialsSignin, MissingCsrf } from "../../src/Errors.ts"
import { LogLimit, makeLogLimiter } from "../../src/Telemetry.ts"
import { report } from "../../src/telemetry/Report.ts"
import { acme, facade, listener, options, site, visitor } from "../Visitor.ts"
import { forLayer } from "../ForLayer.ts"

const forged = new MissingCsrf({ detail: "no token" })
const refused = new CredentialsSignin({ detail: "no" })
const broken = new AdapterError({ method: "getUser", reason: "unavailable", detail: "away" })

/** Runs a program with a limiter of its own, and gives what it logs: the tag of a failure, or a text. */
const logging = <A, E, R>(
  program: (lines: Array<string>) => Effect.Effect<A, E, R>,
  limiter: Layer.Layer<never> = Layer.sync(LogLimit, makeLogLimiter)
) =>
  Effect.suspend(() => {
    const lines: Array<string> = []
    const logger = Logger.make<unknown, void>(({ logLevel, message }) => {
      for (const one of Array.isArray(message) ? message : [message])
        lines.push(`${logLevel} ${one instanceof Error && "_tag" in one ? one._tag : one}`)
    })
    return Effect.provide(program(lines), Layer.merge(Logger.layer([logger]), limiter))
  })

const times = (count: number, failure: AuthError) => Effect.repeat(report(failure), { times: count - 1 })

describe("mistakes of clients", () => {
  it.effect("ten lines of one code are logged within a minute", () =>
    logging(
      Effect.fnUntraced(function* (lines) {
        yield* times(500, forged)
        assert.deepStrictEqual(lines, Array(10).fill("Info MissingCsrf"))
        yield* TestClock.adjust("59999 millis")
        yield* times(500, forged)
        assert.strictEqual(lines.length, 10)
      })
    )
  )

  it.effect("the next one after the minute comes with the number of those that were left out", () =>
    logging(
      Effect.fnUntraced(function* (lines) {
        yield* times(47, forged)
        yield* TestClock.adjust("1 minute")
        assert.strictEqual(lines.length, 10)
        yield* report(forged)
        assert.deepStrictEqual(lines.slice(10), [
          "Info MissingCsrf: 37 more mistakes of clients with this code were left out of the log",
          "Info MissingCsrf"
        ])
        yield* times(500, forged)
        assert.strictEqual(lines.length, 20, "the line with the number is one of the ten")
      })
    )
  )

  it.effect("a minute in which nothing was left out is followed by no number", () =>
    logging(
      Effect.fnUntraced(function* (lines) {
        yield* times(10, forged)
        yield* TestClock.adjust("1 minute")
        yield* report(forged)
        assert.deepStrictEqual(lines, Array(11).fill("Info MissingCsrf"))
      })
    )
  )

  it.effect("a clock that is set back begins a minute", () =>
    logging(
      Effect.fnUntraced(function* (lines) {
        yield* TestClock.setTime(3_600_000)
        yield* times(11, forged)
        yield* TestClock.setTime(1000)
        yield* report(forged)
        assert.strictEqual(lines.length, 12)
      })
    )
  )

  it.effect("each code is counted by itself", () =>
    logging(
      Effect.fnUntraced(function* (lines) {
        yield* times(500, forged)
        yield* times(500, refused)
        assert.deepStrictEqual(lines.slice(10), Array(10).fill("Info CredentialsSignin"))
      })
    )
  )

  it.effect("those of the operator or a provider are not limited", () =>
    logging(
      Effect.fnUntraced(function* (lines) {
        yield* times(50, broken)
        yield* times(50, new CredentialsSignin({ detail: "no", blame: "operator" }))
        assert.strictEqual(lines.filter((line) => line.startsWith("Error ")).length, 100)
      })
    )
  )

  it.gen("the default limiter belongs to the process", function* () {
    const limiter = yield* LogLimit
    assert.strictEqual(yield* Effect.provide(LogLimit, Layer.empty), limiter)
    assert.notStrictEqual(makeLogLimiter(), limiter)
  })
})

describe("the function Auth", () => {
  const lines: Array<readonly [string, string]> = []
  beforeEach(() => {
    lines.length = 0
    vi.useFakeTimers({ toFake: ["Date"], now: 1_800_000_000_000 })
    for (const level of ["error", "warn", "info", "debug"] as const) {
      vi.spyOn(console, level).mockImplementation((line: string) => void lines.push([level, line]))
    }
  })
  afterEach(() => {
    vi.restoreAllMocks()
    vi.useRealTimers()
  })

  // Each test has a failure of its own: they share the limiter of the process.
  const ask = (path: string, method: string, more: object) =>
    facade(options(more))(new Request(`${site}/auth${path}`, { method }))

  it("configurations that are made for each request share one limit", async () => {
    for (let at = 0; at < 30; at++) await ask("/nothing", "GET", { logger: undefined })
    assert.strictEqual(lines.length, 10)
    for (const [level, line] of lines) {
      assert.strictEqual(level, "info")
      assert.match(line, /^\[auth\]\[info\] UnknownAction: /)
    }
    vi.setSystemTime(1_800_000_060_000)
    await ask("/nothing", "GET", { logger: undefined })
    assert.match(lines[10]?.[1] ?? "", /^\[auth\]\[info\] UnknownAction: 20 more mistakes of clients /)
    assert.strictEqual(lines.length, 12)
  })

  it("refused authorization parameters are limited too", async () => {
    const browser = visitor(facade(options({ logger: undefined, providers: [acme()] })))
    for (let at = 0; at < 30; at++) await browser.submit("/auth/signin/acme?client_id=other")
    assert.strictEqual(lines.filter(([, line]) => line.includes("goes without client_id")).length, 10)
  })

  it("a logger with debug receives all of them", async () => {
    const { logger, told } = listener()
    for (let at = 0; at < 30; at++) await ask("/callback/nobody", "GET", { logger })
    assert.strictEqual(told.mistakes.length, 30)
    assert.deepStrictEqual(lines, [])
  })

  it("with debug all of them are logged", async () => {
    for (let at = 0; at < 30; at++) await ask("/session", "DELETE", { logger: undefined, debug: true })
    assert.strictEqual(lines.filter(([level]) => level === "info").length, 30)
  })
})

describe("in an Effect application", () => {
  /** Thirty mistakes at a configuration, whose layer is given a limiter or none. */
  const mistakes = (more: object, given: Layer.Layer<never> = Layer.empty) =>
    Effect.flatMap(Doorman, ({ services }) => Effect.provideContext(times(30, refused), services)).pipe(
      Effect.provide(
        Doorman.layer(forLayer({ providers: [], secret: options().secret, origin: site, ...more })).pipe(
          Layer.provide([given, FetchHttpClient.layer])
        )
      )
    )

  it.effect("configurations share a limiter, unless the layer of one has its own", () =>
    logging(
      Effect.fnUntraced(function* (lines) {
        yield* mistakes({})
        yield* mistakes({})
        assert.strictEqual(lines.length, 10)
        yield* mistakes({}, Layer.sync(LogLimit, makeLogLimiter))
        assert.strictEqual(lines.length, 20)
      })
    )
  )

  it.effect("with debug all of them are logged", () =>
    logging(
      Effect.fnUntraced(function* (lines) {
        yield* mistakes({ debug: true })
        assert.strictEqual(lines.filter((line) => line === "Info CredentialsSignin").length, 30)
      }),
      Layer.empty
    )
  )
})
