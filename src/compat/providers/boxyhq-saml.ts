/**
 * `BoxyHqSaml` of `Provider/BoxyHqSaml.ts`, under the name `providers/boxyhq-saml`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { BoxyHqSaml as preset, type BoxyHqSamlProfile as Shape } from "../../Provider/BoxyHqSaml.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface BoxyHQSAMLProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/BoxyHqSaml.ts` says what it needs. @category providers @since 0.1.0 */
const BoxyHqSaml: Factory<typeof preset, BoxyHQSAMLProfile> = preset

export { BoxyHqSaml as default }
