/**
 * The headers of a request, whatever server it came through.
 *
 * @since 0.1.0
 */

/**
 * The members of the web's `Headers` that read.
 *
 * @category models
 * @since 0.1.0
 */
export type RequestHeaders = Pick<
  Headers,
  "entries" | "forEach" | "get" | "has" | "keys" | "values" | typeof Symbol.iterator
>

/** The same headers as functions of the application are given them. */
export const toWebHeaders = (headers: RequestHeaders): Headers =>
  headers instanceof Headers ? headers : new Headers([...headers])
