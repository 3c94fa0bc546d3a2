/**
 * `Twitch` of `Provider/Twitch.ts`, under the name `providers/twitch`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Twitch as preset, type TwitchProfile as Shape } from "../../Provider/Twitch.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface TwitchProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Twitch.ts` says what it needs. @category providers @since 0.1.0 */
const Twitch: Factory<typeof preset, TwitchProfile> = preset

export { Twitch as default }
