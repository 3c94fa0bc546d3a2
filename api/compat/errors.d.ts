type ErrorType = "AuthError" | "AccessDenied" | "AccountNotLinked" | "AdapterError" | "CallbackRouteError" | "CredentialsSignin" | "DuplicateConditionalUI" | "EmailSignInError" | "ErrorPageLoop" | "EventError" | "ExperimentalFeatureNotEnabled" | "InvalidCallbackUrl" | "InvalidCheck" | "InvalidEndpoints" | "InvalidProvider" | "JWTSessionError" | "MissingAdapter" | "MissingAdapterMethods" | "MissingAuthorize" | "MissingCSRF" | "MissingSecret" | "MissingWebAuthnAutocomplete" | "OAuthAccountNotLinked" | "OAuthCallbackError" | "OAuthProfileParseError" | "OAuthSignInError" | "SessionTokenError" | "SignOutError" | "UnknownAction" | "UnsupportedStrategy" | "UntrustedHost" | "Verification" | "WebAuthnVerificationError" | (string & {});
type ErrorCause = Record<string, unknown> & {
    err?: Error;
};
export declare class AuthError extends Error {
    type: ErrorType;
    kind: "signIn" | "error";
    cause?: ErrorCause;
    constructor(message?: string | Error | Record<string, unknown>, options?: Error | Record<string, unknown>);
    static [Symbol.hasInstance](value: unknown): boolean;
}
export declare class SignInError extends AuthError {
}
export declare class CredentialsSignin extends SignInError {
    static type: string;
    code: string;
}
export declare class AdapterError extends AuthError {
    static type: string;
}
export declare class AccessDenied extends AuthError {
    static type: string;
}
export declare class CallbackRouteError extends AuthError {
    static type: string;
}
export declare class ErrorPageLoop extends AuthError {
    static type: string;
}
export declare class EventError extends AuthError {
    static type: string;
}
export declare class InvalidCallbackUrl extends AuthError {
    static type: string;
}
export declare class InvalidEndpoints extends AuthError {
    static type: string;
}
export declare class InvalidCheck extends AuthError {
    static type: string;
}
export declare class JWTSessionError extends AuthError {
    static type: string;
}
export declare class MissingAdapter extends AuthError {
    static type: string;
}
export declare class MissingAdapterMethods extends AuthError {
    static type: string;
}
export declare class MissingAuthorize extends AuthError {
    static type: string;
}
export declare class MissingSecret extends AuthError {
    static type: string;
}
export declare class OAuthAccountNotLinked extends SignInError {
    static type: string;
}
export declare class OAuthCallbackError extends SignInError {
    static type: string;
}
export declare class OAuthProfileParseError extends AuthError {
    static type: string;
}
export declare class SessionTokenError extends AuthError {
    static type: string;
}
export declare class OAuthSignInError extends SignInError {
    static type: string;
}
export declare class EmailSignInError extends SignInError {
    static type: string;
}
export declare class SignOutError extends AuthError {
    static type: string;
}
export declare class UnknownAction extends AuthError {
    static type: string;
}
export declare class UnsupportedStrategy extends AuthError {
    static type: string;
}
export declare class InvalidProvider extends AuthError {
    static type: string;
}
export declare class UntrustedHost extends AuthError {
    static type: string;
}
export declare class Verification extends AuthError {
    static type: string;
}
export declare class MissingCSRF extends SignInError {
    static type: string;
}
export declare class DuplicateConditionalUI extends AuthError {
    static type: string;
}
export declare class MissingWebAuthnAutocomplete extends AuthError {
    static type: string;
}
export declare class WebAuthnVerificationError extends AuthError {
    static type: string;
}
export declare class AccountNotLinked extends SignInError {
    static type: string;
}
export declare class ExperimentalFeatureNotEnabled extends AuthError {
    static type: string;
}
export declare const isClientError: (error: unknown) => error is AuthError;
export {};
