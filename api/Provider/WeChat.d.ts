import * as Preset from "./Preset.ts";
export declare const WeChatProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly unionid: import("effect/Schema").NonEmptyString;
    readonly nickname: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly headimgurl: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
}>;
export type WeChatProfile = Preset.ProfileOf<typeof WeChatProfile>;
export interface WeChatOptions {
    readonly platformType?: "OfficialAccount" | "WebsiteApp" | undefined;
}
export declare const WeChat: Preset.OAuthFactory<WeChatProfile, WeChatOptions>;
