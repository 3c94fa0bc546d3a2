import type { WebAuthnConfig, WebAuthnUserConfig } from "./ProviderOptions.ts";
export declare const WebAuthn: (options?: WebAuthnUserConfig) => WebAuthnConfig;
