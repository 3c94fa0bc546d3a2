/**
 * Sign in with SimpleLogin.
 *
 * @since 0.1.0
 */
import { SimpleLogin as logo } from "./internal/logos/SimpleLogin.ts"
import * as Preset from "./Preset.ts"
import { fullName, idText, optionalText, PersonId } from "./internal/ProfileMapping.ts"

/**
 * The claims of the ID token of which a user of the application is made; further claims are kept in the profile.
 *
 * @see https://simplelogin.io/docs/siwsl/user-info/
 * @category schemas
 * @since 0.1.0
 */
export const SimpleLoginProfile = (S: Preset.Shapes) =>
  S.Struct({
    /** Id of the person in this application. */
    sub: PersonId(S),
    /** Empty for people who gave none. */
    name: optionalText(S),
    /** The address of the person, or an alias that they made for this application. */
    email: optionalText(S),
    avatar_url: optionalText(S)
  })
/** @category models @since 0.1.0 */
export type SimpleLoginProfile = Preset.ProfileOf<typeof SimpleLoginProfile>

/**
 * SimpleLogin. Environment: `AUTH_SIMPLELOGIN_ID`, `AUTH_SIMPLELOGIN_SECRET`. The scope is `openid` alone: with it SimpleLogin
 * repeats the nonce, and gives name, address and picture all the same. People may give an alias as their address. The issuer
 * of an installation of one's own is the option `issuer`, or `AUTH_SIMPLELOGIN_ISSUER`.
 *
 * @see https://simplelogin.io/docs/siwsl/app/
 * @category providers
 * @since 0.1.0
 */
export const SimpleLogin: Preset.OidcFactory<SimpleLoginProfile> = Preset.oidc({
  id: "simplelogin",
  name: "SimpleLogin",
  logo,
  issuer: "https://app.simplelogin.io",
  authorization: { params: { scope: "openid" } },
  profile: SimpleLoginProfile,
  user: ({ avatar_url, email, name, sub }) => ({
    id: idText(sub),
    name: fullName(name),
    email: email ?? null,
    image: avatar_url ?? null
  }),
  emailVerified: "claim",
  style: { brandColor: "#e3156a" }
})
