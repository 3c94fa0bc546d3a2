import * as Layer from "effect/Layer";
import * as Redacted from "effect/Redacted";
import { SqlClient } from "effect/sql/SqlClient";
import { type AdapterError, InvalidConfiguration } from "../Errors.ts";
import * as Sql from "./SqlAdapter.ts";
import { type Store } from "./Open.ts";
export type { Store } from "./Open.ts";
export type { LayerOptions } from "./SqlAdapter.ts";
export type { SweepOptions } from "./Sweep.ts";
export interface PostgresOptions {
    readonly url: string | Redacted.Redacted<string>;
    readonly maxConnections?: number | undefined;
}
export declare const layer: ({ maxConnections, url }: PostgresOptions) => Layer.Layer<SqlClient, InvalidConfiguration | AdapterError>;
export declare const open: (options: PostgresOptions & Sql.LayerOptions) => Promise<Store>;
