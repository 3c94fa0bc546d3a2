/**
 * `Zoho` of `Provider/Zoho.ts`, under the name `providers/zoho`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Zoho as preset, type ZohoProfile as Shape } from "../../Provider/Zoho.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
interface Profile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Zoho.ts` says what it needs. @category providers @since 0.1.0 */
const Zoho: Factory<typeof preset, Profile> = preset

export { Zoho as default }
