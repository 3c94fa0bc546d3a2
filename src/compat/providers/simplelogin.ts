/**
 * `SimpleLogin` of `Provider/SimpleLogin.ts`, under the name `providers/simplelogin`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { SimpleLogin as preset, type SimpleLoginProfile as Shape } from "../../Provider/SimpleLogin.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface SimpleLoginProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/SimpleLogin.ts` says what it needs. @category providers @since 0.1.0 */
const SimpleLogin: Factory<typeof preset, SimpleLoginProfile> = preset

export { SimpleLogin as default }
