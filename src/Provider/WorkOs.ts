/**
 * Sign in with single sign-on by WorkOS.
 *
 * @since 0.1.0
 */
import * as Preset from "./Preset.ts"
import { fullName, optionalText } from "./internal/ProfileMapping.ts"
import * as TokenAnswer from "./internal/TokenAnswer.ts"

/**
 * The profile, as far as a user of the application is made of it; further members are kept in the profile.
 *
 * @see https://workos.com/docs/reference/sso/profile
 * @category schemas
 * @since 0.1.0
 */
export const WorkOsProfile = (S: Preset.Shapes) =>
  S.Struct({
    id: S.NonEmptyString,
    first_name: optionalText(S),
    last_name: optionalText(S),
    email: optionalText(S),
    /** The unchecked profile of the connection's identity provider. */
    raw_attributes: S.optional(S.NullOr(S.Struct({ picture: S.optional(S.Unknown) })))
  })
/** @category models @since 0.1.0 */
export type WorkOsProfile = Preset.ProfileOf<typeof WorkOsProfile>

/**
 * Options of {@link WorkOs} beside the usual ones.
 *
 * @category models
 * @since 0.1.0
 */
export interface WorkOsOptions {
  /** Id of the connection that people sign in through, `conn_…`. */
  readonly connection?: string | undefined
}

/**
 * WorkOS. Environment: `AUTH_WORKOS_ID` (the client id), `AUTH_WORKOS_SECRET` (an API key).
 *
 * WorkOS must be told who the person signs in with: by the option `connection`, by another parameter in its place
 * (`authorization: { params: { organization: "org_…" } }` or `provider: "GoogleOAuth"`), or anew for each sign-in by
 * `signIn("workos", options, { organization })`. It does not say whether an email address is verified.
 *
 * @see https://workos.com/docs/reference/sso/get-authorization-url
 * @category providers
 * @since 0.1.0
 */
export const WorkOs: Preset.OAuthFactory<WorkOsProfile, WorkOsOptions> = Preset.oauth(
  ({ connection, issuer = "https://api.workos.com/" }: Preset.Filled & WorkOsOptions) => ({
    id: "workos",
    name: "WorkOS",
    authorization: { url: Preset.below(issuer, "/sso/authorize"), params: { connection } },
    token: { url: Preset.below(issuer, "/sso/token"), conform: TokenAnswer.bearer },
    userinfo: Preset.below(issuer, "/sso/profile"),
    client: { token_endpoint_auth_method: "client_secret_post" },
    profile: WorkOsProfile,
    user: ({ email, first_name, id, last_name, raw_attributes }) => ({
      id,
      name: fullName(first_name, last_name),
      email: email ?? null,
      image: typeof raw_attributes?.picture === "string" ? raw_attributes.picture : null
    }),
    emailVerified: "unstated",
    style: { bg: "#6363f1", text: "#fff" }
  })
)
