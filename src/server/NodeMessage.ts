/**
 * A message of `node:http` or `node:http2`, as the plain data that the Fetch standard makes of one, without a web `Request`.
 *
 * @since 0.1.0
 */
import type { IncomingMessage } from "node:http"
import type { Http2ServerRequest } from "node:http2"
import type { Readable } from "node:stream"
import { arrivalOf } from "../config/HostPolicy.ts"
import { type BodySource, collector, ofBytes, type Reading } from "../internal/BoundedStream.ts"
import type { RequestBody, RequestParts } from "../http/PlainExchange.ts"

/** A message, and what a parser in front of the handler made of its body. */
export type NodeMessage = (IncomingMessage | Http2ServerRequest) & { readonly body?: unknown }

/** The methods that are written in capitals whatever their case (Fetch section 2.2.1). */
const methodPattern = /^(?:DELETE|GET|HEAD|OPTIONS|POST|PUT)$/i

/** Methods that no web request has. */
const foreign = /^(?:CONNECT|TRACE|TRACK)$/i

/** RFC 9110 section 5.6.2. HTTP/2 frames a method of any text. */
const token = /^[\w!#$%&'*+.^`|~-]+$/

/** The method as a web request has it; `undefined` for one that none has. */
export const webMethod = (method = "GET"): string | undefined => {
  if (method === "GET" || method === "POST") return method
  if (foreign.test(method) || !token.test(method)) return undefined
  return methodPattern.test(method) ? method.toUpperCase() : method
}

/** Characters that no value of a header contains. A lenient parser of `node:http` lets it through. */
const foreignText = /[\0\r\n]|[^\0-\xff]/

/** The headers of a message, without those that name method, path and host in HTTP/2. */
export const webHeaders = (headers: object): Headers => {
  const made = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    if (!token.test(name)) continue
    const values: ReadonlyArray<unknown> = Array.isArray(value) ? value : [value]
    for (const one of values) if (typeof one === "string" && !foreignText.test(one)) made.append(name, one)
  }
  return made
}

/** The parts of a message. */
export const partsOf = (message: NodeMessage, method: string): RequestParts => {
  const isParsed = message.readableEnded && message.body !== undefined
  return {
    method,
    headers: isParsed ? parsedHeaders(message) : webHeaders(message.headers),
    cookie: message.headers.cookie,
    body: () => (isParsed ? parsedBody(message.body, message.headers["content-type"]) : bodyOf(message)),
    arrival: () => arrivalOf(message)
  }
}

/** A parsed body has neither the length nor the coding of the message. */
const parsedHeaders = ({ body, headers }: NodeMessage): Headers => {
  const requestHeaders = webHeaders(headers)
  // The parts are gone: their fields are written again as a form of one part.
  if (isMultipart(headers["content-type"]) && !(body instanceof Uint8Array) && typeof body !== "string")
    requestHeaders.set("content-type", formType)
  requestHeaders.delete("content-length")
  requestHeaders.delete("content-encoding")
  return requestHeaders
}

/** A parsed body, serialised again by its content type. */
const parsedBody = (body: unknown, type = ""): RequestBody => {
  if (body instanceof Uint8Array) return ofBytes(new Uint8Array(body))
  const isForm = type.toLowerCase().startsWith(formType) || isMultipart(type)
  const text = typeof body === "string" ? body : isForm ? formText(body) : jsonText(body)
  return text === undefined ? "used" : ofBytes(new TextEncoder().encode(text))
}

const formType = "application/x-www-form-urlencoded"

const isMultipart = (type = ""): boolean => type.toLowerCase().startsWith("multipart/form-data")

const formText = (body: unknown): string | undefined => {
  if (typeof body !== "object" || body === null) return undefined
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(body)) {
    const values: ReadonlyArray<unknown> = Array.isArray(value) ? value : [value]
    for (const one of values) {
      if (typeof one !== "string") return undefined
      form.append(name, one)
    }
  }
  return form.toString()
}

const jsonText = (body: unknown): string | undefined => {
  try {
    return JSON.stringify(body)
  } catch {
    return undefined
  }
}

/**
 * May a message have a body? What has no length and is not chunked has none (RFC 9112 section 6.3); HTTP/2 marks the end of
 * one by itself.
 */
export const mayHaveBody = ({ headers, httpVersionMajor }: NodeMessage): boolean => {
  const length = headers["content-length"]
  return headers["transfer-encoding"] !== undefined || (length === undefined ? httpVersionMajor !== 1 : length !== "0")
}

const bodyOf = (message: NodeMessage): RequestBody => {
  if (!mayHaveBody(message)) return null
  return message.readableDidRead ? "used" : ofMessage(message)
}

const ofMessage = (message: NodeMessage): BodySource => ({
  read: (limit) => readMessage(message, limit),
  // Otherwise it would be waited for before the connection's next request.
  cancel: () => void message.resume()
})

/** Collects the body of a message. What comes after the limit, or after it was given up, is thrown away. */
const readMessage = (message: Readable, limit: number): Reading => {
  const body = collector(limit)
  let cancel = (): void => undefined
  const bytes = new Promise<Uint8Array<ArrayBuffer> | "too_large">((resolve, reject) => {
    const take = (chunk: string | Uint8Array): void => {
      if (body.add(typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk)) return
      cancel()
      resolve("too_large")
    }
    const end = (): void => {
      cancel()
      resolve(body.bytes())
    }
    const breakOff = (): void => {
      cancel()
      reject(new Error("The connection was closed before the body ended"))
    }
    cancel = () => {
      message.off("data", take).off("end", end).off("close", breakOff).off("error", breakOff)
    }
    if (message.destroyed) return breakOff()
    message.on("data", take).on("end", end).on("close", breakOff).on("error", breakOff).resume()
  })
  return { bytes, cancel: () => cancel() }
}
