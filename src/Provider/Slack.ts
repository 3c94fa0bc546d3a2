/**
 * Sign in with Slack.
 *
 * @since 0.1.0
 */
import * as Preset from "./Preset.ts"
import { StandardProfile } from "./ProfileMapping.ts"

/**
 * The claims of the ID token of which a user of the application is made; further claims are kept in the profile, such as
 * `https://slack.com/team_id`.
 *
 * @see https://docs.slack.dev/reference/methods/openid.connect.token
 * @category schemas
 * @since 0.1.0
 */
export const SlackProfile = StandardProfile
/** @category models @since 0.1.0 */
export type SlackProfile = Preset.ProfileOf<typeof SlackProfile>

/**
 * Slack. Environment: `AUTH_SLACK_ID`, `AUTH_SLACK_SECRET`. People of every workspace may sign in; for one workspace write
 * `authorization: { params: { team: "T0RR" } }` and compare the claim `https://slack.com/team_id` in the `signIn` callback.
 * A person has another id in each workspace. Callback URLs are HTTPS, during development as well.
 *
 * @see https://docs.slack.dev/authentication/sign-in-with-slack
 * @category providers
 * @since 0.1.0
 */
export const Slack: Preset.OidcFactory<SlackProfile> = Preset.standard({
  id: "slack",
  name: "Slack",
  issuer: "https://slack.com",
  style: { brandColor: "#611f69" }
})
