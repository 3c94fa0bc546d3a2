import * as Result from "effect/Result";
import { InvalidConfiguration, InvalidProvider } from "../Errors.ts";
import { type Identity } from "./Definition.ts";
import { type NormaliseContext } from "./Normalise.ts";
import type { ProviderProblem } from "./Problems.ts";
import type { Provider } from "./Provider.ts";
export interface Registry {
    readonly identities: ReadonlyArray<Identity>;
    readonly identity: (id: string) => Identity | undefined;
    readonly get: (id: string) => Result.Result<Provider, InvalidProvider | ProviderProblem>;
    readonly problems: () => ReadonlyArray<ProviderProblem>;
    readonly duplicates: ReadonlyArray<InvalidConfiguration>;
}
export declare const make: (inputs: ReadonlyArray<unknown>, context?: NormaliseContext) => Registry;
export declare const disabled: (registry: Registry, reason: ProviderProblem) => Registry;
