import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
export interface FlowLedgerService {
    readonly use: (key: string) => Effect.Effect<boolean>;
}
export declare const makeMemory: () => FlowLedgerService;
export declare const FlowLedger: Context.Reference<FlowLedgerService>;
