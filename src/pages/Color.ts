/**
 * Colors a configuration may name, and what is needed to put legible text on them: a small, closed grammar (hexadecimal, the names
 * of CSS, `rgb()`, `hsl()`) read into three channels, and the WCAG 2.2 contrast ratio.
 *
 * It is not a CSS parser: everything outside the grammar is refused. Pages write a color from its channels, never
 * from the text it was given as, so no configured text ever reaches a stylesheet.
 */

/** An opaque sRGB color, channels 0 to 255. @category models @since 0.1.0 */
export interface Color {
  readonly red: number
  readonly green: number
  readonly blue: number
}

const hexadecimal = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i
const value = "([+-]?(?:\\d{1,4}(?:\\.\\d{0,12})?|\\.\\d{1,12}))(%|deg)?"
const functional = new RegExp(
  `^(rgb|hsl)a?\\( *${value}( *, *| +)${value}( *, *| +)${value} *(?:([,/]) *${value} *)?\\)$`,
  "i"
)

const channel = (value: number): number => Math.min(255, Math.max(0, Math.round(value)))

const unit = (value: number): number => Math.min(1, Math.max(0, value))

/** A translucent color as it looks on white; `undefined` for one that cannot be seen. */
const onWhite = ({ blue, green, red }: Color, alpha: number): Color | undefined => {
  const over = (value: number): number => channel(value * alpha + 255 * (1 - alpha))
  return alpha <= 0 ? undefined : { red: over(red), green: over(green), blue: over(blue) }
}

const fromHexadecimal = (digits: string): Color | undefined => {
  const long = digits.length < 6 ? digits.replace(/./g, "$&$&") : digits
  const value = Number.parseInt(long.slice(0, 6), 16)
  const color = { red: value >> 16, green: (value >> 8) & 255, blue: value & 255 }
  return long.length === 6 ? color : onWhite(color, Number.parseInt(long.slice(6), 16) / 255)
}

const fromHsl = (hue: number, saturation: number, lightness: number): Color => {
  const s = unit(saturation / 100)
  const l = unit(lightness / 100)
  const turn = ((hue % 360) + 360) % 360
  const at = (offset: number): number => {
    const k = (offset + turn / 30) % 12
    return channel(255 * (l - s * Math.min(l, 1 - l) * Math.max(-1, Math.min(k - 3, 9 - k, 1))))
  }
  return { red: at(0), green: at(8), blue: at(4) }
}

/** The channels of `rgb()`: three numbers, or three percentages. */
const fromRgb = (values: ReadonlyArray<number>, unit: string): Color => {
  const [red = 0, green = 0, blue = 0] = values.map((value) => channel(unit === "%" ? (value * 255) / 100 : value))
  return { red, green, blue }
}

const fromFunction = (parts: ReadonlyArray<string | undefined>): Color | undefined => {
  const [
    ,
    name = "",
    v1,
    u1 = "",
    separator1 = "",
    v2,
    u2 = "",
    separator2 = "",
    v3,
    u3 = "",
    slash,
    alpha,
    alphaUnit
  ] = parts
  const isList = separator1.includes(",")
  // Commas everywhere, or nowhere.
  if (isList !== separator2.includes(",") || (slash !== undefined && (slash === ",") !== isList)) return undefined
  const isRgb = name.toLowerCase() === "rgb"
  const isRead = isRgb ? u1 !== "deg" && u1 === u2 && u2 === u3 : u1 !== "%" && u2 === "%" && u3 === "%"
  if (!isRead || alphaUnit === "deg") return undefined
  const values = [Number(v1), Number(v2), Number(v3)] as const
  const color = isRgb ? fromRgb(values, u1) : fromHsl(...values)
  return alpha === undefined ? color : onWhite(color, unit(Number(alpha) / (alphaUnit === "%" ? 100 : 1)))
}

/**
 * The color a text names, or `undefined` when it names none. A translucent one is read as it looks on white, so that the text
 * on it can be chosen to be legible.
 *
 * @category Theme
 * @since 0.1.0
 */
export const parseColor = (text: string): Color | undefined => {
  if (text.length > 128) return undefined
  const source = text.trim()
  if (hexadecimal.test(source)) return fromHexadecimal(source.slice(1))
  const parts = functional.exec(source)
  if (parts !== null) return fromFunction([...parts])
  const digits = namedColors.get(source.toLowerCase())
  return digits === undefined ? undefined : fromHexadecimal(digits)
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

/**
 * The named colors of CSS (CSS Color 4, section 6.1) with their channels in hexadecimal. Names that depend on the page or are not
 * opaque (`currentcolor`, `transparent`, system colors) are left out on purpose.
 */
const namedColors = new Map<string, string>()
const words = (
  "aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff beige f5f5dc bisque ffe4c4 " +
  "black 000000 blanchedalmond ffebcd blue 0000ff blueviolet 8a2be2 brown a52a2a burlywood deb887 cadetblue 5f9ea0 " +
  "chartreuse 7fff00 chocolate d2691e coral ff7f50 cornflowerblue 6495ed cornsilk fff8dc crimson dc143c cyan 00ffff " +
  "darkblue 00008b darkcyan 008b8b darkgoldenrod b8860b darkgray a9a9a9 darkgreen 006400 darkgrey a9a9a9 " +
  "darkkhaki bdb76b darkmagenta 8b008b darkolivegreen 556b2f darkorange ff8c00 darkorchid 9932cc darkred 8b0000 " +
  "darksalmon e9967a darkseagreen 8fbc8f darkslateblue 483d8b darkslategray 2f4f4f darkslategrey 2f4f4f " +
  "darkturquoise 00ced1 darkviolet 9400d3 deeppink ff1493 deepskyblue 00bfff dimgray 696969 dimgrey 696969 " +
  "dodgerblue 1e90ff firebrick b22222 floralwhite fffaf0 forestgreen 228b22 fuchsia ff00ff gainsboro dcdcdc " +
  "ghostwhite f8f8ff gold ffd700 goldenrod daa520 gray 808080 green 008000 greenyellow adff2f grey 808080 " +
  "honeydew f0fff0 hotpink ff69b4 indianred cd5c5c indigo 4b0082 ivory fffff0 khaki f0e68c lavender e6e6fa " +
  "lavenderblush fff0f5 lawngreen 7cfc00 lemonchiffon fffacd lightblue add8e6 lightcoral f08080 lightcyan e0ffff " +
  "lightgoldenrodyellow fafad2 lightgray d3d3d3 lightgreen 90ee90 lightgrey d3d3d3 lightpink ffb6c1 " +
  "lightsalmon ffa07a lightseagreen 20b2aa lightskyblue 87cefa lightslategray 778899 lightslategrey 778899 " +
  "lightsteelblue b0c4de lightyellow ffffe0 lime 00ff00 limegreen 32cd32 linen faf0e6 magenta ff00ff maroon 800000 " +
  "mediumaquamarine 66cdaa mediumblue 0000cd mediumorchid ba55d3 mediumpurple 9370db mediumseagreen 3cb371 " +
  "mediumslateblue 7b68ee mediumspringgreen 00fa9a mediumturquoise 48d1cc mediumvioletred c71585 " +
  "midnightblue 191970 mintcream f5fffa mistyrose ffe4e1 moccasin ffe4b5 navajowhite ffdead navy 000080 " +
  "oldlace fdf5e6 olive 808000 olivedrab 6b8e23 orange ffa500 orangered ff4500 orchid da70d6 palegoldenrod eee8aa " +
  "palegreen 98fb98 paleturquoise afeeee palevioletred db7093 papayawhip ffefd5 peachpuff ffdab9 peru cd853f " +
  "pink ffc0cb plum dda0dd powderblue b0e0e6 purple 800080 rebeccapurple 663399 red ff0000 rosybrown bc8f8f " +
  "royalblue 4169e1 saddlebrown 8b4513 salmon fa8072 sandybrown f4a460 seagreen 2e8b57 seashell fff5ee " +
  "sienna a0522d silver c0c0c0 skyblue 87ceeb slateblue 6a5acd slategray 708090 slategrey 708090 snow fffafa " +
  "springgreen 00ff7f steelblue 4682b4 tan d2b48c teal 008080 thistle d8bfd8 tomato ff6347 turquoise 40e0d0 " +
  "violet ee82ee wheat f5deb3 white ffffff whitesmoke f5f5f5 yellow ffff00 yellowgreen 9acd32"
).split(" ")
for (let i = 0; i + 1 < words.length; i += 2) namedColors.set(words[i] ?? "", words[i + 1] ?? "")
