/**
 * `Nextcloud` of `Provider/Nextcloud.ts`, under the name `providers/nextcloud`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Nextcloud as preset, type NextcloudProfile as Shape } from "../../Provider/Nextcloud.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface NextcloudProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Nextcloud.ts` says what it needs. @category providers @since 0.1.0 */
const Nextcloud: Factory<typeof preset, NextcloudProfile> = preset

export { Nextcloud as default }
