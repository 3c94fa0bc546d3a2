/**
 * `Eventbrite` of `Provider/Eventbrite.ts`, under the name `providers/eventbrite`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Eventbrite as preset, type EventbriteProfile as Shape } from "../../Provider/Eventbrite.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface EventbriteProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Eventbrite.ts` says what it needs. @category providers @since 0.1.0 */
const Eventbrite: Factory<typeof preset, EventbriteProfile> = preset

export { Eventbrite as default }
