/**
 * How an application dresses the built-in pages: color scheme, brand color, button text, logo.
 *
 * It checks those values (`themeProblems` at start-up, for the configuration error) and turns them into the few CSS
 * declarations a page needs. A value that fails the check is also harmless when a page meets it anyway: it is left out.
 * It is not the stylesheet, which is constant.
 */
import { type Color, contrast, formatColor, parseColor, textOn, white } from "./Color.ts"

/**
 * The look of the built-in pages.
 *
 * @category Theme
 * @since 0.1.0
 */
export interface PageTheme {
  readonly colorScheme: "auto" | "dark" | "light"
  readonly logo?: string
  readonly brandColor?: string
  readonly buttonText?: string
}

/** An image the page may show, with the CSP source that admits it. */
export interface ImageSource {
  readonly url: string
  readonly source: string
}

// An origin that is safe to write into a CSP header. A URL parser lets `;`, `,`, `'` and `*` stand in a host name,
// where they would start another directive or widen this one, so the host is held to the characters DNS names use.
const secureOrigin = /^https:\/\/[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/
const loopbackOrigin =
  /^http:\/\/(?:(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?\.)?localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::\d{1,5})?$/

/** The origin of an `https:` URL (or of an `http:` one on the loopback host) as a CSP source, `undefined` for any other. */
export const originSource = (url: string): string | undefined => {
  if (!URL.canParse(url)) return undefined
  const { origin } = new URL(url)
  return secureOrigin.test(origin) || loopbackOrigin.test(origin) ? origin : undefined
}

/** The CSP source that lets a form end at an address: an origin, or the scheme of a native application. */
export const formSource = (url: string): string | undefined => {
  if (!URL.canParse(url)) return undefined
  const { origin, protocol } = new URL(url)
  if (protocol !== "https:" && protocol !== "http:") return protocol
  return originSource(url) ?? (secureOrigin.test(origin.replace("http:", "https:")) ? origin : undefined)
}

/** Whether the URL lies on this machine, as in development. */
export const isLoopback = (url: string): boolean => URL.canParse(url) && loopbackOrigin.test(new URL(url).origin)

/** A path on the own site, from its root or from the page. A colon in the first segment would make it a scheme. */
const ownPath = /^(?:\/(?!\/)|[^/:?#]+(?:[/?#]|$))/

/** Images that browsers draw without running anything in them. */
const inline = /^data:image\/(?:png|jpeg|gif|webp|avif|bmp|x-icon|vnd\.microsoft\.icon|svg\+xml)[;,]/i

/**
 * Reads the address of an image: an `https:` URL without user information (or an `http:` one on the loopback host), a path on
 * the application's own site, or an image in a `data:` URL. Anything else (other schemes, protocol-relative addresses,
 * backslashes, control characters) is `undefined`.
 *
 * @category Theme
 * @since 0.1.0
 */
export const parseImage = (url: string): ImageSource | undefined => {
  const isInline = inline.test(url)
  // oxlint-disable-next-line no-control-regex
  if (url.length > (isInline ? 65_536 : 2048) || /[\u0000-\u0020\u007f\\"'<>]/.test(url)) return undefined
  if (isInline) return { url, source: "data:" }
  if (ownPath.test(url)) return { url, source: "'self'" }
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined
  const address = new URL(url)
  const source = originSource(url)
  if (address.username !== "" || address.password !== "" || source === undefined) return undefined
  return { url: address.href, source }
}

/**
 * The mistakes of a configured theme, one entry per field; empty without one. The texts name the field and the
 * rule and never repeat the value.
 *
 * @category Theme
 * @since 0.1.0
 */
export const themeProblems = (theme: {
  readonly colorScheme?: unknown
  readonly logo?: unknown
  readonly brandColor?: unknown
  readonly buttonText?: unknown
}): ReadonlyArray<{ readonly field: keyof PageTheme; readonly reason: string }> => {
  const problems: Array<{ readonly field: keyof PageTheme; readonly reason: string }> = []
  const { colorScheme, logo } = theme
  if (colorScheme !== undefined && colorScheme !== "auto" && colorScheme !== "dark" && colorScheme !== "light") {
    problems.push({ field: "colorScheme", reason: 'must be "auto", "dark" or "light"' })
  }
  if (isUnusable(logo, parseImage)) problems.push({ field: "logo", reason: imageRule })
  for (const field of ["brandColor", "buttonText"] as const) {
    if (isUnusable(theme[field], parseColor)) problems.push({ field, reason: colorRule })
  }
  return problems
}

const imageRule = "must be an https: URL, a path of this site, or a data: URL of an image; it is left out"
const colorRule = "must be a CSS color: #rgb, #rrggbb, rgb(), hsl() or a name; it is left out"

const isUnusable = (value: unknown, parse: (text: string) => unknown): boolean =>
  value !== undefined && value !== "" && (typeof value !== "string" || parse(value) === undefined)

/**
 * The members of a provider's style that no page can show; empty when all of them can be shown.
 *
 * @category Theme
 * @since 0.1.0
 */
export const styleProblems = (style: {
  readonly logo?: unknown
  readonly brandColor?: unknown
  readonly bg?: unknown
}): ReadonlyArray<{ readonly field: "logo" | "brandColor" | "bg"; readonly reason: string }> => [
  ...(isUnusable(style.logo, parseImage) ? [{ field: "logo", reason: imageRule } as const] : []),
  ...(["brandColor", "bg"] as const).flatMap((field) =>
    isUnusable(style[field], parseColor) ? [{ field, reason: colorRule }] : []
  )
]

const asColor = (text: string | undefined): Color | undefined =>
  typeof text === "string" ? parseColor(text) : undefined

/** The surfaces of a theme without a brand color: the card and the main button, as in `Stylesheet.ts`. */
const surfaces = {
  light: { card: white, button: { red: 0x1f, green: 0x1f, blue: 0x26 } },
  dark: { card: { red: 0x19, green: 0x19, blue: 0x1d }, button: { red: 0xf1, green: 0xf1, blue: 0xf3 } }
}

/** The declarations that dress the constant stylesheet in a theme; empty for a theme without colors. */
export const themeCss = ({ brandColor, buttonText, colorScheme }: PageTheme): string => {
  const brand = asColor(brandColor)
  const text = asColor(buttonText) ?? (brand === undefined ? undefined : textOn(brand))
  if (text === undefined) return ""
  const inScheme = (scheme: "light" | "dark"): string => {
    const { button, card } = surfaces[scheme]
    // A text color alone stands on the built-in button, and only where it can be read there.
    if (brand === undefined) return contrast(text, button) < 4.5 ? "" : `--button-text-color:${formatColor(text)}`
    // The ring that marks the edge of a button must stand out from the card (WCAG 2.2, 1.4.11), or a pale brand color on a white
    // card would leave text without a button.
    const edge = contrast(brand, card) >= 1.6 ? formatColor(brand) : "var(--color-control-border)"
    return `--brand-color:${formatColor(brand)};--button-text-color:${formatColor(text)};--button-edge:${edge}`
  }
  const [light, dark] = [inScheme("light"), inScheme("dark")]
  const rule = (declarations: string): string => (declarations === "" ? "" : `body{${declarations}}`)
  if (colorScheme !== "auto" || light === dark) return rule(colorScheme === "dark" ? dark : light)
  return `@media not (prefers-color-scheme:dark){${rule(light)}}@media (prefers-color-scheme:dark){${rule(dark)}}`
}
