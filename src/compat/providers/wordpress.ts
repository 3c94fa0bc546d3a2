/**
 * `WordPress` of `Provider/WordPress.ts`, under the name `providers/wordpress`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { WordPress as preset, type WordPressProfile as Shape } from "../../Provider/WordPress.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
interface Profile extends Claims<Shape> {}

/** The factory of the preset; `Provider/WordPress.ts` says what it needs. @category providers @since 0.1.0 */
const WordPress: Factory<typeof preset, Profile> = preset

export { WordPress as default }
