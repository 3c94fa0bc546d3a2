import * as Result from "effect/Result";
import { type ProviderProblem, type Surroundings } from "./Problems.ts";
import type { Provider } from "./Provider.ts";
export interface NormaliseContext {
    readonly redirectProxyUrl?: string | undefined;
    readonly surroundings?: Surroundings | undefined;
}
export declare const normalise: (input: unknown, context?: NormaliseContext) => Result.Result<Provider, ProviderProblem>;
