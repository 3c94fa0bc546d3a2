/**
 * `Video` of `Provider/Video.ts`, under the name `providers/video`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Video as preset, type VideoProfile as Shape } from "../../Provider/Video.ts"
import type { Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface VideoProfile extends Shape {}

/** The factory of the preset; `Provider/Video.ts` says what it needs. @category providers @since 0.1.0 */
const Video: Factory<typeof preset, VideoProfile> = preset

export { Video as default }
