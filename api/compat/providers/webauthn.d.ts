import type { SemverString } from "../types.ts";
export { WebAuthn as default } from "../../Provider/WebAuthn.ts";
export type { GetUserInfo, RelayingParty, WebAuthnConfig, WebAuthnProviderType } from "../providers.ts";
export declare const DEFAULT_WEBAUTHN_TIMEOUT: number;
export declare const DEFAULT_SIMPLEWEBAUTHN_BROWSER_VERSION: SemverString;
