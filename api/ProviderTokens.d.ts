import * as Effect from "effect/Effect";
import * as ProviderToken from "./oauth/ProviderToken.ts";
import type * as Refreshes from "./oauth/RunningRefreshes.ts";
import { Doorman } from "./Doorman.ts";
export type { ProviderToken } from "./oauth/RunningRefreshes.ts";
export declare const get: (request: ProviderToken.TokenRequest) => Effect.Effect<Refreshes.ProviderToken, Refreshes.TokenFailure, Doorman>;
export declare const revoke: (request: Omit<ProviderToken.TokenRequest, "minimumValidity">) => Effect.Effect<void, Refreshes.TokenFailure, Doorman>;
