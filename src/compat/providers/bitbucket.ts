/**
 * `Bitbucket` of `Provider/Bitbucket.ts`, under the name `providers/bitbucket`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Bitbucket as preset, type BitbucketProfile as Shape } from "../../Provider/Bitbucket.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface BitbucketProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Bitbucket.ts` says what it needs. @category providers @since 0.1.0 */
const Bitbucket: Factory<typeof preset, BitbucketProfile> = preset

export { Bitbucket as default }
