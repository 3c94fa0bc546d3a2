/**
 * `OneLogin` of `Provider/OneLogin.ts`, under the name `providers/onelogin`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { OneLogin as preset, type OneLoginProfile as Shape } from "../../Provider/OneLogin.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
interface Profile extends Claims<Shape> {}

/** The factory of the preset; `Provider/OneLogin.ts` says what it needs. @category providers @since 0.1.0 */
const OneLogin: Factory<typeof preset, Profile> = preset

export { OneLogin as default }
