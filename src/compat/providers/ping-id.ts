/**
 * `PingId` of `Provider/PingId.ts`, under the name `providers/ping-id`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { PingId as preset, type PingIdProfile as Shape } from "../../Provider/PingId.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface PingProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/PingId.ts` says what it needs. @category providers @since 0.1.0 */
const PingId: Factory<typeof preset, PingProfile> = preset

export { PingId as default }
