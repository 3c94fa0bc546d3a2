/**
 * Sign in with a video-sharing platform of the kind that calls a client `client_key`.
 *
 * The platform's addresses are options, so that one preset serves every installation of it; `TikTok.ts` is this provider with
 * the addresses of TikTok.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { conformInternal, fromOptions } from "../internal/Markers.ts"
import { withRefusal } from "./internal/ClientKey.ts"
import { computing, givenOptions } from "./internal/Computed.ts"
import { mapProfile, optionalText, withEmailStatement } from "./internal/ProfileMapping.ts"
import type { OAuth2Config, OAuthUserConfig, UserFields } from "./internal/ProviderOptions.ts"
import type { Answer } from "./internal/Provider.ts"
import type { OAuthFactory } from "./Preset.ts"

/**
 * The platform answered the request for the profile with an error. `code` is its category and `logId` what its support asks
 * for; the platform's own text is not kept.
 *
 * @category errors
 * @since 0.1.0
 */
export class VideoPlatformError extends Data.TaggedError("VideoPlatformError")<{
  readonly code: string
  readonly logId: string
}> {
  override get message(): string {
    return `The platform refused to give the profile: ${this.code} (log id ${this.logId})`
  }
}

const text = Schema.optional(Schema.String)
const count = Schema.optional(Schema.Finite)

/**
 * The response of the platform's user-info endpoint to a request whose `fields` parameter is the one of the preset.
 *
 * The platform returns each field only when `fields` names it: an application that asks for other fields gives the provider a
 * `profile` function for them.
 *
 * @category schemas
 * @since 0.1.0
 */
export const VideoProfile = Schema.Struct({
  data: Schema.Struct({
    user: Schema.Struct({
      /** Id of the user in this application. */
      open_id: Schema.NonEmptyString,
      display_name: Schema.String,
      username: Schema.String,
      avatar_url: Schema.String,
      /** Id of the user in all applications of one developer. */
      union_id: text,
      /** 100 by 100 pixels. */
      avatar_url_100: text,
      /** In a higher resolution. */
      avatar_large_url: text,
      bio_description: text,
      profile_deep_link: text,
      follower_count: count,
      following_count: count,
      likes_count: count,
      video_count: count,
      is_verified: Schema.optional(Schema.Boolean),
      /** Not supplied by the platform today. */
      email: text
    })
  }),
  error: Schema.Struct({ code: Schema.String, log_id: Schema.String, message: Schema.String })
})
/** @category models @since 0.1.0 */
export type VideoProfile = typeof VideoProfile.Type

/**
 * What the profile function reads. Only the id is required: `fields` and the scopes decide which others are present, and a
 * sign-in must not fail for a field that the application did not request.
 */
const Reading = Schema.Struct({
  data: Schema.Struct({
    user: Schema.Struct({
      open_id: Schema.NonEmptyString,
      display_name: optionalText,
      username: optionalText,
      avatar_url: optionalText,
      email: optionalText
    })
  })
})
type Reading = (typeof Reading.Type)["data"]["user"]

const Failed = Schema.Struct({
  error: Schema.Struct({
    code: Schema.String.check(Schema.makeFilter((code) => code !== "" && code !== "ok")),
    log_id: Schema.optional(Schema.Unknown)
  })
})
const readFailed = Schema.decodeUnknownOption(Failed)

/** Codes and log ids are short words; anything else is not repeated. */
const Word = Schema.String.check(Schema.isPattern(/^[\w.-]{1,64}$/))
const isWord = Schema.is(Word)
const word = (value: unknown): string => (isWord(value) ? value : "unknown")

/** The error object of an answer, unless it says that there is none. */
const platformError = (answer: unknown): VideoPlatformError | undefined =>
  Option.getOrUndefined(
    Option.map(
      readFailed(answer),
      ({ error }) => new VideoPlatformError({ code: word(error.code), logId: word(error.log_id) })
    )
  )

/** The profile function of such a platform: its error object first, then the person. @internal */
export const platformProfile = (
  provider: string,
  stated: "user-name" | "no-address",
  email: (user: Reading) => string | null
) => {
  const map = mapProfile(provider, Reading, ({ data: { user } }) => ({
    id: user.open_id,
    name: user.display_name ?? null,
    image: user.avatar_url ?? null,
    email: email(user)
  }))
  // What arrives is only believed to be a profile: an error stands in its place.
  const read = (profile: VideoProfile, tokens: Parameters<typeof map>[1]): Answer<UserFields> => {
    const error = platformError(profile)
    return error === undefined ? map(profile, tokens) : Effect.fail(error)
  }
  return withEmailStatement(withRefusal(read, platformError), stated, () => undefined)
}

/**
 * What {@link Video} takes beside the usual options.
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
): Pick<OAuth2Config<VideoProfile>, "authorization" | "token" | "userinfo"> => {
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
const emailOf = ({ email, username }: Reading): string | null =>
  email || (username?.includes("@") === true ? null : username || null)

const profile = platformProfile("video", "user-name", emailOf)

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
