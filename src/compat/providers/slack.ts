/**
 * `Slack` of `Provider/Slack.ts`, under the name `providers/slack`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Slack as preset, type SlackProfile as Shape } from "../../Provider/Slack.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface SlackProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Slack.ts` says what it needs. @category providers @since 0.1.0 */
const Slack: Factory<typeof preset, SlackProfile> = preset

export { Slack as default }
