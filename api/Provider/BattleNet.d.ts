import * as Preset from "./Preset.ts";
export declare const BattleNetProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly sub: import("effect/Schema").NonEmptyString;
    readonly battle_tag: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
}>;
export type BattleNetProfile = Preset.ProfileOf<typeof BattleNetProfile>;
export declare const BattleNet: Preset.OidcFactory<BattleNetProfile>;
