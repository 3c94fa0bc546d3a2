import type { Factory, WebAuthnConfig, WebAuthnUserConfig } from "./Preset.ts";
export declare const Passkey: Factory<WebAuthnConfig, WebAuthnUserConfig<unknown>, WebAuthnUserConfig>;
export declare const relatedOrigins: (origins: ReadonlyArray<string>) => Response;
