import type * as DateTime from "effect/DateTime";
import * as Schema from "effect/Schema";
export interface ActiveSession<User = SessionUser, Members = unknown> {
    readonly user: User;
    readonly userId: string;
    readonly id: string | undefined;
    readonly expires: DateTime.Utc;
    readonly via: "cookie" | "bearer";
    readonly members: Members;
}
export declare const SessionUser: Schema.Struct<{
    readonly id: Schema.String;
    readonly name: Schema.withDecodingDefaultKey<Schema.NullOr<Schema.String>, never>;
    readonly email: Schema.withDecodingDefaultKey<Schema.NullOr<Schema.String>, never>;
    readonly image: Schema.withDecodingDefaultKey<Schema.NullOr<Schema.String>, never>;
}>;
export type SessionUser = typeof SessionUser.Type;
