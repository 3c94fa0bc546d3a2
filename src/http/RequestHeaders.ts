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

/**
 * Headers that are made when one of them is first read: most requests are answered without a look at them. The getter of an object
 * literal would do the same, but V8 gives each such object a hidden class of its own, which keeps the whole request in memory until
 * the next full garbage collection.
 */
class HeadersOnDemand implements RequestHeaders {
  readonly #make: () => Headers
  #made: Headers | undefined

  constructor(make: () => Headers) {
    this.#make = make
  }

  #headers(): Headers {
    return (this.#made ??= this.#make())
  }

  get(name: string): string | null {
    return this.#headers().get(name)
  }

  has(name: string): boolean {
    return this.#headers().has(name)
  }

  forEach(visit: Parameters<Headers["forEach"]>[0], self?: unknown): void {
    this.#headers().forEach(visit, self)
  }

  entries(): ReturnType<Headers["entries"]> {
    return this.#headers().entries()
  }

  keys(): ReturnType<Headers["keys"]> {
    return this.#headers().keys()
  }

  values(): ReturnType<Headers["values"]> {
    return this.#headers().values()
  }

  [Symbol.iterator](): ReturnType<Headers[typeof Symbol.iterator]> {
    return this.#headers()[Symbol.iterator]()
  }
}

/** The headers that a function makes when one of them is first read. */
export const headersOnDemand = (make: () => Headers): RequestHeaders => new HeadersOnDemand(make)

/** The same headers as functions of the application are given them. */
export const toWebHeaders = (headers: RequestHeaders): Headers =>
  headers instanceof Headers ? headers : new Headers([...headers])
