/**
 * `Mattermost` of `Provider/Mattermost.ts`, under the name `providers/mattermost`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Mattermost as preset, type MattermostProfile as Shape } from "../../Provider/Mattermost.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface MattermostProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Mattermost.ts` says what it needs. @category providers @since 0.1.0 */
const Mattermost: Factory<typeof preset, MattermostProfile> = preset

export { Mattermost as default }
