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
 * The map with one segment for each line of a source that `keeps` names, and without names. Other sources lead nowhere.
 *
 * @param {{ readonly sources: ReadonlyArray<string>, readonly mappings: string }} map
 * @param {(source: string) => boolean} keeps
 */
export const lineMap = ({ mappings, sources }, keeps) => {
  const kept = sources.filter(keeps)
  const positions = sources.map((source) => kept.indexOf(source))
  let [source, line] = [0, 0]
  let [lastSource, lastLine] = [0, 0]
  const lines = mappings.split(";").map((text) => {
    let [column, lastColumn] = [0, 0]
    let current = "none"
    /** @type {Array<string>} */
    const segments = []
    for (const segment of text === "" ? [] : text.split(",")) {
      const [columns = 0, sourceStep = 0, lineStep = 0] = decode(segment)
      column += columns
      source += sourceStep
      line += lineStep
      const position = segment.length > 1 ? (positions[source] ?? -1) : -1
      const place = position < 0 ? "none" : `${position}:${line}`
      if (place === current) continue
      current = place
      const start = encode(column - lastColumn)
      lastColumn = column
      segments.push(position < 0 ? start : start + encode(position - lastSource) + encode(line - lastLine) + "A")
      if (position >= 0) [lastSource, lastLine] = [position, line]
    }
    return segments.join(",")
  })
  return JSON.stringify({ version: 3, sources: kept, names: [], mappings: lines.join(";") })
}
