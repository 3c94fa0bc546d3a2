/**
 * `Figma` of `Provider/Figma.ts`, under the name `providers/figma`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Figma as preset, type FigmaProfile as Shape } from "../../Provider/Figma.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
interface Profile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Figma.ts` says what it needs. @category providers @since 0.1.0 */
const Figma: Factory<typeof preset, Profile> = preset

export { Figma as default }
