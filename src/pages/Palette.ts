/**
 * The colors of the built-in pages, in both schemes. Every pair of text and surface reaches 4.5 : 1, the edge of an
 * input 3 : 1 (WCAG 2.2, 1.4.3 and 1.4.11); the tests compute both.
 *
 * It is data only: the stylesheet turns it into custom properties.
 */

/** Both schemes. */
export const palette = {
  light: {
    // Behind everything.
    background: "#f3f3f0",
    // The card the page stands on.
    card: "#ffffff",
    // The surface of buttons under the pointer, and of small tiles.
    hover: "#f4f4f1",
    text: "#1b1b1f",
    // Secondary text.
    info: "#5b5b64",
    // Hairlines that carry no meaning of their own.
    separator: "#e4e4df",
    // The edge of inputs, which shows where to type.
    controlBorder: "#85858e",
    // The edge of buttons, whose words already say what they are.
    buttonBorder: "#cfcfd4",
    // The main button.
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
