/**
 * The entry of ordinary servers: `createAuth`, and `Auth` with the functions of `@auth/core` beside it. Effect applications import
 * one module for each concept, such as `effect-doorman/Doorman`.
 *
 * @since 0.1.0
 */
export { Auth, type AuthConfig, type ResponseInternal } from "./Auth.ts"
export { createAuth, type ServerOptions } from "./server/CreateAuth.ts"
export type {
  DeviceSession,
  FollowedServerSession,
  Listener,
  PlainToken,
  ServerAuth,
  ServerIssueOptions
} from "./server/ServerAuth.ts"
export type { IncomingHeaders, ServerRequest } from "./server/IncomingRequest.ts"
export type { ServerSession, SessionFacts } from "./server/ServerSession.ts"
export { createActionURL, setEnvDefaults } from "./config/Environment.ts"
export { requestUrl } from "./config/HostPolicy.ts"
export { type AuthAction, isAuthAction } from "./http/AuthAction.ts"
export type { LoggerInstance, SessionOptions } from "./config/Options.ts"
export type { AdapterAuthenticator, AdapterSession } from "./models/Shape.ts"
export { customFetch, raw, skipCSRFCheck } from "./internal/Markers.ts"
export { decode, encode, getToken } from "./compat/Token.ts"
export type { CallbacksOptions, EventsOptions, SessionCallbackParams } from "./compat/AuthConfig.ts"
// From these modules, so that a program that adds members to their types need not import them: the compiler knows them.
export type { JWT } from "./compat/jwt.ts"
export type { Account, Address, Profile, PublicProvider, Session, Theme, TokenSet, User } from "./compat/types.ts"
export type { PagesOptions } from "./Models.ts"
export type { ProviderType } from "./models/Shape.ts"
export type { MailerOfBoth, PlainMail, PlainMailer } from "./models/PlainMailer.ts"
export type { PromiseStateStore, StateChange } from "./storage/PromiseState.ts"
export type { StoreAdapter } from "./authjs/AuthJsAdapter.ts"
export type { WarningCode } from "./telemetry/Warnings.ts"
export type { Environment, EnvironmentConfig, Warning, WarningSink } from "./config/Environment.ts"
export type { HostOptions, IncomingRequest } from "./config/HostPolicy.ts"
export type { EngineHandler } from "./http/PlainExchange.ts"
export type { UnlinkOptions, Ways } from "./actions/UserAccounts.ts"
export type { NamedUser, SignInOptions } from "./actions/ServerSignIn.ts"
export type { AccountChange, AccountKey, AdapterMethod } from "./storage/AdapterShape.ts"
export type { KeyDetails, ListedSession } from "./storage/Details.ts"
