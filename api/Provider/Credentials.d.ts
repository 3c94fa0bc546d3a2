import type { CredentialInput, CredentialsConfig } from "../preset/ProviderOptions.ts";
export type CredentialsOptions<Fields extends Record<string, object>, R = never> = Partial<Omit<CredentialsConfig<Fields, R>, "type" | "options">>;
export declare const Credentials: <const Fields extends Record<string, object> = Record<string, CredentialInput>, R = never>(options?: CredentialsOptions<Fields, R>) => CredentialsConfig<Record<string, CredentialInput>, R>;
