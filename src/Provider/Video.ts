/**
 * Sign in with a video-sharing platform of the kind that calls a client `client_key`.
 *
 * The platform's addresses are options, so that one preset serves every installation of it; `TikTok.ts` is this provider with
 * the addresses of TikTok.
 *
 * @since 0.1.0
 */
import { isJsonObject } from "../internal/JsonText.ts"
import { conformInternal, fromOptions } from "../internal/Markers.ts"
import { withRefusal } from "./internal/ClientKey.ts"
import { computing, givenOptions } from "./internal/Computed.ts"
import { describeProfile, optionalText, type Shapes } from "./internal/ProfileMapping.ts"
import type { Awaitable } from "../internal/Untyped.ts"
import type { OAuth2Config, OAuthUserConfig, UserFields } from "./internal/ProviderOptions.ts"
import type { OAuthFactory } from "./Preset.ts"

/**
 * The platform answered the request for the profile with an error. `code` is its category and `logId` what its support asks
 * for; the platform's own text is not kept.
 *
 * @category errors
 * @since 0.1.0
 */
export class VideoPlatformError extends Error {
  readonly _tag = "VideoPlatformError"
  override readonly name = "VideoPlatformError"
  readonly code: string
  readonly logId: string
  constructor({ code, logId }: { readonly code: string; readonly logId: string }) {
    super(`The platform refused to give the profile: ${code} (log id ${logId})`)
    this.code = code
    this.logId = logId
  }
}

const text = (S: Shapes) => S.optional(S.String)
const count = (S: Shapes) => S.optional(S.Finite)

/**
 * The response of the platform's user-info endpoint to a request whose `fields` parameter is the one of the preset.
 *
 * The platform returns each field only when `fields` names it: an application that asks for other fields gives the provider a
 * `profile` function for them.
 *
 * @category schemas
 * @since 0.1.0
 */
export const VideoProfile = (S: Shapes) =>
  S.Struct({
    data: S.Struct({
      user: S.Struct({
        /** Id of the user in this application. */
        open_id: S.NonEmptyString,
        display_name: S.String,
        username: S.String,
        avatar_url: S.String,
        /** Id of the user in all applications of one developer. */
        union_id: text(S),
        /** 100 by 100 pixels. */
        avatar_url_100: text(S),
        /** In a higher resolution. */
        avatar_large_url: text(S),
        bio_description: text(S),
        profile_deep_link: text(S),
        follower_count: count(S),
        following_count: count(S),
        likes_count: count(S),
        video_count: count(S),
        is_verified: S.optional(S.Boolean),
        /** Not supplied by the platform today. */
        email: text(S)
      })
    }),
    error: S.Struct({ code: S.String, log_id: S.String, message: S.String })
  })
/** @category models @since 0.1.0 */
export type VideoProfile = ReturnType<typeof VideoProfile>["Type"]

/**
 * The profile that the profile function reads. Only the id is required: `fields` and the scopes decide which others are present, and a
 * sign-in must not fail for a field that the application did not request.
 */
const PersonShape = (S: Shapes) =>
  S.Struct({
    data: S.Struct({
      user: S.Struct({
        open_id: S.NonEmptyString,
        display_name: optionalText(S),
        username: optionalText(S),
        avatar_url: optionalText(S),
        email: optionalText(S)
      })
    })
  })
type Person = ReturnType<typeof PersonShape>["Type"]["data"]["user"]

/** Codes and log ids are short words; anything else is not repeated. */
const word = (value: unknown): string => (typeof value === "string" && /^[\w.-]{1,64}$/.test(value) ? value : "unknown")

/** The error object of an answer, unless it says that there is none. */
const platformError = (answer: unknown): VideoPlatformError | undefined => {
  const error = isJsonObject(answer) ? answer["error"] : undefined
  const code = isJsonObject(error) ? error["code"] : undefined
  return typeof code === "string" && code !== "" && code !== "ok" && isJsonObject(error)
    ? new VideoPlatformError({ code: word(code), logId: word(error["log_id"]) })
    : undefined
}

/** The profile function of such a platform, which puts an error object in the place of a profile. @internal */
export const platformProfile = (emailVerified: "user-name" | "no-address", email: (user: Person) => string | null) =>
  withRefusal(
    describeProfile(
      // The library decodes less than a profile is declared to have.
      (profile: { readonly data: { readonly user: Person } }): Awaitable<UserFields> => {
        const error = platformError(profile)
        if (error !== undefined) return Promise.reject(error)
        const { user } = profile.data
        return { id: user.open_id, name: user.display_name ?? null, image: user.avatar_url ?? null, email: email(user) }
      },
      { shape: PersonShape, emailVerified }
    ),
    platformError
  )

/**
 * Options of {@link Video} beside the usual ones.
 *
 * @category models
 * @since 0.1.0
 */
export interface VideoOptions extends OAuthUserConfig<VideoProfile> {
  /** Where people are asked for consent, `https://www.video.example`; from `AUTH_VIDEO_AUTH_URL` when absent. */
  authUrl?: string | undefined
  /** Where tokens and profiles come from, `https://open.video.example`; from `AUTH_VIDEO_API_URL` when absent. */
  apiUrl?: string | undefined
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

const baseUrlOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value.replace(/\/+$/, "") : undefined

/** The endpoints of such a platform. @internal */
export const platformEndpoints = (
  addresses: { readonly authUrl?: unknown; readonly apiUrl?: unknown },
  settings: { readonly clientId?: unknown; readonly scope: string; readonly fields: string }
): Pick<OAuth2Config<VideoProfile, "value">, "authorization" | "token" | "userinfo"> => {
  const authUrl = baseUrlOf(addresses.authUrl)
  const apiUrl = baseUrlOf(addresses.apiUrl)
  return {
    authorization:
      authUrl === undefined
        ? undefined
        : {
            url: `${authUrl}/v2/auth/authorize`,
            params: { client_key: textOf(settings.clientId), scope: settings.scope }
          },
    token: apiUrl === undefined ? undefined : `${apiUrl}/v2/oauth/token/`,
    userinfo: apiUrl === undefined ? undefined : `${apiUrl}/v2/user/info/?fields=${settings.fields}`
  }
}

const endpoints = (options: { readonly [Name in keyof VideoOptions]?: unknown }) =>
  platformEndpoints(options, {
    clientId: options.clientId,
    scope: "user.info.profile",
    fields: "open_id,avatar_url,display_name,username"
  })

/**
 * The user name replaces a missing or empty email. Users choose their names, so a name with an `@` is never used as an
 * email.
 */
const emailOf = ({ email, username }: Person): string | null =>
  email || (username?.includes("@") === true ? null : username || null)

const profile = platformProfile("user-name", emailOf)

/**
 * The video platform. Environment: `AUTH_VIDEO_ID` (the platform's Client Key), `AUTH_VIDEO_SECRET`, `AUTH_VIDEO_AUTH_URL`,
 * `AUTH_VIDEO_API_URL`; callback URL `https://example.com/auth/callback/video`, which the platform must know and, in
 * production, must not be a localhost address.
 *
 * More scopes are added with commas: `authorization: { params: { scope: "user.info.profile,user.info.stats" } }`, and more
 * fields with `userinfo: { params: { fields: "open_id,avatar_url,display_name,username,likes_count" } }`.
 *
 * @see https://developers.tiktok.com/doc/login-kit-web
 * @category providers
 * @since 0.1.0
 */
export const Video: OAuthFactory<VideoProfile, Pick<VideoOptions, "authUrl" | "apiUrl">> = (options) => {
  const urls = endpoints(options ?? {})
  return {
    id: "video",
    name: "Video",
    type: "oauth",
    client: { token_endpoint_auth_method: "client_secret_post" },
    ...urls,
    profile,
    style: { bg: "#000", text: "#fff" },
    [conformInternal]: "client-key",
    [fromOptions]: computing(urls, endpoints),
    options: givenOptions(options)
  }
}
