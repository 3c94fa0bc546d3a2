import * as Layer from "effect/Layer";
import * as Redacted from "effect/Redacted";
import { SqlClient } from "effect/sql/SqlClient";
import { type AdapterError, InvalidConfiguration } from "../Errors.ts";
export interface PostgresOptions {
    readonly url: string | Redacted.Redacted<string>;
    readonly maxConnections?: number | undefined;
}
export declare const layer: (options: PostgresOptions) => Layer.Layer<SqlClient, InvalidConfiguration | AdapterError>;
