import type { KeyFactory } from "../ProviderModule.ts";
import type { SemverString } from "../types.ts";
declare const WebAuthn: KeyFactory;
export { WebAuthn as default };
export type { KeyFactory } from "../ProviderModule.ts";
export type { GetUserInfo, RelayingParty, WebAuthnConfig, WebAuthnProviderType } from "../providers.ts";
export declare const DEFAULT_WEBAUTHN_TIMEOUT: number;
export declare const DEFAULT_SIMPLEWEBAUTHN_BROWSER_VERSION: SemverString;
