import * as Preset from "./Preset.ts";
export declare const EveOnlineProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly CharacterID: import("effect/Schema").Union<readonly [import("effect/Schema").NonEmptyString, import("effect/Schema").Int]>;
    readonly CharacterName: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
}>;
export type EveOnlineProfile = Preset.ProfileOf<typeof EveOnlineProfile>;
export declare const EveOnline: Preset.OAuthFactory<EveOnlineProfile>;
