import * as Layer from "effect/Layer";
import * as Metric from "effect/Metric";
export { type Endpoint, Measuring, type SessionOutcome, type SignInOutcome } from "./telemetry/Meters.ts";
export declare const signIns: Metric.Counter<number>;
export declare const sessionReads: Metric.Counter<number>;
export declare const tokenRefusals: Metric.Counter<number>;
export declare const providerLatency: Metric.Histogram<number>;
export declare const cookieBytes: Metric.Histogram<number>;
export declare const layer: Layer.Layer<never>;
