/**
 * The colors of the built-in pages, in both schemes. Every pair of text and surface reaches 4.5 : 1, the edge of an
 * input 3 : 1 (WCAG 2.2, 1.4.3 and 1.4.11); the tests compute both.
 *
 * It is data only: the stylesheet turns it into custom properties.
 */

/** One scheme: what each color is for. */
export interface Palette {
  /** Behind everything. */
  readonly background: string
  /** The card the page stands on. */
  readonly card: string
  /** The surface of buttons under the pointer, and of small tiles. */
  readonly hover: string
  readonly text: string
  /** Secondary text. */
  readonly info: string
  /** Hairlines that carry no meaning of their own. */
  readonly separator: string
  /** The edge of inputs, which shows where to type. */
  readonly controlBorder: string
  /** The edge of buttons, whose words already say what they are. */
  readonly buttonBorder: string
  /** The main button. */
  readonly primary: string
  readonly primaryHover: string
  readonly onPrimary: string
  readonly link: string
  readonly focus: string
  readonly error: string
  readonly errorText: string
  readonly errorBorder: string
  readonly notice: string
  readonly noticeText: string
  readonly noticeBorder: string
}

/** Both schemes. */
export const palette: { readonly light: Palette; readonly dark: Palette } = {
  light: {
    background: "#f3f3f0",
    card: "#ffffff",
    hover: "#f4f4f1",
    text: "#1b1b1f",
    info: "#5b5b64",
    separator: "#e4e4df",
    controlBorder: "#85858e",
    buttonBorder: "#cfcfd4",
    primary: "#1f1f26",
    primaryHover: "#383842",
    onPrimary: "#ffffff",
    link: "#1f1f26",
    focus: "#2459d6",
    error: "#fdf0ee",
    errorText: "#8f1f16",
    errorBorder: "#f0c8c2",
    notice: "#eef3fd",
    noticeText: "#1f4690",
    noticeBorder: "#c9d8f5"
  },
  dark: {
    background: "#101013",
    card: "#19191d",
    hover: "#24242a",
    text: "#f1f1f3",
    info: "#a9a9b3",
    separator: "#2f2f36",
    controlBorder: "#75757f",
    buttonBorder: "#44444d",
    primary: "#f1f1f3",
    primaryHover: "#d6d6dc",
    onPrimary: "#19191d",
    link: "#f1f1f3",
    focus: "#8fb4ff",
    error: "#331a18",
    errorText: "#ffb9b0",
    errorBorder: "#5c2d29",
    notice: "#182338",
    noticeText: "#b3ccff",
    noticeBorder: "#2f4468"
  }
}
