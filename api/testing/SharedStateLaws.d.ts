import * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import type { SharedStateShape } from "../SharedState.ts";
import { LawBroken } from "./laws/Law.ts";
export type { LawBroken } from "./laws/Law.ts";
export interface Subject {
    readonly state: SharedStateShape;
    readonly peer?: SharedStateShape | undefined;
    readonly advance: (time: Duration.Input) => Effect.Effect<void>;
    readonly down?: SharedStateShape | undefined;
    readonly many?: number | undefined;
}
export interface Law {
    readonly name: string;
    readonly demands: string;
    readonly check: (subject: Subject) => Effect.Effect<void, LawBroken>;
}
export declare const laws: ReadonlyArray<Law>;
