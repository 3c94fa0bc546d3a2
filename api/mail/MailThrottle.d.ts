import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
export type MailOutcome = "sent" | "failed" | "followed";
export interface MailThrottleService {
    readonly begin: (mailbox: string) => Effect.Effect<boolean>;
    readonly end: (mailbox: string, outcome: MailOutcome) => Effect.Effect<void>;
    readonly guess: (mailbox: string) => Effect.Effect<boolean>;
}
export declare const make: () => MailThrottleService;
export declare const MailThrottle: Context.Reference<MailThrottleService>;
