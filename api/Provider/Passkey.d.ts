import type { WebAuthnConfig, WebAuthnUserConfig } from "../preset/ProviderOptions.ts";
export declare const Passkey: <R = never, RUser = never>(options?: WebAuthnUserConfig<R, RUser>) => WebAuthnConfig<R, RUser>;
export declare const relatedOrigins: (origins: ReadonlyArray<string>) => Response;
