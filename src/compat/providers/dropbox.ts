/**
 * `Dropbox` of `Provider/Dropbox.ts`, under the name `providers/dropbox`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Dropbox as preset, type DropboxProfile as Shape } from "../../Provider/Dropbox.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
interface Profile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Dropbox.ts` says what it needs. @category providers @since 0.1.0 */
const Dropbox: Factory<typeof preset, Profile> = preset

export { Dropbox as default }
