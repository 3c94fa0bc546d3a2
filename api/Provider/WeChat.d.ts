import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const WeChatProfile: Schema.Struct<{
    readonly unionid: Schema.NonEmptyString;
    readonly nickname: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly headimgurl: Schema.optional<Schema.NullOr<Schema.String>>;
}>;
export type WeChatProfile = Preset.ProfileOf<typeof WeChatProfile>;
export interface WeChatOptions {
    readonly platformType?: "OfficialAccount" | "WebsiteApp" | undefined;
}
export declare const WeChat: Preset.OAuthFactory<WeChatProfile, WeChatOptions>;
