/**
 * `Osso` of `Provider/Osso.ts`, under the name `providers/osso`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Osso as preset, type OssoProfile as Shape } from "../../Provider/Osso.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
interface Profile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Osso.ts` says what it needs. @category providers @since 0.1.0 */
const Osso: Factory<typeof preset, Profile> = preset

export { Osso as default }
