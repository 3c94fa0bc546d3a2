import type { FormFactory } from "../ProviderModule.ts";
declare const Credentials: FormFactory;
export { Credentials as default };
export type { FormFactory } from "../ProviderModule.ts";
export type { CredentialInput, CredentialsConfig, CredentialsProviderId } from "../providers.ts";
