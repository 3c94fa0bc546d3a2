/**
 * `Instagram` of `Provider/Instagram.ts`, under the name `providers/instagram`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Instagram as preset, type InstagramProfile as Shape } from "../../Provider/Instagram.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
interface Profile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Instagram.ts` says what it needs. @category providers @since 0.1.0 */
const Instagram: Factory<typeof preset, Profile> = preset

export { Instagram as default }
