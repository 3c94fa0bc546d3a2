/**
 * `BeyondIdentity` of `Provider/BeyondIdentity.ts`, under the name `providers/beyondidentity`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { BeyondIdentity as preset, type BeyondIdentityProfile as Shape } from "../../Provider/BeyondIdentity.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface BeyondIdentityProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/BeyondIdentity.ts` says what it needs. @category providers @since 0.1.0 */
const BeyondIdentity: Factory<typeof preset, BeyondIdentityProfile> = preset

export { BeyondIdentity as default }
