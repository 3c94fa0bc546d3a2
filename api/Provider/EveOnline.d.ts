import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const EveOnlineProfile: Schema.Struct<{
    readonly CharacterID: Schema.Union<readonly [Schema.NonEmptyString, Schema.Int]>;
    readonly CharacterName: Schema.optional<Schema.NullOr<Schema.String>>;
}>;
export type EveOnlineProfile = Preset.ProfileOf<typeof EveOnlineProfile>;
export declare const EveOnline: Preset.OAuthFactory<EveOnlineProfile>;
