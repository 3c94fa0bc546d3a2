/**
 * The environment variables of a provider.
 *
 * @since 0.1.0
 */

/** What the names of the variables of a provider begin with: `AUTH_GITHUB_`. */
export const variablePrefix = (id: string): string => `AUTH_${id.toUpperCase().replaceAll("-", "_")}_`
