/**
 * The pages of the API reference, from declarations and sources: a page for each public module, and a list of them.
 *
 * Links lead from every type that a signature names to where it is described. What a module takes from another public
 * module is described there; what it takes from a private one is described here.
 */
import { posix } from "node:path"
import { docOf, readModule, sentenceOf, typesNamedIn, unknownTagsOf } from "./declarations.mjs"
import { publicSpecifiers } from "./package-map.mjs"
import { signatureOf } from "./signature.mjs"

/**
 * @typedef {import("./declarations.mjs").Declaration} Declaration
 * @typedef {import("./declarations.mjs").Doc} Doc
 * @typedef {import("./declarations.mjs").Module} Module
 * @typedef {import("./declarations.mjs").Place} Place
 * @typedef {import("./package-map.mjs").Manifest} Manifest
 * @typedef {{ readonly name: string, readonly origin: Place, readonly declarations: ReadonlyArray<Declaration> }} Export
 * @typedef {{ readonly name: string, readonly target: Place }} Pointer an export that another page describes
 * @typedef {{
 *   readonly module: string
 *   readonly specifiers: ReadonlyArray<string>
 *   readonly doc: Doc
 *   readonly categories: ReadonlyMap<string, ReadonlyArray<Export>>
 *   readonly pointers: ReadonlyArray<Pointer>
 * }} Page
 */

const key = (/** @type {Place} */ { module, name }) => `${module}#${name ?? ""}`

/**
 * The comment that a source opens with.
 *
 * @param {string} source
 * @returns {Doc}
 */
const openingOf = (source) => docOf(/^\s*\/\*\*([\s\S]*?)\*\//.exec(source)?.[1] ?? "")

/** @param {Doc | undefined} doc @param {string} tag */
const tagOf = (doc, tag) => doc?.tags.find((entry) => entry.tag === tag)?.text

/** @param {ReadonlyArray<Declaration>} declarations @param {string} tag */
const firstTag = (declarations, tag) =>
  declarations.map(({ doc }) => tagOf(doc, tag)).find((text) => text !== undefined && text !== "")

/** @param {ReadonlyArray<Declaration>} declarations */
const bodyOf = (declarations) =>
  declarations
    .map(({ doc }) => doc?.body ?? "")
    .filter((body) => body !== "")
    .join("\n\n")

/** @param {string} text */
const cell = (text) => text.replaceAll("|", "\\|")

/**
 * The anchors that a page gets from its headings, in order, as GitHub names them.
 *
 * @param {ReadonlyArray<string>} headings
 * @returns {ReadonlyArray<string>}
 */
const anchorsOf = (headings) => {
  /** @type {Map<string, number>} */
  const seen = new Map()
  return headings.map((heading) => {
    const slug = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replace(/\s/g, "-")
    const count = seen.get(slug) ?? 0
    seen.set(slug, count + 1)
    return count === 0 ? slug : `${slug}-${count}`
  })
}

/**
 * Reads all modules once, and follows what they export to where it is declared.
 *
 * @param {ReadonlyMap<string, string>} declarations
 */
const libraryOf = (declarations) => {
  /** @type {Map<string, Module>} */
  const modules = new Map()
  /** @param {string} name @returns {Module | undefined} */
  const read = (name) => {
    const text = declarations.get(name)
    if (text === undefined) return undefined
    const module = modules.get(name) ?? readModule(name, text)
    modules.set(name, module)
    return module
  }
  /** @param {string} name @returns {ReadonlyMap<string, Place>} */
  const exportsOf = (name) => {
    const module = read(name)
    if (module === undefined) return new Map()
    return new Map([...module.everythingOf.flatMap((other) => [...exportsOf(other)]), ...module.exported])
  }
  /**
   * Where an export is declared, stepping from module to module; it stops early at a place that `stops`.
   *
   * @param {Place} place
   * @param {(place: Place) => boolean} [stops]
   * @returns {Place}
   */
  const follow = (place, stops = () => false) => {
    if (place.name === undefined || stops(place) || read(place.module)?.declared.has(place.name)) return place
    const next = exportsOf(place.module).get(place.name)
    return next === undefined || key(next) === key(place) ? place : follow(next, stops)
  }
  return { read, exportsOf, follow }
}

/**
 * The pages of the reference and what is missing in the comments.
 *
 * @param {{
 *   readonly manifest: Manifest
 *   readonly declarations: ReadonlyMap<string, string>
 *   readonly sources: ReadonlyMap<string, string>
 * }} input declarations and sources by module, a path below src without extension
 * @returns {Promise<{ readonly pages: ReadonlyMap<string, string>, readonly faults: ReadonlyArray<string>, readonly exports: number }>}
 */
export const referenceOf = async ({ declarations, manifest, sources }) => {
  const library = libraryOf(declarations)
  /** @type {Map<string, Array<string>>} */
  const specifiers = new Map()
  for (const [specifier, module] of publicSpecifiers(manifest, [...declarations.keys()]))
    if (declarations.has(module)) specifiers.set(module, [...(specifiers.get(module) ?? []), specifier])
  const names = [...specifiers.keys()]
    .filter((module) => tagOf(openingOf(sources.get(module) ?? ""), "internal") === undefined)
    .filter((module) => library.exportsOf(module).size > 0)
    .sort()
  const published = new Set(names)
  /** @type {Array<string>} */
  const faults = []

  const pages = names.map((module) => readPage(module))
  /** @param {string} module @returns {Page} */
  function readPage(module) {
    /** @type {Map<string, Array<Export>>} */
    const categories = new Map()
    /** @type {Array<Pointer>} */
    const pointers = []
    const doc = openingOf(sources.get(module) ?? "")
    if (sentenceOf(doc.body) === "") faults.push(`src/${module}.ts opens with no sentence on what it is for`)
    if (tagOf(doc, "since") === undefined) faults.push(`src/${module}.ts opens without @since`)
    for (const [name, place] of library.exportsOf(module)) {
      const elsewhere = library.follow(place, (at) => at.module !== module && published.has(at.module))
      if (elsewhere.module !== module && (published.has(elsewhere.module) || elsewhere.name === undefined)) {
        pointers.push({ name, target: elsewhere })
        continue
      }
      const found = library.read(elsewhere.module)?.declared.get(elsewhere.name ?? "")
      if (found === undefined) {
        if (declarations.has(elsewhere.module)) continue // marked @internal there
        pointers.push({ name, target: elsewhere })
        continue
      }
      const category = firstTag(found, "category")
      const at = `src/${elsewhere.module}.ts: ${name}`
      if (sentenceOf(bodyOf(found)) === "") faults.push(`${at} has no sentence on what it is`)
      if (category === undefined) faults.push(`${at} has no @category`)
      if (firstTag(found, "since") === undefined) faults.push(`${at} has no @since`)
      const together = found.flatMap((declaration) => declaration.together).filter((other) => other !== elsewhere.name)
      if (together.length > 0)
        faults.push(`${at} has no sentence of its own, but shares one with ${together.join(", ")}`)
      for (const tag of unknownTagsOf(bodyOf(found)))
        faults.push(`${at} has a tag that the reference does not know: ${tag}`)
      const shelf = category ?? "without category"
      categories.set(shelf, [...(categories.get(shelf) ?? []), { name, origin: elsewhere, declarations: found }])
    }
    return {
      module,
      specifiers: specifiers.get(module) ?? [],
      doc,
      categories: new Map([...categories].sort(([a], [b]) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1))),
      pointers: pointers.sort((a, b) => (a.name < b.name ? -1 : 1))
    }
  }

  /** @type {Map<string, string>} place to page and anchor */
  const links = new Map(pages.map(({ module }) => [key({ module, name: undefined }), `${module}.md`]))
  for (const { categories, module, specifiers } of [...pages].reverse()) {
    const headings = [specifiers[0] ?? "", ...[...categories].flatMap(([category, entries]) => [category, ...entries])]
    const anchors = anchorsOf(headings.map((heading) => (typeof heading === "string" ? heading : heading.name)))
    for (const [index, heading] of headings.entries()) {
      if (typeof heading === "string") continue
      links.set(key(heading.origin), `${module}.md#${anchors[index]}`)
      links.set(key({ module, name: heading.name }), `${module}.md#${anchors[index]}`)
    }
  }
  for (const { module, pointers } of pages)
    for (const { name, target } of pointers) {
      const link = links.get(key(library.follow(target))) ?? links.get(key(target))
      if (link !== undefined) links.set(key({ module, name }), link)
    }

  /** @param {Place} place @param {string} page path of the page that links @returns {string | undefined} */
  const linkTo = (place, page) => {
    const link = links.get(key(place)) ?? links.get(key(library.follow(place)))
    if (link === undefined) return undefined
    const [path = "", anchor] = link.split("#")
    if (path === page) return `#${anchor ?? ""}`
    const relative = posix.relative(posix.dirname(page), path)
    return anchor === undefined ? relative : `${relative}#${anchor}`
  }
  /** @param {string} text @param {string} from the module that says it @param {string} page */
  const withLinks = (text, from, page) =>
    text.replace(/\{@link ([^}\s|]+)[^}]*\}/g, (_, /** @type {string} */ name) => {
      const read = library.read(from)
      const place = library.exportsOf(from).get(name) ?? read?.imported.get(name) ?? { module: from, name }
      const link = linkTo(place, page)
      return link === undefined ? `\`${name}\`` : `[\`${name}\`](${link})`
    })
  /** @param {Doc | undefined} doc @param {string} from @param {string} page @returns {ReadonlyArray<string>} */
  const notesOf = (doc, from, page) =>
    (doc?.tags ?? []).flatMap(({ tag, text }) => {
      if (tag === "see") return [`See ${/^https?:\S+$/.test(text) ? `<${text}>` : withLinks(text, from, page)}.`]
      if (tag === "example") return [text]
      if (tag === "deprecated") return [`**Deprecated.** ${withLinks(text, from, page)}`.trim()]
      return []
    })

  /** @param {Export} entry @param {string} page */
  const entryOf = async ({ declarations: found, name, origin }, page) => {
    const module = library.read(origin.module)
    if (module === undefined) return []
    const uses = found.flatMap(({ node }) => {
      const named = typesNamedIn(origin.module, module, node)
      const base = named.flatMap((place) =>
        place.module === origin.module && place.name === `${origin.name}_base`
          ? (module.declared.get(place.name) ?? []).flatMap((own) => typesNamedIn(origin.module, module, own.node))
          : []
      )
      return [...named, ...base]
    })
    // What a signature names and nobody can import is shown with it, when it is of the same file.
    const exported = library.exportsOf(origin.module)
    const near = [...new Set(uses.map((place) => place.name ?? ""))].flatMap((own) =>
      exported.has(own) || own === origin.name || own.endsWith("_base")
        ? []
        : (module.declared.get(own) ?? []).filter(({ node }) =>
            /^TS(?:TypeAlias|Interface)Declaration$/.test(node.type)
          )
    )
    const code = [await signatureOf(module, found, name, sources.get(origin.module) ?? "")]
    for (const own of near) code.push(await signatureOf(module, [own], own.name, ""))
    const references = new Map(
      [...uses, ...near.flatMap(({ node }) => typesNamedIn(origin.module, module, node))].flatMap((place) => {
        const link = linkTo(place, page)
        const self = linkTo(origin, page)
        return link === undefined || link === self || place.name === undefined ? [] : [[place.name, link]]
      })
    )
    const since = `Since ${firstTag(found, "since") ?? "?"}`
    const used = [...references].sort(([a], [b]) => (a < b ? -1 : 1)).map(([label, link]) => `[${label}](${link})`)
    const text = code.join("\n\n")
    const mark = text.includes("```") ? "````" : "```"
    return [
      `### ${name}`,
      withLinks(bodyOf(found), origin.module, page),
      `${mark}ts\n${text}\n${mark}`,
      ...found.flatMap(({ doc }) => notesOf(doc, origin.module, page)),
      used.length === 0 ? `${since}.` : `${since}. Uses ${used.join(", ")}.`
    ]
  }

  /** @param {Page} entry */
  const pageOf = async ({ categories, doc, module, pointers, specifiers }) => {
    const page = `${module}.md`
    const [first = "", ...others] = specifiers
    const up = posix.relative(posix.dirname(page), "README.md")
    const overview = [...categories].map(([category, entries]) => {
      const list = entries.map(
        ({ name, origin }) => `[${name}](${linkTo({ module, name }, page) ?? linkTo(origin, page)})`
      )
      return `| ${category} | ${list.join(" · ")} |`
    })
    const from = pointers.map(({ name, target }) => {
      const link = linkTo(target, page)
      const place = library.follow(target)
      const found = library.read(place.module)?.declared.get(place.name ?? "") ?? []
      const sentence =
        place.name === undefined
          ? sentenceOf(openingOf(sources.get(place.module) ?? "").body)
          : sentenceOf(bodyOf(found))
      return `| ${link === undefined ? name : `[${name}](${link})`} | ${cell(withLinks(sentence, place.module, page))} |`
    })
    const parts = [
      `# ${first}`,
      `[API reference](${up})${others.map((other) => ` · also \`${other}\``).join("")}`,
      withLinks(doc.body, module, page),
      ...notesOf(doc, module, page),
      ...(overview.length === 0 ? [] : [["| category | exports |", "| --- | --- |", ...overview].join("\n")]),
      ...(from.length === 0
        ? []
        : [
            "Described on the page of the module it is from:",
            ["| export | what it is |", "| --- | --- |", ...from].join("\n")
          ])
    ]
    for (const [category, entries] of categories) {
      parts.push(`## ${category}`)
      for (const entry of entries) parts.push(...(await entryOf(entry, page)))
    }
    return parts.filter((part) => part !== "").join("\n\n") + "\n"
  }

  /** @type {Map<string, string>} */
  const texts = new Map([["README.md", indexOf(manifest, pages, withLinks)]])
  for (const page of pages) texts.set(`${page.module}.md`, await pageOf(page))
  const exports = pages.reduce((sum, { categories }) => sum + [...categories.values()].flat().length, 0)
  return { pages: texts, faults: [...new Set(faults)].sort(), exports }
}

/**
 * The list of the modules, those of a folder together.
 *
 * @param {Manifest} manifest
 * @param {ReadonlyArray<Page>} pages
 * @param {(text: string, from: string, page: string) => string} withLinks
 */
const indexOf = (manifest, pages, withLinks) => {
  /** @type {Map<string, Array<string>>} */
  const groups = new Map([["", []]])
  for (const { doc, module, specifiers } of pages) {
    const folder = module.includes("/") ? posix.dirname(module) : ""
    const sentence = cell(withLinks(sentenceOf(doc.body), module, "README.md"))
    const row = `| ${specifiers.map((specifier) => `[${specifier}](${module}.md)`).join(", ")} | ${sentence} |`
    groups.set(folder, [...(groups.get(folder) ?? []), row])
  }
  const parts = [...groups].flatMap(([folder, rows]) =>
    rows.length === 0
      ? []
      : [
          ...(folder === "" ? [] : [`## ${folder}`]),
          ["| module | what it is for |", "| --- | --- |", ...rows].join("\n")
        ]
  )
  const opening =
    `Every module that \`${manifest.name}\` exports, written from the comments in its sources by \`npm run reference\`. ` +
    "Change a page by changing the comment."
  return ["# API reference", opening, ...parts].join("\n\n") + "\n"
}
