/**
 * Sign in with SAML over BoxyHQ SAML Jackson, which is called Ory Polis now.
 *
 * @since 0.1.0
 */
import * as Preset from "./Preset.ts"
import { fullName, idText, optionalText, PersonId } from "./internal/ProfileMapping.ts"

/**
 * The answer of the userinfo endpoint, as far as a user of the application is made of it; further members are kept in the
 * profile.
 *
 * @see https://www.ory.com/docs/polis/sso-flow
 * @category schemas
 * @since 0.1.0
 */
export const BoxyHqSamlProfile = (S: Preset.Shapes) =>
  S.Struct({
    id: PersonId(S),
    email: optionalText(S),
    firstName: optionalText(S),
    lastName: optionalText(S)
  })
/** @category models @since 0.1.0 */
export type BoxyHqSamlProfile = Preset.ProfileOf<typeof BoxyHqSamlProfile>

/**
 * BoxyHQ SAML. Environment: `AUTH_BOXYHQ_SAML_ID`, `AUTH_BOXYHQ_SAML_SECRET`, `AUTH_BOXYHQ_SAML_ISSUER`. The issuer is
 * required, and is the address of the installation, `https://sso.example.com`. Id and secret are those of a connection, or
 * `tenant=example.com&product=demo` and the installation's `CLIENT_SECRET_VERIFIER`.
 *
 * The person's id is unique to the identity provider behind the connection, which also is who gives the email address:
 * whether it is verified is not said. Give each connection a provider with an id of its own: behind one provider, the
 * identity provider of one company could name a person of another.
 *
 * @see https://www.ory.com/docs/polis/sso-flow
 * @category providers
 * @since 0.1.0
 */
export const BoxyHqSaml: Preset.OAuthFactory<BoxyHqSamlProfile> = Preset.oauth(({ issuer }: Preset.Filled) => ({
  id: "boxyhq-saml",
  name: "BoxyHQ SAML",
  // With the scope openid the answer holds an ID token, for which the installation needs keys: without one it needs none.
  authorization: { url: Preset.below(issuer, "/api/oauth/authorize"), params: { provider: "saml", scope: null } },
  token: Preset.below(issuer, "/api/oauth/token"),
  userinfo: Preset.below(issuer, "/api/oauth/userinfo"),
  profile: BoxyHqSamlProfile,
  user: ({ email, firstName, id, lastName }) => ({
    id: idText(id),
    name: fullName(firstName, lastName),
    email: email ?? null,
    image: null
  }),
  emailVerified: "unstated",
  style: { brandColor: "#25c2a0" }
}))
