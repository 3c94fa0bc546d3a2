/** Section 2: the video provider. */
import type { Library } from "../Library.ts"
import { members, type Row, row, type } from "../Row.ts"
import { fetcher, type Heard, makeSite, origin, pick, secret } from "../Site.ts"

const user = { open_id: "open-1", display_name: "Ada", username: "ada", avatar_url: "https://img.example/a.png" }
const ok = { code: "ok", log_id: "log-1", message: "" }
const addresses = { authUrl: "https://www.video.example", apiUrl: "https://open.video.example" }

/** A sign-in at the platform: where the browser was sent, what was requested, and the user. */
export const videoSignIn = async (
  library: Library,
  changes: { readonly user?: object; readonly answer?: object; readonly provider?: object } = {}
) => {
  const sent: Heard["sent"] = []
  const platform: typeof globalThis.fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : String(input))
    if (pathname === "/v2/user/info/") {
      await fetcher({ sent }, {}, {})(input, init)
      return Response.json(changes.answer ?? { data: { user: changes.user ?? user }, error: ok })
    }
    await fetcher({ sent }, {}, {})(input, init)
    return Response.json({ access_token: "access-1", token_type: "bearer" })
  }
  const provider = library.Video({
    clientId: "key-1",
    clientSecret: "video-secret-1",
    ...addresses,
    [library.customFetch]: platform,
    ...changes.provider
  })
  const site = makeSite(library, { providers: [provider] })
  const asked = await site.browser.submit("/auth/signin/video")
  const away = new URL(asked.headers.get("location") ?? origin)
  const back = await site.browser.get(`/auth/callback/video?code=code-1&state=${away.searchParams.get("state")}`)
  return {
    away,
    back,
    sent,
    errors: site.errors,
    user: site.calls["signIn"]?.[0]?.["user"],
    account: site.calls["signIn"]?.[0]?.["account"],
    session: await site.browser.session()
  }
}

const mapped = async (library: Library, given: object, name: string) =>
  pick((await videoSignIn(library, { user: given })).user, name)[name] ?? null
const idOf = async (library: Library, given: object) =>
  pick((await videoSignIn(library, { user: given })).account, "providerAccountId")["providerAccountId"]
const video = (library: Library) => library.Video({ clientId: "key-1", clientSecret: "s", ...addresses })
const User = 'Video.VideoProfile["data"]["user"]'
const own = (name: string, written: string) => `| ${name} | ${written} |`

const shape: ReadonlyArray<Row> = [
  type(
    "Profile response shape (`VideoProfile`): `data.user` object and `error` object.",
    "[Fits<Video.VideoProfile['data']['user'], object>, Fits<Video.VideoProfile['error'], object>]"
  ),
  ...members(User, { open_id: "string", display_name: "string", username: "string", avatar_url: "string" }, own),
  ...members(
    User,
    {
      avatar_url_100: "string?",
      avatar_large_url: "string?",
      bio_description: "string?",
      profile_deep_link: "string?",
      union_id: "string?",
      follower_count: "number?",
      following_count: "number?",
      likes_count: "number?",
      video_count: "number?",
      is_verified: "boolean?",
      email: "string?"
    },
    own
  ),
  ...members(
    "Video.VideoProfile['error']",
    { code: "string", log_id: "string", message: "string" },
    (name) => `\`${name}\``
  ),
  row(
    "Each field except email is returned only when its name is included",
    "a profile of open_id alone",
    "open-1",
    async (library) => idOf(library, { open_id: "open-1" })
  ),
  row(
    "For avatar_large_url the fields value named is `avatar_url_100`.",
    "userinfo.params.fields: open_id,avatar_url_100",
    "open_id,avatar_url_100",
    async (library) =>
      (await videoSignIn(library, { provider: { userinfo: { params: { fields: "open_id,avatar_url_100" } } } })).sent
        .at(-1)
        ?.url.searchParams.get("fields")
  )
]

const defaults: ReadonlyArray<Row> = [
  row("Video provider (id `video`, type `oauth`, OAuth 2)", "Video()", { id: "video", type: "oauth" }, (library) =>
    pick(video(library), "id", "type")
  ),
  row(
    "| id / name / type | `video` / a display name / `oauth` |",
    "Video()",
    ["video", "string", "oauth"],
    (library) => {
      const { id, name, type } = video(library)
      return [id, typeof name, type]
    }
  ),
  row(
    "| Client authentication at token endpoint | `client_secret_post` |",
    "Video()",
    "client_secret_post",
    (library) => video(library).client?.token_endpoint_auth_method
  ),
  row(
    "`{video_auth_url}/v2/auth/authorize`",
    "a sign-in",
    "https://www.video.example/v2/auth/authorize",
    async (library) => {
      const { away } = await videoSignIn(library)
      return away.origin + away.pathname
    }
  ),
  row(
    "query parameters `client_key` (the client id) and `scope` (default `user.info.profile`",
    "a sign-in",
    ["key-1", "user.info.profile"],
    async (library) => {
      const { away } = await videoSignIn(library)
      return [away.searchParams.get("client_key"), away.searchParams.get("scope")]
    }
  ),
  row(
    "more scopes can be added, comma-separated",
    "authorization.params.scope with a comma",
    "user.info.profile,video.list",
    async (library) =>
      (
        await videoSignIn(library, {
          provider: { authorization: { params: { scope: "user.info.profile,video.list" } } }
        })
      ).away.searchParams.get("scope")
  ),
  row(
    "| Token URL | `{video_api_url}/v2/oauth/token/` |",
    "a sign-in",
    "https://open.video.example/v2/oauth/token/",
    async (library) => (await videoSignIn(library)).sent[0]?.url.href
  ),
  row(
    "`{video_api_url}/v2/user/info/?fields=open_id,avatar_url,display_name,username`",
    "a sign-in",
    ["https://open.video.example/v2/user/info/", "open_id,avatar_url,display_name,username"],
    async (library) => {
      const url = (await videoSignIn(library)).sent[1]?.url
      return [`${url?.origin}${url?.pathname}`, url?.searchParams.get("fields")]
    }
  ),
  row("(fields can be extended)", "userinfo.params.fields with likes_count", "open_id,likes_count", async (library) =>
    (
      await videoSignIn(library, { provider: { userinfo: { params: { fields: "open_id,likes_count" } } } })
    ).sent[1]?.url.searchParams.get("fields")
  ),
  row("id = data.user.open_id", "a profile", "open-1", (library) => idOf(library, user)),
  row("name = data.user.display_name", "a profile", "Ada", (library) => mapped(library, user, "name")),
  row("image = data.user.avatar_url", "a profile", "https://img.example/a.png", (library) =>
    mapped(library, user, "image")
  ),
  row("email = data.user.email", "a profile with an email", "ada@example.com", (library) =>
    mapped(library, { ...user, email: "ada@example.com" }, "email")
  ),
  row("else data.user.username", "a profile without email", "ada", (library) => mapped(library, user, "email")),
  row("else data.user.username", "a profile with an empty email", "ada", (library) =>
    mapped(library, { ...user, email: "" }, "email")
  ),
  row("else null", "a profile with neither", null, (library) => mapped(library, { open_id: "open-1" }, "email")),
  row(
    "else data.user.username",
    "a user name with an @",
    null,
    (library) => mapped(library, { ...user, username: "eve@example.com" }, "email"),
    "user-name-email"
  ),
  row("options `clientId`, `clientSecret`", "a sign-in", ["key-1", "video-secret-1"], async (library) => {
    const form = new URLSearchParams((await videoSignIn(library)).sent[0]?.body)
    return [form.get("client_key"), form.get("client_secret")]
  }),
  row(
    "may be omitted when env vars `AUTH_VIDEO_ID` (the platform's Client Key) and `AUTH_VIDEO_SECRET` are set",
    "setEnvDefaults, then a sign-in",
    "env-key",
    async (library) => {
      const config = { secret, trustHost: true, basePath: "/auth", providers: [library.Video(addresses)] }
      library.setEnvDefaults({ AUTH_VIDEO_ID: "env-key", AUTH_VIDEO_SECRET: "env-secret" }, config)
      const { browser } = makeSite(library, config)
      return new URL((await browser.submit("/auth/signin/video")).headers.get("location") ?? origin).searchParams.get(
        "client_key"
      )
    }
  ),
  row(
    "| Callback URL | `{base_url}{basePath}/callback/video`",
    "a sign-in",
    `${origin}/auth/callback/video`,
    async (library) => (await videoSignIn(library)).away.searchParams.get("redirect_uri")
  ),
  row("the request uses content type `application/x-www-form-urlencoded`", "the token request", true, async (library) =>
    (await videoSignIn(library)).sent[0]?.type.startsWith("application/x-www-form-urlencoded")
  ),
  row(
    "its form body gets an extra `client_key` entry equal to the client id",
    "the token request",
    ["key-1"],
    async (library) => new URLSearchParams((await videoSignIn(library)).sent[0]?.body).getAll("client_key")
  ),
  row("for requests whose path ends with `/token/`", "the user-info request", ["GET", ""], async (library) => {
    const request = (await videoSignIn(library)).sent[1]
    return [request?.method, request?.body]
  })
]

export const videoRows: ReadonlyArray<Row> = [...shape, ...defaults]
