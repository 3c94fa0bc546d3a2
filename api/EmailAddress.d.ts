import * as Result from "effect/Result";
export type EmailAddressFault = "not_text" | "too_long" | "characters" | "parts" | "local_part" | "domain";
export interface EmailAddressOptions {
    readonly allowHostWithoutDot?: boolean | undefined;
    readonly allowUnicodeLocalPart?: boolean | undefined;
}
export declare const parse: (input: unknown, options?: EmailAddressOptions) => Result.Result<string, EmailAddressFault>;
export declare const inOwnScript: (address: string) => string | undefined;
export declare const isSame: (one: string, other: string) => boolean;
export declare const isCanonical: (input: unknown) => input is string;
export declare const mailboxOf: (address: string) => string;
