/**
 * `Medium` of `Provider/Medium.ts`, under the name `providers/medium`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Medium as preset, type MediumProfile as Shape } from "../../Provider/Medium.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
interface Profile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Medium.ts` says what it needs. @category providers @since 0.1.0 */
const Medium: Factory<typeof preset, Profile> = preset

export { Medium as default }
