export type WarningCode = "debug-enabled" | "csrf-disabled" | "env-url-basepath-redundant" | "env-url-basepath-mismatch" | "experimental-webauthn";
interface WarningFields {
    readonly message: string;
}
declare const DebugEnabled_base: new <A extends Record<string, any> = {}>(args: import("effect/Types").VoidIfEmpty<{ readonly [P in keyof A as P extends "_tag" ? never : P]: A[P]; }>) => Readonly<A> & {
    readonly _tag: "debug-enabled";
} & import("effect/Pipeable").Pipeable;
export declare class DebugEnabled extends DebugEnabled_base<WarningFields> {
    static readonly value: DebugEnabled;
}
declare const CsrfDisabled_base: new <A extends Record<string, any> = {}>(args: import("effect/Types").VoidIfEmpty<{ readonly [P in keyof A as P extends "_tag" ? never : P]: A[P]; }>) => Readonly<A> & {
    readonly _tag: "csrf-disabled";
} & import("effect/Pipeable").Pipeable;
export declare class CsrfDisabled extends CsrfDisabled_base<WarningFields> {
    static readonly value: CsrfDisabled;
}
declare const EnvUrlBasePathRedundant_base: new <A extends Record<string, any> = {}>(args: import("effect/Types").VoidIfEmpty<{ readonly [P in keyof A as P extends "_tag" ? never : P]: A[P]; }>) => Readonly<A> & {
    readonly _tag: "env-url-basepath-redundant";
} & import("effect/Pipeable").Pipeable;
export declare class EnvUrlBasePathRedundant extends EnvUrlBasePathRedundant_base<WarningFields> {
    static readonly value: EnvUrlBasePathRedundant;
}
declare const EnvUrlBasePathMismatch_base: new <A extends Record<string, any> = {}>(args: import("effect/Types").VoidIfEmpty<{ readonly [P in keyof A as P extends "_tag" ? never : P]: A[P]; }>) => Readonly<A> & {
    readonly _tag: "env-url-basepath-mismatch";
} & import("effect/Pipeable").Pipeable;
export declare class EnvUrlBasePathMismatch extends EnvUrlBasePathMismatch_base<WarningFields> {
    static readonly value: EnvUrlBasePathMismatch;
}
declare const ExperimentalWebAuthn_base: new <A extends Record<string, any> = {}>(args: import("effect/Types").VoidIfEmpty<{ readonly [P in keyof A as P extends "_tag" ? never : P]: A[P]; }>) => Readonly<A> & {
    readonly _tag: "experimental-webauthn";
} & import("effect/Pipeable").Pipeable;
export declare class ExperimentalWebAuthn extends ExperimentalWebAuthn_base<WarningFields> {
    static readonly value: ExperimentalWebAuthn;
}
export type Warning = DebugEnabled | CsrfDisabled | EnvUrlBasePathRedundant | EnvUrlBasePathMismatch | ExperimentalWebAuthn;
export declare const isWarning: (value: unknown) => value is Warning;
export {};
