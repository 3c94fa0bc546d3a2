/**
 * Sign in with Medium.
 *
 * @since 0.1.0
 */
import { Medium as logo } from "./internal/logos/Medium.ts"
import * as Preset from "./Preset.ts"
import { optionalText } from "./internal/ProfileMapping.ts"
import * as TokenAnswer from "./internal/TokenAnswer.ts"

/**
 * The user, as far as a user of the application is made of it; further members are kept in the profile.
 *
 * @see https://github.com/Medium/medium-api-docs#31-users
 * @category schemas
 * @since 0.1.0
 */
export const MediumProfile = (S: Preset.Shapes) =>
  S.Struct({
    data: S.Struct({
      id: S.NonEmptyString,
      username: optionalText(S),
      name: optionalText(S),
      imageUrl: optionalText(S)
    })
  })
/** @category models @since 0.1.0 */
export type MediumProfile = Preset.ProfileOf<typeof MediumProfile>

/** Later than any second that is meant, and earlier than any millisecond. */
const firstMillisecond = 100_000_000_000

const inSeconds = TokenAnswer.changeBody((body) => {
  const expiry = body["expires_at"]
  return typeof expiry === "number" && expiry > firstMillisecond
    ? { ...body, expires_at: Math.floor(expiry / 1000) }
    : body
})

// A token is something that Medium has created: status 201, where RFC 6749 section 5.1 has 200.
const conform = (response: Response) =>
  inSeconds(response).then((changed) =>
    changed.status === 201 ? new Response(changed.body, { status: 200, headers: changed.headers }) : changed
  )

/**
 * Medium. Environment: `AUTH_MEDIUM_ID`, `AUTH_MEDIUM_SECRET`. It gives no email address. Medium says that its API is not
 * supported any more and takes no new applications; those that exist work on.
 *
 * @see https://github.com/Medium/medium-api-docs
 * @category providers
 * @since 0.1.0
 */
export const Medium: Preset.OAuthFactory<MediumProfile> = Preset.oauth({
  id: "medium",
  name: "Medium",
  logo,
  authorization: { url: "https://medium.com/m/oauth/authorize", params: { scope: "basicProfile" } },
  token: { url: "https://api.medium.com/v1/tokens", conform },
  userinfo: "https://api.medium.com/v1/me",
  client: { token_endpoint_auth_method: "client_secret_post" },
  profile: MediumProfile,
  user: ({ data: { id, imageUrl, name, username } }) => ({
    id,
    name: name ?? username ?? null,
    email: null,
    image: imageUrl ?? null
  }),
  emailVerified: "no-address"
})
