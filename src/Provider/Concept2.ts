/**
 * Sign in with the Concept2 Logbook.
 *
 * @since 0.1.0
 */
import * as Preset from "./Preset.ts"
import { idText, optionalText, PersonId } from "./internal/ProfileMapping.ts"

/**
 * The current user, as far as a user of the application is made of it; further members are kept in the profile.
 *
 * @see https://log.concept2.com/developers/documentation/#logbook-users-user-get
 * @category schemas
 * @since 0.1.0
 */
export const Concept2Profile = (S: Preset.Shapes) =>
  S.Struct({
    data: S.Struct({
      id: PersonId(S),
      username: optionalText(S),
      email: optionalText(S),
      profile_image: optionalText(S)
    })
  })
/** @category models @since 0.1.0 */
export type Concept2Profile = Preset.ProfileOf<typeof Concept2Profile>

/**
 * Concept2. Environment: `AUTH_CONCEPT2_ID`, `AUTH_CONCEPT2_SECRET`. The scope lets the application write results; to sign in,
 * `authorization: { params: { scope: "user:read" } }` is enough. Scopes are separated by commas.
 *
 * @see https://log.concept2.com/developers/documentation/#authentication
 * @category providers
 * @since 0.1.0
 */
export const Concept2: Preset.OAuthFactory<Concept2Profile> = Preset.oauth({
  id: "concept2",
  name: "Concept2",
  authorization: {
    url: "https://log.concept2.com/oauth/authorize",
    params: { scope: "user:read,results:write" }
  },
  token: "https://log.concept2.com/oauth/access_token",
  userinfo: "https://log.concept2.com/api/users/me",
  profile: Concept2Profile,
  user: ({ data: { email, id, profile_image, username } }) => ({
    id: idText(id),
    name: username ?? null,
    email: email ?? null,
    image: profile_image ?? null
  }),
  emailVerified: "unstated"
})
