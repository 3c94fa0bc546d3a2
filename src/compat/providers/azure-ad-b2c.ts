/**
 * `AzureAdB2c` of `Provider/AzureAdB2c.ts`, under the name `providers/azure-ad-b2c`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { AzureAdB2c as preset, type AzureAdB2cProfile as Shape } from "../../Provider/AzureAdB2c.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface AzureADB2CProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/AzureAdB2c.ts` says what it needs. @category providers @since 0.1.0 */
const AzureAdB2c: Factory<typeof preset, AzureADB2CProfile> = preset

export { AzureAdB2c as default }
