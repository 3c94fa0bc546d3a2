import { ExperimentalFeatureNotEnabled, InvalidConfiguration, InvalidEndpoints, MissingAdapter, MissingAuthorize } from "../Errors.ts";
export type ProviderProblem = ExperimentalFeatureNotEnabled | InvalidConfiguration | InvalidEndpoints | MissingAdapter | MissingAuthorize;
export interface Surroundings {
    readonly hasAdapter: boolean;
    readonly enableWebAuthn: boolean;
}
export declare const problems: (input: unknown, position?: number, surroundings?: Surroundings) => ReadonlyArray<ProviderProblem>;
