/**
 * `IdentityServer4` of `Provider/IdentityServer4.ts`, under the name `providers/identity-server4`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { IdentityServer4 as preset, type IdentityServer4Profile as Shape } from "../../Provider/IdentityServer4.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
interface Profile extends Claims<Shape> {}

/** The factory of the preset; `Provider/IdentityServer4.ts` says what it needs. @category providers @since 0.1.0 */
const IdentityServer4: Factory<typeof preset, Profile> = preset

export { IdentityServer4 as default }
