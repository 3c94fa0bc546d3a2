import * as Effect from "effect/Effect";
import { type AdapterShape, type PromiseAdapter } from "../Adapter.ts";
import type { AdapterMethod } from "../storage/AdapterShape.ts";
import { type Law } from "./laws/Law.ts";
export { type Law, LawBroken } from "./laws/Law.ts";
export type { AdapterMethod } from "../storage/AdapterShape.ts";
export declare const laws: ReadonlyArray<Law>;
export type Outcome = {
    readonly _tag: "kept";
} | {
    readonly _tag: "broken";
    readonly reason: string;
} | {
    readonly _tag: "skipped";
    readonly missing: ReadonlyArray<AdapterMethod>;
};
export interface Finding {
    readonly law: Law;
    readonly outcome: Outcome;
}
export type Subject = AdapterShape | PromiseAdapter;
export declare const missing: (law: Law, subject: Subject) => ReadonlyArray<AdapterMethod>;
export declare const check: (subject: Subject, options?: {
    readonly laws?: ReadonlyArray<Law>;
}) => Effect.Effect<ReadonlyArray<Finding>>;
export declare const run: (law: Law, make: () => Subject | PromiseLike<Subject>) => Promise<Exclude<Outcome, {
    readonly _tag: "broken";
}>>;
export declare const skipReason: (outcome: Outcome) => string | undefined;
export declare const format: (findings: ReadonlyArray<Finding>) => string;
