import type { Factory, WebAuthnConfig, WebAuthnUserConfig } from "./internal/ProviderOptions.ts";
export declare const Passkey: Factory<WebAuthnConfig, WebAuthnUserConfig<unknown>, WebAuthnUserConfig>;
export declare const relatedOrigins: (origins: ReadonlyArray<string>) => Response;
