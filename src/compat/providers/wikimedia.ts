/**
 * `Wikimedia` of `Provider/Wikimedia.ts`, under the name `providers/wikimedia`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Wikimedia as preset, type WikimediaProfile as Shape } from "../../Provider/Wikimedia.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface WikimediaProfile extends Claims<Shape> {}

/** A word of the platform. @category models @since 0.1.0 */
export type WikimediaGroup = string

/** A word of the platform. @category models @since 0.1.0 */
export type WikimediaGrant = string

/** A word of the platform. @category models @since 0.1.0 */
export type WikimediaRight = string

/** The factory of the preset; `Provider/Wikimedia.ts` says what it needs. @category providers @since 0.1.0 */
const Wikimedia: Factory<typeof preset, WikimediaProfile> = preset

export { Wikimedia as default }
