/**
 * Drops the comments, empty lines and indentation of built code: without them a process that starts reads less. Lines stay lines
 * and names stay names, for stack traces.
 */
import { parseSync } from "oxc-parser"

/** Comments that engines, bundlers and debuggers read. */
const instructions =
  /[@#]__(?:PURE|NO_SIDE_EFFECTS)__|webpackIgnore|turbopackOptional|@vite-ignore|sourceMappingURL=|^!|@license|@preserve/

/**
 * @typedef {{ readonly at: number, readonly text: string }} Insertion
 *
 * @typedef {object} Line
 * @property {string} text without its indentation
 * @property {number} number in the code that was given, from 0
 * @property {number} indent characters that were dropped
 * @property {ReadonlyArray<Insertion>} inserted what was put into the text since, by its places before
 */

/** The parts of template literals that are text: white space in them counts. @param {unknown} node @param {Array<[number, number]>} found */
const texts = (node, found = []) => {
  if (node === null || typeof node !== "object") return found
  if ("type" in node && node.type === "TemplateElement" && "start" in node && "end" in node)
    found.push([Number(node.start), Number(node.end)])
  for (const value of Object.values(node)) texts(value, found)
  return found
}

/** The lines of `code` that are code. @param {string} code @returns {ReadonlyArray<Line>} */
export const compact = (code) => {
  const { comments, program } = parseSync("built.js", code)
  const literals = texts(program)
  const isAlone = (/** @type {{ readonly start: number, readonly end: number }} */ { end, start }) =>
    /^[ \t]*$/.test(code.slice(code.lastIndexOf("\n", start - 1) + 1, start)) && /^[ \t]*(?:\n|$)/.test(code.slice(end))
  const dropped = comments.filter((comment) => !instructions.test(comment.value) && isAlone(comment))
  const inside = (/** @type {number} */ from) => literals.some(([start, end]) => start < from && from <= end)
  let from = 0
  return code.split("\n").flatMap((line, number) => {
    const [start, end] = [from, from + line.length]
    from = end + 1
    if (inside(start)) return [{ text: line, number, indent: 0, inserted: [] }]
    const text = line.trimStart()
    const indent = line.length - text.length
    const isComment = dropped.some((comment) => comment.start <= start + indent && end <= comment.end)
    return text === "" || isComment ? [] : [{ text, number, indent, inserted: [] }]
  })
}
