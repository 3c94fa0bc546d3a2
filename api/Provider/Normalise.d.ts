import * as Result from "effect/Result";
import { type ProviderProblem } from "./Problems.ts";
import type { Provider } from "./Provider.ts";
export interface NormaliseContext {
    readonly redirectProxyUrl?: string | undefined;
}
export declare const normalise: (input: unknown, context?: NormaliseContext) => Result.Result<Provider, ProviderProblem>;
