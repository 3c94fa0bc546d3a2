/**
 * The environment variables of a provider.
 *
 * @since 0.1.0
 */

/** The prefix of a provider's variables: `AUTH_GITHUB_`. */
export const variablePrefix = (id: string): string => `AUTH_${id.toUpperCase().replaceAll("-", "_")}_`
