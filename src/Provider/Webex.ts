/**
 * Sign in with Webex.
 *
 * @since 0.1.0
 */
import { Webex as logo } from "./internal/logos/Webex.ts"
import * as Preset from "./Preset.ts"
import { optionalText } from "./internal/ProfileMapping.ts"
import * as TokenAnswer from "./internal/TokenAnswer.ts"

/**
 * The authenticated person, as far as a user of the application is made of it; further members are kept in the profile.
 *
 * @see https://developer.webex.com/docs/api/v1/people/get-my-own-details
 * @category schemas
 * @since 0.1.0
 */
export const WebexProfile = (S: Preset.Shapes) =>
  S.Struct({
    id: S.NonEmptyString,
    emails: S.optional(S.NullOr(S.Array(S.String))),
    displayName: optionalText(S),
    avatar: optionalText(S)
  })
/** @category models @since 0.1.0 */
export type WebexProfile = Preset.ProfileOf<typeof WebexProfile>

/**
 * Options of {@link Webex} beside the usual ones.
 *
 * @category models
 * @since 0.1.0
 */
export interface WebexOptions {
  /** Address of the API. Default: `https://webexapis.com/v1`. */
  readonly apiBaseUrl?: string | undefined
}

/**
 * Webex. Environment: `AUTH_WEBEX_ID`, `AUTH_WEBEX_SECRET`. Of several email addresses the first one is taken; Webex does not
 * say whether it is verified.
 *
 * @see https://developer.webex.com/docs/integrations
 * @category providers
 * @since 0.1.0
 */
export const Webex: Preset.OAuthFactory<WebexProfile, WebexOptions> = Preset.oauth(
  ({ apiBaseUrl = "https://webexapis.com/v1" }: Preset.Filled & WebexOptions) => ({
    id: "webex",
    name: "Webex",
    logo,
    authorization: {
      url: Preset.below(apiBaseUrl, "/authorize"),
      params: { scope: "spark:kms spark:people_read" }
    },
    token: { url: Preset.below(apiBaseUrl, "/access_token"), conform: TokenAnswer.bearer },
    userinfo: Preset.below(apiBaseUrl, "/people/me"),
    client: { token_endpoint_auth_method: "client_secret_post" },
    profile: WebexProfile,
    user: ({ avatar, displayName, emails, id }) => ({
      id,
      name: displayName ?? null,
      email: emails?.[0] ?? null,
      image: avatar ?? null
    }),
    emailVerified: "unstated"
  })
)
