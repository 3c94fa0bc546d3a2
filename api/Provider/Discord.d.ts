import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const DiscordProfile: Schema.Struct<{
    readonly id: Schema.String;
    readonly username: Schema.String;
    readonly discriminator: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly global_name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly verified: Schema.optional<Schema.NullOr<Schema.Boolean>>;
    readonly avatar: Schema.optional<Schema.NullOr<Schema.String>>;
}>;
export type DiscordProfile = Preset.ProfileOf<typeof DiscordProfile>;
export declare const Discord: Preset.OAuthFactory<DiscordProfile>;
