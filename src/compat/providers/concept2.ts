/**
 * `Concept2` of `Provider/Concept2.ts`, under the name `providers/concept2`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Concept2 as preset, type Concept2Profile as Shape } from "../../Provider/Concept2.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface Concept2Profile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Concept2.ts` says what it needs. @category providers @since 0.1.0 */
const Concept2: Factory<typeof preset, Concept2Profile> = preset

export { Concept2 as default }
