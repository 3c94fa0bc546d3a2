import type { AnswerKind, Answers, Authorization, CredentialInput, CredentialsConfig } from "./Preset.ts";
export type CredentialsOptions<Fields extends Record<string, object>, Authorized = Answers<Authorization>["effect" | "value"]> = Partial<Omit<CredentialsConfig<Fields, Authorized>, "options" | "type">>;
export declare const Credentials: <const Fields extends Record<string, object> = Record<string, CredentialInput>, Authorized extends Answers<Authorization>[AnswerKind] = Answers<Authorization>["value"]>(options?: CredentialsOptions<Fields, Authorized>) => Omit<CredentialsConfig<Record<string, CredentialInput>, Answers<Authorization>["value"]>, "options"> & {
    readonly options: CredentialsOptions<Fields, Authorized>;
};
