import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"
import { TestClock } from "effect/testing"
import * as Tracer from "effect/Tracer"
import { makeMemory } from "../src/Adapter.ts"
import { Callbacks, make as makeCallbacks } from "../src/Callbacks.ts"
import type { Services } from "../src/composition/Services.ts"
import * as Telemetry from "../src/Telemetry.ts"
import { CurrentMetrics } from "../src/telemetry/Signals.ts"
import { at, browser, config, signInAt, visit } from "./Browser.ts"
import { mailed } from "./Mailed.ts"
import { idpSecret, memoryProvider } from "./MemoryProvider.ts"
import { password, secret } from "./Visitor.ts"

/** Runs a program whose metrics are its own; gives them as Prometheus reads them. */
const scraped = <A, E>(program: Effect.Effect<A, E, Services>, layer: Layer.Layer<never> = Telemetry.layer) =>
  Effect.flatMap(program, () =>
    Effect.map(Effect.context<never>(), (context) =>
      PrometheusMetrics.formatUnsafe(context)
        .split("\n")
        .filter((line) => !line.startsWith("#"))
    )
  ).pipe(Effect.provide(layer), Effect.provideService(Metric.MetricRegistry, new Map()))

const session = "__Host-authjs.session-token"

describe("metrics", () => {
  it.play("count sign-ins by provider and outcome", visit(), function* ({ provider }) {
    const lines = yield* scraped(
      Effect.gen(function* () {
        const person = browser()
        yield* signInAt(person, provider)
        yield* person.signInWithPassword()
        yield* person.submit("/auth/callback/credentials", { username: "ann", password: "no" })
        yield* person.submit("/auth/callback/credentials", { username: "bob", password: "no" })
        provider.script["/token"] = () => new Response("down", { status: 500 })
        yield* signInAt(person, provider)
        yield* person.get("/auth/callback/somebodys-invention")
        yield* browser().get("/auth/callback/idp?state=x&code=y")
      })
    )
    const counted = lines.filter((line) => line.startsWith("effect_doorman_sign_ins{"))
    assert.deepStrictEqual(counted.toSorted(), [
      'effect_doorman_sign_ins{provider="credentials",outcome="refused"} 2',
      'effect_doorman_sign_ins{provider="credentials",outcome="signed_in"} 1',
      'effect_doorman_sign_ins{provider="idp",outcome="provider"} 1',
      'effect_doorman_sign_ins{provider="idp",outcome="refused"} 1',
      'effect_doorman_sign_ins{provider="idp",outcome="signed_in"} 1'
    ])
  })

  it.gen("count sessions that were read, and why tokens were refused", at(config()), function* () {
    const lines = yield* scraped(
      Effect.gen(function* () {
        const person = browser()
        yield* person.session
        yield* person.signInWithPassword()
        yield* person.session
        yield* person.session
        for (const token of ["garbage", "a.b.c.d.e", "x".repeat(500)]) {
          yield* browser().get("/auth/session", { cookie: `${session}=${token}` })
        }
        yield* TestClock.adjust("100 days")
        yield* person.session
      })
    )
    const of = (name: string) => lines.filter((line) => line.startsWith(name)).toSorted()
    assert.deepStrictEqual(of("effect_doorman_session_reads"), [
      'effect_doorman_session_reads{outcome="ended"} 4',
      'effect_doorman_session_reads{outcome="signed_in"} 2',
      'effect_doorman_session_reads{outcome="signed_out"} 1'
    ])
    const reasons = of("effect_doorman_token_refusals")
    assert.include(reasons, 'effect_doorman_token_refusals{reason="expired"} 1')
    assert.strictEqual(
      reasons.reduce((sum, line) => sum + Number(line.split(" ")[1]), 0),
      4
    )
    for (const line of reasons) assert.match(line, /reason="[a-z_]+"/)
  })

  it.effect("take what an application says about a token as one reason", () =>
    Effect.gen(function* () {
      const lines = yield* scraped(browser().get("/auth/session", { cookie: `${session}=anything` }))
      assert.include(lines, 'effect_doorman_token_refusals{reason="other"} 1')
    }).pipe(at(config({ jwt: { decode: () => Promise.reject(new Error("a reason of its own")) } })))
  )

  it.effect("count a store that fails", () => {
    const store = { ...makeMemory(), getSessionAndUser: () => Effect.die("down") }
    return Effect.gen(function* () {
      const lines = yield* scraped(browser().get("/auth/session", { cookie: `${session}=anything-at-all` }))
      assert.include(lines, 'effect_doorman_session_reads{outcome="failed"} 1')
    }).pipe(at(config({ adapter: store, session: { strategy: "database" } })))
  })

  it.effect("count a service of the application that throws", () => {
    const state = { isBroken: false }
    const own = makeCallbacks({})
    const services = Layer.succeed(Callbacks, {
      ...own,
      session: (params) => {
        if (state.isBroken) throw new Error("broken")
        return own.session(params)
      }
    })
    return Effect.gen(function* () {
      const lines = yield* scraped(
        Effect.gen(function* () {
          const person = browser()
          yield* person.signInWithPassword()
          state.isBroken = true
          yield* person.get("/auth/session")
        })
      )
      assert.include(lines, 'effect_doorman_session_reads{outcome="failed"} 1')
    }).pipe(at(config()), Effect.provide(services))
  })

  it.play("measure providers by endpoint, and the cookies of answers", visit(), function* ({ provider }) {
    const lines = yield* scraped(signInAt(browser(), provider))
    for (const endpoint of ["discovery", "keys", "token"]) {
      const labels = `{provider="idp",endpoint="${endpoint}"}`
      assert.include(lines, `effect_doorman_provider_latency_milliseconds_count${labels} 1`)
      assert.include(lines, `effect_doorman_provider_latency_milliseconds_sum${labels} 0`)
    }
    assert.isTrue(lines.some((line) => /^effect_doorman_cookie_bytes_count [1-9]/.test(line)))
    const [, bytes] = lines.find((line) => line.startsWith("effect_doorman_cookie_bytes_sum"))?.split(" ") ?? []
    assert.isAbove(Number(bytes), 500)
  })

  it.play("are not taken until a reader asks for them", visit(), function* ({ provider }) {
    const lines = yield* scraped(
      Effect.gen(function* () {
        const person = browser()
        yield* signInAt(person, provider)
        yield* person.session
        yield* person.get("/auth/session", { cookie: `${session}=garbage` })
      }),
      Layer.empty
    )
    assert.deepStrictEqual(
      lines.filter((line) => line !== ""),
      []
    )
    assert.isUndefined(Context.get(yield* Effect.context<never>(), CurrentMetrics))
  })
})

const traced = () => {
  const spans: Array<Tracer.NativeSpan> = []
  const tracer = Tracer.make({
    span: (given) => {
      const span = new Tracer.NativeSpan(given)
      spans.push(span)
      return span
    }
  })
  return { spans, tracer: Effect.provideService(Tracer.Tracer, tracer) }
}

const endOf = ({ status }: Tracer.NativeSpan) => (status._tag === "Ended" ? status.exit : undefined)

describe("spans", () => {
  it.effect("H285 show the way of a sign-in, with names from lists", () => {
    const provider = memoryProvider()
    const { spans, tracer } = traced()
    return Effect.gen(function* () {
      const person = browser()
      const away = yield* person.leave()
      const back = provider.agree(away)
      spans.length = 0
      yield* tracer(person.get(back))
      const seen = spans.map(({ attributes, name, parent }) => [
        name,
        attributes.get("effect-doorman.method") ?? attributes.get("effect-doorman.endpoint"),
        parent._tag === "Some" && parent.value._tag === "Span" ? parent.value.name : undefined
      ])
      const below = "effect-doorman.callback"
      assert.deepStrictEqual(seen[0], [below, undefined, undefined])
      for (const [, endpoint, parent] of seen.filter(([name]) => name === "effect-doorman.provider")) {
        assert.include(["discovery", "keys", "token"], endpoint)
        assert.strictEqual(parent, below)
      }
      const methods = seen.filter(([name]) => name === "effect-doorman.adapter").map(([, method]) => method)
      assert.includeMembers(methods, ["getUserByAccount", "createUser", "linkAccount"])
      assert.deepStrictEqual(
        Object.fromEntries([...(spans[0]?.attributes ?? [])].filter(([name]) => name !== "effect-doorman.request_id")),
        {
          "http.request.method": "GET",
          "effect-doorman.provider": "idp",
          "http.response.status_code": 302,
          "effect-doorman.outcome": "answered"
        }
      )
      const text = JSON.stringify(
        spans.map(({ attributes, events, name }) => [name, [...attributes], events.map(([event]) => event)])
      )
      const state = new URL(away).searchParams.get("state") ?? "absent"
      for (const value of [state, secret, idpSecret, "ada@example.com", back.search]) assert.notInclude(text, value)
      for (const span of spans) assert.isTrue(Exit.isSuccess(endOf(span) ?? Exit.fail("not ended")), span.name)
    }).pipe(at(config({ adapter: makeMemory() }), provider))
  })

  it.effect("show when a key is derived, and only then", () => {
    const { spans, tracer } = traced()
    const derivations = () => spans.filter(({ name }) => name === "effect-doorman.derive")
    const derived = () => derivations().length
    return Effect.gen(function* () {
      const person = browser()
      yield* tracer(person.signInWithPassword())
      assert.strictEqual(derived(), 1)
      for (const { attributes } of derivations()) {
        assert.strictEqual(attributes.get("effect-doorman.purpose"), "__Host-authjs.session-token")
      }
      yield* tracer(person.session)
      yield* tracer(person.signInWithPassword())
      assert.strictEqual(derived(), 1)
    }).pipe(at(config({ secret: "a secret that no other test has, of 48 characters" })))
  })

  it.play("show mail that is sent, and not to whom", mailed(), function* () {
    const { spans, tracer } = traced()
    yield* tracer(browser().submit("/auth/signin/email", { email: "ann@example.com" }))
    const mail = spans.filter(({ name }) => name === "effect-doorman.mail")
    assert.deepStrictEqual(
      mail.map(({ attributes }) => [...attributes]),
      [[["effect-doorman.provider", "email"]]]
    )
    assert.notInclude(JSON.stringify(spans.map(({ attributes }) => [...attributes])), "ann@")
  })

  it.effect("H285 of a failure hold a name for it, and nothing that an application threw", () => {
    const canary = "postgres://user:canary-4711@host"
    const { spans, tracer } = traced()
    const store = { ...makeMemory(), getUserByAccount: () => Effect.die(new Error(canary)) }
    const provider = memoryProvider()
    return Effect.gen(function* () {
      const person = browser()
      const back = provider.agree(yield* person.leave())
      yield* tracer(person.get(back))
      yield* tracer(person.submit("/auth/callback/credentials", { username: "ann", password: "pw" }))
      yield* tracer(person.submit("/auth/callback/nobody"))
      const calls = spans.filter(({ attributes }) => attributes.get("effect-doorman.method") === "getUserByAccount")
      assert.deepStrictEqual(
        calls.map(({ attributes }) => attributes.get("error.type")),
        ["AdapterError/unavailable"]
      )
      const actions = spans.filter(({ name }) => name === "effect-doorman.callback")
      assert.deepStrictEqual(
        actions.map((span) => [span.attributes.get("error.type"), Exit.isFailure(endOf(span) ?? Exit.void)]),
        [
          ["AdapterError/unavailable", true],
          ["CallbackRouteError", true],
          ["InvalidProvider", false]
        ]
      )
      assert.strictEqual(actions[2]?.attributes.get("effect-doorman.provider"), "unknown")
      for (const span of spans) assert.notInclude(String(endOf(span)) + JSON.stringify([...span.attributes]), canary)
    }).pipe(
      at(
        config({
          adapter: store,
          providers: [...config().providers.slice(0, 1), password(() => Promise.reject(new Error(canary)))]
        }),
        provider
      )
    )
  })

  it.gen("are none where nothing is traced", at(config()), function* () {
    const person = browser()
    yield* person.signInWithPassword()
    const span = yield* Effect.option(Effect.currentSpan)
    assert.strictEqual(span._tag, "None")
  })
})
