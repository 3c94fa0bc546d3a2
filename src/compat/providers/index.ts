/**
 * The types of `providers`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
export type * from "../providers.ts"
