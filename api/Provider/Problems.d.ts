import { InvalidConfiguration, InvalidEndpoints, MissingAuthorize } from "../Errors.ts";
export type ProviderProblem = InvalidConfiguration | InvalidEndpoints | MissingAuthorize;
export declare const problems: (input: unknown, position?: number) => ReadonlyArray<ProviderProblem>;
