import type { EffectAuthConfig } from "./compat/AuthConfig.ts";
import type { Options } from "./config/Options.ts";
import type { ResponseInternal } from "./compat/ResponseInternal.ts";
import type { raw } from "./internal/Markers.ts";
export type { AuthConfig } from "./compat/AuthConfig.ts";
export type { ResponseInternal } from "./compat/ResponseInternal.ts";
export declare function Auth(request: Request, config: EffectAuthConfig & {
    raw: typeof raw;
}): Promise<ResponseInternal>;
export declare function Auth(request: Request, config: Omit<EffectAuthConfig, "raw">): Promise<Response>;
export declare function Auth(request: Request, config: Options & {
    raw: typeof raw;
}): Promise<ResponseInternal>;
export declare function Auth(request: Request, config: Omit<Options, "raw">): Promise<Response>;
