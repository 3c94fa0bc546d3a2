/**
 * Sign in with GitHub, or with a GitHub Enterprise Server.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { OAuthCallbackError } from "../Errors.ts"
import { mapProfile, optionalText, PersonId } from "./ProfileMapping.ts"
import type { OAuth2Config, OAuthUserConfig } from "./ProviderOptions.ts"
import type { UserinfoContext } from "./Provider.ts"

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
  avatar_url: optionalText
})
/** @category models @since 0.1.0 */
export type GitHubProfile = typeof GitHubProfile.Type & { readonly [member: string]: unknown }

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
const decodeObject = Schema.decodeUnknownEffect(Schema.Record(Schema.String, Schema.Unknown))

const read = Effect.fnUntraced(function* (context: UserinfoContext, address: string) {
  const response = yield* Effect.tryPromise({
    try: (signal) =>
      context.fetch(address, {
        headers: {
          accept: "application/vnd.github+json",
          authorization: `Bearer ${context.tokens.access_token ?? ""}`,
          "user-agent": "effect-doorman"
        },
        redirect: "manual",
        signal
      }),
    catch: (cause) =>
      new OAuthCallbackError({
        provider: "github",
        code: "provider_unavailable",
        detail: "The API could not be reached.",
        retryable: true,
        cause
      })
  })
  if (!response.ok) {
    return yield* new OAuthCallbackError({
      provider: "github",
      code: "provider_error",
      detail: `The API answered with status ${response.status}.`,
      retryable: response.status >= 500
    })
  }
  return yield* Effect.tryPromise({
    try: (): Promise<unknown> => response.json(),
    catch: (cause) =>
      new OAuthCallbackError({
        provider: "github",
        code: "invalid_response",
        detail: "The API did not answer with JSON.",
        cause
      })
  })
})

/**
 * The user, and when they show no e-mail address in public, the primary one of their addresses if it is verified. Without
 * the scope for addresses (`user:email`) there is none, and the sign-in goes on.
 */
const userinfo = (api: string) =>
  Effect.fnUntraced(function* (context: UserinfoContext) {
    const profile = yield* Effect.flatMap(read(context, `${api}/user`), decodeObject)
    if (typeof profile["email"] === "string" && profile["email"] !== "") return profile
    const email = yield* read(context, `${api}/user/emails`).pipe(
      Effect.flatMap(decodeEmails),
      Effect.map((emails) => emails.find((entry) => entry.primary && entry.verified)?.email ?? null),
      Effect.orElseSucceed(() => null)
    )
    return { ...profile, email }
  })

const profile = mapProfile("github", GitHubProfile, (profile) => ({
  id: String(profile.id),
  name: profile.name ?? profile.login,
  email: profile.email ?? null,
  image: profile.avatar_url ?? null
}))

/**
 * GitHub. Environment: `AUTH_GITHUB_ID`, `AUTH_GITHUB_SECRET`; callback URL `https://example.com/auth/callback/github`.
 *
 * @see https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps
 * @category providers
 * @since 0.1.0
 */
export const GitHub = (options: GitHubOptions = {}): OAuth2Config<GitHubProfile> => {
  const enterprise = options.enterprise?.baseUrl?.replace(/\/+$/, "")
  const site = enterprise ?? "https://github.com"
  const api = enterprise === undefined ? "https://api.github.com" : `${enterprise}/api/v3`
  return {
    id: "github",
    name: "GitHub",
    type: "oauth",
    issuer: `${site}/login/oauth`,
    authorization: { url: `${site}/login/oauth/authorize`, params: { scope: "read:user user:email" } },
    token: `${site}/login/oauth/access_token`,
    userinfo: { url: `${api}/user`, request: userinfo(api) },
    profile,
    style: { bg: "#24292f", text: "#fff" },
    options
  }
}
