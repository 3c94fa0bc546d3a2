/**
 * Sign in with Mailchimp.
 *
 * @since 0.1.0
 */
import { Mailchimp as logo } from "./internal/logos/Mailchimp.ts"
import * as Preset from "./Preset.ts"
import { idText, optionalText, PersonId } from "./internal/ProfileMapping.ts"
import * as TokenAnswer from "./internal/TokenAnswer.ts"

/**
 * The metadata of a token, as far as a user of the application is made of it; further members, such as `dc` and
 * `api_endpoint`, are kept in the profile.
 *
 * @see https://mailchimp.com/developer/marketing/guides/access-user-data-oauth-2/
 * @category schemas
 * @since 0.1.0
 */
export const MailchimpProfile = (S: Preset.Shapes) =>
  S.Struct({
    accountname: optionalText(S),
    login: S.Struct({ login_id: PersonId(S), email: optionalText(S) })
  })
/** @category models @since 0.1.0 */
export type MailchimpProfile = Preset.ProfileOf<typeof MailchimpProfile>

/**
 * Mailchimp. Environment: `AUTH_MAILCHIMP_ID`, `AUTH_MAILCHIMP_SECRET`. Mailchimp knows no scopes, and its tokens do
 * not expire: they may do whatever the person may. Write `127.0.0.1` for `localhost` in redirect addresses. It does
 * not say whether the email address is verified.
 *
 * @see https://mailchimp.com/developer/marketing/guides/access-user-data-oauth-2/
 * @category providers
 * @since 0.1.0
 */
export const Mailchimp: Preset.OAuthFactory<MailchimpProfile> = Preset.oauth({
  id: "mailchimp",
  name: "Mailchimp",
  logo,
  authorization: { url: "https://login.mailchimp.com/oauth2/authorize", params: { scope: null } },
  token: { url: "https://login.mailchimp.com/oauth2/token", conform: TokenAnswer.bearer },
  userinfo: "https://login.mailchimp.com/oauth2/metadata",
  client: { token_endpoint_auth_method: "client_secret_post" },
  profile: MailchimpProfile,
  user: ({ accountname, login }) => ({
    id: idText(login.login_id),
    name: accountname ?? null,
    email: login.email ?? null,
    image: null
  }),
  emailVerified: "unstated",
  style: { bg: "#000", text: "#fff" }
})
