/**
 * `AzureDevOps` of `Provider/AzureDevOps.ts`, under the name `providers/azure-devops`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { AzureDevOps as preset, type AzureDevOpsProfile as Shape } from "../../Provider/AzureDevOps.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface AzureDevOpsProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/AzureDevOps.ts` says what it needs. @category providers @since 0.1.0 */
const AzureDevOps: Factory<typeof preset, AzureDevOpsProfile> = preset

export { AzureDevOps as default }
