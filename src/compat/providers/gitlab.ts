/**
 * `GitLab` of `Provider/GitLab.ts`, under the name `providers/gitlab`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { GitLab as preset, type GitLabProfile as Shape } from "../../Provider/GitLab.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface GitLabProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/GitLab.ts` says what it needs. @category providers @since 0.1.0 */
const GitLab: Factory<typeof preset, GitLabProfile> = preset

export { GitLab as default }
