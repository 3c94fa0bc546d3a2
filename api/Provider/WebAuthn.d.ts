import type { Factory, WebAuthnConfig, WebAuthnUserConfig } from "./Preset.ts";
export declare const WebAuthn: Factory<WebAuthnConfig, WebAuthnUserConfig<unknown>, WebAuthnUserConfig>;
