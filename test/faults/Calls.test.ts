/**
 * One fault in any call of the store and of the shared state, for the functions that applications call: what reports success has
 * happened, a failure is a tagged error, and a repetition gets there.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { TestClock } from "effect/testing"
import * as Access from "../../src/Access.ts"
import * as Accounts from "../../src/Accounts.ts"
import { makeMemory } from "../../src/Adapter.ts"
import { Doorman } from "../../src/Doorman.ts"
import { AdapterError, isAuthError } from "../../src/Errors.ts"
import { NotSignedIn, SessionUnavailable } from "../../src/access/AccessProblem.ts"
import { UserId } from "../../src/Models.ts"
import * as ProviderTokens from "../../src/ProviderTokens.ts"
import * as Sessions from "../../src/Sessions.ts"
import type { StateStore } from "../../src/SharedState.ts"
import { end, remember } from "../../src/session/ProviderSessions.ts"
import type { AdapterShape } from "../../src/storage/AdapterShape.ts"
import { start } from "../access/Site.ts"
import { forLayer } from "../ForLayer.ts"
import { rotating, rotatingProvider } from "../RotatingProvider.ts"
import { options } from "../Visitor.ts"

const faults = ["fails", "fails when it is done", "dies"] as const
type Fault = (typeof faults)[number]

/** Counts calls, and lets one of them go wrong. */
const injector = () => {
  const state = { isArmed: false, at: -1, fault: "fails" as Fault, calls: new Array<string>() }
  const down = (method: string) => new AdapterError({ method, reason: "unavailable", detail: "down" })
  const struck = (name: string): Fault | undefined => {
    if (!state.isArmed) return undefined
    state.calls.push(name)
    return state.calls.length - 1 === state.at ? state.fault : undefined
  }
  const adapterOf = (memory: AdapterShape): AdapterShape =>
    new Proxy(memory, {
      get: (target, name: keyof AdapterShape) => {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== "function" || name === "transaction") return member
        return (...parameters: ReadonlyArray<unknown>) =>
          Effect.suspend(() => {
            const fault = struck(name)
            const done = Reflect.apply(member, target, parameters) as Effect.Effect<unknown, AdapterError>
            if (fault === undefined) return done
            if (fault === "dies") return Effect.die(new Error("ECONNRESET"))
            return fault === "fails" ? Effect.fail(down(name)) : Effect.andThen(done, Effect.fail(down(name)))
          })
      }
    })
  const values = new Map<string, { readonly value: string; readonly until: number }>()
  const read = (key: string, now: number) => {
    const kept = values.get(key)
    return kept === undefined || kept.until <= now ? undefined : kept.value
  }
  const called = <A>(name: string, call: (now: number) => A): Effect.Effect<A, string> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const fault = struck(name)
      if (fault === "fails when it is done") call(now)
      return fault === undefined ? Effect.succeed(call(now)) : Effect.fail("down")
    })
  const sharedState: StateStore = {
    get: (key) => called("state.get", (now) => read(key, now)),
    swap: ({ after, before, key, ttl }) =>
      called("state.swap", (now) => {
        if (read(key, now) !== before) return false
        if (after === undefined) values.delete(key)
        else values.set(key, { value: after, until: now + ttl })
        return true
      })
  }
  return { state, adapterOf, sharedState }
}

const strategies = { rows: { strategy: "database" }, tokens: { strategy: "jwt", revocation: true } } as const
type Strategy = keyof typeof strategies

/** A site with a user who has two accounts, a passkey and a session. */
const settled = (strategy: Strategy) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(start)
    const { adapterOf, sharedState, state } = injector()
    const memory = makeMemory()
    const provider = rotatingProvider()
    const { id: userId } = yield* memory.createUser({
      id: UserId.make("ada"),
      email: "ada@example.com",
      emailVerified: DateTime.toDateUtc(DateTime.makeUnsafe(start)),
      name: "Ada"
    })
    const ended = { access_token: "access-0", refresh_token: "refresh-0", expires_at: 1 }
    yield* memory.linkAccount({ userId, type: "oauth", provider: "acme", providerAccountId: "1", ...ended })
    yield* memory.linkAccount({ userId, type: "webauthn", provider: "passkey", providerAccountId: "a2V5" })
    yield* memory.createAuthenticator({
      userId,
      credentialID: "a2V5",
      providerAccountId: "a2V5",
      credentialPublicKey: "key",
      counter: 0,
      credentialDeviceType: "singleDevice",
      credentialBackedUp: false
    })
    const built = yield* Layer.build(
      Layer.fresh(
        Doorman.layer(
          forLayer({
            ...options(),
            logger: undefined,
            adapter: adapterOf(memory),
            sharedState,
            providers: [rotating()],
            session: strategies[strategy]
          })
        ).pipe(Layer.provide(Layer.succeed(HttpClient.HttpClient, provider.client)))
      )
    )
    const run = <A, E>(program: Effect.Effect<A, E, Doorman>): Effect.Effect<A, E> =>
      Effect.provideContext(program, built)
    const session = yield* run(Sessions.issue(Access.Default, { id: userId, email: "ada@example.com" }))
    // The process asks the store about a session again after a minute.
    yield* TestClock.adjust("2 minutes")
    const isOver = Effect.map(run(Sessions.get(Access.Default, session.token)), Option.isNone)
    return { state, memory, run, userId, session, isOver, provider }
  })

type Site = Effect.Success<ReturnType<typeof settled>>

interface Call {
  readonly name: string
  readonly strategies: ReadonlyArray<Strategy>
  readonly act: (site: Site) => Effect.Effect<unknown, unknown>
  /** Has it happened? `answer` is what the last call that succeeded answered. */
  readonly isDone: (site: Site, answer: unknown) => Effect.Effect<boolean, unknown>
}

const both = ["rows", "tokens"] as const
const at = { provider: "idp", issuer: "https://idp.example", sid: "session-1", sub: "person-1" }

const withServices = <A, E>(
  program: Effect.Effect<A, E, Effect.Services<ReturnType<typeof end>>>
): Effect.Effect<A, E, Doorman> =>
  Effect.flatMap(Doorman, ({ servicesHere }) =>
    Effect.flatMap(servicesHere, (services) => Effect.provideContext(program, services))
  )

const calls: ReadonlyArray<Call> = [
  {
    name: "Sessions.issue",
    strategies: both,
    act: ({ run, userId }) => run(Sessions.issue(Access.Default, { id: userId })),
    isDone: ({ run }, answer) =>
      typeof answer === "object" && answer !== null && "token" in answer
        ? Effect.map(run(Sessions.get(Access.Default, answer.token as Site["session"]["token"])), Option.isSome)
        : Effect.succeed(false)
  },
  {
    name: "Sessions.revoke",
    strategies: both,
    act: ({ run, session, userId }) => run(Sessions.revoke(userId, session.id)),
    isDone: ({ isOver }) => isOver
  },
  {
    name: "Sessions.revokeAll",
    strategies: both,
    act: ({ run, userId }) => run(Sessions.revokeAll(userId)),
    isDone: ({ isOver }) => isOver
  },
  {
    name: "a logout of the provider",
    strategies: both,
    act: ({ run, session, userId }) =>
      run(withServices(Effect.andThen(remember(at, { id: session.id, userId }, start + 1e9), end(at, true)))),
    isDone: ({ isOver }) => isOver
  },
  {
    name: "Accounts.unlink",
    strategies: both,
    act: ({ run, userId }) => run(Accounts.unlink(userId, { provider: "acme", providerAccountId: "1" })),
    isDone: ({ isOver, memory, userId }) =>
      Effect.map(Effect.all([isOver, memory.listAccounts(userId)]), ([over, accounts]) => over && accounts.length === 1)
  },
  {
    name: "Accounts.remove",
    strategies: both,
    act: ({ run, userId }) => run(Accounts.remove(userId)),
    isDone: ({ isOver, memory, userId }) =>
      Effect.map(Effect.all([isOver, memory.getUser(userId)]), ([over, user]) => over && Option.isNone(user))
  },
  {
    name: "Accounts.export",
    strategies: ["rows"],
    act: ({ run, userId }) => run(Accounts.export(userId)),
    isDone: (_, answer) => Effect.succeed(Option.isOption(answer) && Option.isSome(answer))
  },
  {
    name: "Accounts.renamePasskey",
    strategies: ["rows"],
    act: ({ run, userId }) => run(Accounts.renamePasskey(userId, "a2V5", "Phone")),
    isDone: ({ memory }) =>
      Effect.map(memory.getAuthenticator("a2V5"), (key) => Reflect.get(Option.getOrThrow(key), "label") === "Phone")
  },
  {
    name: "ProviderTokens.get",
    strategies: ["rows"],
    act: ({ run, userId }) => run(ProviderTokens.get({ userId, provider: "acme" })),
    // The family of tokens lives: no refresh token was sent twice.
    isDone: ({ memory, provider, userId }, answer) =>
      Effect.map(
        memory.listAccounts(userId),
        (accounts) =>
          answer !== undefined &&
          !provider.isEnded() &&
          accounts.some(({ access_token }) => access_token === "access-1")
      )
  }
]

const isTagged = (failure: unknown): boolean =>
  isAuthError(failure) || failure instanceof NotSignedIn || failure instanceof SessionUnavailable

/** Time passes while a program waits: for a retry, or for the lease of a call that failed. */
const inTime = <A, E>(program: Effect.Effect<A, E>): Effect.Effect<Exit.Exit<A, E>> =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(program)
    for (let step = 0; step < 400 && fiber.pollUnsafe() === undefined; step++) {
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      yield* TestClock.adjust("1 second")
    }
    return fiber.pollUnsafe() ?? assert.fail("it did not end")
  })

describe("one fault in any call of a function of the application", () => {
  for (const { act, isDone, name, strategies } of calls) {
    for (const strategy of strategies) {
      it.gen(`H261, H262, H263 ${name}, sessions that are ${strategy}`, function* () {
        const whole = yield* settled(strategy)
        whole.state.isArmed = true
        const answer = yield* act(whole)
        whole.state.isArmed = false
        assert.isTrue(yield* isDone(whole, answer))
        assert.isAtLeast(whole.state.calls.length, 1)
        for (const [index, call] of whole.state.calls.entries()) {
          for (const fault of faults) {
            const what = `${call}, number ${index}, ${fault}`
            const site = yield* settled(strategy)
            Object.assign(site.state, { isArmed: true, at: index, fault })
            const first = yield* inTime(act(site))
            site.state.isArmed = false
            if (Exit.isSuccess(first) && name !== "ProviderTokens.get")
              assert.isTrue(yield* isDone(site, first.value), `${what}: success is reported`)
            if (Exit.isFailure(first))
              assert.isTrue(isTagged(Cause.squash(first.cause)), `${what}: ${String(first.cause)}`)
            // The lease of a refresh whose answer got lost ends after 90 seconds.
            yield* TestClock.adjust("2 minutes")
            const again = yield* inTime(act(site))
            const last = Exit.isSuccess(again) ? again.value : Exit.isSuccess(first) ? first.value : undefined
            assert.isTrue(yield* isDone(site, last), `${what}: ${String(again)}`)
          }
        }
      })
    }
  }
})
