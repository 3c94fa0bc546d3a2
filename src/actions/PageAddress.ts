/**
 * Addresses of pages: how they are made, and what their parameters say.
 *
 * @since 0.1.0
 */
import type { AuthRequest } from "../http/AuthRequest.ts"

/**
 * The absolute address of an application's page with further parameters; one of the same name is replaced.
 *
 * @category constructors
 * @since 0.1.0
 */
export const pageUrl = (page: string, origin: string, query: Readonly<Record<string, string>>): string => {
  const url = new URL(page, origin)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}

/**
 * A parameter of the page, where it has a value that the page knows.
 *
 * @category getters
 * @since 0.1.0
 */
export const parameter = (
  request: AuthRequest["Service"],
  name: string,
  isKnown: (value: string) => boolean
): string | undefined => {
  const value = request.url.search === "" ? null : request.url.searchParams.get(name)
  return value !== null && isKnown(value) ? value : undefined
}
