/**
 * `MicrosoftEntraId` of `Provider/MicrosoftEntraId.ts`, under the name `providers/microsoft-entra-id`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { MicrosoftEntraId as preset, type MicrosoftEntraIdProfile as Shape } from "../../Provider/MicrosoftEntraId.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface MicrosoftEntraIDProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/MicrosoftEntraId.ts` says what it needs. @category providers @since 0.1.0 */
const MicrosoftEntraId: Factory<typeof preset, MicrosoftEntraIDProfile> = preset

export { MicrosoftEntraId as default }
