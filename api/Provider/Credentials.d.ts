import type { CredentialInput, CredentialsConfig } from "./ProviderOptions.ts";
export type CredentialsOptions<Fields extends Record<string, object>> = Partial<Omit<CredentialsConfig<Fields>, "type" | "options">>;
export declare const Credentials: <const Fields extends Record<string, object> = Record<string, CredentialInput>>(options?: CredentialsOptions<Fields>) => CredentialsConfig;
