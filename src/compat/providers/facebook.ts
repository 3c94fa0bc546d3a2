/**
 * `Facebook` of `Provider/Facebook.ts`, under the name `providers/facebook`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Facebook as preset, type FacebookProfile as Shape } from "../../Provider/Facebook.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface FacebookProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Facebook.ts` says what it needs. @category providers @since 0.1.0 */
const Facebook: Factory<typeof preset, FacebookProfile> = preset

export { Facebook as default }
