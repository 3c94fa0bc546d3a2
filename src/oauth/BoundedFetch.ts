/**
 * Calls a function like `fetch` and reads its answer to the end, within limits; plain code below the doors. It never
 * rejects: what went wrong is a value.
 *
 * @since 0.1.0
 */
import { readBounded } from "../internal/BoundedStream.ts"

/** What became of a call. */
export type Fetched =
  | {
      readonly _tag: "Answer"
      readonly status: number
      readonly headers: Headers
      readonly body: Uint8Array<ArrayBuffer>
    }
  | { readonly _tag: "Unreachable" | "BrokenOff"; readonly cause: unknown }
  | { readonly _tag: "TooLarge" | "Redirected" }

/** What a function of the application gave in the place of a response. */
const isResponse = (u: unknown): u is Response =>
  typeof u === "object" && u !== null && "status" in u && "headers" in u && "arrayBuffer" in u

const ignore = (): undefined => undefined

/** Makes a call; `signal` ends it, its answer included. */
export const boundedFetch = async (
  call: () => Promise<Response>,
  limit: number,
  signal: AbortSignal
): Promise<Fetched> => {
  let response: Response
  try {
    response = await call()
  } catch (cause) {
    return { _tag: "Unreachable", cause }
  }
  return isResponse(response) ? readResponse(response, limit, signal) : { _tag: "Unreachable", cause: undefined }
}

/** Reads a response that is there already; what is none counts as broken off. */
export const readResponse = async (response: Response, limit: number, signal?: AbortSignal): Promise<Fetched> => {
  if (!isResponse(response)) return { _tag: "BrokenOff", cause: undefined }
  const { body, headers, status } = response
  if (response.redirected) {
    if (body !== null) void body.cancel().catch(ignore)
    return { _tag: "Redirected" }
  }
  try {
    const bytes = body === null ? new Uint8Array(0) : await bytesOf(response, body, limit, signal)
    return bytes === "too_large" ? { _tag: "TooLarge" } : { _tag: "Answer", status, headers, body: bytes }
  } catch (cause) {
    return { _tag: "BrokenOff", cause }
  }
}

/** Some implementations of fetch have streams of their own: these are read at once. */
const bytesOf = async (
  response: Response,
  body: ReadableStream,
  limit: number,
  signal: AbortSignal | undefined
): Promise<Uint8Array<ArrayBuffer> | "too_large"> => {
  if (!(body instanceof ReadableStream)) {
    const whole = new Uint8Array(await response.arrayBuffer())
    return whole.byteLength > limit ? "too_large" : whole
  }
  const { bytes, cancel } = readBounded(body, limit)
  if (signal?.aborted === true) cancel()
  signal?.addEventListener("abort", cancel, { once: true })
  return bytes
}
