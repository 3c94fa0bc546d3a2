/**
 * The types of `providers`.
 *
 * Written by `scripts/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
export type * from "../providers.ts"
