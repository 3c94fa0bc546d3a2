/**
 * `GitHub` of `Provider/GitHub.ts`, under the name `providers/github`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { GitHub as preset, type GitHubProfile as Shape } from "../../Provider/GitHub.ts"
import type { Claims, Factory, Member } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface GitHubProfile extends Claims<Shape> {}

/** Part of a profile. @category models @since 0.1.0 */
export interface GitHubEmail extends Member {}

/** The factory of the preset; `Provider/GitHub.ts` says what it needs. @category providers @since 0.1.0 */
const GitHub: Factory<typeof preset, GitHubProfile> = preset

export { GitHub as default }
