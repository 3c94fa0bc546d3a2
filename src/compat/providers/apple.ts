/**
 * `Apple` of `Provider/Apple.ts`, under the name `providers/apple`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Apple as preset, type AppleProfile as Shape } from "../../Provider/Apple.ts"
import type { Claims, Factory, Member } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface AppleProfile extends Claims<Shape> {}

/** Part of a profile. @category models @since 0.1.0 */
export interface AppleNonConformUser extends Member {}

/** The factory of the preset; `Provider/Apple.ts` says what it needs. @category providers @since 0.1.0 */
const Apple: Factory<typeof preset, AppleProfile> = preset

export { Apple as default }
