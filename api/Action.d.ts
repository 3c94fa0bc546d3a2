import * as Effect from "effect/Effect";
import { AuthConfig } from "./AuthConfig.ts";
import { AuthRequest, type RequestFailure } from "./AuthRequest.ts";
import * as AuthResponse from "./AuthResponse.ts";
import type { ResponseCookie } from "./Cookie.ts";
import { type AuthError, CredentialsSignin, MethodNotAllowed, UnexpectedError } from "./Errors.ts";
export { type AuthAction, isAuthAction } from "./internal/AuthAction.ts";
export { report } from "./telemetry/Report.ts";
export interface Handled {
    readonly response: AuthResponse.AuthResponse;
    readonly failure: AuthError | undefined;
}
declare const settled: Effect.Effect<Handled, never, import("./Checks.ts").Checks | import("./OAuthClient.ts").OAuthClient | (import("./Adapter.ts").Adapter | AuthConfig | AuthRequest | import("./Callbacks.ts").Callbacks | import("./Csrf.ts").Csrf | import("./Events.ts").Events | import("./Jwt.ts").Jwt | import("./mail/MailRoom.ts").MailRoom | import("./Seal.ts").Seal | import("effect/crypto/SecureRandom").SecureRandom | import("./WebAuthn.ts").WebAuthn)>;
export declare const handle: typeof settled;
export declare const reject: (failure: import("./Errors.ts").AccessDenied | import("./Errors.ts").AccountNotLinked | import("./Errors.ts").AdapterError | import("./Errors.ts").Callback | import("./Errors.ts").CallbackRouteError | import("./Errors.ts").Configuration | CredentialsSignin | import("./Errors.ts").DuplicateConditionalUi | import("./Errors.ts").EmailCreateAccount | import("./Errors.ts").EmailSignInError | import("./Errors.ts").ErrorPageLoop | import("./Errors.ts").EventError | import("./Errors.ts").ExperimentalFeatureNotEnabled | import("./Errors.ts").InvalidCallbackUrl | import("./Errors.ts").InvalidCheck | import("./Errors.ts").InvalidConfiguration | import("./Errors.ts").InvalidEmail | import("./Errors.ts").InvalidEndpoints | import("./Errors.ts").InvalidProvider | import("./Errors.ts").JwtSessionError | import("./Errors.ts").LastWayToSignIn | import("./Errors.ts").MalformedRequest | MethodNotAllowed | import("./Errors.ts").MissingAdapter | import("./Errors.ts").MissingAdapterMethods | import("./Errors.ts").MissingAuthorize | import("./Errors.ts").MissingCsrf | import("./Errors.ts").MissingSecret | import("./Errors.ts").MissingWebAuthnAutocomplete | import("./Errors.ts").OAuthAccountNotLinked | import("./Errors.ts").OAuthCallbackError | import("./Errors.ts").OAuthCreateAccount | import("./Errors.ts").OAuthProfileParseError | import("./Errors.ts").OAuthSignInError | import("./Errors.ts").PayloadTooLarge | import("./Errors.ts").RequestTimeout | import("./Errors.ts").SessionConflict | import("./Errors.ts").SessionRequired | import("./Errors.ts").SessionTokenError | import("./Errors.ts").SharedStateError | import("./Errors.ts").SignOutError | import("./Errors.ts").Signin | UnexpectedError | import("./Errors.ts").UnknownAction | import("./Errors.ts").UnprovenAddress | import("./Errors.ts").UnsupportedMediaType | import("./Errors.ts").UnsupportedStrategy | import("./Errors.ts").UntrustedHost | import("./Errors.ts").Verification | import("./Errors.ts").WeakSecret | import("./Errors.ts").WebAuthnVerificationError, headers: Headers, settings: Pick<{
    readonly secrets: import("./AuthConfig.ts").Secrets;
    readonly hosts: import("./config/HostPolicy.ts").HostPolicy;
    readonly production: boolean;
    readonly basePath: string;
    readonly providers: import("./Provider/Registry.ts").Registry;
    readonly session: {
        readonly strategy: "jwt" | "database";
        readonly maxAge: number;
        readonly absoluteMaxAge: number | undefined;
        readonly updateAge: number | undefined;
        readonly generateSessionToken: (() => string) | undefined;
        readonly companionCookie: boolean;
    };
    readonly adapter: import("./Adapter.ts").AdapterShape | undefined;
    readonly mailer: import("./Mailer.ts").Mailer["Service"] | undefined;
    readonly sharedState: import("./SharedState.ts").SharedStateShape | undefined;
    readonly waitUntil: import("./AuthConfig.ts").WaitUntil | undefined;
    readonly jwt: {
        readonly secrets: import("./AuthConfig.ts").Secrets;
        readonly retired: ReadonlyArray<{
            readonly secret: import("effect/Redacted").Redacted;
            readonly until: number;
        }>;
        readonly maxAge: number;
        readonly acceptA256GCM: boolean;
        readonly encode: NonNullable<import("./AuthConfig.ts").Options["jwt"]>["encode"];
        readonly decode: NonNullable<import("./AuthConfig.ts").Options["jwt"]>["decode"];
        readonly options: NonNullable<import("./AuthConfig.ts").Options["jwt"]>;
    };
    readonly pages: import("./Models.ts").PagesOptions;
    readonly theme: import("./Pages.ts").PageTheme;
    readonly callbacks: import("./Callbacks.ts").CallbacksOptions;
    readonly events: import("./Events.ts").EventsOptions;
    readonly useSecureCookies: boolean | undefined;
    readonly plainCookies: import("./Cookie.ts").CookiePolicy;
    readonly secureCookies: import("./Cookie.ts").CookiePolicy;
    readonly redirectProxyUrl: URL | undefined;
    readonly redirectProxyOrigins: import("./config/ProxiedOrigins.ts").ProxiedOrigins;
    readonly skipCsrfCheck: boolean;
    readonly unprovenAddress: NonNullable<import("./AuthConfig.ts").Options["unprovenAddress"]>;
    readonly interchangeable: boolean;
    readonly problems: () => ReadonlyArray<import("./AuthConfig.ts").Problem>;
}, "basePath" | "theme">, url: URL) => Effect.Effect<Handled & {
    readonly failure: AuthError;
}, never, never>;
export declare const refuse: (failure: AuthError | RequestFailure, headers: Headers, settings: Pick<AuthConfig["Service"], "basePath" | "theme">, url: URL) => Effect.Effect<AuthResponse.AuthResponse>;
export declare const problem: (failure: AuthError, id: string, cookies: ReadonlyArray<ResponseCookie>) => Effect.Effect<AuthResponse.AuthResponse>;
