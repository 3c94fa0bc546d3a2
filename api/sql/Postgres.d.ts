import * as Layer from "effect/Layer";
import type { SqlClient } from "effect/sql/SqlClient";
import { type AdapterError, InvalidConfiguration } from "../Errors.ts";
import { type PostgresOptions } from "./PostgresClient.ts";
export type { PostgresOptions } from "./PostgresClient.ts";
export declare const layer: (options: PostgresOptions) => Layer.Layer<SqlClient, InvalidConfiguration | AdapterError>;
