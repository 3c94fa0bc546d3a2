import * as Action from "./Action.ts";
import { type Options } from "./AuthConfig.ts";
export type Answered = Action.Handled & {
    readonly final?: boolean;
};
export interface Instance {
    readonly answer: (request: Request) => Answered | Promise<Answered>;
}
export declare const make: (options: Options) => Instance;
export declare const of: (options: Options) => Instance;
export interface ResponseInternal<Body = unknown> {
    status?: number;
    headers?: Readonly<Record<string, string>>;
    body?: Body;
    redirect?: string;
    cookies?: ReadonlyArray<{
        readonly name: string;
        readonly value: string;
        readonly options: object;
    }>;
}
export declare const deliver: (answered: Answered, request: Request, options: Options) => Response | ResponseInternal;
