import * as Effect from "effect/Effect";
import * as ProviderToken from "./actions/ProviderToken.ts";
import type * as Refreshes from "./actions/RunningRefreshes.ts";
import { Doorman } from "./Doorman.ts";
export type { ProviderToken } from "./actions/RunningRefreshes.ts";
export declare const get: (request: ProviderToken.TokenRequest) => Effect.Effect<Refreshes.ProviderToken, Refreshes.TokenFailure, Doorman>;
