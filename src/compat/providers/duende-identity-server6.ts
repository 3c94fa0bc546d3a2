/**
 * `DuendeIdentityServer6` of `Provider/DuendeIdentityServer6.ts`, under the name `providers/duende-identity-server6`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import {
  DuendeIdentityServer6 as preset,
  type DuendeIdentityServer6Profile as Shape
} from "../../Provider/DuendeIdentityServer6.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface DuendeISUser extends Claims<Shape> {}

/** The factory of the preset; `Provider/DuendeIdentityServer6.ts` says what it needs. @category providers @since 0.1.0 */
const DuendeIdentityServer6: Factory<typeof preset, DuendeISUser> = preset

export { DuendeIdentityServer6 as default }
