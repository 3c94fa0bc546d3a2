/**
 * `EveOnline` of `Provider/EveOnline.ts`, under the name `providers/eveonline`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { EveOnline as preset, type EveOnlineProfile as Shape } from "../../Provider/EveOnline.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface EVEOnlineProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/EveOnline.ts` says what it needs. @category providers @since 0.1.0 */
const EveOnline: Factory<typeof preset, EVEOnlineProfile> = preset

export { EveOnline as default }
