import * as Context from "effect/Context";
import type { WebAuthnShape } from "./webauthn/WebAuthnShape.ts";
export type { AuthenticationData, RegistrationData } from "./webauthn/CeremonyData.ts";
export type { RelyingParty } from "./webauthn/RelyingParty.ts";
export type { CeremonyOptions, Expected, NamedCredential, Registered, WebAuthnShape } from "./webauthn/WebAuthnShape.ts";
export declare const relatedOrigins: (origins: ReadonlyArray<string>) => Response;
declare const WebAuthn_base: Context.ServiceClass<WebAuthn, "effect-doorman/WebAuthn", WebAuthnShape>;
export declare class WebAuthn extends WebAuthn_base {
    static readonly make: (load?: () => Promise<unknown>) => WebAuthn["Service"];
}
