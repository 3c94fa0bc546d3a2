import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { OAuthProfileParseError } from "../Errors.ts";
import type { TokenSet, User } from "../Models.ts";
import type { Answer } from "./Provider.ts";
export declare const optionalText: Schema.optional<Schema.NullOr<Schema.String>>;
export declare const PersonId: Schema.Union<readonly [Schema.NonEmptyString, Schema.Int]>;
export declare const fullName: (...parts: ReadonlyArray<string | null | undefined>) => string | null;
export declare const mapProfile: <S extends Schema.ConstraintDecoder<unknown>, A extends Answer<User>>(provider: string, schema: S, map: (profile: S["Type"], tokens: TokenSet) => A) => ((profile: unknown, tokens: TokenSet) => A | Effect.Effect<never, OAuthProfileParseError>);
export declare const StandardProfile: Schema.Struct<{
    readonly sub: Schema.Union<readonly [Schema.NonEmptyString, Schema.Int]>;
    readonly name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly nickname: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly preferred_username: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly email_verified: Schema.optional<Schema.Unknown>;
    readonly picture: Schema.optional<Schema.NullOr<Schema.String>>;
}>;
export interface StandardProfile {
    readonly sub: string | number;
    readonly name?: string | null | undefined;
    readonly nickname?: string | null | undefined;
    readonly preferred_username?: string | null | undefined;
    readonly email?: string | null | undefined;
    readonly email_verified?: unknown;
    readonly picture?: string | null | undefined;
}
export declare const StandardClaims: Schema.Struct<{
    readonly sub: Schema.optional<Schema.NullOr<Schema.Union<readonly [Schema.NonEmptyString, Schema.Int]>>>;
    readonly id: Schema.optional<Schema.NullOr<Schema.Union<readonly [Schema.NonEmptyString, Schema.Int]>>>;
    readonly name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly nickname: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly preferred_username: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly picture: Schema.optional<Schema.NullOr<Schema.String>>;
}>;
export declare const defaultProfile: (provider: string) => ((profile: unknown, tokens: TokenSet) => Answer<User>);
export declare const defaultAccount: (tokens: TokenSet) => TokenSet;
