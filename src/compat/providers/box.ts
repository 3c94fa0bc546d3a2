/**
 * `Box` of `Provider/Box.ts`, under the name `providers/box`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Box as preset, type BoxProfile as Shape } from "../../Provider/Box.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
interface Profile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Box.ts` says what it needs. @category providers @since 0.1.0 */
const Box: Factory<typeof preset, Profile> = preset

export { Box as default }
