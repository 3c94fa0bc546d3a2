/**
 * `Line` of `Provider/Line.ts`, under the name `providers/line`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Line as preset, type LineProfile as Shape } from "../../Provider/Line.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface LineProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Line.ts` says what it needs. @category providers @since 0.1.0 */
const Line: Factory<typeof preset, LineProfile> = preset

export { Line as default }
