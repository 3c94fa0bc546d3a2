/**
 * Sign in with Threads.
 *
 * @since 0.1.0
 */
import { Threads as logo } from "./internal/logos/Threads.ts"
import * as Preset from "./Preset.ts"
import { idText, optionalText, PersonId } from "./internal/ProfileMapping.ts"
import * as TokenAnswer from "./internal/TokenAnswer.ts"

/**
 * The profile, as far as a user of the application is made of it; further members are kept in the profile.
 *
 * @see https://developers.facebook.com/docs/threads/threads-profiles
 * @category schemas
 * @since 0.1.0
 */
export const ThreadsProfile = (S: Preset.Shapes) =>
  S.Struct({
    /** Id of the person in this application. */
    id: PersonId(S),
    username: optionalText(S),
    threads_profile_picture_url: optionalText(S)
  })
/** @category models @since 0.1.0 */
export type ThreadsProfile = Preset.ProfileOf<typeof ThreadsProfile>

/**
 * Threads. Environment: `AUTH_THREADS_ID` (the Threads app id, another one than that of the Meta app), `AUTH_THREADS_SECRET`.
 * It gives no email address, and accepts `https` addresses only. Meta documents that a token of a sign-in ends after one hour.
 *
 * @see https://developers.facebook.com/docs/threads/get-started/get-access-tokens-and-permissions
 * @see https://developers.facebook.com/docs/threads/get-started/long-lived-tokens
 * @category providers
 * @since 0.1.0
 */
export const Threads: Preset.OAuthFactory<ThreadsProfile> = Preset.oauth({
  id: "threads",
  name: "Threads",
  checks: ["state"],
  logo,
  authorization: { url: "https://threads.net/oauth/authorize", params: { scope: "threads_basic" } },
  token: {
    url: "https://graph.threads.net/oauth/access_token",
    conform: TokenAnswer.changeBody(TokenAnswer.addBearer, TokenAnswer.addLifetime(60 * 60))
  },
  userinfo: "https://graph.threads.net/v1.0/me?fields=id,username,threads_profile_picture_url",
  client: { token_endpoint_auth_method: "client_secret_post" },
  profile: ThreadsProfile,
  user: ({ id, threads_profile_picture_url, username }) => ({
    id: idText(id),
    name: username ?? null,
    email: null,
    image: threads_profile_picture_url ?? null
  }),
  emailVerified: "no-address",
  style: { bg: "#000", text: "#fff" }
})
