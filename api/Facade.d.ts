import type { Options } from "./config/Options.ts";
import type { raw } from "./internal/Markers.ts";
import type * as Instance from "./Instance.ts";
export type AuthConfig = Options;
export type ResponseInternal<Body = unknown> = Instance.ResponseInternal<Body>;
export declare function Auth(request: Request, config: Options & {
    raw: typeof raw;
}): Promise<ResponseInternal>;
export declare function Auth(request: Request, config: Omit<Options, "raw">): Promise<Response>;
