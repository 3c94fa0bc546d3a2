/**
 * Sign in with Osso, which stands between an application and the SAML identity providers of its customers.
 *
 * @since 0.1.0
 */
import * as Preset from "./Preset.ts"
import { optionalText } from "./internal/ProfileMapping.ts"

/**
 * The user, as far as a user of the application is made of it; further members are kept in the profile.
 *
 * @see https://ossoapp.com/docs/configure/overview
 * @category schemas
 * @since 0.1.0
 */
export const OssoProfile = (S: Preset.Shapes) =>
  S.Struct({
    id: S.NonEmptyString,
    name: optionalText(S),
    email: optionalText(S)
  })
/** @category models @since 0.1.0 */
export type OssoProfile = Preset.ProfileOf<typeof OssoProfile>

/**
 * Osso. Environment: `AUTH_OSSO_ID`, `AUTH_OSSO_SECRET`, `AUTH_OSSO_ISSUER`. The issuer is required: the address of the installation,
 * `https://demo.ossoapp.com`. The address of a person is what the identity provider of their company asserts.
 *
 * @see https://ossoapp.com/docs/configure/overview
 * @category providers
 * @since 0.1.0
 */
export const Osso: Preset.OAuthFactory<OssoProfile> = Preset.oauth(({ issuer }: Preset.Filled) => ({
  id: "osso",
  name: "Osso",
  authorization: Preset.below(issuer, "/oauth/authorize"),
  token: Preset.below(issuer, "/oauth/token"),
  userinfo: Preset.below(issuer, "/oauth/me"),
  profile: OssoProfile,
  user: ({ email, id, name }) => ({ id, name: name ?? null, email: email ?? null, image: null }),
  emailVerified: "unstated"
}))
