/**
 * A request and its answer as plain data, whatever server they came through: what the engine takes and gives where no web
 * `Request` and `Response` are made. Nothing of Effect is imported.
 *
 * @since 0.1.0
 */
import type { Arrival } from "./Arrival.ts"
import type { BodySource } from "../internal/BoundedStream.ts"
import type { RequestHeaders } from "./RequestHeaders.ts"

/** The body of a request as it arrives; `null` for none, `used` when it was read before. */
export type RequestBody = BodySource | null | "used"

/** The parts of a request. */
export interface RequestParts {
  readonly method: string
  readonly headers: RequestHeaders
  readonly cookie: string | null | undefined
  /** Asked for with POST alone. */
  readonly body: () => RequestBody
  readonly arrival: () => Arrival
}

/** An encoded response. */
export interface WireResponse {
  readonly status: number
  /** All headers but those that set cookies. */
  readonly headers: Readonly<Record<string, string>>
  /** The values of the `Set-Cookie` headers. */
  readonly cookies: ReadonlyArray<string>
  /** `null` for none. */
  readonly body: string | null
}

/** What becomes of a request: its answer, or a defect. */
export type Outcome = WireResponse | { readonly defect: unknown }

/** The engine of `createAuth` for servers of another kind. Both functions call `done` once, possibly before they return. */
export interface PlainEngine {
  /**
   * Answers a request whose public URL is `url`. The result gives the request up: then `done` may never be called. `undefined`
   * when `done` was called already.
   */
  readonly answer: (request: RequestParts, url: URL, done: (outcome: Outcome) => void) => (() => void) | undefined
  /** Logs what was thrown for a request, and answers it. */
  readonly fail: (thrown: unknown, request: RequestParts, url: URL, done: (response: WireResponse) => void) => void
}

/** As a key of the `handler` of `createAuth`: the engine behind it, for `effect-doorman/node`. */
export const plainEngine: unique symbol = Symbol.for("effect-doorman/plain-engine")

/**
 * A handler of the web that may have its engine at hand. The engine is loaded by the first request.
 *
 * @category models
 * @since 0.1.0
 */
export interface EngineHandler {
  (request: Request): Promise<Response>
  readonly [plainEngine]?: () => PlainEngine | Promise<PlainEngine>
}
