/**
 * Colors a configuration may name, and what is needed to put legible text on them: a small, closed grammar (CSS Color 4:
 * hexadecimal, `rgb()`, `hsl()`, named) read into three channels, and the WCAG 2.2 contrast ratio.
 *
 * It is not a CSS parser: whatever is outside the grammar is no color. Pages write a color from its channels, never
 * from the text it was given as, so no configured text ever reaches a stylesheet.
 */
import { namedColor } from "./NamedColor.ts"

/** An opaque sRGB color, channels 0 to 255. @category models @since 0.1.0 */
export interface Color {
  readonly red: number
  readonly green: number
  readonly blue: number
}

const hexadecimal = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i
const number = "[+-]?(?:\\d{1,4}(?:\\.\\d{0,6})?|\\.\\d{1,6})"
const functional = new RegExp(
  `^(rgb|hsl)a?\\( *(${number})(deg|%)? *(,| ) *(${number})(%?) *(,| ) *(${number})(%?) *(?:[,/] *(1(?:\\.0{0,6})?|100%) *)?\\)$`,
  "i"
)

const channel = (value: number): number => Math.min(255, Math.max(0, Math.round(value)))

const fromHexadecimal = (digits: string): Color => {
  const six = digits.length === 3 ? digits.replace(/./g, "$&$&") : digits
  const value = Number.parseInt(six, 16)
  return { red: value >> 16, green: (value >> 8) & 255, blue: value & 255 }
}

const fromHsl = (hue: number, saturation: number, lightness: number): Color => {
  const s = Math.min(1, Math.max(0, saturation / 100))
  const l = Math.min(1, Math.max(0, lightness / 100))
  const turn = ((hue % 360) + 360) % 360
  const at = (offset: number): number => {
    const k = (offset + turn / 30) % 12
    return channel(255 * (l - s * Math.min(l, 1 - l) * Math.max(-1, Math.min(k - 3, 9 - k, 1))))
  }
  return { red: at(0), green: at(8), blue: at(4) }
}

/**
 * The color a text names, or `undefined` when it names none. Only opaque colors count: text on a translucent button
 * cannot be promised to be legible.
 *
 * @category Theme
 * @since 0.1.0
 */
export const parseColor = (text: string): Color | undefined => {
  if (text.length > 64) return undefined
  const trimmed = text.trim()
  if (hexadecimal.test(trimmed)) return fromHexadecimal(trimmed.slice(1))
  const parts = functional.exec(trimmed)
  if (parts === null) {
    const digits = namedColor(trimmed.toLowerCase())
    return digits === undefined ? undefined : fromHexadecimal(digits)
  }
  const [, name = "", first = "", firstUnit, separator1, second = "", secondUnit, separator2, third = "", thirdUnit] =
    parts
  if (separator1 !== separator2 || secondUnit !== thirdUnit) return undefined
  if (name.toLowerCase() === "hsl") {
    if (firstUnit === "%" || secondUnit !== "%") return undefined
    return fromHsl(Number(first), Number(second), Number(third))
  }
  if (firstUnit === "deg" || (firstUnit ?? "") !== secondUnit) return undefined
  const read = (value: string): number => channel(secondUnit === "%" ? (Number(value) * 255) / 100 : Number(value))
  return { red: read(first), green: read(second), blue: read(third) }
}

/**
 * The color as `#rrggbb`.
 *
 * @category Theme
 * @since 0.1.0
 */
export const formatColor = (color: Color): string =>
  `#${((1 << 24) | (color.red << 16) | (color.green << 8) | color.blue).toString(16).slice(1)}`

const linear = (value: number): number => {
  const part = value / 255
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
}

const luminance = (color: Color): number =>
  0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue)

/**
 * The contrast ratio of two colors, 1 to 21 (WCAG 2.2, definition of contrast ratio).
 *
 * @category Theme
 * @since 0.1.0
 */
export const contrast = (one: Color, other: Color): number => {
  const a = luminance(one)
  const b = luminance(other)
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

/** White, for text on dark surfaces. */
export const white: Color = { red: 255, green: 255, blue: 255 }

/** Black, for text on light surfaces. */
export const black: Color = { red: 0, green: 0, blue: 0 }

/**
 * Black or white, whichever reads better on the given color; the better of the two always reaches 4.5 : 1.
 * White is kept wherever it is legible, because brands are drawn that way.
 *
 * @category Theme
 * @since 0.1.0
 */
export const textOn = (surface: Color): Color => (contrast(surface, white) >= 4.5 ? white : black)
