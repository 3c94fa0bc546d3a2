/**
 * A play: requests of one browser, as data. It can be written to a file, read back, shortened, and played at any site.
 *
 * Values that exist only while a play runs have names between asterisks, which no encoding of URLs or forms changes.
 */
import type { ProviderFault } from "./FaultyProvider.ts"

/** Changes of the browser's cookies before they are sent. Numbers count modulo the length. */
export type CookieChange =
  | { readonly change: "remove" | "duplicate" | "split" | "stale"; readonly at: number }
  | { readonly change: "truncate" | "flip"; readonly at: number; readonly to: number }
  | { readonly change: "swap"; readonly at: number; readonly to: number }
  | { readonly change: "rename"; readonly at: number; readonly name: string }

export interface Step {
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  /** Changes to the cookies of the browser, in order; absent: the step sends only the cookies that its headers name. */
  readonly cookies?: ReadonlyArray<CookieChange>
  readonly body?: string
  /** How the provider misbehaves while this step is answered. */
  readonly fault?: ProviderFault
}

export interface Play {
  /** The name of a configuration. */
  readonly configuration: string
  /** The function `Auth`, or a server of Effect. */
  readonly entry: "function" | "server"
  readonly steps: ReadonlyArray<Step>
}

type Pair = readonly [name: string, value: string]

/** The cookies that a browser has now and had before. */
export interface Jar {
  readonly current: Map<string, string>
  readonly earlier: Map<string, string>
}

/** Keeps what an answer sets, as browsers do. */
export const keepCookies = ({ current, earlier }: Jar, lines: ReadonlyArray<string>): void => {
  for (const line of lines) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    earlier.set(name, current.get(name) ?? value)
    if (/; Max-Age=0(?:;|$)/.test(line)) current.delete(name)
    else current.set(name, value)
  }
}

const flipped = (value: string, at: number): string => {
  const index = value.length === 0 ? 0 : at % value.length
  return `${value.slice(0, index)}${value[index] === "A" ? "B" : "A"}${value.slice(index + 1)}`
}

const changed = (pairs: ReadonlyArray<Pair>, one: CookieChange, earlier: Jar["earlier"]): ReadonlyArray<Pair> => {
  if (pairs.length === 0) return pairs
  const at = one.at % pairs.length
  const [name, value] = pairs[at] as Pair
  const put = (...replacement: ReadonlyArray<Pair>) => pairs.toSpliced(at, 1, ...replacement)
  switch (one.change) {
    case "remove":
      return put()
    case "duplicate":
      return put([name, flipped(value, 40)], [name, value])
    case "split":
      return put([`${name}.1`, value.slice(value.length / 2)], [`${name}.0`, value.slice(0, value.length / 2)])
    case "stale":
      return put([name, earlier.get(name) ?? value])
    case "truncate":
      return put([name, value.slice(0, one.to % (value.length + 1))])
    case "flip":
      return put([name, flipped(value, one.to)])
    case "rename":
      return put([one.name, value])
    case "swap": {
      const [, other] = pairs[one.to % pairs.length] as Pair
      return put([name, other])
    }
  }
}

/** The `Cookie` header of a browser after the changes of a step. */
export const cookieHeader = ({ current, earlier }: Jar, changes: ReadonlyArray<CookieChange>): string =>
  changes
    .reduce<ReadonlyArray<Pair>>((pairs, one) => changed(pairs, one, earlier), [...current])
    .map((pair) => pair.join("="))
    .join("; ")
