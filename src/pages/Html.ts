/**
 * HTML that is escaped by construction: the `markup` tag escapes every value it is given, and only what the tag itself
 * produced passes through unescaped.
 *
 * It is for documents made of text and quoted attributes. It is not a sanitizer: it never includes foreign markup, so
 * there is nothing to clean. Values belong in text or between attribute quotes only, never in a tag name, an attribute
 * name, a `<script>` or a `<style>` element.
 */

// The class stays private: outside this module there is a type to name, but nothing to construct.
class EscapedMarkup {
  readonly #markup: string
  constructor(markup: string) {
    this.#markup = markup
  }
  /** The markup as text, ready to be written into a document. */
  get markup(): string {
    return this.#markup
  }
}

/** A piece of markup in which every dynamic value has been escaped. Only the tags of this module can make one. */
export type Html = EscapedMarkup

/** A value in a template: text (escaped), markup, a list of markup, or nothing. */
export type HtmlValue = string | number | Html | ReadonlyArray<Html> | undefined

// C0 controls except TAB, LF and CR, then DEL, are no text in HTML (a parser replaces or refuses them), and a lone
// surrogate has no UTF-8 form. The two sets share one test, so ordinary text pays for a single scan.
// oxlint-disable-next-line no-control-regex
const special = /[&<>"'`\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ud800-\udfff]/

const replacement = (unit: string): string => {
  switch (unit) {
    case "&":
      return "&amp;"
    case "<":
      return "&lt;"
    case ">":
      return "&gt;"
    case '"':
      return "&quot;"
    case "'":
      return "&#39;"
    case "`":
      return "&#96;"
    default:
      return "\ufffd"
  }
}

// With the `u` flag a surrogate pair is one character and does not match; only a lone half does.
// oxlint-disable-next-line no-control-regex
const escapable = /[&<>"'`\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ud800-\udfff]/gu

/** The text with everything that means something to an HTML parser, inside text or quoted attributes, written as character references. */
export const escape = (text: string): string => (special.test(text) ? text.replace(escapable, replacement) : text)

const write = (value: HtmlValue): string => {
  if (typeof value === "string") return escape(value)
  if (value === undefined) return ""
  if (value instanceof EscapedMarkup) return value.markup
  if (typeof value === "number") return String(value)
  let out = ""
  for (const item of value) out += item.markup
  return out
}

// Line breaks in a literal lay out the source, not the document: after a tag and beside a value they vanish, between
// words or attributes they are one space. A literal is the same object at every call, so this is done once.
const layouts = new WeakMap<TemplateStringsArray, ReadonlyArray<string>>()
const laidOut = (literals: TemplateStringsArray): ReadonlyArray<string> => {
  const cached = layouts.get(literals)
  if (cached !== undefined) return cached
  const lines = literals.map((literal) => literal.replace(/(^|>)\s*\n\s*|\s*\n\s*$/g, "$1").replace(/\s*\n\s*/g, " "))
  layouts.set(literals, lines)
  return lines
}

/**
 * The template tag: literal parts are markup, values are escaped. Attribute values must be quoted in the literal.
 *
 * (Its name is one that no formatter takes for a language to rearrange.)
 */
export const markup = (literals: TemplateStringsArray, ...values: ReadonlyArray<HtmlValue>): Html => {
  const parts = laidOut(literals)
  let out = parts[0] ?? ""
  for (let i = 0; i < values.length; i++) out += write(values[i]) + (parts[i + 1] ?? "")
  return new EscapedMarkup(out)
}

/** No markup at all. */
export const empty: Html = new EscapedMarkup("")

/**
 * The tag for markup without values, such as a drawing or a stylesheet that is a constant of this package. The literal
 * is taken as it stands; a value cannot be passed, which is what keeps it safe.
 */
export const constant = (literals: TemplateStringsArray): Html => new EscapedMarkup(laidOut(literals)[0] ?? "")

/** Joins pieces of markup around one separator, which is markup too. */
export const join = (pieces: ReadonlyArray<Html>, separator: Html = empty): Html => {
  let out = ""
  for (let i = 0; i < pieces.length; i++) {
    if (i > 0) out += separator.markup
    out += pieces[i]?.markup ?? ""
  }
  return new EscapedMarkup(out)
}

/**
 * A `<script>` element around a constant of this package. Its content is raw text to an HTML parser and so cannot be escaped;
 * text that could end the element is refused as a whole, and the element is left out.
 */
export const scriptElement = (code: string): Html =>
  code === "" || code.includes("<") ? empty : new EscapedMarkup(`<script>${code}</script>`)

/**
 * A `<style>` element. Its content is raw text to an HTML parser and so cannot be escaped; text that could end the
 * element is refused as a whole, and the element is left out.
 */
export const styleElement = (css: string): Html =>
  css === "" || css.includes("<") ? empty : new EscapedMarkup(`<style>${css}</style>`)
