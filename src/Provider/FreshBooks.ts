/**
 * Sign in with FreshBooks.
 *
 * @since 0.1.0
 */
import * as Preset from "./Preset.ts"
import { fullName, idText, optionalText, PersonId } from "./internal/ProfileMapping.ts"

/**
 * The answer about the person, as far as a user of the application is made of it; further members are kept in the
 * profile.
 *
 * @see https://www.freshbooks.com/api/me_endpoint
 * @category schemas
 * @since 0.1.0
 */
export const FreshBooksProfile = (S: Preset.Shapes) =>
  S.Struct({
    response: S.Struct({
      id: PersonId(S),
      first_name: optionalText(S),
      last_name: optionalText(S),
      email: optionalText(S)
    })
  })
/** @category models @since 0.1.0 */
export type FreshBooksProfile = Preset.ProfileOf<typeof FreshBooksProfile>

/**
 * FreshBooks. Environment: `AUTH_FRESHBOOKS_ID`, `AUTH_FRESHBOOKS_SECRET`. It asks for the scope `user:profile:read`,
 * which every application there has; redirect addresses must be `https`. FreshBooks does not say whether an email
 * address is verified.
 *
 * @see https://www.freshbooks.com/api/authentication
 * @category providers
 * @since 0.1.0
 */
export const FreshBooks: Preset.OAuthFactory<FreshBooksProfile> = Preset.oauth({
  id: "freshbooks",
  name: "Freshbooks",
  authorization: { url: "https://auth.freshbooks.com/oauth/authorize/", params: { scope: "user:profile:read" } },
  token: "https://api.freshbooks.com/auth/oauth/token",
  userinfo: "https://api.freshbooks.com/auth/api/v1/users/me",
  client: { token_endpoint_auth_method: "client_secret_post" },
  profile: FreshBooksProfile,
  user: ({ response: { email, first_name, id, last_name } }) => ({
    id: idText(id),
    name: fullName(first_name, last_name),
    email: email ?? null,
    image: null
  }),
  emailVerified: "unstated",
  style: { bg: "#0075dd", text: "#fff" }
})
