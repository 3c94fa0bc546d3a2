/**
 * `Descope` of `Provider/Descope.ts`, under the name `providers/descope`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Descope as preset, type DescopeProfile as Shape } from "../../Provider/Descope.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface DescopeProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Descope.ts` says what it needs. @category providers @since 0.1.0 */
const Descope: Factory<typeof preset, DescopeProfile> = preset

export { Descope as default }
