import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
export interface SignInAttempt {
    readonly owner: string;
    readonly provider: string;
    readonly account: string | undefined;
    readonly headers: Headers;
}
export type SignInOutcome = "accepted" | "rejected" | "unknown";
export interface SignInThrottleService {
    readonly begin: (attempt: SignInAttempt) => Effect.Effect<boolean>;
    readonly end: (attempt: SignInAttempt, outcome: SignInOutcome) => Effect.Effect<void>;
}
export declare const make: () => SignInThrottleService;
export declare const SignInThrottle: Context.Reference<SignInThrottleService>;
