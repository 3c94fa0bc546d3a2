import type { AuthAction } from "./internal/AuthAction.ts";
import { type HostOptions } from "./config/HostPolicy.ts";
export type Environment = Readonly<Record<string, unknown>>;
type Warning = "env-url-basepath-redundant" | "env-url-basepath-mismatch";
interface WarningSink {
    readonly warn?: ((code: Warning) => void) | undefined;
}
export interface EnvironmentConfig {
    providers?: ReadonlyArray<unknown> | undefined;
    basePath?: string | undefined;
    secret?: string | ReadonlyArray<string> | undefined;
    origin?: string | undefined;
    trustedHosts?: ReadonlyArray<string> | undefined;
    trustHost?: boolean | undefined;
    redirectProxyUrl?: string | undefined;
    logger?: WarningSink | undefined;
}
export declare const setEnvDefaults: (env: Environment, config: EnvironmentConfig, suppressBasePathWarning?: boolean) => void;
export declare const createActionURL: (action: AuthAction, protocol: string, headers: Headers, env: Environment, given: (Pick<EnvironmentConfig, "basePath" | "logger"> & HostOptions) | string | undefined) => URL;
export {};
