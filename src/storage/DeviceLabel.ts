/**
 * A short name for the program and the system that a `User-Agent` header describes (RFC 9110 section 10.1.5), for lists that a user
 * reads. The client chose the header: a label is a hint and proves nothing.
 *
 * @since 0.1.0
 */

type Table = ReadonlyArray<readonly [pattern: RegExp, name: string]>

/** In this order: most browsers also name those that they descend from. */
const browsers: Table = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\b(?:OPR|OPiOS|Opera)\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bVivaldi\//, "Vivaldi"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, "Chrome"],
  [/\bSafari\//, "Safari"]
]

const systems: Table = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"]
]

const find = (table: Table, text: string): string | undefined => table.find(([pattern]) => pattern.test(text))?.[1]

/** "Firefox on Windows", the name of a program that is no browser, or nothing. */
export const deviceLabel = (userAgent: string): string | undefined => {
  const [browser, system] = [find(browsers, userAgent), find(systems, userAgent)]
  if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`
  const [product] = /^(?!Mozilla\/)[A-Za-z][\w.-]{0,39}/.exec(userAgent) ?? []
  return product ?? system
}
