/**
 * The structure of a page, without its words and its looks: what a browser or a script that drives a form depends on.
 * It reads the small, well-formed HTML of built-in pages and is not a general parser.
 */

/** One form: where it goes and what it sends. */
export interface Form {
  readonly action: string
  readonly method: string
  readonly fields: ReadonlyArray<string>
  readonly values: Readonly<Record<string, string>>
}

/** What is compared of a page. */
export interface Page {
  readonly title: string
  readonly forms: ReadonlyArray<Form>
  readonly links: ReadonlyArray<string>
}

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#39": "'",
  "#x27": "'",
  "#x2F": "/",
  "#47": "/"
}
const unescape = (text: string): string => text.replace(/&(#?\w+);/g, (all, name: string) => entities[name] ?? all)

const attributesOf = (tag: string): Readonly<Record<string, string>> => {
  const found: Record<string, string> = {}
  for (const match of tag.matchAll(/([\w:-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+)))?/g)) {
    const name = match[1]
    if (name !== undefined) found[name.toLowerCase()] = unescape(match[2] ?? match[3] ?? match[4] ?? "")
  }
  return found
}

const resolve = (target: string, base: string): string =>
  URL.canParse(target, base) ? new URL(target, base).href : target

/** Reads a page served from `base`; relative targets are resolved, so that only their meaning is compared. */
export const readPage = (html: string, base: string): Page => {
  const forms: Array<Form> = []
  for (const match of html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/gi)) {
    const attributes = attributesOf(match[1] ?? "")
    const fields: Array<string> = []
    const values: Record<string, string> = {}
    for (const input of (match[2] ?? "").matchAll(/<input\b([^>]*)>/gi)) {
      const field = attributesOf(input[1] ?? "")
      const name = field["name"] ?? ""
      const type = field["type"] ?? "text"
      fields.push(`${name}:${type}${"required" in field ? ":required" : ""}`)
      if (type === "hidden") values[name] = field["value"] ?? ""
    }
    forms.push({
      action: resolve(attributes["action"] ?? "", base),
      method: (attributes["method"] ?? "GET").toUpperCase(),
      fields,
      values
    })
  }
  const links = [...html.matchAll(/<a\b([^>]*)>/gi)].map((match) =>
    resolve(attributesOf(match[1] ?? "")["href"] ?? "", base)
  )
  return { title: unescape(/<title>([\s\S]*?)<\/title>/i.exec(html)?.[1] ?? ""), forms, links }
}
