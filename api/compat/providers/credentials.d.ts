export { Credentials as default } from "../../Provider/Credentials.ts";
export type { CredentialInput, CredentialsConfig, CredentialsProviderId } from "../providers.ts";
