import * as Result from "effect/Result";
import * as Action from "./Action.ts";
import { type Options } from "./AuthConfig.ts";
import type { Doorman } from "./Doorman.ts";
import { type AuthError } from "./Errors.ts";
import type { ResponseInternal } from "./compat/ResponseInternal.ts";
export type { ResponseInternal } from "./compat/ResponseInternal.ts";
export type Answered = Action.Handled & {
    readonly final?: boolean;
};
export interface Instance {
    readonly answer: (request: Request, fromServer?: boolean) => Answered | Promise<Answered>;
    readonly doorman: (request?: Request) => Result.Result<Doorman["Service"], AuthError>;
}
export declare const make: (options: Options, given?: ReadonlyMap<string, unknown>) => Instance;
export declare const answerMisuse: (request: unknown, config: unknown) => Promise<Response> | undefined;
export declare const of: (options: Options) => Instance;
export declare const isServerCall: (options: Options) => boolean;
export declare const deliver: (answered: Answered, request: Request, options: Options) => Response | ResponseInternal;
export declare const toResponse: (answered: Answered, request: Request) => Response;
