/**
 * The drawings of the built-in pages: the one that opens a card when the application has no logo, the one in front of a message,
 * and the mark beside a provider's name. That is a tile in the provider's color with the platform's logo, where a preset brings
 * one, else with a simple sign of our own or the name's initial.
 *
 * All are decorative, and inlined into the page, so that a page loads nothing from other hosts. Colors are SVG presentation
 * attributes, which need no `style-src` permission.
 */
import { constant, type Html, markup } from "./Html.ts"
import { type Color, contrast, formatColor, parseColor, textOn, white } from "./Color.ts"
import { parseImage } from "./Theme.ts"
import type { ProviderStyle } from "../Provider/internal/Provider.ts"

interface Sign {
  readonly color: string
  readonly drawing?: Html
}

const branch = constant`<circle cx="8.2" cy="7.3" r="1.8"/><circle cx="8.2" cy="16.7" r="1.8"/><circle cx="15.8" cy="8.9" r="1.8"/><path d="M8.2 9.1v5.8M15.8 10.7c0 2.9-2.2 3.4-4.6 3.7-1.6.2-3 .6-3 1.2"/>`
const panes = constant`<path fill="currentColor" stroke="none" d="M6.5 6.5h5v5h-5zM12.5 6.5h5v5h-5zM6.5 12.5h5v5h-5zM12.5 12.5h5v5h-5z"/>`
const fruit = constant`<path fill="currentColor" stroke="none" d="M12 9.3c-1.1-.8-2.2-1-3.2-.7-1.8.5-2.7 2.2-2.7 4.2 0 3 1.9 5.7 3.8 5.7.8 0 1.3-.4 2.1-.4s1.3.4 2.1.4c1.9 0 3.8-2.7 3.8-5.7 0-2-.9-3.7-2.7-4.2-1-.3-2.1-.1-3.2.7z"/><path fill="currentColor" stroke="none" d="M12.1 7.9c-.1-2 1.1-3.3 3-3.5.1 2-1.1 3.3-3 3.5z"/>`
const speech = constant`<path d="M8.3 6.5h7.4a2 2 0 0 1 2 2v4.8a2 2 0 0 1-2 2h-3.4l-2.7 2.5v-2.5H8.3a2 2 0 0 1-2-2V8.5a2 2 0 0 1 2-2z"/><path stroke-width="2" d="M10 10.9v.01M14 10.9v.01"/>`
const key = constant`<circle cx="8.9" cy="15.1" r="2.7"/><path d="M10.9 13.1l6.3-6.3M14.3 9.7l2 2"/>`
const shield = constant`<path d="M12 5.8l5.3 1.7v4.2c0 3-2 5.3-5.3 6.6-3.3-1.3-5.3-3.6-5.3-6.6V7.5z"/><path d="M9.8 12l1.6 1.6 2.9-3.1"/>`
const note = constant`<circle cx="9.3" cy="15.9" r="2.2"/><path d="M11.5 15.9V6.2c.3 2.3 2 3.8 4.5 3.9"/>`

const signs: ReadonlyMap<string, Sign> = new Map<string, Sign>([
  ["apple", { color: "#000000", drawing: fruit }],
  ["auth0", { color: "#d9441c", drawing: shield }],
  ["discord", { color: "#5865f2", drawing: speech }],
  ["facebook", { color: "#0866d6" }],
  ["github", { color: "#24292f", drawing: branch }],
  ["gitlab", { color: "#b9430f", drawing: branch }],
  ["google", { color: "#1a6fe0" }],
  ["keycloak", { color: "#2f6fa8", drawing: key }],
  ["linkedin", { color: "#0a66c2" }],
  ["microsoft-entra-id", { color: "#0067b8", drawing: panes }],
  ["slack", { color: "#611f69" }],
  ["tiktok", { color: "#000000", drawing: note }],
  ["twitch", { color: "#65459b" }]
])

// For a provider that has no color: one of eight, always the same one for the same id, each legible under white.
const colors = ["#3b5bdb", "#0b7285", "#27703a", "#8d33a3", "#b8245a", "#96480a", "#4a5562", "#5f3dc4"] as const

const colorOf = (id: string): string => {
  let sum = 0
  for (let i = 0; i < id.length; i++) sum = (sum * 31 + id.charCodeAt(i)) % 65521
  return colors[sum % colors.length] ?? colors[0]
}

const initial = (name: string): string => /[\p{L}\p{N}]/u.exec(name)?.[0].toUpperCase() ?? "?"

// A drawing needs 3 : 1 (WCAG 2.2, 1.4.11), a letter 4.5 : 1.
const inkOn = (surface: Color, drawn: boolean): Color =>
  drawn && contrast(surface, white) >= 3 ? white : textOn(surface)

/** The color a provider is shown in. Every value of a style is checked, and left out when it is not acceptable. */
const brandOf = (id: string, style: ProviderStyle | undefined): Color => {
  for (const candidate of [style?.brandColor, style?.bg, signs.get(id)?.color]) {
    const color = typeof candidate === "string" ? parseColor(candidate) : undefined
    if (color !== undefined) return color
  }
  return parseColor(colorOf(id)) ?? white
}

/** The mark of a provider: the image its configuration names, else a drawn tile. Decorative: the name stands beside it. */
export const mark = (provider: {
  readonly id: string
  readonly name: string
  readonly style?: ProviderStyle | undefined
}): Html => {
  const logo = provider.style?.logo
  const image = typeof logo === "string" ? parseImage(logo) : undefined
  if (image !== undefined) {
    return markup`<img src="${image.url}" alt="" width="24" height="24" referrerpolicy="no-referrer">`
  }
  const surface = brandOf(provider.id, provider.style)
  const outline = provider.style?.outline
  const drawing = signs.get(provider.id)?.drawing
  const ink = formatColor(inkOn(surface, outline !== undefined || drawing !== undefined))
  const inner =
    outline !== undefined
      ? markup`<path transform="translate(5 5) scale(.5833)" fill="${ink}" d="${outline}"/>`
      : drawing === undefined
        ? markup`<text x="12" y="16.5" text-anchor="middle" font-size="13" font-weight="650" fill="${ink}">${initial(provider.name)}</text>`
        : markup`<g color="${ink}" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round">${drawing}</g>`
  return markup`<svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">
    <rect x=".5" y=".5" width="23" height="23" rx="6.5" fill="${formatColor(surface)}" stroke="currentColor" stroke-opacity=".18"/>
    ${inner}
  </svg>`
}

/** The sign-in icon: an arrow into a bracket. */
export const enter: Html = constant`<div class="tile"><svg viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="M13.5 3.5h4a2 2 0 0 1 2 2v13a2 2 0 0 1-2 2h-4M4 12h10.5M10.5 8l4 4-4 4"/></svg></div>`

/** The sign-out icon: an arrow out of a bracket. */
export const leave: Html = constant`<div class="tile"><svg viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="M10.5 3.5h-4a2 2 0 0 0-2 2v13a2 2 0 0 0 2 2h4M9.5 12H20M16 8l4 4-4 4"/></svg></div>`

/** A closed envelope. */
export const envelope: Html = constant`<div class="tile"><svg viewBox="0 0 24 24" aria-hidden="true" focusable="false"><rect x="3.5" y="5.5" width="17" height="13" rx="2.5"/><path d="M4.5 7.5l7.5 5.5 7.5-5.5"/></svg></div>`

/** A warning sign. */
export const warning: Html = constant`<div class="tile"><svg viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="M12 4.5l8.5 14.75h-17zM12 10.25v4M12 16.7v.01"/></svg></div>`

/** A circled exclamation mark, beside a message. */
export const alert: Html = constant`<svg viewBox="0 0 24 24" aria-hidden="true" focusable="false"><circle cx="12" cy="12" r="8.5"/><path d="M12 8v4.5M12 15.75v.01"/></svg>`
