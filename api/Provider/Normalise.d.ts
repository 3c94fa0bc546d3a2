import * as Result from "effect/Result";
import { type Definition } from "./Definition.ts";
import { type ProviderProblem, type Surroundings } from "./Problems.ts";
import type { Provider } from "./Provider.ts";
export interface NormaliseContext {
    readonly redirectProxyUrl?: string | undefined;
    readonly surroundings?: Surroundings | undefined;
    readonly rejections?: ((definition: Definition) => ReadonlyArray<ProviderProblem>) | undefined;
}
type NonEmpty<A> = readonly [A, ...ReadonlyArray<A>];
export declare const examine: (definition: Definition, context: NormaliseContext) => Result.Result<Provider, NonEmpty<ProviderProblem>>;
export declare const normalise: (input: unknown, context?: NormaliseContext) => Result.Result<Provider, ProviderProblem>;
export {};
