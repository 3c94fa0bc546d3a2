import type { OrConfig } from "../internal/OrConfig.ts";
import type { AnswerKind, Answers, Authorization, CredentialInput, CredentialsConfig, ProviderStyle } from "./Preset.ts";
export type CredentialsOptions<Fields extends Record<string, object>, Authorized = Answers<Authorization>["effect" | "value"], Name = string, Style = ProviderStyle | undefined> = Partial<Omit<CredentialsConfig<Fields, Authorized>, "name" | "options" | "style" | "type">> & {
    name?: Name;
    style?: Style;
};
export declare const Credentials: <const Fields extends Record<string, object> = Record<string, CredentialInput>, Authorized extends Answers<Authorization>[AnswerKind] = Answers<Authorization>["value"], Name extends OrConfig<string> = string, Style extends OrConfig<ProviderStyle | undefined> = ProviderStyle | undefined>(options?: CredentialsOptions<Fields, Authorized, Name, Style>) => Omit<CredentialsConfig<Record<string, CredentialInput>, Answers<Authorization>["value"]>, "options"> & {
    readonly options: CredentialsOptions<Fields, Authorized, Name, Style>;
};
