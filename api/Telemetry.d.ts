import * as Layer from "effect/Layer";
export { LogLimit, make as makeLogLimiter } from "./telemetry/LogLimit.ts";
export type { LogCode, LogDecision, LogLimiter } from "./telemetry/LogLimit.ts";
export declare const layer: Layer.Layer<never>;
