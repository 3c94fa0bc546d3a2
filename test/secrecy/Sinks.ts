/**
 * Everything that a program says to somebody, as text and by the place where it is said: what each logger of Effect writes of
 * an entry, what a tracer is given, metrics and their export, audit events, failures, answers, and requests to others.
 */
import { inspect } from "node:util"
import * as Cause from "effect/Cause"
import * as Console from "effect/Console"
import * as Context from "effect/Context"
import * as Exit from "effect/Exit"
import * as Formatter from "effect/Formatter"
import * as Logger from "effect/Logger"
import type * as LogLevel from "effect/LogLevel"
import * as Metric from "effect/Metric"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"
import * as References from "effect/References"
import * as Tracer from "effect/Tracer"
import { LogLimit, noLimit } from "../../src/telemetry/LogLimit.ts"
import { everything } from "./Watched.ts"

/** Where something is said. */
export type Sink =
  | "audit event"
  | "body"
  | "cookie"
  | "failure"
  | "header"
  | "location"
  | "log cause"
  | "log message"
  | "log line"
  | "log on a span"
  | "metric"
  | "page"
  | "problem"
  | "request address"
  | "span"
  | "span of the server"

export interface Said {
  readonly sink: Sink
  readonly text: string
  /** The request of an answer. */
  readonly path?: string
}

const quietly = (render: () => unknown): string => {
  try {
    return String(render())
  } catch (cause) {
    return `cannot be shown: ${inspect(cause)}`
  }
}

/** A value as it may end up in a text: by inspection, as text, as JSON, by Effect's formatter, and as a cause. */
export const renderings = (value: unknown): ReadonlyArray<string> => [
  everything(value),
  quietly(() => inspect(value, { depth: 12 })),
  quietly(() => String(value)),
  quietly(() => JSON.stringify(value)),
  quietly(() => Formatter.format(value)),
  ...(value instanceof Error ? [quietly(() => value.stack)] : []),
  ...(Cause.isCause(value) ? [quietly(() => Cause.pretty(value)), everything(Cause.squash(value))] : [])
]

export interface Sinks {
  readonly said: Array<Said>
  readonly say: (sink: Sink, ...texts: ReadonlyArray<string>) => void
  readonly spans: Array<Tracer.NativeSpan>
  /** Tracer, loggers, console, level and registry, for the context of a request or a layer. */
  readonly context: Context.Context<never>
  /** All that was said, spans and metrics as they are now included. */
  readonly all: () => ReadonlyArray<Said>
}

/** A console of which everything is heard. */
const consoleTo = (hear: (text: string) => void): Console.Console => {
  const write = (...words: ReadonlyArray<unknown>): void =>
    hear(words.map((word) => (typeof word === "string" ? word : everything(word))).join(" "))
  return new Proxy(globalThis.console, {
    get: (target, name): unknown =>
      ["debug", "error", "group", "groupCollapsed", "info", "log", "trace", "warn"].includes(String(name))
        ? write
        : Reflect.get(target, name)
  })
}

const spanText = ({ attributes, links, name, status }: Tracer.NativeSpan): ReadonlyArray<string> => {
  const failed = status._tag === "Ended" && Exit.isFailure(status.exit) ? status.exit : undefined
  const reasons =
    failed === undefined
      ? []
      : [Cause.pretty(failed.cause), ...Cause.prettyErrors(failed.cause).flatMap((error) => renderings(error))]
  return [
    everything([name, [...attributes]]),
    ...links.map(({ attributes: tags }) => everything(tags)),
    ...reasons,
    ...(failed === undefined ? [] : renderings(failed.cause))
  ]
}

/** Places to say something, all of which are listened to. */
export const make = (level: LogLevel.LogLevel): Sinks => {
  const said: Array<Said> = []
  const spans: Array<Tracer.NativeSpan> = []
  const registry: typeof Metric.MetricRegistry.Service = new Map()
  const say: Sinks["say"] = (sink, ...texts) => void said.push(...texts.map((text) => ({ sink, text })))
  const raw = Logger.make<unknown, void>((entry) => {
    say("log message", ...(Array.isArray(entry.message) ? entry.message : [entry.message]).flatMap(renderings))
    if (entry.cause.reasons.length > 0) say("log cause", ...renderings(entry.cause))
    const annotations = entry.fiber.getRef(References.CurrentLogAnnotations)
    say("log line", everything([annotations, entry.fiber.getRef(References.CurrentLogSpans)]))
    for (const format of [Logger.formatSimple, Logger.formatLogFmt, Logger.formatJson]) {
      say("log line", format.log(entry))
    }
    say("log line", everything(Logger.formatStructured.log(entry)))
  })
  const pretty = Logger.consolePretty({ colors: false, mode: "tty" })
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  const context = Context.empty().pipe(
    Context.add(Tracer.Tracer, tracer),
    Context.add(Logger.CurrentLoggers, new Set<Logger.Logger<unknown, unknown>>([raw, pretty, Logger.tracerLogger])),
    Context.add(References.MinimumLogLevel, level),
    Context.add(LogLimit, noLimit),
    Context.add(
      Console.Console,
      consoleTo((text) => say("log line", text))
    ),
    Context.add(Metric.MetricRegistry, registry)
  )
  return {
    said,
    say,
    spans,
    context,
    all: () => [
      ...said,
      ...spans.flatMap((span) =>
        spanText(span).map((text) => ({ sink: span.kind === "server" ? "span of the server" : "span", text }) as const)
      ),
      // Effect writes log entries on the span that they belong to.
      ...spans.flatMap(({ events }) =>
        events.map((event) => ({ sink: "log on a span", text: everything(event) }) as const)
      ),
      ...[
        PrometheusMetrics.formatUnsafe(context),
        everything(Metric.snapshotUnsafe(context)),
        ...[...registry].map((entry) => everything(entry))
      ].map((text) => ({ sink: "metric", text }) as const)
    ]
  }
}
