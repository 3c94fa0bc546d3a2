/**
 * Links that are sent after the answer, through the application's `waitUntil`.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import * as Redacted from "effect/Redacted"
import { asUserId } from "../../src/models/Id.ts"
import * as Audit from "../../src/Audit.ts"
import type { Options } from "../../src/config/Settings.ts"
import { EmailSignInError, isAuthError } from "../../src/Errors.ts"
import type { Mail } from "../../src/Mailer.ts"
import { ask, browser, type Mailed, mailed, press, sent, still } from "../Mailed.ts"

interface Later extends Mailed {
  readonly promises: Array<Promise<void>>
  /** Until every mail was sent or has failed. */
  readonly done: Effect.Effect<void>
}

const later = (more: Partial<Options> = {}): Later => {
  const promises: Array<Promise<void>> = []
  const world = mailed({ more: { waitUntil: (sending) => promises.push(sending), ...more } })
  return { ...world, promises, done: Effect.promise(() => Promise.all(promises)).pipe(Effect.asVoid) }
}

/** A mailer that takes a mail when it is told to. */
const gate = () => {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const taken: Array<Mail> = []
  return {
    open: Effect.sync(() => open()),
    taken,
    mailer: {
      send: (mail: Mail) =>
        Effect.map(
          Effect.promise(() => opened),
          () => void taken.push(mail)
        )
    }
  }
}

const refusing = {
  send: () =>
    Effect.fail(new EmailSignInError({ detail: "The mail server did not accept the recipient", retryable: true }))
}

const tagsOf = ({ log }: Mailed, at: string) =>
  log.entries.flatMap(({ level, message }) => (level === at && isAuthError(message) ? [message._tag] : []))

describe("a mail that is sent through waitUntil", () => {
  it.effect("is on its way when the answer is there, and its link signs in", () => {
    const { mailer, open, taken } = gate()
    const world = later({ mailer })
    return world.at(
      Effect.gen(function* () {
        const visitor = browser()
        const seen = yield* ask(visitor, "ann@example.com")
        assert.strictEqual(seen.location, sent)
        assert.deepStrictEqual([world.promises.length, taken.length], [1, 0])
        yield* open
        yield* world.done
        assert.strictEqual(
          (yield* press(visitor, new URL(taken[0]?.url === undefined ? "" : Redacted.value(taken[0].url)))).status,
          303
        )
      })
    )
  })

  it.effect("asks the store and the application the same for a known address as for an unknown one", () => {
    const asked: Array<string> = []
    const world = later({ callbacks: { signIn: () => asked.push("signIn") > 0 } })
    return world.at(
      Effect.gen(function* () {
        yield* world.store.createUser({ id: asUserId("1"), email: "ann@example.com", emailVerified: null })
        const seen = []
        for (const email of ["ann@example.com", "bob@example.com"]) {
          world.calls.length = 0
          asked.length = 0
          const { body, data, location, status } = yield* ask(browser(), email)
          yield* world.done
          const cookies = data.cookies.map(({ name, options, value }) => ({ name, options, length: value.length }))
          seen.push({ body, status, location, cookies, headers: data.headers, calls: [...world.calls, ...asked] })
        }
        assert.deepStrictEqual(seen[0], seen[1])
        assert.deepStrictEqual(seen[0]?.calls, ["getUserByEmail", "createVerificationToken", "send", "signIn"])
      })
    )
  })

  it.effect("H167 that fails is an error of the log and an audit event of the request, and its token is gone", () => {
    const world = later({ mailer: refusing })
    const events: Array<Audit.AuditEvent> = []
    return world
      .at(
        Effect.gen(function* () {
          const seen = yield* ask(browser(), "ann@example.com")
          yield* world.done
          assert.strictEqual(seen.location, sent)
          assert.deepStrictEqual(tagsOf(world, "Error"), ["EmailSignInError"])
          assert.deepStrictEqual(world.calls, ["getUserByEmail", "createVerificationToken", "useVerificationToken"])
          const refused = events.filter(({ _tag }) => _tag === "SignInRefused")
          assert.deepStrictEqual(
            refused.map(
              (event) => event._tag === "SignInRefused" && [event.provider, event.reason, event.request?.action]
            ),
            [["email", { type: "EmailSignin" }, "signin"]]
          )
        })
      )
      .pipe(Effect.provide(Audit.layerSink((event) => Effect.sync(() => events.push(event)))))
  })

  it.effect(
    "is one of at most 300 on their way, and 60 more until the first is given up, however many are asked for",
    () => {
      const world = later({ mailer: { send: () => Effect.never } })
      return world.at(
        Effect.gen(function* () {
          for (let person = 0; person < 400; person++) yield* ask(browser(), `person${person}@example.com`)
          assert.lengthOf(world.promises, 300)
          for (let second = 0; second < 29; second++) {
            yield* TestClock.adjust("1 second")
            for (let more = 0; more < 5; more++) yield* ask(browser(), `more${second}.${more}@example.com`)
          }
          assert.isAtMost(world.promises.length, 360)
          yield* TestClock.adjust("2 minutes")
          yield* world.done
        })
      )
    }
  )

  it.effect("H157 counts for the limit of the mailbox when it was sent, and when it failed", () => {
    const world = later({ mailer: refusing })
    return world.at(
      Effect.gen(function* () {
        for (let count = 0; count < 7; count++) {
          yield* ask(browser(), "ann@example.com")
          yield* world.done
        }
        assert.strictEqual(tagsOf(world, "Error").length, 5)
        const working = later()
        yield* working.at(
          Effect.gen(function* () {
            for (let count = 0; count < 7; count++) yield* ask(browser(), "ann@example.com")
            yield* working.done
            assert.strictEqual((yield* working.mails).length, 5)
          })
        )
      })
    )
  })

  it.effect("H161 that fails leaves the earlier link of the browser as it was", () => {
    let isDown = false
    const world: Later = later({ mailer: { send: (mail) => (isDown ? refusing.send() : world.mailer.send(mail)) } })
    return world.at(
      Effect.gen(function* () {
        const visitor = browser()
        yield* ask(visitor, "ann@example.com")
        yield* world.done
        const first = yield* world.link
        isDown = true
        yield* ask(visitor, "ann@example.com")
        yield* world.done
        assert.strictEqual((yield* press(visitor, first)).status, 303)
      })
    )
  })

  it.effect("is awaited where waitUntil throws, and the log says what to give", () => {
    const world = later({
      waitUntil: () => {
        throw new TypeError("Illegal invocation")
      }
    })
    return world.at(
      Effect.gen(function* () {
        const seen = yield* ask(browser(), "ann@example.com")
        assert.strictEqual(seen.location, sent)
        assert.strictEqual((yield* world.mails).length, 1)
        assert.deepStrictEqual(tagsOf(world, "Error"), ["InvalidConfiguration"])
      })
    )
  })

  it.effect("is sent where waitUntil rejects, and the rejection is logged", () => {
    const world = later({ waitUntil: (sending) => sending.then(() => Promise.reject(new Error("no room"))) })
    return world.at(
      Effect.gen(function* () {
        yield* ask(browser(), "ann@example.com")
        yield* still
        assert.deepStrictEqual(tagsOf(world, "Error"), ["InvalidConfiguration"])
        assert.strictEqual((yield* world.mails).length, 1)
      })
    )
  })
})
