import * as Context from "effect/Context";
export interface EndedSessionsService {
    readonly add: (token: string, until: number) => void;
    readonly has: (token: string, now: number) => boolean;
}
export declare const makeMemory: () => EndedSessionsService;
export declare const EndedSessions: Context.Reference<EndedSessionsService>;
