/**
 * `Reddit` of `Provider/Reddit.ts`, under the name `providers/reddit`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Reddit as preset, type RedditProfile as Shape } from "../../Provider/Reddit.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
interface Profile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Reddit.ts` says what it needs. @category providers @since 0.1.0 */
const Reddit: Factory<typeof preset, Profile> = preset

export { Reddit as default }
