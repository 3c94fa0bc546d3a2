/**
 * What every built-in page has in common for a request.
 *
 * @since 0.1.0
 */
import type { PageFrame } from "./BuiltInPages.ts"

/**
 * The frame of a page at `url`.
 *
 * @category combinators
 * @since 0.1.0
 */
export const frame = (settings: Pick<PageFrame, "basePath" | "theme">, url: URL): PageFrame => ({
  theme: settings.theme,
  basePath: settings.basePath,
  homeUrl: url.origin,
  homeLabel: url.host
})
