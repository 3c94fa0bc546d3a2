/**
 * `Passage` of `Provider/Passage.ts`, under the name `providers/passage`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Passage as preset, type PassageProfile as Shape } from "../../Provider/Passage.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface PassageProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Passage.ts` says what it needs. @category providers @since 0.1.0 */
const Passage: Factory<typeof preset, PassageProfile> = preset

export { Passage as default }
