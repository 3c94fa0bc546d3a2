/**
 * Source maps that lead to lines: for stack traces, at a third of the size of maps that lead to columns and names.
 */

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

/** The numbers of a segment (base64 VLQ, ECMA-426 section 6). @param {string} segment */
const decode = (segment) => {
  /** @type {Array<number>} */
  const numbers = []
  let [bits, shift] = [0, 0]
  for (const character of segment) {
    const digit = digits.indexOf(character)
    bits |= (digit & 31) << shift
    shift += 5
    if ((digit & 32) !== 0) continue
    numbers.push((bits & 1) === 1 ? -(bits >> 1) : bits >> 1)
    bits = shift = 0
  }
  return numbers
}

/** @param {number} number */
const encode = (number) => {
  let bits = number < 0 ? (-number << 1) | 1 : number << 1
  let text = ""
  do {
    const digit = bits & 31
    bits >>>= 5
    text += digits[bits > 0 ? digit | 32 : digit]
  } while (bits > 0)
  return text
}

/**
 * The places of a map, a list for each generated line. @param {string} mappings
 * @returns {ReadonlyArray<ReadonlyArray<{ readonly column: number, readonly source: number, readonly line: number }>>}
 */
const placesOf = (mappings) => {
  let [source, line] = [0, 0]
  return mappings.split(";").map((text) => {
    let column = 0
    return (text === "" ? [] : text.split(",")).map((segment) => {
      const [columns = 0, sourceStep = 0, lineStep = 0] = decode(segment)
      column += columns
      source += sourceStep
      line += lineStep
      return { column, source: segment.length > 1 ? source : -1, line }
    })
  })
}

/** Where a column of the code before stands in a line. @param {import("./compact.mjs").Line} line @param {number} column */
const columnIn = ({ indent, inserted }, column) => {
  const before = Math.max(column - indent, 0)
  return inserted.reduce((sum, { at, text }) => (at <= before ? sum + text.length : sum), before)
}

/**
 * The map of the lines that `compact` left, with one segment for each line of a source that `keeps` names, and without names. Other
 * sources lead nowhere.
 *
 * @param {{ readonly sources: ReadonlyArray<string>, readonly mappings: string }} map
 * @param {(source: string) => boolean} keeps
 * @param {ReadonlyArray<import("./compact.mjs").Line>} left
 */
export const lineMap = ({ mappings, sources }, keeps, left) => {
  const kept = sources.filter(keeps)
  const positions = sources.map((source) => kept.indexOf(source))
  const places = placesOf(mappings)
  let [lastSource, lastLine] = [0, 0]
  const lines = left.map((written) => {
    let lastColumn = 0
    let current = "none"
    /** @type {Array<string>} */
    const segments = []
    for (const { column, line, source } of places[written.number] ?? []) {
      const position = positions[source] ?? -1
      const place = position < 0 ? "none" : `${position}:${line}`
      if (place === current) continue
      current = place
      const start = columnIn(written, column)
      const step = encode(start - lastColumn)
      lastColumn = start
      segments.push(position < 0 ? step : step + encode(position - lastSource) + encode(line - lastLine) + "A")
      if (position >= 0) [lastSource, lastLine] = [position, line]
    }
    return segments.join(",")
  })
  return JSON.stringify({ version: 3, sources: kept, names: [], mappings: lines.join(";") })
}
