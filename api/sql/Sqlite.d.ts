import type * as Duration from "effect/Duration";
import * as Layer from "effect/Layer";
import { SqlClient } from "effect/sql/SqlClient";
import type { AdapterError, InvalidConfiguration } from "../Errors.ts";
import { type Binding } from "./SqliteBinding.ts";
export interface SqliteOptions {
    readonly filename: string;
    readonly binding?: Binding["name"] | undefined;
    readonly busyTimeout?: Duration.Input | undefined;
    readonly synchronous?: "normal" | "full" | undefined;
}
export declare const layer: (options: SqliteOptions) => Layer.Layer<SqlClient, InvalidConfiguration | AdapterError>;
