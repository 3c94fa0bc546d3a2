/**
 * `Vk` of `Provider/Vk.ts`, under the name `providers/vk`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Vk as preset, type VkProfile as Shape } from "../../Provider/Vk.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface VkProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Vk.ts` says what it needs. @category providers @since 0.1.0 */
const Vk: Factory<typeof preset, VkProfile> = preset

export { Vk as default }
