import * as Context from "effect/Context";
import * as Layer from "effect/Layer";
export interface Situation {
    readonly by: "redirect" | "mailbox" | "key";
    readonly account: "unknown" | "own" | "foreign";
    readonly session: "none" | "same" | "other" | "ended";
    readonly address: "free" | "proven" | "unproven";
    readonly proof: "proven" | "claimed" | "denied";
    readonly trusting: boolean;
    readonly isOwnAddress: boolean;
}
export type Decision = "keep" | "enter" | "enterByAddress" | "proveAddress" | "ask" | "releaseAddress" | "link" | "linkByAddress" | "create" | "refuse";
export interface Rule {
    readonly when: {
        readonly [Fact in keyof Situation]?: ReadonlyArray<Situation[Fact]>;
    };
    readonly decision: Decision;
    readonly because: string;
}
export declare const rules: ReadonlyArray<Rule>;
export declare const decide: (situation: Situation) => Decision;
export declare const LinkingPolicy: Context.Reference<(situation: Situation) => Decision>;
export declare const layer: (policy: (situation: Situation, usual: Decision) => Decision) => Layer.Layer<never>;
