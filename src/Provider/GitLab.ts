/**
 * Sign in with GitLab, on gitlab.com or an installation of one's own.
 *
 * @since 0.1.0
 */
import { GitLab as logo } from "./internal/logos/GitLab.ts"
import * as Preset from "./Preset.ts"
import { idText, optionalText, PersonId } from "./internal/ProfileMapping.ts"

/**
 * The current user, as far as a user of the application is made of it; further members are kept in the profile.
 *
 * @see https://docs.gitlab.com/api/users/#retrieve-the-current-user
 * @category schemas
 * @since 0.1.0
 */
export const GitLabProfile = (S: Preset.Shapes) =>
  S.Struct({
    id: PersonId(S),
    name: optionalText(S),
    username: optionalText(S),
    email: optionalText(S),
    /** When the address was confirmed. */
    confirmed_at: optionalText(S),
    avatar_url: optionalText(S)
  })
/** @category models @since 0.1.0 */
export type GitLabProfile = Preset.ProfileOf<typeof GitLabProfile>

/**
 * Options of {@link GitLab} beside the usual ones.
 *
 * @category models
 * @since 0.1.0
 */
export interface GitLabOptions {
  /** Address of an installation of one's own, `https://gitlab.example.com`. */
  readonly baseUrl?: string | undefined
}

/**
 * GitLab. Environment: `AUTH_GITLAB_ID`, `AUTH_GITLAB_SECRET`.
 *
 * @see https://docs.gitlab.com/api/oauth2/
 * @category providers
 * @since 0.1.0
 */
export const GitLab: Preset.OAuthFactory<GitLabProfile, GitLabOptions> = Preset.oauth(
  ({ baseUrl = "https://gitlab.com" }: Preset.Filled & GitLabOptions) => ({
    id: "gitlab",
    name: "GitLab",
    logo,
    authorization: { url: Preset.below(baseUrl, "/oauth/authorize"), params: { scope: "read_user" } },
    token: Preset.below(baseUrl, "/oauth/token"),
    userinfo: Preset.below(baseUrl, "/api/v4/user"),
    profile: GitLabProfile,
    user: ({ avatar_url, email, id, name, username }) => ({
      id: idText(id),
      name: name ?? username ?? null,
      email: email ?? null,
      image: avatar_url ?? null
    }),
    emailVerified: ({ confirmed_at }) => (typeof confirmed_at === "string" ? true : undefined),
    style: { bg: "#FC6D26", text: "#fff" }
  })
)
