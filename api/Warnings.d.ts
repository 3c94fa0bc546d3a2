import type { Pipeable } from "effect/Pipeable";
import { type UnopenedCause } from "./internal/UnopenedCookie.ts";
export type WarningCode = "debug-enabled" | "csrf-disabled" | "env-url-basepath-redundant" | "env-url-basepath-mismatch" | "experimental-webauthn";
export type AnyWarningCode = WarningCode | "session-cookie-unopened";
export interface WarningFields {
    readonly message: string;
    readonly remedy: string;
}
export interface WarningOf<Code extends AnyWarningCode> extends WarningFields, Pipeable {
    readonly _tag: Code;
    readonly code: Code;
    readonly kind: "warning";
    readonly docs: string;
}
declare const DebugEnabled_base: new (fields: WarningFields) => WarningOf<"debug-enabled">;
export declare class DebugEnabled extends DebugEnabled_base {
    static readonly value: DebugEnabled;
}
declare const CsrfDisabled_base: new (fields: WarningFields) => WarningOf<"csrf-disabled">;
export declare class CsrfDisabled extends CsrfDisabled_base {
    static readonly value: CsrfDisabled;
}
declare const EnvUrlBasePathRedundant_base: new (fields: WarningFields) => WarningOf<"env-url-basepath-redundant">;
export declare class EnvUrlBasePathRedundant extends EnvUrlBasePathRedundant_base {
    static readonly value: EnvUrlBasePathRedundant;
}
declare const EnvUrlBasePathMismatch_base: new (fields: WarningFields) => WarningOf<"env-url-basepath-mismatch">;
export declare class EnvUrlBasePathMismatch extends EnvUrlBasePathMismatch_base {
    static readonly value: EnvUrlBasePathMismatch;
}
declare const ExperimentalWebAuthn_base: new (fields: WarningFields) => WarningOf<"experimental-webauthn">;
export declare class ExperimentalWebAuthn extends ExperimentalWebAuthn_base {
    static readonly value: ExperimentalWebAuthn;
}
declare const UnopenedSessionCookie_base: new (fields: WarningFields) => WarningOf<"session-cookie-unopened">;
export declare class UnopenedSessionCookie extends UnopenedSessionCookie_base {
    static readonly of: (cause: UnopenedCause) => UnopenedSessionCookie;
}
export type Warning = DebugEnabled | CsrfDisabled | EnvUrlBasePathRedundant | EnvUrlBasePathMismatch | ExperimentalWebAuthn | UnopenedSessionCookie;
export declare const isWarning: (value: unknown) => value is Warning;
export {};
