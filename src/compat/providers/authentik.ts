/**
 * `Authentik` of `Provider/Authentik.ts`, under the name `providers/authentik`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Authentik as preset, type AuthentikProfile as Shape } from "../../Provider/Authentik.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface AuthentikProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Authentik.ts` says what it needs. @category providers @since 0.1.0 */
const Authentik: Factory<typeof preset, AuthentikProfile> = preset

export { Authentik as default }
