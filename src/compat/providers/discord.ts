/**
 * `Discord` of `Provider/Discord.ts`, under the name `providers/discord`.
 *
 * Written by `scripts/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Discord as preset, type DiscordProfile as Shape } from "../../Provider/Discord.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface DiscordProfile extends Claims<Shape> {}

const Discord: Factory<typeof preset, DiscordProfile> = preset
export default Discord
