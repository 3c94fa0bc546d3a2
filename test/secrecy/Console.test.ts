/**
 * The console's output when no logger is configured: few lines, each of them whole and harmless.
 */
import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import type { Options } from "../../src/config/Settings.ts"
import { CredentialsSignin } from "../../src/Errors.ts"
import { Auth } from "../../src/index.ts"
import { at, browser, config, settled } from "../Browser.ts"
import { forFunctions } from "../ForFunctions.ts"
import { facade, form, locationOf, ownSite as options, password, secret, site, visitor } from "../Visitor.ts"

/** Characters that could begin another line, colour a terminal or turn the direction of reading. */
// oxlint-disable-next-line no-control-regex
const forging = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2028\u2029]/

let lines: Array<string>

beforeEach(() => {
  lines = []
  for (const level of ["error", "warn", "debug", "log", "info"] as const) {
    vi.spyOn(console, level).mockImplementation((...words: ReadonlyArray<unknown>) => void lines.push(words.join(" ")))
  }
})

afterEach(() => {
  vi.restoreAllMocks()
})

/** Without a logger of its own; `debug` decides how much is told. */
const quiet = (more: Partial<Options> = {}): Options => {
  const { logger: _, ...rest } = options(more)
  return rest
}

const hostile = "line 1\nline 2\r\n\u001b[31mred\u001b[0m \u202Eevil\u0000\u2028end"

const throwing = (thrown: unknown) => password(() => Promise.reject(thrown))

const circular = new Error("circular")
circular.cause = circular

const getter = new Error("x")
Object.defineProperty(getter, "message", { get: () => assert.fail("a getter that throws") })

const thrown: ReadonlyArray<readonly [string, unknown]> = [
  ["line breaks, colours and direction marks", new Error(hostile)],
  ["the same in a chain of causes", new Error("a", { cause: new Error(hostile, { cause: hostile }) })],
  ["ten megabytes", new Error("x".repeat(10_000_000))],
  ["ten megabytes of control characters", new Error("\n".repeat(10_000_000))],
  ["a circle of causes", circular],
  ["a message that cannot be read", getter],
  ["text", hostile],
  ["null", null],
  ["undefined", undefined],
  ["a frozen object", Object.freeze({ message: hostile, toString: () => assert.fail("never called") })],
  ["an object without a prototype", Object.create(null)],
  ["a symbol", Symbol("x")]
]

const attempt = async (config: Options) => {
  const person = visitor(facade(config))
  lines = []
  return person.submit("/auth/callback/credentials", { username: "ann", password: "pw" })
}

describe("The console", () => {
  for (const [title, value] of thrown) {
    it(`H278, H279, H281 gets one short, harmless entry for an error with ${title}`, async () => {
      const response = await attempt(quiet({ providers: [throwing(value)] }))
      assert.strictEqual(locationOf(response), `${site}/auth/error?error=Configuration`)
      assert.strictEqual(lines.length, 1)
      const [line = ""] = lines
      assert.match(line, /^\[auth\]\[error\] CallbackRouteError: /)
      assert.isAtMost(line.length, 2_100)
      assert.notMatch(line.replaceAll("\n  ", ""), forging)
    })
  }

  it("H278 gets it as one entry in debug mode too, stack included", async () => {
    await attempt(quiet({ providers: [throwing(new Error(hostile))], debug: true }))
    const failures = lines.filter((line) => line.startsWith("[auth][error] CallbackRouteError"))
    assert.strictEqual(failures.length, 1)
    for (const line of lines) {
      assert.isAtMost(line.length, 2_100)
      assert.notMatch(line.replaceAll("\n  ", ""), forging)
    }
  })

  it("H279, H038 gets one entry for a mistake of a client, in debug mode beside the request and answer", async () => {
    const mistakes: ReadonlyArray<Request> = [
      new Request(`${site}/auth/${"x/".repeat(5_000)}`),
      new Request(`${site}/auth/%0a%1b[31m`),
      new Request(`${site}/auth/callback/nobody?code=${"x".repeat(5_000)}`),
      new Request(`${site}/auth/session`, { method: "DELETE" }),
      new Request(`${site}/auth/callback/credentials`),
      new Request(`${site}/auth/signin/acme`, {
        method: "POST",
        body: "{",
        headers: { "content-type": "application/json" }
      }),
      new Request(`${site}/auth/signin/acme`, { method: "POST", body: "x", headers: { "content-type": "text/plain" } })
    ]
    const silent = quiet()
    const talking = quiet({ debug: true })
    await Auth(new Request(`${site}/auth/session`), forFunctions(talking))
    for (const request of mistakes) {
      lines = []
      const copy = request.clone()
      assert.isBelow((await Auth(request, forFunctions(silent))).status, 500, request.url.slice(0, 80))
      const [line = ""] = lines
      assert.strictEqual(lines.length, 1, request.url.slice(0, 80))
      assert.match(line, /^\[auth\]\[info\] /)
      assert.isAtMost(line.length, 2_100)
      assert.notInclude(line, "xxxx")
      lines = []
      await Auth(copy, forFunctions(talking))
      const failures = lines.filter((line) => !/^\[auth\]\[debug\] (?:request|response) /.test(line))
      assert.strictEqual(failures.length, 1, request.url.slice(0, 80))
      for (const line of lines) {
        assert.isAtMost(line.length, 2_100)
        assert.notInclude(line, "xxxx")
      }
    }
  })

  it("H280, P020 never reads a password, an address or the secret", async () => {
    for (const debug of [false, true]) {
      const refused = quiet({ debug, providers: [password(() => null)] })
      await visitor(facade(refused)).submit("/auth/callback/credentials", {
        username: "ann.canary@example.com",
        password: "canary password"
      })
      await Auth(
        form("/auth/callback/credentials", { csrfToken: "canary", password: "canary password" }),
        forFunctions(refused)
      )
    }
    assert.isAbove(lines.length, 0)
    for (const line of lines) for (const word of ["canary", "example.com", secret]) assert.notInclude(line, word)
  })

  it("H283 keeps the text of every failure of an application from the browser", async () => {
    const response = await attempt(quiet({ providers: [throwing(new Error("connect 10.0.0.1:5432 refused"))] }))
    const told = `${await response.text()}${[...response.headers].join()}`
    assert.notInclude(told, "10.0.0.1")
  })

  it("H281 lets a failure of the application choose a code, and nothing else", async () => {
    const chosen = quiet({
      providers: [throwing(new CredentialsSignin({ code: "otp_required", detail: "see 10.0.0.1" }))]
    })
    const response = await attempt(chosen)
    assert.strictEqual(
      response.headers.get("location"),
      `${site}/auth/signin?error=CredentialsSignin&code=otp_required`
    )
  })

  it("H279 gets the failure when the configured logger throws", async () => {
    const broken = { error: () => assert.fail("the logger is broken") }
    const response = await attempt(options({ providers: [throwing(new Error("x"))], logger: broken }))
    assert.strictEqual(response.status, 302)
    assert.strictEqual(lines.length, 1)
    assert.include(lines[0], "The configured logger failed")
  })
})

describe("Promises", () => {
  it.effect("H286 that are rejected after their deadline do no harm", () => {
    const rejected: Array<unknown> = []
    const listen = (reason: unknown) => void rejected.push(reason)
    const late: Array<(reason: Error) => void> = []
    return Effect.gen(function* () {
      process.on("unhandledRejection", listen)
      const person = browser()
      yield* person.signInWithPassword()
      const fiber = yield* Effect.forkChild(person.get("/auth/session"))
      yield* settled
      yield* TestClock.adjust("31 seconds")
      assert.strictEqual((yield* Fiber.join(fiber)).body, "null")
      for (const reject of late) reject(new Error("too late"))
      yield* settled
      yield* settled
      assert.strictEqual(late.length, 1)
      assert.deepStrictEqual(rejected, [])
    }).pipe(
      Effect.ensuring(Effect.sync(() => process.off("unhandledRejection", listen))),
      at(config({ callbacks: { session: () => new Promise((_, reject) => late.push(reject)) } }))
    )
  })
})
