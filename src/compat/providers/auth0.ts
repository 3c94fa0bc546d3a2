/**
 * `Auth0` of `Provider/Auth0.ts`, under the name `providers/auth0`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Auth0 as preset, type Auth0Profile as Shape } from "../../Provider/Auth0.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface Auth0Profile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Auth0.ts` says what it needs. @category providers @since 0.1.0 */
const Auth0: Factory<typeof preset, Auth0Profile> = preset

export { Auth0 as default }
