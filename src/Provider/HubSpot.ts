/**
 * Sign in with HubSpot.
 *
 * @since 0.1.0
 */
import { HubSpot as logo } from "./internal/logos/HubSpot.ts"
import * as Preset from "./Preset.ts"
import { idText, optionalText, PersonId } from "./internal/ProfileMapping.ts"
import type { PresetContext } from "./internal/ProfileRequest.ts"
import * as TokenAnswer from "./internal/TokenAnswer.ts"

/**
 * The members of HubSpot's answer about an access token that a user is made of; further members, such as
 * `hub_id`, are kept in the profile.
 *
 * @see https://developers.hubspot.com/docs/api-reference/legacy/authentication/oauth-tokens/v1/get-oauth-token-metadata
 * @category schemas
 * @since 0.1.0
 */
export const HubSpotProfile = (S: Preset.Shapes) =>
  S.Struct({
    user_id: PersonId(S),
    /** The email address of the person. */
    user: optionalText(S)
  })
/** @category models @since 0.1.0 */
export type HubSpotProfile = Preset.ProfileOf<typeof HubSpotProfile>

const information = "https://api.hubapi.com/oauth/v1/access-tokens"

/**
 * HubSpot. Environment: `AUTH_HUBSPOT_ID`, `AUTH_HUBSPOT_SECRET`. The person chooses the account to install the
 * application in. The scopes must be those that the application is registered with, as in
 * `authorization: { params: { scope: "oauth crm.objects.contacts.read" } }`. The name of the user is the email
 * address, of which HubSpot does not say whether it is verified.
 *
 * HubSpot has announced the end of version 1 of this API for February 16, 2027.
 *
 * @see https://developers.hubspot.com/docs/api-reference/legacy/authentication/oauth-tokens/v1/guide
 * @category providers
 * @since 0.1.0
 */
export const HubSpot: Preset.OAuthFactory<HubSpotProfile> = Preset.oauth({
  id: "hubspot",
  name: "HubSpot",
  logo,
  authorization: { url: "https://app.hubspot.com/oauth/authorize", params: { scope: "oauth" } },
  token: {
    url: "https://api.hubapi.com/oauth/v1/token",
    // HubSpot does not document the status: applications report it.
    conform: TokenAnswer.changeBody(
      TokenAnswer.addBearer,
      TokenAnswer.nameRefusal(({ status }) => status === "BAD_REFRESH_TOKEN")
    )
  },
  userinfo: {
    url: information,
    // The token is what is asked about, and stands in the path.
    request: ({ ask, tokens }: PresetContext) =>
      ask({
        url: `${information}/${encodeURIComponent(tokens.access_token ?? "")}`,
        headers: { authorization: undefined }
      })
  },
  client: { token_endpoint_auth_method: "client_secret_post" },
  profile: HubSpotProfile,
  user: ({ user, user_id }) => ({ id: idText(user_id), name: user ?? null, email: user ?? null, image: null }),
  emailVerified: "unstated",
  style: { bg: "#ff7a59", text: "#fff" }
})
