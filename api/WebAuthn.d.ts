import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import { type InvalidConfiguration, WebAuthnVerificationError } from "./Errors.ts";
import type { AdapterAuthenticator } from "./Models.ts";
import type { WebAuthnProvider } from "./Provider/Provider.ts";
import { type AuthenticationData, type RegistrationData } from "./webauthn/CeremonyData.ts";
import type { RelyingParty } from "./webauthn/RelyingParty.ts";
export type { AuthenticationData, RegistrationData } from "./webauthn/CeremonyData.ts";
export type { RelyingParty } from "./webauthn/RelyingParty.ts";
export interface NamedCredential {
    readonly id: string;
    readonly transports?: ReadonlyArray<string> | undefined;
}
export interface CeremonyOptions {
    readonly provider: WebAuthnProvider;
    readonly relyingParty: RelyingParty;
    readonly challenge: Uint8Array<ArrayBuffer>;
}
export interface Expected {
    readonly provider: WebAuthnProvider;
    readonly relyingParty: RelyingParty;
    readonly challenge: string;
}
export interface Registered {
    readonly id: string;
    readonly publicKey: Uint8Array;
    readonly counter: number;
    readonly deviceType: "singleDevice" | "multiDevice";
    readonly backedUp: boolean;
    readonly transports: ReadonlyArray<string>;
}
export declare const relatedOrigins: (origins: ReadonlyArray<string>) => Response;
type Refusal = InvalidConfiguration | WebAuthnVerificationError;
declare const WebAuthn_base: Context.ServiceClass<WebAuthn, "effect-doorman/WebAuthn", {
    readonly registrationOptions: (options: CeremonyOptions & {
        readonly userHandle: Uint8Array<ArrayBuffer>;
        readonly userName: string;
        readonly displayName: string;
        readonly exclude: ReadonlyArray<NamedCredential>;
    }) => Effect.Effect<object, InvalidConfiguration>;
    readonly authenticationOptions: (options: CeremonyOptions & {
        readonly allow: ReadonlyArray<NamedCredential> | undefined;
    }) => Effect.Effect<object, InvalidConfiguration>;
    readonly verifyRegistration: (expected: Expected, data: RegistrationData) => Effect.Effect<Registered, Refusal>;
    readonly verifyAuthentication: (expected: Expected, data: AuthenticationData, authenticator: AdapterAuthenticator) => Effect.Effect<number, Refusal>;
}>;
export declare class WebAuthn extends WebAuthn_base {
    static readonly make: (load?: () => Promise<unknown>) => WebAuthn["Service"];
}
