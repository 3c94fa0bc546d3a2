import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Stream from "effect/Stream";
import type { AuditEvent } from "./telemetry/AuditEvent.ts";
export { AuditEvent } from "./telemetry/AuditEvent.ts";
export { Audit, ClientAddress, note } from "./telemetry/AuditEmitter.ts";
export type { Listener, Note } from "./telemetry/AuditEmitter.ts";
export declare const layerSink: <R = never>(sink: (event: AuditEvent) => Effect.Effect<unknown, unknown, R>) => Layer.Layer<never, never, R>;
export declare const layer: (options?: {
    readonly capacity?: number | undefined;
}) => Layer.Layer<never>;
export declare const stream: Stream.Stream<AuditEvent>;
