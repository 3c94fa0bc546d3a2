/**
 * `ClickUp` of `Provider/ClickUp.ts`, under the name `providers/click-up`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { ClickUp as preset, type ClickUpProfile as Shape } from "../../Provider/ClickUp.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface ClickUpProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/ClickUp.ts` says what it needs. @category providers @since 0.1.0 */
const ClickUp: Factory<typeof preset, ClickUpProfile> = preset

export { ClickUp as default }
