export { Auth, type AuthConfig, type ResponseInternal } from "./Auth.ts";
export { createActionURL, setEnvDefaults } from "./Environment.ts";
export { type AuthAction, isAuthAction } from "./internal/AuthAction.ts";
export { customFetch, raw, skipCSRFCheck } from "./internal/Markers.ts";
export { decode, encode, getToken } from "./Token.ts";
