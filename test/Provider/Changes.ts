/**
 * Faults of a profile: every member of it left out, `null`, of each wrong type, too long, and members too many.
 */

type Path = ReadonlyArray<string | number>

interface Change {
  readonly name: string
  readonly path: string
  readonly changed: unknown
  /** There is nothing usable in that place now. */
  readonly isGone: boolean
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The paths of all members, inner ones too. */
const pathsOf = (value: unknown, at: Path = []): ReadonlyArray<Path> => {
  const entries: ReadonlyArray<readonly [string | number, unknown]> = Array.isArray(value)
    ? value.map((item, index) => [index, item] as const)
    : isRecord(value)
      ? Object.entries(value)
      : []
  return entries.flatMap(([name, inner]) => [[...at, name], ...pathsOf(inner, [...at, name])])
}

const absent = Symbol("absent")

const replaced = (value: unknown, [head, ...rest]: Path, by: unknown): unknown => {
  if (head === undefined) return by
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown, index) =>
      index !== head ? [item] : rest.length === 0 && by === absent ? [] : [replaced(item, rest, by)]
    )
  }
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) =>
      name !== head ? [[name, inner]] : rest.length === 0 && by === absent ? [] : [[name, replaced(inner, rest, by)]]
    )
  )
}

const values: ReadonlyArray<readonly [name: string, value: unknown, isGone: boolean]> = [
  ["left out", absent, true],
  ["null", null, true],
  ["false", false, true],
  ["true", true, true],
  ["a fraction", 1.5, true],
  ["empty text", "", true],
  ["an empty list", [], true],
  ["a list", ["a", "b"], true],
  ["an empty object", {}, true],
  ["a long text", "x".repeat(5000), false],
  ["text with controls", "a\u0000b\u0007c", false]
]

/**
 * The changes of a document: every value in place of what says who the person is (the id, addresses, and whether one is
 * verified), and every `step`th value, in turn, in place of other members.
 */
export const changesOf = (document: unknown, id: ReadonlyArray<string>, step: number): ReadonlyArray<Change> =>
  pathsOf(document).flatMap((path, place) => {
    const at = path.join(".")
    const isIdentity =
      /mail|verif/i.test(at) || id.some((name) => name === at || name.startsWith(`${at}.`) || at.startsWith(`${name}.`))
    return values
      .filter((_, index) => isIdentity || (index + place) % step === 0)
      .map(([name, value, isGone]) => ({
        name: `${at} is ${name}`,
        path: at,
        changed: replaced(document, path, value),
        isGone
      }))
  })

/** The document without these members, named by their paths. */
export const without = (document: unknown, paths: ReadonlyArray<string>): unknown =>
  paths.reduce((value, path) => replaced(value, path.split(".").map(step), absent), document)

const step = (name: string): string | number => (/^\d+$/.test(name) ? Number(name) : name)

/** The document with members that nobody asked for, at every level. */
export const withSurplus = (document: unknown): unknown => {
  if (Array.isArray(document)) return document.map(withSurplus)
  if (!isRecord(document)) return document
  const inner = Object.entries(document).map(([name, value]) => [name, withSurplus(value)] as const)
  return Object.fromEntries([
    ...inner,
    ["surplus", { nested: [1, null, "text"] }],
    ["toString", "not a function"],
    ["constructor", { prototype: null }]
  ])
}

/** The document with every text member but those at `kept` changed: another description of the same person. */
export const redescribed = (document: unknown, kept: ReadonlyArray<string>): unknown =>
  pathsOf(document)
    .filter((path) => !kept.includes(path.join(".")))
    .reduce((value, path) => {
      const at = path.reduce<unknown>(
        (inner, name) => (isRecord(inner) || Array.isArray(inner) ? Reflect.get(inner, name) : undefined),
        document
      )
      return typeof at === "string" && !/^https?:/.test(at) && !at.includes("@") && !/^\d/.test(at)
        ? replaced(value, path, `${at}x`)
        : value
    }, document)
