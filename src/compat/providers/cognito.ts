/**
 * `Cognito` of `Provider/Cognito.ts`, under the name `providers/cognito`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Cognito as preset, type CognitoProfile as Shape } from "../../Provider/Cognito.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface CognitoProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Cognito.ts` says what it needs. @category providers @since 0.1.0 */
const Cognito: Factory<typeof preset, CognitoProfile> = preset

export { Cognito as default }
