/**
 * Sign in with SimpleLogin.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { SimpleLogin as logo } from "./logos/SimpleLogin.ts"
import * as Preset from "./Preset.ts"
import { fullName, optionalText, PersonId } from "./ProfileMapping.ts"

/**
 * The claims of the ID token of which a user of the application is made; further claims are kept in the profile.
 *
 * @see https://simplelogin.io/docs/siwsl/user-info/
 * @category schemas
 * @since 0.1.0
 */
export const SimpleLoginProfile = Schema.Struct({
  sub: PersonId,
  name: optionalText,
  email: optionalText,
  avatar_url: optionalText
})
/** @category models @since 0.1.0 */
export type SimpleLoginProfile = Preset.ProfileOf<typeof SimpleLoginProfile>

/**
 * SimpleLogin. Environment: `AUTH_SIMPLELOGIN_ID`, `AUTH_SIMPLELOGIN_SECRET`. People choose which name and address the
 * application sees; the address is often an alias made for it. An installation of one's own is the option `issuer`, or
 * `AUTH_SIMPLELOGIN_ISSUER`.
 *
 * The scope is `openid` alone: then SimpleLogin puts the nonce into the ID token, and name, address and picture are in it
 * whatever the scope is.
 *
 * @see https://simplelogin.io/docs/siwsl/intro/
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
    id: String(sub),
    name: fullName(name),
    email: email ?? null,
    image: avatar_url ?? null
  }),
  emailVerified: "claim",
  style: { brandColor: "#e3156a" }
})
