/**
 * The ids of the presets.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
export type { EmailProviderId, OAuthProviderId } from "../providers.ts"
