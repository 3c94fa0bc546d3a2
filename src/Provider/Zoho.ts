/**
 * Sign in with Zoho.
 *
 * @since 0.1.0
 */
import { Zoho as logo } from "./internal/logos/Zoho.ts"
import * as Preset from "./Preset.ts"
import * as TokenAnswer from "./internal/TokenAnswer.ts"
import { fullName, idText, optionalText, PersonId } from "./internal/ProfileMapping.ts"

/**
 * The user, as far as a user of the application is made of it; further members are kept in the profile.
 *
 * @see https://www.zoho.com/accounts/protocol/oauth/use-access-token.html
 * @category schemas
 * @since 0.1.0
 */
export const ZohoProfile = (S: Preset.Shapes) =>
  S.Struct({
    ZUID: PersonId(S),
    First_Name: optionalText(S),
    Last_Name: optionalText(S),
    Email: optionalText(S)
  })
/** @category models @since 0.1.0 */
export type ZohoProfile = Preset.ProfileOf<typeof ZohoProfile>

/**
 * Zoho. Environment: `AUTH_ZOHO_ID`, `AUTH_ZOHO_SECRET`. It does not say whether an email address is verified.
 *
 * The addresses are those of the data center in the United States. People of another one, such as `accounts.zoho.eu`, sign in when
 * the options `authorization`, `token` and `userinfo` name its addresses.
 *
 * @see https://www.zoho.com/accounts/protocol/oauth/web-apps/authorization.html
 * @category providers
 * @since 0.1.0
 */
export const Zoho: Preset.OAuthFactory<ZohoProfile> = Preset.oauth({
  id: "zoho",
  name: "Zoho",
  logo,
  authorization: { url: "https://accounts.zoho.com/oauth/v2/auth", params: { scope: "AaaServer.profile.Read" } },
  token: {
    url: "https://accounts.zoho.com/oauth/v2/token",
    // Zoho does not document the code for refresh tokens: applications report it.
    conform: TokenAnswer.changeBody(TokenAnswer.nameRefusal(({ error }) => error === "invalid_code"))
  },
  userinfo: "https://accounts.zoho.com/oauth/user/info",
  client: { token_endpoint_auth_method: "client_secret_post" },
  profile: ZohoProfile,
  user: ({ Email, First_Name, Last_Name, ZUID }) => ({
    id: idText(ZUID),
    name: fullName(First_Name, Last_Name),
    email: Email ?? null,
    image: null
  }),
  emailVerified: "unstated"
})
