import { type DuplicateConditionalUi, ExperimentalFeatureNotEnabled, InvalidConfiguration, InvalidEndpoints, MissingAdapter, type MissingAdapterMethods, MissingAuthorize, type MissingWebAuthnAutocomplete, type UntrustedHost } from "../Errors.ts";
export type ProviderProblem = DuplicateConditionalUi | ExperimentalFeatureNotEnabled | InvalidConfiguration | InvalidEndpoints | MissingAdapter | MissingAdapterMethods | MissingAuthorize | MissingWebAuthnAutocomplete | UntrustedHost;
export interface Surroundings {
    readonly hasAdapter: boolean;
    readonly enableWebAuthn: boolean;
    readonly hasMailer?: boolean | undefined;
}
export declare const problems: (input: unknown, position?: number, surroundings?: Surroundings) => ReadonlyArray<ProviderProblem>;
