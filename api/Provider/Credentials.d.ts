import type { OrConfig } from "../internal/OrConfig.ts";
import type { ProviderStyle, CredentialInput, CredentialsConfig } from "./Preset.ts";
export type CredentialsOptions<Fields extends Record<string, object>, R = never, Name = string, Style = ProviderStyle | undefined> = Partial<Omit<CredentialsConfig<Fields, R>, "name" | "options" | "style" | "type">> & {
    name?: Name;
    style?: Style;
};
export declare const Credentials: <const Fields extends Record<string, object> = Record<string, CredentialInput>, R = never, Name extends OrConfig<string> = string, Style extends OrConfig<ProviderStyle | undefined> = ProviderStyle | undefined>(options?: CredentialsOptions<Fields, R, Name, Style>) => Omit<CredentialsConfig<Record<string, CredentialInput>, R>, "options"> & {
    readonly options: CredentialsOptions<Fields, R, Name, Style>;
};
