/**
 * `Discord` of `Provider/Discord.ts`, under the name `providers/discord`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Discord as preset, type DiscordProfile as Shape } from "../../Provider/Discord.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface DiscordProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Discord.ts` says what it needs. @category providers @since 0.1.0 */
const Discord: Factory<typeof preset, DiscordProfile> = preset

export { Discord as default }
