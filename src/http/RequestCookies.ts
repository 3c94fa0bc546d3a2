/**
 * The cookies of a request, read when they are asked for.
 *
 * A site may have a hundred cookies beside those of the library. A question about one name reads the pairs of that name alone, and
 * a question about all cookies reads all. `parseCookieHeader` reads both, so a header has one meaning.
 *
 * A client chooses the names of chunks, and each may begin like the next. The search for the cookie has read them all, so that no
 * chunk is searched for again.
 */
import { type CookieHeader, isBlank, maxPairs, parseCookieHeader } from "./CookieHeader.ts"

/** The cookies of a `Cookie` header. One with few characters is read at once, which takes less than to search it. */
export const readCookies = (header: string | null | undefined): CookieHeader =>
  header === null || header === undefined || header.length < shortest
    ? parseCookieHeader(header)
    : new RequestCookies(header)

/** Characters of the shortest header that takes longer to read than to search. */
const shortest = 1024

class RequestCookies implements CookieHeader {
  readonly size: number
  readonly #header: string
  readonly #results = new Map<string, CookieHeader>()
  #all: CookieHeader | undefined

  constructor(header: string) {
    this.size = header.length
    this.#header = readablePart(header)
  }

  get values(): CookieHeader["values"] {
    return this.#readAll().values
  }

  get conflicts(): CookieHeader["conflicts"] {
    return this.#readAll().conflicts
  }

  search(name: string): CookieHeader {
    if (this.#all !== undefined || name === "") return this.#readAll()
    // A search for the beginning of a name has read the cookies of that name too.
    for (const [beginning, result] of this.#results) if (name.startsWith(beginning)) return result
    const result = parseCookieHeader(partWith(this.#header, name))
    this.#results.set(name, result)
    return result
  }

  #readAll(): CookieHeader {
    return (this.#all ??= parseCookieHeader(this.#header))
  }
}

/** The part of a header from the first pair to the last whose name begins with `name`. It has the other pairs between them too. */
const partWith = (header: string, name: string): string => {
  let start: number | undefined
  let end = 0
  for (let at = header.indexOf(name); at !== -1; at = header.indexOf(name, at + 1)) {
    if (!beginsPair(header, at)) continue
    start ??= at
    const next = header.indexOf(";", at)
    end = next === -1 ? header.length : next
  }
  return header.slice(start, end)
}

/** Are there only blanks between this place and the pair before? */
const beginsPair = (header: string, at: number): boolean => {
  let before = at - 1
  while (isBlank(header.charCodeAt(before))) before--
  return before < 0 || header[before] === ";"
}

/** The header up to the last pair that is read. So many characters have no more pairs. */
const readablePart = (header: string): string => {
  if (header.length <= maxPairs) return header
  let end = -1
  for (let pairs = 0; pairs < maxPairs; pairs++) {
    end = header.indexOf(";", end + 1)
    if (end === -1) return header
  }
  return header.slice(0, end)
}
