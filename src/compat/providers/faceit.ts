/**
 * `Faceit` of `Provider/Faceit.ts`, under the name `providers/faceit`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Faceit as preset, type FaceitProfile as Shape } from "../../Provider/Faceit.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
interface Profile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Faceit.ts` says what it needs. @category providers @since 0.1.0 */
const Faceit: Factory<typeof preset, Profile> = preset

export { Faceit as default }
