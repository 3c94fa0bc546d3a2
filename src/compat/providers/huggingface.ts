/**
 * `HuggingFace` of `Provider/HuggingFace.ts`, under the name `providers/huggingface`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { HuggingFace as preset, type HuggingFaceProfile as Shape } from "../../Provider/HuggingFace.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface HuggingfaceProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/HuggingFace.ts` says what it needs. @category providers @since 0.1.0 */
const HuggingFace: Factory<typeof preset, HuggingfaceProfile> = preset

export { HuggingFace as default }
