/**
 * `Pipedrive` of `Provider/Pipedrive.ts`, under the name `providers/pipedrive`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Pipedrive as preset, type PipedriveProfile as Shape } from "../../Provider/Pipedrive.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface PipedriveProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Pipedrive.ts` says what it needs. @category providers @since 0.1.0 */
const Pipedrive: Factory<typeof preset, PipedriveProfile> = preset

export { Pipedrive as default }
