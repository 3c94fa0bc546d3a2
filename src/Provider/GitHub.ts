/**
 * Sign in with GitHub, or with a GitHub Enterprise Server.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { GitHub as logo } from "./logos/GitHub.ts"
import * as Preset from "./Preset.ts"
import { optionalText, PersonId } from "./ProfileMapping.ts"
import { askForList, askForObject } from "./ProfileRequest.ts"
import type { UserinfoContext } from "./Provider.ts"
import type { OAuthUserConfig } from "./ProviderOptions.ts"

/**
 * The authenticated user, as far as a user of the application is made of it; further members are kept in the profile.
 *
 * @see https://docs.github.com/en/rest/users/users#get-the-authenticated-user
 * @category schemas
 * @since 0.1.0
 */
export const GitHubProfile = Schema.Struct({
  id: PersonId,
  login: Schema.String,
  name: optionalText,
  email: optionalText,
  /** Here for an address from the list of the person's addresses, where GitHub says of each whether it is verified. */
  email_verified: Schema.optional(Schema.NullOr(Schema.Boolean)),
  avatar_url: optionalText
})
/** @category models @since 0.1.0 */
export type GitHubProfile = Preset.ProfileOf<typeof GitHubProfile>

/**
 * What {@link GitHub} takes beside the usual options.
 *
 * @category models
 * @since 0.1.0
 */
export interface GitHubOptions extends OAuthUserConfig<GitHubProfile> {
  /** Address of a GitHub Enterprise Server, `https://github.example.com`. */
  enterprise?: { baseUrl?: string | undefined } | undefined
}

const Emails = Schema.Array(Schema.Struct({ email: Schema.String, primary: Schema.Boolean, verified: Schema.Boolean }))
const decodeEmails = Schema.decodeUnknownEffect(Emails)

/**
 * The user, and when they show no e-mail address in public, the primary one of their addresses if it is verified. Without
 * the scope for addresses (`user:email`) there is none, and the sign-in goes on.
 */
const userinfo = (api: string) =>
  Effect.fnUntraced(function* (context: UserinfoContext) {
    const request = (path: string) => ({
      provider: "github",
      url: `${api}${path}`,
      headers: { accept: "application/vnd.github+json" }
    })
    const profile = yield* askForObject(context, request("/user"))
    if (typeof profile["email"] === "string" && profile["email"] !== "") return profile
    const email = yield* askForList(context, request("/user/emails")).pipe(
      Effect.flatMap(decodeEmails),
      Effect.map((emails) => emails.find((entry) => entry.primary && entry.verified)?.email),
      Effect.orElseSucceed(() => undefined)
    )
    return email === undefined ? { ...profile, email: null } : { ...profile, email, email_verified: true }
  })

/**
 * GitHub. Environment: `AUTH_GITHUB_ID`, `AUTH_GITHUB_SECRET`; callback URL `https://example.com/auth/callback/github`.
 *
 * The public email address of a person counts: GitHub lets people publish verified addresses only. Without one, the primary
 * address counts if GitHub says that it is verified.
 *
 * @see https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps
 * @category providers
 * @since 0.1.0
 */
export const GitHub: Preset.OAuthFactory<GitHubProfile, Pick<GitHubOptions, "enterprise">> = Preset.oauth(
  ({ enterprise, issuer }: Preset.Filled & Pick<GitHubOptions, "enterprise">) => {
    const own = enterprise?.baseUrl?.replace(/\/+$/, "")
    const site = own ?? "https://github.com"
    const api = own === undefined ? "https://api.github.com" : `${own}/api/v3`
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
        id: String(id),
        name: name ?? login,
        email: email ?? null,
        image: avatar_url ?? null
      }),
      emailVerified: ({ email_verified }) => email_verified,
      // GitHub publishes only addresses that it verified; a self-hosted server may do otherwise.
      vouchesForEmail: own === undefined,
      style: { bg: "#24292f", text: "#fff" }
    }
  }
)
