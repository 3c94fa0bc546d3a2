import type * as Cause from "effect/Cause";
import * as Schema from "effect/Schema";
import { type FailureTag, type ResponsibleParty } from "./internal/FailureFacts.ts";
import type { ErrorSchema } from "./internal/ErrorSchema.ts";
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
interface Failure<Tag extends string> extends Cause.YieldableError, FailureFields {
    readonly _tag: Tag;
    readonly type: string;
    readonly kind: "signIn" | "error";
    readonly status: number;
    readonly isClientSafe: boolean;
    readonly blame: ResponsibleParty;
    readonly remedy: string;
    readonly docs: string;
}
export interface EncodedFailure<Tag extends string> {
    readonly _tag: Tag;
    readonly provider?: string | undefined;
    readonly retryable?: boolean | undefined;
}
interface FailureClass<Self, Tag extends FailureTag, More extends object = Record<never, never>> extends ErrorSchema<Self, EncodedFailure<Tag>, FailureFields & More> {
    new (fields: FailureFields & More, options?: Schema.MakeOptions): Failure<Tag> & Partial<Readonly<More>>;
}
declare const AccountNotLinked_base: FailureClass<AccountNotLinked, "AccountNotLinked", Record<never, never>>;
export declare class AccountNotLinked extends AccountNotLinked_base {
}
declare const DuplicateConditionalUi_base: FailureClass<DuplicateConditionalUi, "DuplicateConditionalUi", Record<never, never>>;
export declare class DuplicateConditionalUi extends DuplicateConditionalUi_base {
}
declare const EmailSignInError_base: FailureClass<EmailSignInError, "EmailSignInError", Record<never, never>>;
export declare class EmailSignInError extends EmailSignInError_base {
}
declare const InvalidEmail_base: FailureClass<InvalidEmail, "InvalidEmail", Record<never, never>>;
export declare class InvalidEmail extends InvalidEmail_base {
}
declare const MissingAdapterMethods_base: FailureClass<MissingAdapterMethods, "MissingAdapterMethods", Record<never, never>>;
export declare class MissingAdapterMethods extends MissingAdapterMethods_base {
}
declare const MissingWebAuthnAutocomplete_base: FailureClass<MissingWebAuthnAutocomplete, "MissingWebAuthnAutocomplete", Record<never, never>>;
export declare class MissingWebAuthnAutocomplete extends MissingWebAuthnAutocomplete_base {
}
declare const WebAuthnVerificationError_base: FailureClass<WebAuthnVerificationError, "WebAuthnVerificationError", Record<never, never>>;
export declare class WebAuthnVerificationError extends WebAuthnVerificationError_base {
}
declare const AccessDenied_base: FailureClass<AccessDenied, "AccessDenied", Record<never, never>>;
export declare class AccessDenied extends AccessDenied_base {
}
declare const AdapterError_base: FailureClass<AdapterError, "AdapterError", {
    readonly method: string;
    readonly reason: AdapterFault;
}>;
export declare class AdapterError extends AdapterError_base {
    constructor(fields: FailureFields & {
        readonly method: string;
        readonly reason: AdapterFault;
    }, options?: Schema.MakeOptions);
    get isUniqueViolation(): boolean;
}
declare const Callback_base: FailureClass<Callback, "Callback", Record<never, never>>;
export declare class Callback extends Callback_base {
}
declare const CallbackRouteError_base: FailureClass<CallbackRouteError, "CallbackRouteError", Record<never, never>>;
export declare class CallbackRouteError extends CallbackRouteError_base {
}
declare const Configuration_base: FailureClass<Configuration, "Configuration", Record<never, never>>;
export declare class Configuration extends Configuration_base {
}
declare const CredentialsSignin_base: FailureClass<CredentialsSignin, "CredentialsSignin", Record<never, never>>;
export declare class CredentialsSignin extends CredentialsSignin_base {
}
declare const EmailCreateAccount_base: FailureClass<EmailCreateAccount, "EmailCreateAccount", Record<never, never>>;
export declare class EmailCreateAccount extends EmailCreateAccount_base {
}
declare const ErrorPageLoop_base: FailureClass<ErrorPageLoop, "ErrorPageLoop", Record<never, never>>;
export declare class ErrorPageLoop extends ErrorPageLoop_base {
}
declare const EventError_base: FailureClass<EventError, "EventError", Record<never, never>>;
export declare class EventError extends EventError_base {
}
declare const InvalidCallbackUrl_base: FailureClass<InvalidCallbackUrl, "InvalidCallbackUrl", Record<never, never>>;
export declare class InvalidCallbackUrl extends InvalidCallbackUrl_base {
}
declare const InvalidCheck_base: FailureClass<InvalidCheck, "InvalidCheck", Record<never, never>>;
export declare class InvalidCheck extends InvalidCheck_base {
}
declare const InvalidConfiguration_base: FailureClass<InvalidConfiguration, "InvalidConfiguration", Record<never, never>>;
export declare class InvalidConfiguration extends InvalidConfiguration_base {
}
declare const InvalidEndpoints_base: FailureClass<InvalidEndpoints, "InvalidEndpoints", Record<never, never>>;
export declare class InvalidEndpoints extends InvalidEndpoints_base {
}
declare const InvalidProvider_base: FailureClass<InvalidProvider, "InvalidProvider", Record<never, never>>;
export declare class InvalidProvider extends InvalidProvider_base {
}
declare const JwtSessionError_base: FailureClass<JwtSessionError, "JwtSessionError", Record<never, never>>;
export declare class JwtSessionError extends JwtSessionError_base {
}
declare const LastWayToSignIn_base: FailureClass<LastWayToSignIn, "LastWayToSignIn", Record<never, never>>;
export declare class LastWayToSignIn extends LastWayToSignIn_base {
}
declare const MalformedRequest_base: FailureClass<MalformedRequest, "MalformedRequest", Record<never, never>>;
export declare class MalformedRequest extends MalformedRequest_base {
}
declare const MethodNotAllowed_base: FailureClass<MethodNotAllowed, "MethodNotAllowed", {
    readonly allow: string;
}>;
export declare class MethodNotAllowed extends MethodNotAllowed_base {
}
declare const MissingAdapter_base: FailureClass<MissingAdapter, "MissingAdapter", Record<never, never>>;
export declare class MissingAdapter extends MissingAdapter_base {
}
declare const MissingAuthorize_base: FailureClass<MissingAuthorize, "MissingAuthorize", Record<never, never>>;
export declare class MissingAuthorize extends MissingAuthorize_base {
}
declare const MissingCsrf_base: FailureClass<MissingCsrf, "MissingCsrf", Record<never, never>>;
export declare class MissingCsrf extends MissingCsrf_base {
}
declare const MissingSecret_base: FailureClass<MissingSecret, "MissingSecret", Record<never, never>>;
export declare class MissingSecret extends MissingSecret_base {
}
declare const OAuthAccountNotLinked_base: FailureClass<OAuthAccountNotLinked, "OAuthAccountNotLinked", Record<never, never>>;
export declare class OAuthAccountNotLinked extends OAuthAccountNotLinked_base {
}
declare const OAuthCallbackError_base: FailureClass<OAuthCallbackError, "OAuthCallbackError", Record<never, never>>;
export declare class OAuthCallbackError extends OAuthCallbackError_base {
}
declare const OAuthCreateAccount_base: FailureClass<OAuthCreateAccount, "OAuthCreateAccount", Record<never, never>>;
export declare class OAuthCreateAccount extends OAuthCreateAccount_base {
}
declare const OAuthProfileParseError_base: FailureClass<OAuthProfileParseError, "OAuthProfileParseError", Record<never, never>>;
export declare class OAuthProfileParseError extends OAuthProfileParseError_base {
}
declare const OAuthSignInError_base: FailureClass<OAuthSignInError, "OAuthSignInError", Record<never, never>>;
export declare class OAuthSignInError extends OAuthSignInError_base {
}
declare const PayloadTooLarge_base: FailureClass<PayloadTooLarge, "PayloadTooLarge", Record<never, never>>;
export declare class PayloadTooLarge extends PayloadTooLarge_base {
}
declare const ProviderTokenError_base: FailureClass<ProviderTokenError, "ProviderTokenError", Record<never, never>>;
export declare class ProviderTokenError extends ProviderTokenError_base {
}
declare const ReauthenticationRequired_base: FailureClass<ReauthenticationRequired, "ReauthenticationRequired", Record<never, never>>;
export declare class ReauthenticationRequired extends ReauthenticationRequired_base {
}
declare const RequestTimeout_base: FailureClass<RequestTimeout, "RequestTimeout", Record<never, never>>;
export declare class RequestTimeout extends RequestTimeout_base {
}
declare const SessionConflict_base: FailureClass<SessionConflict, "SessionConflict", Record<never, never>>;
export declare class SessionConflict extends SessionConflict_base {
}
declare const SessionRequired_base: FailureClass<SessionRequired, "SessionRequired", Record<never, never>>;
export declare class SessionRequired extends SessionRequired_base {
}
declare const SessionTokenError_base: FailureClass<SessionTokenError, "SessionTokenError", Record<never, never>>;
export declare class SessionTokenError extends SessionTokenError_base {
}
declare const SharedStateError_base: FailureClass<SharedStateError, "SharedStateError", {
    readonly reason: "full" | "unavailable";
}>;
export declare class SharedStateError extends SharedStateError_base {
    constructor(fields: FailureFields & {
        readonly reason: "full" | "unavailable";
    }, options?: Schema.MakeOptions);
}
declare const Signin_base: FailureClass<Signin, "Signin", Record<never, never>>;
export declare class Signin extends Signin_base {
}
declare const SignOutError_base: FailureClass<SignOutError, "SignOutError", Record<never, never>>;
export declare class SignOutError extends SignOutError_base {
}
declare const UnknownAction_base: FailureClass<UnknownAction, "UnknownAction", Record<never, never>>;
export declare class UnknownAction extends UnknownAction_base {
}
declare const UnprovenAddress_base: FailureClass<UnprovenAddress, "UnprovenAddress", {
    readonly holder: string;
}>;
export declare class UnprovenAddress extends UnprovenAddress_base {
}
declare const UnsupportedMediaType_base: FailureClass<UnsupportedMediaType, "UnsupportedMediaType", {
    readonly acceptEncoding?: string;
}>;
export declare class UnsupportedMediaType extends UnsupportedMediaType_base {
}
declare const UnsupportedStrategy_base: FailureClass<UnsupportedStrategy, "UnsupportedStrategy", Record<never, never>>;
export declare class UnsupportedStrategy extends UnsupportedStrategy_base {
}
declare const UntrustedHost_base: FailureClass<UntrustedHost, "UntrustedHost", Record<never, never>>;
export declare class UntrustedHost extends UntrustedHost_base {
}
declare const Verification_base: FailureClass<Verification, "Verification", Record<never, never>>;
export declare class Verification extends Verification_base {
}
declare const WeakSecret_base: FailureClass<WeakSecret, "WeakSecret", Record<never, never>>;
export declare class WeakSecret extends WeakSecret_base {
}
declare const ExperimentalFeatureNotEnabled_base: FailureClass<ExperimentalFeatureNotEnabled, "ExperimentalFeatureNotEnabled", Record<never, never>>;
export declare class ExperimentalFeatureNotEnabled extends ExperimentalFeatureNotEnabled_base {
}
declare const TooManyAttempts_base: FailureClass<TooManyAttempts, "TooManyAttempts", {
    readonly budget: {
        readonly name: string;
        readonly limit: number;
        readonly seconds: number;
        readonly retryAfter: number;
    };
}>;
export declare class TooManyAttempts extends TooManyAttempts_base {
}
declare const UnexpectedError_base: FailureClass<UnexpectedError, "UnexpectedError", Record<never, never>>;
export declare class UnexpectedError extends UnexpectedError_base {
}
export type AuthError = AccessDenied | AccountNotLinked | AdapterError | Callback | CallbackRouteError | Configuration | CredentialsSignin | DuplicateConditionalUi | EmailCreateAccount | EmailSignInError | ErrorPageLoop | EventError | ExperimentalFeatureNotEnabled | InvalidCallbackUrl | InvalidCheck | InvalidConfiguration | InvalidEmail | InvalidEndpoints | InvalidProvider | JwtSessionError | LastWayToSignIn | MalformedRequest | MethodNotAllowed | MissingAdapter | MissingAdapterMethods | MissingAuthorize | MissingCsrf | MissingSecret | MissingWebAuthnAutocomplete | OAuthAccountNotLinked | OAuthCallbackError | OAuthCreateAccount | OAuthProfileParseError | OAuthSignInError | PayloadTooLarge | ProviderTokenError | ReauthenticationRequired | RequestTimeout | SessionConflict | SessionRequired | SessionTokenError | SharedStateError | SignOutError | Signin | TooManyAttempts | UnexpectedError | UnknownAction | UnprovenAddress | UnsupportedMediaType | UnsupportedStrategy | UntrustedHost | Verification | WeakSecret | WebAuthnVerificationError;
export declare const SignInError: Schema.Union<readonly [typeof AccessDenied, typeof AdapterError, typeof CallbackRouteError, typeof Configuration, typeof CredentialsSignin, typeof MalformedRequest, typeof Signin]>;
export type SignInError = typeof SignInError.Type;
export declare const SessionError: Schema.Union<readonly [typeof AdapterError, typeof MissingAdapterMethods, typeof SharedStateError, typeof UnsupportedStrategy]>;
export type SessionError = typeof SessionError.Type;
export declare const LinkError: Schema.Union<readonly [typeof AdapterError, typeof LastWayToSignIn]>;
export type LinkError = typeof LinkError.Type;
export declare const TokenError: Schema.Union<readonly [typeof JwtSessionError]>;
export type TokenError = typeof TokenError.Type;
export declare const isAuthError: (value: unknown) => value is AuthError;
export declare const recognise: (thrown: unknown) => AuthError | undefined;
