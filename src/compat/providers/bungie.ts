/**
 * `Bungie` of `Provider/Bungie.ts`, under the name `providers/bungie`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Bungie as preset, type BungieProfile as Shape } from "../../Provider/Bungie.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
interface Profile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Bungie.ts` says what it needs. @category providers @since 0.1.0 */
const Bungie: Factory<typeof preset, Profile> = preset

export { Bungie as default }
