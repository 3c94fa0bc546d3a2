/**
 * `TikTok` of `Provider/TikTok.ts`, under the name `providers/tiktok`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { TikTok as preset, type TikTokProfile as Shape } from "../../Provider/TikTok.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface TiktokProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/TikTok.ts` says what it needs. @category providers @since 0.1.0 */
const TikTok: Factory<typeof preset, TiktokProfile> = preset

export { TikTok as default }
