/**
 * `AzureAd` of `Provider/AzureAd.ts`, under the name `providers/azure-ad`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { AzureAd as preset, type AzureAdProfile as Shape } from "../../Provider/AzureAd.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface AzureADProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/AzureAd.ts` says what it needs. @category providers @since 0.1.0 */
const AzureAd: Factory<typeof preset, AzureADProfile> = preset

export { AzureAd as default }
