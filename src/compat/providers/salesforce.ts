/**
 * `Salesforce` of `Provider/Salesforce.ts`, under the name `providers/salesforce`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Salesforce as preset, type SalesforceProfile as Shape } from "../../Provider/Salesforce.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface SalesforceProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Salesforce.ts` says what it needs. @category providers @since 0.1.0 */
const Salesforce: Factory<typeof preset, SalesforceProfile> = preset

export { Salesforce as default }
