/**
 * The ids of the presets.
 *
 * Written by `scripts/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
export type { EmailProviderId, OAuthProviderId } from "../providers.ts"
