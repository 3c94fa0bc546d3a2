/**
 * `Roblox` of `Provider/Roblox.ts`, under the name `providers/roblox`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Roblox as preset, type RobloxProfile as Shape } from "../../Provider/Roblox.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface RobloxProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Roblox.ts` says what it needs. @category providers @since 0.1.0 */
const Roblox: Factory<typeof preset, RobloxProfile> = preset

export { Roblox as default }
