/**
 * `Logto` of `Provider/Logto.ts`, under the name `providers/logto`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Logto as preset, type LogtoProfile as Shape } from "../../Provider/Logto.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface LogtoProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Logto.ts` says what it needs. @category providers @since 0.1.0 */
const Logto: Factory<typeof preset, LogtoProfile> = preset

export { Logto as default }
