/**
 * The `Cookie` header of a request (RFC 6265 section 4.2): its cookies, values that are too long for one cookie, and how many
 * bytes a header may have.
 *
 * Plain data in, plain data out. Any header that a browser or an attacker sends is read without an exception. Names,
 * attributes and the `Set-Cookie` header are in `Cookie.ts`.
 */

/**
 * The cookies of a request.
 *
 * @category models
 * @since 0.1.0
 */
export interface CookieHeader {
  /** Decoded values; of cookies with one name the first that could be decoded. */
  readonly values: ReadonlyMap<string, string>
  /**
   * For every name that came more than once with different values: the distinct values, at most five, in the order of
   * the header. Absent when there is no such name.
   */
  readonly conflicts: ReadonlyMap<string, ReadonlyArray<string>> | undefined
  /** Names of cookies with a value that is not valid percent-encoding. Absent where every value is valid. */
  readonly undecodable?: ReadonlySet<string>
  /** Bytes of the header as it came, with all that is ignored. Absent where there was no header. */
  readonly size?: number
}

/** The value of a cookie; of several the first. */
export const valueOfCookie = (cookies: CookieHeader, name: string): string | undefined => cookies.values.get(name)

/** The value of a cookie that did not come with another value as well. */
export const singleValueOf = ({ conflicts, values }: CookieHeader, name: string): string | undefined =>
  conflicts?.has(name) === true ? undefined : values.get(name)

/** More pairs than any browser sends; what follows them is ignored. */
const maxPairs = 4096

/** One more than is ever tried, so that too many are noticed. */
const maxConflictingValues = 5

const semicolon = ";"

/**
 * Parses a `Cookie` header. A pair without a name or without `=` is ignored, and of one whose value is not valid percent-encoding
 * the name alone counts; a value in quotation marks loses them. Browsers may send cookies of one name in any order, so the order means nothing.
 */
export const parseCookieHeader = (header: string | null | undefined): CookieHeader => {
  const values = new Map<string, string>()
  let conflicts: Map<string, Array<string>> | undefined
  let undecodable: Set<string> | undefined
  if (header === null || header === undefined) return { values, conflicts }
  let start = 0
  let equals = -1
  for (let pairs = 0; start < header.length && pairs < maxPairs; pairs++) {
    const next = header.indexOf(semicolon, start)
    const end = next === -1 ? header.length : next
    // Searched again only behind the last one found, so that pairs without "=" do not cost a scan each.
    if (equals < start) equals = header.indexOf("=", start)
    if (equals === -1) break
    if (equals < end) {
      const name = trim(header, start, equals)
      const value = name === "" ? undefined : cookieValue(trim(header, equals + 1, end))
      if (value === undefined) undecodable = (undecodable ?? new Set<string>()).add(name)
      else {
        const first = values.get(name)
        if (first === undefined) values.set(name, value)
        else if (first !== value)
          conflicts = addConflict(conflicts ?? new Map<string, Array<string>>(), name, first, value)
      }
    }
    start = end + 1
  }
  return undecodable === undefined
    ? { values, conflicts, size: header.length }
    : { values, conflicts, size: header.length, undecodable }
}

const addConflict = (
  conflicts: Map<string, Array<string>>,
  name: string,
  first: string,
  value: string
): Map<string, Array<string>> => {
  const conflict = conflicts.get(name)
  if (conflict === undefined) conflicts.set(name, [first, value])
  else if (conflict.length < maxConflictingValues && !conflict.includes(value)) conflict.push(value)
  return conflicts
}

const isBlank = (code: number): boolean => code === 32 || code === 9

const trim = (header: string, start: number, end: number): string => {
  let from = start
  let to = end
  while (from < to && isBlank(header.charCodeAt(from))) from++
  while (to > from && isBlank(header.charCodeAt(to - 1))) to--
  return header.slice(from, to)
}

const cookieValue = (raw: string): string | undefined => {
  const value = raw.length > 1 && raw.startsWith('"') && raw.endsWith('"') ? raw.slice(1, -1) : raw
  return value.includes("%") ? percentDecoded(value) : value
}

/** The text behind a percent-encoded one (RFC 3986 section 2.1), or `undefined` when the encoding is not valid UTF-8. */
export const percentDecoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Why no value, or not only one, could be read. */
export type CookieProblem = "chunks_incomplete" | "chunks_beside_plain" | "conflicting_values"

/** A cookie of a request, whose value may be spread over several: `name` alone, or `name.0`, `name.1` and so on. */
export interface ReadCookie {
  /**
   * What the cookie may hold, best first and at most four: the plain cookie, then the joined chunks, then other values
   * sent under the plain name. Normally none or one; with several, the first that can be verified counts.
   */
  readonly candidates: ReadonlyArray<string>
  /** Names received that belong to this cookie, at most 20; a deletion of each cleans up. */
  readonly names: ReadonlyArray<string>
  /** What is wrong with the cookies received; `undefined` when nothing is. */
  readonly problem: CookieProblem | undefined
  /** There were more values under the plain name than candidates. */
  readonly isCut?: boolean
}

/** One cookie to write. */
export interface CookiePair {
  readonly name: string
  readonly value: string
}

/** The cookies for a value, or why there are none. */
export type WrittenCookie =
  /** `size` is what they take of the `Cookie` header of a request, as {@link headerSize} counts. */
  | { readonly ok: true; readonly cookies: ReadonlyArray<CookiePair>; readonly size: number }
  | { readonly ok: false; readonly reason: "too_large" | "not_ascii"; readonly size: number; readonly limit: number }

/**
 * Characters of a value in one cookie: browsers refuse one whose name and value have more than 4096 bytes (RFC 6265bis section
 * 5.6), less what name and attributes take where they count too.
 */
export const chunkLength = 3936

/** Most cookies that one value is spread over. */
export const maxChunks = 5

/** Most names that {@link readCookie} reports. */
export const maxNames = 20

const maxCandidates = 4
/** Bytes of name and value of the largest cookie that a browser keeps (RFC 6265bis section 5.6). */
export const maxCookieLength = 4096

/**
 * Finds the value of the cookie `name`.
 *
 * Chunks count only as the exact set 0 to n-1 with n at most {@link maxChunks}, each index written canonically and each
 * chunk sent with one value; an index beyond that is only reported for deletion. A plain cookie takes precedence over
 * chunks. Empty cookies hold nothing. A name that only begins like this one is that of another cookie.
 */
export const readCookie = (header: CookieHeader, name: string): ReadCookie => {
  const { conflicts, undecodable, values } = header
  const plain = values.get(name) ?? ""
  const names: Array<string> = values.has(name) ? [name] : []
  if (undecodable !== undefined) names.push(...undecodableNames(undecodable, values, name))
  if (conflicts === undefined && !hasChunks(values, name))
    return { candidates: plain === "" ? [] : [plain], names, problem: undefined }
  const chunks: Array<string> = []
  const strays: Array<string> = []
  const chunkPrefix = `${name}.`
  let count = 0
  let chunkConflict = false
  for (const [other, value] of values) {
    if (!other.startsWith(chunkPrefix)) continue
    const index = chunkIndex(other.slice(chunkPrefix.length))
    if (index === undefined) {
      if (strays.length < maxNames && numberLike.test(other.slice(chunkPrefix.length))) strays.push(other)
      continue
    }
    names.push(other)
    if (value === "") continue
    chunks[index] = value
    count++
    chunkConflict ||= conflicts?.has(other) === true
  }
  names.push(...strays.slice(0, Math.max(0, maxNames - names.length)))
  const whole = count > 0 && count === chunks.length && !chunkConflict
  const plainValues = conflicts?.get(name)
  const candidates: Array<string> = []
  for (const value of [plain, whole ? chunks.join("") : "", ...(plainValues ?? [])]) {
    if (value !== "" && candidates.length < maxCandidates && !candidates.includes(value)) candidates.push(value)
  }
  const conflicting = plainValues !== undefined || chunkConflict
  const problem = problemOf(conflicting, plain !== "", count + strays.length > 0, whole)
  return (plainValues?.length ?? 0) > maxCandidates
    ? { candidates, names, problem, isCut: true }
    : { candidates, names, problem }
}

/** The names of a cookie and of its chunks that came without a value that could be read. */
const undecodableNames = (
  undecodable: ReadonlySet<string>,
  values: CookieHeader["values"],
  name: string
): ReadonlyArray<string> =>
  [...undecodable]
    .filter((other) => !values.has(other))
    .filter(
      (other) => other === name || (other.startsWith(`${name}.`) && numberLike.test(other.slice(name.length + 1)))
    )
    .slice(0, maxNames)

/** Most cookies are not chunked: then there is nothing to put together. */
const hasChunks = (values: CookieHeader["values"], name: string): boolean => {
  for (const other of values.keys()) {
    if (other.length > name.length && other.charCodeAt(name.length) === dot && other.startsWith(name)) return true
  }
  return false
}

const dot = 46

const problemOf = (
  conflicting: boolean,
  plain: boolean,
  chunks: boolean,
  whole: boolean
): CookieProblem | undefined => {
  if (conflicting) return "conflicting_values"
  if (plain && chunks) return "chunks_beside_plain"
  return chunks && !whole ? "chunks_incomplete" : undefined
}

const canonicalIndex = /^(?:0|[1-9][0-9]?)$/
const numberLike = /^[+-]?[0-9][0-9eE.+-]{0,15}$/

/** The index of a chunk as it is written; `undefined` for any other suffix. */
const chunkIndex = (suffix: string): number | undefined => {
  const index = canonicalIndex.test(suffix) ? Number(suffix) : maxChunks
  return index < maxChunks ? index : undefined
}

/**
 * Spreads a value over as few cookies as it needs: the plain name when it fits, chunks otherwise.
 *
 * The value is taken as it is and measured as it will be sent, percent-encoded. Only printable ASCII is accepted; what
 * needs more than {@link maxChunks} cookies is refused. An empty value needs no cookie.
 */
export const writeCookie = (name: string, value: string): WrittenCookie => {
  const isPlain = unreserved.test(value)
  const limit = Math.min(chunkLength, maxCookieLength - name.length - 3)
  const total = limit * maxChunks
  if (!isPlain && !/^[\x20-\x7e]*$/.test(value)) {
    return { ok: false, reason: "not_ascii", size: value.length, limit: total }
  }
  const size = isPlain ? value.length : encodeURIComponent(value).length
  if (size > total) return { ok: false, reason: "too_large", size, limit: total }
  if (value === "") return { ok: true, cookies: [], size: 0 }
  if (size <= limit)
    return {
      ok: true,
      cookies: [{ name, value }],
      size: size + name.length + around
    }
  const pieces = isPlain ? evenPieces(value, limit) : sentPieces(value, limit)
  if (pieces.length > maxChunks) return { ok: false, reason: "too_large", size, limit: total }
  return {
    ok: true,
    cookies: pieces.map((piece, index) => ({
      name: `${name}.${index}`,
      value: piece
    })),
    size: size + pieces.length * (name.length + ".0".length + around)
  }
}

/** What percent-encoding leaves alone: sealed tokens, which are the long values. */
const unreserved = /^[\w.~-]*$/

/** Bytes of a cookie in the `Cookie` header beside its name and value. */
const around = "=; ".length

/**
 * Most bytes of the cookies of a request: servers refuse one with a longer header field. Apache takes 8190 bytes a field
 * (LimitRequestFieldSize), nginx 8192 (large_client_header_buffers); Node takes 16 384 for all fields (maxHeaderSize).
 */
export const largestField = 8190 - "cookie: ".length

/** Bytes of that field which a sign-in leaves to what comes later: an attempt, a callback URL, a session that grows. */
export const reserve = 1200

/** Bytes that cookies take of the `Cookie` header of a request (RFC 6265 section 4.2.1). An empty value is a removal. */
export const headerSize = (cookies: Iterable<CookiePair>): number => {
  let size = 0
  for (const cookie of cookies) size += pairSize(cookie)
  return size
}

const pairSize = ({ name, value }: CookiePair): number => (value === "" ? 0 : name.length + sentLength(value) + around)

/**
 * Bytes of the `Cookie` header of the request that follows an answer. What the answer does not change is counted as it came,
 * because cookies of the application need not be encoded, or decodable.
 */
export const sizeAfter = (header: CookieHeader, changes: ReadonlyArray<CookiePair>): number => {
  let bytes = sizeBefore(header)
  changes.forEach((change, index) => {
    const { name } = change
    if (changes.findLastIndex((other) => other.name === name) !== index) return
    bytes += pairSize(change) - pairSize({ name, value: valueOfCookie(header, name) ?? "" })
  })
  return bytes
}

/** At least as many bytes, where nothing that is replaced is measured. */
export const largestAfter = (header: CookieHeader, changes: ReadonlyArray<CookiePair>): number =>
  sizeBefore(header) + headerSize(changes)

/** As {@link sizeAfter}, without the cookies whose names leave. */
export const sizeWithout = (header: CookieHeader, leaves: (name: string) => boolean): number => {
  let bytes = sizeBefore(header)
  for (const [name, value] of header.values) if (leaves(name)) bytes -= pairSize({ name, value })
  return bytes
}

/** Bytes of the cookies as they came, each with what separates it. */
const sizeBefore = (header: CookieHeader): number =>
  header.size === undefined
    ? headerSize(Array.from(header.values, ([name, value]) => ({ name, value })))
    : header.size + "; ".length

const sentLength = (value: string): number => (unreserved.test(value) ? value.length : encodeURIComponent(value).length)

const evenPieces = (value: string, limit: number): ReadonlyArray<string> =>
  Array.from({ length: Math.ceil(value.length / limit) }, (_, index) => value.slice(index * limit, (index + 1) * limit))

/** Cuts between characters so that no piece is longer than `limit` once it is percent-encoded. */
const sentPieces = (value: string, limit: number): ReadonlyArray<string> => {
  const pieces: Array<string> = []
  let start = 0
  let length = 0
  for (let at = 0; at < value.length; at++) {
    const sent = sentLength(value.charAt(at))
    if (length + sent > limit) {
      pieces.push(value.slice(start, at))
      start = at
      length = 0
    }
    length += sent
  }
  pieces.push(value.slice(start))
  return pieces
}
