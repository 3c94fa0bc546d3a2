/**
 * Sign in with Slack.
 *
 * @since 0.1.0
 */
import * as Preset from "./Preset.ts"
import { StandardProfile } from "./internal/ProfileMapping.ts"

/**
 * The claims of the ID token of which a user of the application is made; further claims are kept in the profile.
 *
 * @see https://docs.slack.dev/authentication/sign-in-with-slack/
 * @category schemas
 * @since 0.1.0
 */
export const SlackProfile = StandardProfile
/** @category models @since 0.1.0 */
export type SlackProfile = Preset.ProfileOf<typeof SlackProfile>

/**
 * Slack. Environment: `AUTH_SLACK_ID`, `AUTH_SLACK_SECRET`. Slack redirects to `https` addresses only, local ones too. People are
 * known by their id in one workspace; the claim `https://slack.com/team_id` of the profile names it. PKCE is not sent: at Slack it
 * is for clients without a secret, and the token endpoint fails where both come. The nonce binds the ID token to the attempt.
 *
 * @see https://docs.slack.dev/authentication/sign-in-with-slack/
 * @category providers
 * @since 0.1.0
 */
export const Slack: Preset.OidcFactory<SlackProfile> = Preset.standard({
  id: "slack",
  name: "Slack",
  checks: ["nonce"],
  issuer: "https://slack.com",
  refuses: ["pkce"],
  style: { brandColor: "#611f69" }
})
