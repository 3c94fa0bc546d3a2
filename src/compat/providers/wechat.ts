/**
 * `WeChat` of `Provider/WeChat.ts`, under the name `providers/wechat`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { WeChat as preset, type WeChatProfile as Shape } from "../../Provider/WeChat.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface WeChatProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/WeChat.ts` says what it needs. @category providers @since 0.1.0 */
const WeChat: Factory<typeof preset, WeChatProfile> = preset

export { WeChat as default }
