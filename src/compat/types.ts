/**
 * The types that applications for Auth.js import. An application adds members of its own to `User`, `Session`, `Account`
 * and `Profile` by augmentation of this module; the whole library then sees them.
 *
 * Nothing here is there at run time.
 *
 * @since 0.1.0
 */
import type { AuthAction } from "../http/AuthAction.ts"
import type { Unchecked } from "../internal/Untyped.ts"
import type { DefaultUser, PublicProvider, ProviderType } from "../models/Shape.ts"
import type { AuthConfig } from "./AuthConfig.ts"
import type {
  CredentialsConfig,
  EmailConfig,
  OAuthConfigInternal,
  OIDCConfigInternal,
  WebAuthnConfig
} from "./providers.ts"

export type { AuthAction } from "../http/AuthAction.ts"
export type { WarningCode } from "../telemetry/Warnings.ts"
export type { AuthConfig, CallbacksOptions, EventsOptions } from "./AuthConfig.ts"
export type { Awaitable, CookieOption, CookiesOptions, LoggerInstance } from "./Settings.ts"
export type { SessionOptions } from "../config/Options.ts"
export type { AdapterAccount, AdapterSession } from "../models/Shape.ts"
export type { StoreAdapter } from "../authjs/AuthJsAdapter.ts"
export type { PromiseStateStore } from "../storage/PromiseState.ts"
export type { Plain } from "../internal/Untyped.ts"
export type { ResponseInternal } from "./ResponseInternal.ts"
export type {
  Account,
  Address,
  Authenticator,
  DefaultSession,
  DefaultUser,
  PagesOptions,
  Profile,
  PublicProvider,
  Session,
  Theme,
  TokenSet,
  User
} from "../models/Shape.ts"
export type { CookieOptions } from "../http/Cookie.ts"
export type { JWTOptions } from "./Token.ts"
export type { AccountChange, AdapterMethod } from "../storage/AdapterShape.ts"
export type { KeyDetails, ListedSession } from "../storage/Details.ts"
export type { SessionCallbackParams } from "./AuthConfig.ts"
export type { JWTDecodeParams, JWTEncodeParams } from "./Token.ts"
export type { RetiredSecret } from "../crypto/RetiredSecrets.ts"

/** The value of a promise. @category models @since 0.1.0 */
export type Awaited<T> = T extends Promise<infer U> ? U : T

/** A version such as `v9.0.1`. @category models @since 0.1.0 */
export type SemverString = `v${number}` | `v${number}.${number}` | `v${number}.${number}.${number}`

/** Values of `error=` at the error page. @category models @since 0.1.0 */
export type ErrorPageParam = "Configuration" | "AccessDenied" | "Verification"

/** Values of `error=` at the sign-in page. @category models @since 0.1.0 */
export type SignInPageErrorParam =
  | "Signin"
  | "OAuthSignin"
  | "OAuthCallbackError"
  | "OAuthCreateAccount"
  | "EmailCreateAccount"
  | "Callback"
  | "OAuthAccountNotLinked"
  | "EmailSignin"
  | "CredentialsSignin"
  | "SessionRequired"

/** A key of the user, as a script of the page names it (WebAuthn section 5.8.3). */
interface KeyDescriptor {
  id: string
  type: "public-key"
  transports?: Array<"ble" | "cable" | "hybrid" | "internal" | "nfc" | "smart-card" | "usb">
}

type Requirement = "discouraged" | "preferred" | "required"

/**
 * The answer of the action `webauthn-options`: the options of a ceremony in JSON (WebAuthn section 5.1.9 and 5.1.10).
 *
 * @category models
 * @since 0.1.0
 */
export type WebAuthnOptionsResponseBody =
  | {
      action: "authenticate"
      options: {
        challenge: string
        timeout?: number
        rpId?: string
        allowCredentials?: Array<KeyDescriptor>
        userVerification?: Requirement
        extensions?: Record<string, Unchecked>
      }
    }
  | {
      action: "register"
      options: {
        rp: { id?: string; name: string }
        user: { id: string; name: string; displayName: string }
        challenge: string
        pubKeyCredParams: Array<{ alg: number; type: "public-key" }>
        timeout?: number
        excludeCredentials?: Array<KeyDescriptor>
        authenticatorSelection?: {
          authenticatorAttachment?: "cross-platform" | "platform"
          requireResidentKey?: boolean
          residentKey?: Requirement
          userVerification?: Requirement
        }
        attestation?: "direct" | "enterprise" | "indirect" | "none"
        extensions?: Record<string, Unchecked>
      }
    }

/**
 * A provider as functions of providers see it.
 *
 * @category models
 * @since 0.1.0
 */
export type InternalProvider<T = ProviderType> = (T extends "oauth"
  ? OAuthConfigInternal<Unchecked>
  : T extends "oidc"
    ? OIDCConfigInternal<Unchecked>
    : T extends "email"
      ? EmailConfig
      : T extends "credentials"
        ? CredentialsConfig
        : T extends "webauthn"
          ? WebAuthnConfig
          : never) & { signinUrl: string; callbackUrl: string }

/**
 * A request as functions of providers see it.
 *
 * @category models
 * @since 0.1.0
 */
export interface RequestInternal {
  url: URL
  method: "GET" | "POST"
  cookies?: Partial<Record<string, string>>
  headers?: Record<string, Unchecked>
  query?: Record<string, Unchecked>
  body?: Record<string, Unchecked>
  action: AuthAction
  providerId?: string
  error?: string
}

/**
 * The configuration at work, as functions of providers see it.
 *
 * @category models
 * @since 0.1.0
 */
export interface InternalOptions<T = ProviderType> {
  providers: Array<PublicProvider>
  url: URL
  action: AuthAction
  provider: InternalProvider<T>
  adapter?: AuthConfig["adapter"]
  user?: DefaultUser
  [member: string]: Unchecked
}
