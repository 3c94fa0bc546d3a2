/**
 * Sign in with GitHub, or with a GitHub Enterprise Server.
 *
 * @since 0.1.0
 */
import { GitHub as logo } from "./internal/logos/GitHub.ts"
import * as Preset from "./Preset.ts"
import { idText, optionalText, PersonId } from "./internal/ProfileMapping.ts"
import type { PresetContext } from "./internal/ProfileRequest.ts"
import type { OAuthUserConfig } from "./internal/ProviderOptions.ts"

/**
 * The authenticated user, as far as a user of the application is made of it; further members are kept in the profile.
 *
 * @see https://docs.github.com/en/rest/users/users#get-the-authenticated-user
 * @category schemas
 * @since 0.1.0
 */
export const GitHubProfile = (S: Preset.Shapes) =>
  S.Struct({
    id: PersonId(S),
    login: S.String,
    name: optionalText(S),
    email: optionalText(S),
    /** Here for an address from the list of the person's addresses, where GitHub says of each whether it is verified. */
    email_verified: S.optional(S.NullOr(S.Boolean)),
    avatar_url: optionalText(S)
  })
/** @category models @since 0.1.0 */
export type GitHubProfile = Preset.ProfileOf<typeof GitHubProfile>

/**
 * Options of {@link GitHub} beside the usual ones.
 *
 * @category models
 * @since 0.1.0
 */
export interface GitHubOptions extends OAuthUserConfig<GitHubProfile> {
  /** Address of a GitHub Enterprise Server, `https://github.example.com`. */
  enterprise?: { baseUrl?: string | undefined } | undefined
}

const Emails = (S: Preset.Shapes) => S.Array(S.Struct({ email: S.String, primary: S.Boolean, verified: S.Boolean }))

/**
 * The user, with what the list of their addresses says about the public one. Without a public address the primary one counts
 * if it is verified. The sign-in continues without the list, which needs the scope `user:email`.
 */
const userinfo =
  (api: string) =>
  ({ askOptionally, askThen, isSameAddress, read }: PresetContext) => {
    const request = (path: string) => ({
      url: `${api}${path}`,
      headers: { accept: "application/vnd.github+json" }
    })
    return askThen(request("/user"), (profile) =>
      askOptionally(request("/user/emails"), (list) => {
        const emails = read(Emails, list)
        const publicEmail = profile["email"]
        if (typeof publicEmail === "string" && publicEmail !== "") {
          const isVerified = emails?.find(({ email }) => isSameAddress(email, publicEmail))?.verified
          // The profile's own statement about the address does not count: GitHub documents no such member.
          return { ...profile, email_verified: isVerified ?? null }
        }
        const email = emails?.find((entry) => entry.primary && entry.verified)?.email
        return email === undefined ? { ...profile, email: null } : { ...profile, email, email_verified: true }
      })
    )
  }

/**
 * GitHub. Environment: `AUTH_GITHUB_ID`, `AUTH_GITHUB_SECRET`; callback URL `https://example.com/auth/callback/github`.
 *
 * The address is the public one of the person, or the primary one if it is verified. It is proven when the list of the
 * person's addresses says that it is verified: addresses of enterprise managed users are unverified by default. Without the
 * scope `user:email` there is no list, and the address is not proven.
 *
 * @see https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps
 * @see https://docs.github.com/en/account-and-profile/reference/email-addresses-reference
 * @category providers
 * @since 0.1.0
 */
export const GitHub: Preset.OAuthFactory<GitHubProfile, Pick<GitHubOptions, "enterprise">> = Preset.oauth(
  ({ enterprise, issuer }: Preset.Filled & Pick<GitHubOptions, "enterprise">) => {
    const enterpriseUrl = enterprise?.baseUrl?.replace(/\/+$/, "")
    const site = enterpriseUrl ?? "https://github.com"
    const api = enterpriseUrl === undefined ? "https://api.github.com" : `${enterpriseUrl}/api/v3`
    return {
      id: "github",
      name: "GitHub",
      logo,
      issuer: issuer ?? `${site}/login/oauth`,
      authorization: { url: `${site}/login/oauth/authorize`, params: { scope: "read:user user:email" } },
      token: `${site}/login/oauth/access_token`,
      userinfo: { url: `${api}/user`, request: userinfo(api) },
      profile: GitHubProfile,
      user: ({ avatar_url, email, id, login, name }) => ({
        id: idText(id),
        name: name ?? login,
        email: email ?? null,
        image: avatar_url ?? null
      }),
      emailVerified: ({ email_verified }) => email_verified,
      // A person without a verified address cannot authorize an application at github.com; a self-hosted server may differ.
      vouchesForEmail: enterpriseUrl === undefined ? "stated" : false,
      style: { bg: "#24292f", text: "#fff" }
    }
  }
)
