import * as Result from "effect/Result";
export type EmailAddressFault = "not_text" | "too_long" | "characters" | "parts" | "local_part" | "domain";
export declare const parse: (input: unknown) => Result.Result<string, EmailAddressFault>;
export declare const isCanonical: (input: unknown) => input is string;
export declare const mailboxOf: (address: string) => string;
