/**
 * The facade and the functions beside it, for ordinary code. Effect applications import the modules by their names, such
 * as `effect-doorman/Session`.
 *
 * @since 0.1.0
 */
export { Auth, type AuthConfig, type ResponseInternal } from "./Facade.ts"
export { createActionURL, setEnvDefaults } from "./Environment.ts"
export { type AuthAction, isAuthAction } from "./internal/AuthAction.ts"
export type { LoggerInstance } from "./config/Options.ts"
export { customFetch, raw, skipCSRFCheck } from "./internal/Markers.ts"
export { decode, encode, getToken } from "./Token.ts"
export type { CallbacksOptions, EventsOptions } from "./compat/AuthConfig.ts"
export type {
  Account,
  JWT,
  PagesOptions,
  Profile,
  ProviderType,
  PublicProvider,
  Session,
  Theme,
  TokenSet,
  User
} from "./Models.ts"
export type { WarningCode } from "./Warnings.ts"
