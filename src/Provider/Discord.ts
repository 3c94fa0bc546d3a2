/**
 * Sign in with Discord.
 *
 * @since 0.1.0
 */
import { Discord as logo } from "./internal/logos/Discord.ts"
import * as Preset from "./Preset.ts"
import { optionalText } from "./internal/ProfileMapping.ts"
import type { PresetContext } from "./internal/ProfileRequest.ts"

/**
 * The current user, as far as a user of the application is made of it; further members are kept in the profile.
 *
 * @see https://discord.com/developers/docs/resources/user#user-object
 * @category schemas
 * @since 0.1.0
 */
export const DiscordProfile = (S: Preset.Shapes) =>
  S.Struct({
    /** A snowflake: 64 bits in decimal digits. */
    id: S.String.check(S.isPattern(/^\d{1,20}$/)),
    username: S.String,
    /** Four digits, or "0" for accounts without one. */
    discriminator: optionalText(S),
    global_name: optionalText(S),
    email: optionalText(S),
    /** Discord verified the address. */
    verified: S.optional(S.NullOr(S.Boolean)),
    avatar: optionalText(S)
  })
/** @category models @since 0.1.0 */
export type DiscordProfile = Preset.ProfileOf<typeof DiscordProfile>

const cdn = "https://cdn.discordapp.com"

/** Which of the pictures for people without one: by their id, or by their discriminator where they have one. */
const embedAvatar = (profile: DiscordProfile): number => {
  const discriminator = profile.discriminator ?? "0"
  return discriminator === "0" || !/^\d+$/.test(discriminator)
    ? Number((BigInt(profile.id) >> 22n) % 6n)
    : Number.parseInt(discriminator, 10) % 5
}

const image = (profile: DiscordProfile): string => {
  const { avatar } = profile
  if (avatar === null || avatar === undefined) return `${cdn}/embed/avatars/${embedAvatar(profile)}.png`
  return `${cdn}/avatars/${profile.id}/${encodeURIComponent(avatar)}.${avatar.startsWith("a_") ? "gif" : "png"}`
}

const me = "https://discord.com/api/users/@me"

/** The profile with the address of the picture: callbacks of applications read it there, as Auth.js writes it. */
const userinfo = ({ askThen, read }: PresetContext) =>
  askThen({ url: me }, (profile) => {
    const fields = read(DiscordProfile, profile)
    return fields === undefined ? profile : { ...profile, image_url: image(fields) }
  })

/**
 * Discord. Environment: `AUTH_DISCORD_ID`, `AUTH_DISCORD_SECRET`; callback URL `https://example.com/auth/callback/discord`.
 *
 * @see https://discord.com/developers/docs/topics/oauth2
 * @category providers
 * @since 0.1.0
 */
export const Discord: Preset.OAuthFactory<DiscordProfile> = Preset.oauth({
  id: "discord",
  name: "Discord",
  logo,
  authorization: { url: "https://discord.com/api/oauth2/authorize", params: { scope: "identify email" } },
  token: "https://discord.com/api/oauth2/token",
  userinfo: { url: me, request: userinfo },
  profile: DiscordProfile,
  user: (profile) => ({
    id: profile.id,
    name: profile.global_name ?? profile.username,
    email: profile.email ?? null,
    image: image(profile)
  }),
  emailVerified: ({ verified }) => verified,
  style: { bg: "#5865F2", text: "#fff" }
})
