import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const BattleNetProfile: Schema.Struct<{
    readonly sub: Schema.NonEmptyString;
    readonly battle_tag: Schema.optional<Schema.NullOr<Schema.String>>;
}>;
export type BattleNetProfile = Preset.ProfileOf<typeof BattleNetProfile>;
export declare const BattleNet: Preset.OidcFactory<BattleNetProfile>;
