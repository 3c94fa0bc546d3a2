/**
 * `Trakt` of `Provider/Trakt.ts`, under the name `providers/trakt`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Trakt as preset, type TraktProfile as Shape } from "../../Provider/Trakt.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface TraktUser extends Claims<Shape> {}

/** The factory of the preset; `Provider/Trakt.ts` says what it needs. @category providers @since 0.1.0 */
const Trakt: Factory<typeof preset, TraktUser> = preset

export { Trakt as default }
