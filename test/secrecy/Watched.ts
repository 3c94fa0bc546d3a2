/**
 * Everything that leaves a program: what is logged in every format, spans with their attributes, answers, failures.
 */
import { inspect } from "node:util"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Metric from "effect/Metric"
import * as References from "effect/References"
import { TestClock } from "effect/testing"
import * as Tracer from "effect/Tracer"
import * as Audit from "../../src/Audit.ts"
import type { Options } from "../../src/config/Settings.ts"
import type * as Services from "../../src/composition/Services.ts"
import { layer as servicesLayer } from "../ServicesLayer.ts"
import * as Telemetry from "../../src/Telemetry.ts"
import { LogLimit, noLimit } from "../../src/telemetry/LogLimit.ts"
import { type Browser, browser, type Seen, start } from "../Browser.ts"
import { type MemoryProvider, memoryProvider } from "../MemoryProvider.ts"
import { countedBytes } from "../Visitor.ts"
import { forLayer } from "../ForLayer.ts"

/** All that can be seen of a value, hidden members and causes included. */
export const everything = (value: unknown): string =>
  inspect(value, { depth: 12, showHidden: true, maxStringLength: null, maxArrayLength: null, breakLength: Infinity })

export interface Watched {
  readonly provider: MemoryProvider
  /** One text for each logged entry and format. */
  readonly logged: Array<string>
  /** Entries at level Error, Warn or Info. */
  readonly lines: Array<{ readonly level: string; readonly message: unknown }>
  readonly spans: Array<Tracer.NativeSpan>
  /** Audit events. */
  readonly events: Array<Audit.AuditEvent>
  /** The counts: one string for each series. */
  readonly series: () => ReadonlyArray<string>
  readonly seen: Array<Seen>
  /** A browser whose answers are kept in `seen`. */
  readonly person: () => Browser
  readonly layer: Layer.Layer<Services.Services, unknown>
}

/** The clock of the test, on which nobody waits for less than a second: what is tried again is tried again at once. */
export const hurried = Layer.effect(
  Clock.Clock,
  Effect.clockWith((clock) =>
    Effect.succeed(
      Object.assign(Object.create(clock) as Clock.Clock, {
        sleep: (duration: Duration.Duration) =>
          Duration.toMillis(duration) < 1000 ? Effect.yieldNow : clock.sleep(duration)
      })
    )
  )
)

export const watch = (options: Options, provider: MemoryProvider = memoryProvider()): Watched => {
  const logged: Array<string> = []
  const lines: Watched["lines"] = []
  const spans: Array<Tracer.NativeSpan> = []
  const events: Array<Audit.AuditEvent> = []
  const registry: typeof Metric.MetricRegistry.Service = new Map()
  const seen: Array<Seen> = []
  const kept = Logger.make<unknown, void>((entry) => {
    logged.push(everything([entry.message, entry.cause]))
    logged.push(String(Logger.formatSimple.log(entry)), String(Logger.formatLogFmt.log(entry)))
    logged.push(String(Logger.formatJson.log(entry)), everything(Logger.formatStructured.log(entry)))
    for (const message of Array.isArray(entry.message) ? entry.message : [entry.message]) {
      lines.push({ level: entry.logLevel, message })
    }
  })
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  const person = () => {
    const one = browser()
    const send: Browser["send"] = (method, url, extra) =>
      Effect.tap(one.send(method, url, extra), (answer) => Effect.sync(() => void seen.push(answer))).pipe(
        Effect.withSpan("request")
      )
    return { ...one, send, get: (path: string | URL, headers = {}) => send("GET", path, { headers }) }
  }
  return {
    provider,
    logged,
    lines,
    spans,
    events,
    series: () => [...registry].map(([key, { attributes, id }]) => everything([key, id, attributes])),
    seen,
    person,
    layer: servicesLayer(forLayer(options)).pipe(
      Layer.provideMerge(countedBytes()),
      Layer.provide(provider.layer),
      Layer.merge(Logger.layer([kept, Logger.tracerLogger])),
      Layer.merge(Layer.succeed(References.MinimumLogLevel, "All")),
      Layer.merge(Layer.succeed(LogLimit, noLimit)),
      Layer.merge(Layer.succeed(Tracer.Tracer, tracer)),
      Layer.merge(Audit.layerSink((event) => Effect.sync(() => events.push(event)))),
      Layer.merge(Telemetry.layer),
      Layer.merge(Layer.succeed(Metric.MetricRegistry, registry)),
      Layer.tap(() => TestClock.setTime(start)),
      Layer.provideMerge(hurried)
    )
  }
}
