import type { Factory, WebAuthnConfig, WebAuthnUserConfig } from "./internal/ProviderOptions.ts";
export declare const WebAuthn: Factory<WebAuthnConfig, WebAuthnUserConfig<unknown>, WebAuthnUserConfig>;
