/**
 * `Patreon` of `Provider/Patreon.ts`, under the name `providers/patreon`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Patreon as preset, type PatreonProfile as Shape } from "../../Provider/Patreon.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface PatreonProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Patreon.ts` says what it needs. @category providers @since 0.1.0 */
const Patreon: Factory<typeof preset, PatreonProfile> = preset

export { Patreon as default }
