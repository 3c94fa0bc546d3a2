/**
 * Sign in with WeChat, inside its browser or with a QR code on a web site.
 *
 * @since 0.1.0
 */
import { textOf } from "../internal/ThrownValue.ts"
import { WeChat as logo } from "./internal/logos/WeChat.ts"
import * as Preset from "./Preset.ts"
import { optionalText } from "./internal/ProfileMapping.ts"
import type { PresetContext, PresetTools } from "./internal/ProfileRequest.ts"
import type { TokenRequestContext } from "./internal/Provider.ts"

/**
 * The user, as far as a user of the application is made of it; further members are kept in the profile.
 *
 * @see https://developers.weixin.qq.com/doc/oplatform/Website_App/WeChat_Login/Authorized_Interface_Calling_UnionID.html
 * @category schemas
 * @since 0.1.0
 */
export const WeChatProfile = (S: Preset.Shapes) =>
  S.Struct({
    /** Id of the person in all applications of one account of the WeChat Open Platform. */
    unionid: S.NonEmptyString,
    nickname: optionalText(S),
    headimgurl: optionalText(S)
  })
/** @category models @since 0.1.0 */
export type WeChatProfile = Preset.ProfileOf<typeof WeChatProfile>

/**
 * Options of {@link WeChat} beside the usual ones.
 *
 * @category models
 * @since 0.1.0
 */
export interface WeChatOptions {
  /** Inside WeChat's own browser (`OfficialAccount`, the default), or a QR code on a web site (`WebsiteApp`). */
  readonly platformType?: "OfficialAccount" | "WebsiteApp" | undefined
}

const tokenEndpoint = "https://api.weixin.qq.com/sns/oauth2/access_token"
const me = "https://api.weixin.qq.com/sns/userinfo"

// WeChat takes everything in the query of GET requests, the access token too.
const get = (url: string, parameters: Readonly<Record<string, string>>) => ({
  url: `${url}?${new URLSearchParams(parameters)}`,
  headers: { authorization: undefined }
})

const exchange = ({ askThen, params, provider }: TokenRequestContext & PresetTools) =>
  askThen(
    get(tokenEndpoint, {
      appid: String(provider["clientId"]),
      secret: String(provider["clientSecret"]),
      code: params["code"] ?? "",
      grant_type: "authorization_code"
    }),
    (tokens) => ({ tokens })
  )

/**
 * WeChat compares the address with a pattern: the parameters in the order of its documentation, and the fragment at the end. The
 * client id is `appid`. An address of the application's own stays as it is.
 */
const conform = (address: string): string => {
  if (!address.startsWith("https://open.weixin.qq.com/")) return address
  const [path = "", query = ""] = address.split("?", 2)
  const given = query.split("&").filter((parameter) => !parameter.startsWith("client_id="))
  const first = ["appid", "redirect_uri", "response_type", "scope", "state"].flatMap((name) =>
    given.filter((parameter) => parameter.startsWith(`${name}=`))
  )
  return `${path}?${[...new Set([...first, ...given])].join("&")}#wechat_redirect`
}

const person = ({ ask, tokens }: PresetContext) =>
  ask(get(me, { access_token: tokens.access_token ?? "", openid: textOf(tokens, "openid") ?? "", lang: "zh_CN" }))

/**
 * WeChat. Environment: `AUTH_WECHAT_ID` (the AppID), `AUTH_WECHAT_SECRET` (the AppSecret). It gives no email address. The
 * account id is the `unionid`: bind the Official Account or web site to an account of the WeChat Open Platform, otherwise WeChat
 * sends no `unionid` and every sign-in fails. WeChat reads the address as text: it is written as WeChat documents it, with nothing beside
 * that, and without PKCE.
 *
 * @see https://developers.weixin.qq.com/doc/offiaccount/OA_Web_Apps/Wechat_webpage_authorization.html
 * @category providers
 * @since 0.1.0
 */
export const WeChat: Preset.OAuthFactory<WeChatProfile, WeChatOptions> = Preset.oauth(
  ({ clientId, platformType = "OfficialAccount" }: Preset.Filled & WeChatOptions) => ({
    id: "wechat",
    name: "WeChat",
    checks: ["state"],
    logo,
    authorization: {
      url: `https://open.weixin.qq.com/connect/${platformType === "OfficialAccount" ? "oauth2/authorize" : "qrconnect"}`,
      conform,
      params: { appid: clientId, scope: platformType === "OfficialAccount" ? "snsapi_userinfo" : "snsapi_login" }
    },
    token: { url: tokenEndpoint, request: exchange },
    refuses: ["pkce"],
    userinfo: { url: me, request: person },
    profile: WeChatProfile,
    user: ({ headimgurl, nickname, unionid }) => ({
      id: unionid,
      name: nickname ?? null,
      email: null,
      image: headimgurl ?? null
    }),
    emailVerified: "no-address",
    style: { bg: "#fff", text: "#000" }
  })
)
