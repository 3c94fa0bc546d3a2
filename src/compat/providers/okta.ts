/**
 * `Okta` of `Provider/Okta.ts`, under the name `providers/okta`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Okta as preset, type OktaProfile as Shape } from "../../Provider/Okta.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface OktaProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Okta.ts` says what it needs. @category providers @since 0.1.0 */
const Okta: Factory<typeof preset, OktaProfile> = preset

export { Okta as default }
