import type { WebAuthnConfig, WebAuthnUserConfig } from "./ProviderOptions.ts";
export declare const Passkey: (options?: WebAuthnUserConfig) => WebAuthnConfig;
