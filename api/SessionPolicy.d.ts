import * as Context from "effect/Context";
import type * as Duration from "effect/Duration";
import * as Layer from "effect/Layer";
export interface SessionTimes {
    readonly maxAge: Duration.Input;
    readonly updateAge?: Duration.Input | undefined;
}
declare const SessionPolicy_base: Context.ServiceClass<SessionPolicy, "effect-doorman/SessionPolicy", SessionTimes>;
export declare class SessionPolicy extends SessionPolicy_base {
}
export declare const layer: (times: SessionTimes) => Layer.Layer<SessionPolicy>;
export {};
