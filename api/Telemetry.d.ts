import * as Layer from "effect/Layer";
export { LogLimit, type LogLimiter, make as makeLogLimiter } from "./telemetry/LogLimit.ts";
export declare const layer: Layer.Layer<never>;
