/**
 * Sign in with Strava.
 *
 * @since 0.1.0
 */
import { isJsonObject } from "../internal/JsonText.ts"
import { Strava as logo } from "./internal/logos/Strava.ts"
import { fullName, idText, optionalText, PersonId } from "./internal/ProfileMapping.ts"
import * as Preset from "./Preset.ts"
import * as TokenAnswer from "./internal/TokenAnswer.ts"

/**
 * The authenticated athlete, as far as a user of the application is made of it; further members are kept in the profile.
 *
 * @see https://developers.strava.com/docs/reference/#api-Athletes-getLoggedInAthlete
 * @category schemas
 * @since 0.1.0
 */
export const StravaProfile = (S: Preset.Shapes) =>
  S.Struct({
    id: PersonId(S),
    firstname: optionalText(S),
    lastname: optionalText(S),
    /** Address of the picture. */
    profile: optionalText(S)
  })
/** @category models @since 0.1.0 */
export type StravaProfile = Preset.ProfileOf<typeof StravaProfile>

/** Is the refresh token the invalid field of a failed request? Strava does not document the answer: applications report it. */
const namesRefreshToken = ({ errors }: Readonly<Record<string, unknown>>): boolean =>
  Array.isArray(errors) && errors.some((error) => isJsonObject(error) && error["resource"] === "RefreshToken")

/**
 * Strava. Environment: `AUTH_STRAVA_ID`, `AUTH_STRAVA_SECRET`. It gives no email address. Further scopes are separated by
 * commas: `authorization: { params: { scope: "read,activity:read" } }`.
 *
 * @see https://developers.strava.com/docs/authentication/
 * @category providers
 * @since 0.1.0
 */
export const Strava: Preset.OAuthFactory<StravaProfile> = Preset.oauth({
  id: "strava",
  name: "Strava",
  logo,
  authorization: {
    url: "https://www.strava.com/api/v3/oauth/authorize",
    params: { scope: "read", approval_prompt: "auto", response_type: "code" }
  },
  token: {
    url: "https://www.strava.com/api/v3/oauth/token",
    conform: TokenAnswer.changeBody(TokenAnswer.nameRefusal(namesRefreshToken))
  },
  userinfo: "https://www.strava.com/api/v3/athlete",
  client: { token_endpoint_auth_method: "client_secret_post" },
  profile: StravaProfile,
  user: ({ firstname, id, lastname, profile }) => ({
    id: idText(id),
    name: fullName(firstname, lastname),
    email: null,
    image: profile ?? null
  }),
  emailVerified: "no-address"
})
