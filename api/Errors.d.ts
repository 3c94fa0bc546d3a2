import type * as Cause from "effect/Cause";
import { type ResponsibleParty } from "./internal/FailureFacts.ts";
export type { ResponsibleParty } from "./internal/FailureFacts.ts";
export type FailureCode = "flow_missing" | "flow_mismatch" | "flow_expired" | "flow_other_host" | "flow_used" | "flow_unknown_key" | "access_denied" | "login_required" | "provider_unavailable" | "provider_error" | "invalid_response" | "invalid_token" | "profile_invalid" | "credentials" | "throttled" | "email_invalid";
export type AdapterFault = "unique" | "missing" | "stale" | "unsupported" | "invalid" | "timeout" | "unavailable";
export interface FailureFields {
    readonly detail?: string;
    readonly code?: FailureCode | (string & {});
    readonly provider?: string;
    cause?: unknown;
    readonly field?: string;
    readonly retryable?: boolean;
    readonly fix?: string;
    readonly variable?: string;
    readonly problems?: ReadonlyArray<Error & FailureFields & {
        readonly remedy: string;
    }>;
    readonly blame?: ResponsibleParty;
}
export interface Failure<Tag extends string> extends Cause.YieldableError, FailureFields {
    readonly _tag: Tag;
    readonly type: string;
    readonly kind: "signIn" | "error";
    readonly status: number;
    readonly isClientSafe: boolean;
    readonly blame: ResponsibleParty;
    readonly remedy: string;
    readonly docs: string;
}
declare const AccountNotLinked_base: new (fields: FailureFields) => Failure<"AccountNotLinked">;
export declare class AccountNotLinked extends AccountNotLinked_base {
}
declare const DuplicateConditionalUi_base: new (fields: FailureFields) => Failure<"DuplicateConditionalUi">;
export declare class DuplicateConditionalUi extends DuplicateConditionalUi_base {
}
declare const EmailSignInError_base: new (fields: FailureFields) => Failure<"EmailSignInError">;
export declare class EmailSignInError extends EmailSignInError_base {
}
declare const InvalidEmail_base: new (fields: FailureFields) => Failure<"InvalidEmail">;
export declare class InvalidEmail extends InvalidEmail_base {
}
declare const MissingAdapterMethods_base: new (fields: FailureFields) => Failure<"MissingAdapterMethods">;
export declare class MissingAdapterMethods extends MissingAdapterMethods_base {
}
declare const MissingWebAuthnAutocomplete_base: new (fields: FailureFields) => Failure<"MissingWebAuthnAutocomplete">;
export declare class MissingWebAuthnAutocomplete extends MissingWebAuthnAutocomplete_base {
}
declare const WebAuthnVerificationError_base: new (fields: FailureFields) => Failure<"WebAuthnVerificationError">;
export declare class WebAuthnVerificationError extends WebAuthnVerificationError_base {
}
declare const AccessDenied_base: new (fields: FailureFields) => Failure<"AccessDenied">;
export declare class AccessDenied extends AccessDenied_base {
}
declare const AdapterError_base: new (fields: FailureFields) => Failure<"AdapterError">;
export declare class AdapterError extends AdapterError_base {
    readonly method: string;
    readonly reason: AdapterFault;
    constructor(fields: FailureFields & {
        readonly method: string;
        readonly reason: AdapterFault;
    });
    get isUniqueViolation(): boolean;
}
declare const CallbackRouteError_base: new (fields: FailureFields) => Failure<"CallbackRouteError">;
export declare class CallbackRouteError extends CallbackRouteError_base {
}
declare const CredentialsSignin_base: new (fields: FailureFields) => Failure<"CredentialsSignin">;
export declare class CredentialsSignin extends CredentialsSignin_base {
}
declare const ErrorPageLoop_base: new (fields: FailureFields) => Failure<"ErrorPageLoop">;
export declare class ErrorPageLoop extends ErrorPageLoop_base {
}
declare const EventError_base: new (fields: FailureFields) => Failure<"EventError">;
export declare class EventError extends EventError_base {
}
declare const InvalidCallbackUrl_base: new (fields: FailureFields) => Failure<"InvalidCallbackUrl">;
export declare class InvalidCallbackUrl extends InvalidCallbackUrl_base {
}
declare const InvalidCheck_base: new (fields: FailureFields) => Failure<"InvalidCheck">;
export declare class InvalidCheck extends InvalidCheck_base {
}
declare const InvalidConfiguration_base: new (fields: FailureFields) => Failure<"InvalidConfiguration">;
export declare class InvalidConfiguration extends InvalidConfiguration_base {
}
declare const InvalidEndpoints_base: new (fields: FailureFields) => Failure<"InvalidEndpoints">;
export declare class InvalidEndpoints extends InvalidEndpoints_base {
}
declare const InvalidProvider_base: new (fields: FailureFields) => Failure<"InvalidProvider">;
export declare class InvalidProvider extends InvalidProvider_base {
}
declare const JwtSessionError_base: new (fields: FailureFields) => Failure<"JwtSessionError">;
export declare class JwtSessionError extends JwtSessionError_base {
}
declare const LastWayToSignIn_base: new (fields: FailureFields) => Failure<"LastWayToSignIn">;
export declare class LastWayToSignIn extends LastWayToSignIn_base {
}
declare const MalformedRequest_base: new (fields: FailureFields) => Failure<"MalformedRequest">;
export declare class MalformedRequest extends MalformedRequest_base {
}
declare const MethodNotAllowed_base: new (fields: FailureFields) => Failure<"MethodNotAllowed">;
export declare class MethodNotAllowed extends MethodNotAllowed_base {
    readonly allow: string;
    constructor(fields: FailureFields & {
        readonly allow: string;
    });
}
declare const MissingAdapter_base: new (fields: FailureFields) => Failure<"MissingAdapter">;
export declare class MissingAdapter extends MissingAdapter_base {
}
declare const MissingAuthorize_base: new (fields: FailureFields) => Failure<"MissingAuthorize">;
export declare class MissingAuthorize extends MissingAuthorize_base {
}
declare const MissingCsrf_base: new (fields: FailureFields) => Failure<"MissingCsrf">;
export declare class MissingCsrf extends MissingCsrf_base {
}
declare const MissingSecret_base: new (fields: FailureFields) => Failure<"MissingSecret">;
export declare class MissingSecret extends MissingSecret_base {
}
declare const OAuthAccountNotLinked_base: new (fields: FailureFields) => Failure<"OAuthAccountNotLinked">;
export declare class OAuthAccountNotLinked extends OAuthAccountNotLinked_base {
}
declare const OAuthCallbackError_base: new (fields: FailureFields) => Failure<"OAuthCallbackError">;
export declare class OAuthCallbackError extends OAuthCallbackError_base {
}
declare const OAuthProfileParseError_base: new (fields: FailureFields) => Failure<"OAuthProfileParseError">;
export declare class OAuthProfileParseError extends OAuthProfileParseError_base {
}
declare const OAuthSignInError_base: new (fields: FailureFields) => Failure<"OAuthSignInError">;
export declare class OAuthSignInError extends OAuthSignInError_base {
}
declare const PayloadTooLarge_base: new (fields: FailureFields) => Failure<"PayloadTooLarge">;
export declare class PayloadTooLarge extends PayloadTooLarge_base {
}
declare const RequestTimeout_base: new (fields: FailureFields) => Failure<"RequestTimeout">;
export declare class RequestTimeout extends RequestTimeout_base {
}
declare const SessionConflict_base: new (fields: FailureFields) => Failure<"SessionConflict">;
export declare class SessionConflict extends SessionConflict_base {
}
declare const SessionTokenError_base: new (fields: FailureFields) => Failure<"SessionTokenError">;
export declare class SessionTokenError extends SessionTokenError_base {
}
declare const SignOutError_base: new (fields: FailureFields) => Failure<"SignOutError">;
export declare class SignOutError extends SignOutError_base {
}
declare const UnknownAction_base: new (fields: FailureFields) => Failure<"UnknownAction">;
export declare class UnknownAction extends UnknownAction_base {
}
declare const UnprovenAddress_base: new (fields: FailureFields) => Failure<"UnprovenAddress">;
export declare class UnprovenAddress extends UnprovenAddress_base {
    readonly holder: string;
    constructor(fields: FailureFields & {
        readonly holder: string;
    });
}
declare const UnsupportedMediaType_base: new (fields: FailureFields) => Failure<"UnsupportedMediaType">;
export declare class UnsupportedMediaType extends UnsupportedMediaType_base {
}
declare const UnsupportedStrategy_base: new (fields: FailureFields) => Failure<"UnsupportedStrategy">;
export declare class UnsupportedStrategy extends UnsupportedStrategy_base {
}
declare const UntrustedHost_base: new (fields: FailureFields) => Failure<"UntrustedHost">;
export declare class UntrustedHost extends UntrustedHost_base {
}
declare const Verification_base: new (fields: FailureFields) => Failure<"Verification">;
export declare class Verification extends Verification_base {
}
declare const WeakSecret_base: new (fields: FailureFields) => Failure<"WeakSecret">;
export declare class WeakSecret extends WeakSecret_base {
}
declare const ExperimentalFeatureNotEnabled_base: new (fields: FailureFields) => Failure<"ExperimentalFeatureNotEnabled">;
export declare class ExperimentalFeatureNotEnabled extends ExperimentalFeatureNotEnabled_base {
}
declare const UnexpectedError_base: new (fields: FailureFields) => Failure<"UnexpectedError">;
export declare class UnexpectedError extends UnexpectedError_base {
}
export type AuthError = WebAuthnVerificationError | MissingWebAuthnAutocomplete | MissingAdapterMethods | EmailSignInError | InvalidEmail | DuplicateConditionalUi | AccountNotLinked | AccessDenied | AdapterError | CallbackRouteError | CredentialsSignin | ErrorPageLoop | EventError | InvalidCallbackUrl | InvalidCheck | InvalidConfiguration | InvalidEndpoints | InvalidProvider | JwtSessionError | LastWayToSignIn | MalformedRequest | MethodNotAllowed | MissingAdapter | MissingAuthorize | MissingCsrf | MissingSecret | OAuthAccountNotLinked | OAuthCallbackError | OAuthProfileParseError | OAuthSignInError | PayloadTooLarge | RequestTimeout | SessionConflict | SessionTokenError | SignOutError | UnknownAction | UnprovenAddress | UnsupportedMediaType | UnsupportedStrategy | UntrustedHost | Verification | WeakSecret | ExperimentalFeatureNotEnabled | UnexpectedError;
export declare const isAuthError: (value: unknown) => value is AuthError;
export declare const recognise: (thrown: unknown) => AuthError | undefined;
