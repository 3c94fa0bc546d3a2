/**
 * `Osu` of `Provider/Osu.ts`, under the name `providers/osu`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Osu as preset, type OsuProfile as Shape } from "../../Provider/Osu.ts"
import type { Claims, Factory, Member } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface OsuProfile extends Claims<Shape> {}

/** Part of a profile. @category models @since 0.1.0 */
export interface OsuUserCompact extends Member {}

/** The factory of the preset; `Provider/Osu.ts` says what it needs. @category providers @since 0.1.0 */
const Osu: Factory<typeof preset, OsuProfile> = preset

export { Osu as default }
