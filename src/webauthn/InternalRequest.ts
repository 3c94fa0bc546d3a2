/**
 * A request in the shape that functions of Auth.js providers know: plain members, with the query as a record.
 *
 * @since 0.1.0
 */
import type { AuthRequest } from "../http/AuthRequest.ts"

/** The request as functions of a provider are given it. Everything in it is a copy. @internal */
export const internalOf = (request: AuthRequest["Service"]): Readonly<Record<string, unknown>> => ({
  url: new URL(request.url),
  method: request.method,
  action: request.action,
  providerId: request.providerId,
  query: Object.fromEntries(request.url.searchParams),
  headers: Object.fromEntries(request.headers),
  cookies: Object.fromEntries(request.cookies.values),
  body: request.body === undefined ? undefined : { ...request.body }
})
