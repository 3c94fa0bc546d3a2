/**
 * `NetSuite` of `Provider/NetSuite.ts`, under the name `providers/netsuite`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { NetSuite as preset, type NetSuiteProfile as Shape } from "../../Provider/NetSuite.ts"
import type { Claims, Factory, OwnOptions } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface NetSuiteProfile extends Claims<Shape> {}

/** What only this preset takes. @category models @since 0.1.0 */
export type OAuthNetSuiteOptions = OwnOptions<typeof preset>

/** The factory of the preset; `Provider/NetSuite.ts` says what it needs. @category providers @since 0.1.0 */
const NetSuite: Factory<typeof preset, NetSuiteProfile> = preset

export { NetSuite as default }
