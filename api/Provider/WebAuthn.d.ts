import type { WebAuthnConfig, WebAuthnUserConfig } from "../preset/ProviderOptions.ts";
export declare const WebAuthn: <R = never, RUser = never>(options?: WebAuthnUserConfig<R, RUser>) => WebAuthnConfig<R, RUser>;
