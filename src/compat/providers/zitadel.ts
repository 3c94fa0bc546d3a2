/**
 * `Zitadel` of `Provider/Zitadel.ts`, under the name `providers/zitadel`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Zitadel as preset, type ZitadelProfile as Shape } from "../../Provider/Zitadel.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface ZitadelProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Zitadel.ts` says what it needs. @category providers @since 0.1.0 */
const Zitadel: Factory<typeof preset, ZitadelProfile> = preset

export { Zitadel as default }
