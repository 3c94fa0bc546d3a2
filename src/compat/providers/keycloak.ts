/**
 * `Keycloak` of `Provider/Keycloak.ts`, under the name `providers/keycloak`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Keycloak as preset, type KeycloakProfile as Shape } from "../../Provider/Keycloak.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface KeycloakProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Keycloak.ts` says what it needs. @category providers @since 0.1.0 */
const Keycloak: Factory<typeof preset, KeycloakProfile> = preset

export { Keycloak as default }
