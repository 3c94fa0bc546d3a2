/**
 * `Zoom` of `Provider/Zoom.ts`, under the name `providers/zoom`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Zoom as preset, type ZoomProfile as Shape } from "../../Provider/Zoom.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface ZoomProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Zoom.ts` says what it needs. @category providers @since 0.1.0 */
const Zoom: Factory<typeof preset, ZoomProfile> = preset

export { Zoom as default }
