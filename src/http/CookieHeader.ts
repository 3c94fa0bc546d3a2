/**
 * Reading a `Cookie` request header (RFC 6265 section 4.2) into plain data.
 *
 * Tolerant: whatever a browser or an attacker sends gives a map and never an exception. Writing cookies is not done here.
 */

/**
 * The cookies of a request.
 */
export interface CookieHeader {
  /** Decoded values; of cookies with one name the first that could be decoded. */
  readonly values: ReadonlyMap<string, string>
  /**
   * For every name that came more than once with different values: the distinct values, at most five, in the order of
   * the header. Absent when there is no such name.
   */
  readonly conflicts: ReadonlyMap<string, ReadonlyArray<string>> | undefined
  /** Bytes of the header as it came, with all that is ignored. Absent where there was no header. */
  readonly size?: number
}

/** More pairs than any browser sends; what follows them is ignored. */
const maxPairs = 4096

/** One more than is ever tried: so it shows when there were too many. */
const maxConflictingValues = 5

const semicolon = ";"

/**
 * Parses a `Cookie` header. A pair without a name, without `=`, or whose value is not valid percent-encoding is ignored;
 * a value in quotation marks loses them. Browsers may send cookies of one name in any order, so the order means nothing.
 */
export const parseCookieHeader = (header: string | null | undefined): CookieHeader => {
  const values = new Map<string, string>()
  let conflicts: Map<string, Array<string>> | undefined
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
      if (value !== undefined) {
        const first = values.get(name)
        if (first === undefined) values.set(name, value)
        else if (first !== value)
          conflicts = addConflict(conflicts ?? new Map<string, Array<string>>(), name, first, value)
      }
    }
    start = end + 1
  }
  return { values, conflicts, size: header.length }
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

/**
 * The text behind a percent-encoded one (RFC 3986 section 2.1), or `undefined` when the encoding is not valid UTF-8.
 */
export const percentDecoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
