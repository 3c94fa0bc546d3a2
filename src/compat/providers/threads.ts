/**
 * `Threads` of `Provider/Threads.ts`, under the name `providers/threads`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Threads as preset, type ThreadsProfile as Shape } from "../../Provider/Threads.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface ThreadsProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Threads.ts` says what it needs. @category providers @since 0.1.0 */
const Threads: Factory<typeof preset, ThreadsProfile> = preset

export { Threads as default }
