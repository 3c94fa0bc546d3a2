/** Measures the contrast of a page as a browser has drawn it (WCAG 2.2, 1.4.3). */

/** The lowest contrast of a text with the surface it stands on, and which text that is. Runs inside the page. */
export const lowestContrast = (): { readonly ratio: number; readonly text: string } => {
  const channels = (color: string): ReadonlyArray<number> => (color.match(/[\d.]+/g) ?? []).map(Number)
  const luminance = (color: ReadonlyArray<number>): number => {
    const [red = 0, green = 0, blue = 0] = color.map((value) => {
      const part = value / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const surface = (element: Element | null): ReadonlyArray<number> => {
    if (element === null) return [255, 255, 255]
    const color = channels(getComputedStyle(element).backgroundColor)
    return color.length === 4 && color[3] === 0 ? surface(element.parentElement) : color.slice(0, 3)
  }
  let lowest = { ratio: 21, text: "" }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement
    const text = (node.textContent ?? "").trim()
    if (element === null || text === "" || element.closest("svg") !== null) continue
    const one = luminance(channels(getComputedStyle(element).color).slice(0, 3))
    const other = luminance(surface(element))
    const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
    if (ratio < lowest.ratio) lowest = { ratio, text }
  }
  return lowest
}
