import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const CoinbaseProfile: Schema.Struct<{
    readonly data: Schema.Struct<{
        readonly id: Schema.Union<readonly [Schema.NonEmptyString, Schema.Int]>;
        readonly name: Schema.optional<Schema.NullOr<Schema.String>>;
        readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
        readonly avatar_url: Schema.optional<Schema.NullOr<Schema.String>>;
    }>;
}>;
export type CoinbaseProfile = Preset.ProfileOf<typeof CoinbaseProfile>;
export declare const Coinbase: Preset.OAuthFactory<CoinbaseProfile>;
