/**
 * Sign in with Notion.
 *
 * @since 0.1.0
 */
import { Notion as logo } from "./internal/logos/Notion.ts"
import * as Preset from "./Preset.ts"
import { optionalText } from "./internal/ProfileMapping.ts"
import type { PresetContext } from "./internal/ProfileRequest.ts"

/**
 * The person who owns the access token, as far as a user of the application is made of them; further members are kept in the
 * profile.
 *
 * @see https://developers.notion.com/reference/user#people
 * @category schemas
 * @since 0.1.0
 */
export const NotionProfile = (S: Preset.Shapes) =>
  S.Struct({
    id: S.NonEmptyString,
    name: optionalText(S),
    avatar_url: optionalText(S),
    person: S.optional(S.NullOr(S.Struct({ email: optionalText(S) })))
  })
/** @category models @since 0.1.0 */
export type NotionProfile = Preset.ProfileOf<typeof NotionProfile>

/**
 * Options of {@link Notion} beside the usual ones.
 *
 * @category models
 * @since 0.1.0
 */
export interface NotionOptions {
  /** Kept for compatibility: the callback URL of the provider is sent, and is the one to register. */
  readonly redirectUri?: string | undefined
}

const me = "https://api.notion.com/v1/users/me"

const Bot = (S: Preset.Shapes) =>
  S.Struct({
    bot: S.Struct({ owner: S.Struct({ user: S.Record(S.String, S.Unknown) }) })
  })

/**
 * Notion. Environment: `AUTH_NOTION_ID`, `AUTH_NOTION_SECRET`. The integration must be a public one. It gives an email address only
 * with the capability to read user information including email addresses.
 *
 * @see https://developers.notion.com/guides/get-started/authorization
 * @category providers
 * @since 0.1.0
 */
export const Notion: Preset.OAuthFactory<NotionProfile, NotionOptions> = Preset.oauth({
  id: "notion",
  name: "Notion",
  logo,
  authorization: { url: "https://api.notion.com/v1/oauth/authorize", params: { owner: "user", scope: null } },
  token: "https://api.notion.com/v1/oauth/token",
  userinfo: {
    url: me,
    // The access token is that of a bot, which says who owns it: a person, or a whole workspace.
    request: ({ askThen, read }: PresetContext) =>
      askThen(
        { url: me, headers: { "notion-version": "2022-06-28" } },
        (answer) => read(Bot, answer)?.bot.owner.user ?? {}
      )
  },
  profile: NotionProfile,
  user: ({ avatar_url, id, name, person }) => ({
    id,
    name: name ?? null,
    email: person?.email ?? null,
    image: avatar_url ?? null
  }),
  emailVerified: "unstated",
  style: { bg: "#fff", text: "#000" }
})
