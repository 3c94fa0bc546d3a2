import type { Factory, WebAuthnConfig, WebAuthnUserConfig } from "../preset/ProviderOptions.ts";
export declare const WebAuthn: Factory<WebAuthnConfig, WebAuthnUserConfig<unknown>, WebAuthnUserConfig>;
