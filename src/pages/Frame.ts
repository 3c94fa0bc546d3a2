/**
 * The common parts of all built-in pages for a request.
 *
 * @since 0.1.0
 */
import type { PageFrame } from "./BuiltInPages.ts"

const frames = new WeakMap<object, PageFrame>()

/**
 * The frame of a page at `url`: the same one for the same configuration and host, so that pages keep what they made of it.
 *
 * @category combinators
 * @since 0.1.0
 */
export const frame = (settings: Pick<PageFrame, "basePath" | "theme">, url: URL): PageFrame => {
  const { origin } = url
  const last = frames.get(settings)
  if (last?.homeUrl === origin) return last
  const { basePath, theme } = settings
  const next = { theme, basePath, homeUrl: origin, homeLabel: url.host }
  frames.set(settings, next)
  return next
}
