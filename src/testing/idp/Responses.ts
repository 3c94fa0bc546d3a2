/**
 * Faults of a response that do not depend on its content.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { ConnectionRefused, type ResponseChange } from "./Fault.ts"

/** A JSON response with `Cache-Control: no-store` (RFC 6749 section 5.1). */
export const json = (body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(typeof body === "string" ? body : JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json", "cache-control": "no-store", ...headers }
  })

const instead =
  (make: () => Response): ResponseChange =>
  () =>
    Effect.sync(make)

/** The connection is refused. */
export const refusesConnections: ResponseChange = () => Effect.fail(new ConnectionRefused({ code: "ECONNREFUSED" }))

/** Another answer altogether. */
export const answers = (status: number, body: unknown): ResponseChange => instead(() => json(body, status))

/** An error of the server. */
export const down: ResponseChange = answers(503, { error: "the test provider is down" })

/** A minute passes before the answer. */
export const slow: ResponseChange = Effect.delay("1 minute")

/** Five seconds pass before the answer. */
export const leisurely: ResponseChange = Effect.delay("5 seconds")

/** No JSON, although it says so. */
export const malformedJson: ResponseChange = instead(() => json('{"issuer": "https://'))

/** An HTML page. */
export const html: ResponseChange = instead(
  () => new Response("<!doctype html><p>Sign in to the network", { headers: { "content-type": "text/html" } })
)

/** The way to another host. */
export const redirects: ResponseChange = instead(
  () => new Response(null, { status: 302, headers: { location: "https://elsewhere.test/" } })
)

/** The honest answer with a mebibyte of spaces in front. */
export const huge: ResponseChange = Effect.flatMap((response) =>
  Effect.map(
    Effect.promise(() => response.text()),
    (text) => json(" ".repeat(1_048_576) + text, response.status)
  )
)

/** The connection ends in the middle of the answer. */
export const brokenOff: ResponseChange = instead(
  () =>
    new Response(
      new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode('{"')),
        pull: (controller) => controller.error(new TypeError("the connection was closed"))
      }),
      { headers: { "content-type": "application/json" } }
    )
)

/** The response has unknown members beside the known ones. */
export const talkative: ResponseChange = Effect.flatMap((response) =>
  Effect.map(
    Effect.promise(() => response.json()),
    (body: unknown) =>
      json({ ...(typeof body === "object" ? body : {}), "x-test": { of: ["many", null, 1] } }, response.status)
  )
)
