import type * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Reactivity from "effect/reactivity/Reactivity";
import type * as Scope from "effect/Scope";
import { SqlClient } from "effect/sql/SqlClient";
import type { AdapterError, InvalidConfiguration } from "../Errors.ts";
import * as Sql from "./SqlAdapter.ts";
import { type Store } from "./Open.ts";
import { type Binding, type Database } from "./SqliteBinding.ts";
export type { Store } from "./Open.ts";
export interface SqliteOptions {
    readonly filename: string;
    readonly binding?: Binding["name"] | undefined;
    readonly busyTimeout?: Duration.Input | undefined;
    readonly synchronous?: "normal" | "full" | undefined;
}
export declare const makeSqlite: (options: SqliteOptions) => Effect.Effect<SqlClient, AdapterError | InvalidConfiguration, Reactivity.Reactivity | Scope.Scope>;
export declare const clientOf: (database: Database, driver: string, busyTimeout?: Duration.Input | undefined) => Effect.Effect<SqlClient, never, Reactivity.Reactivity>;
export declare const layer: (options: SqliteOptions) => Layer.Layer<SqlClient, InvalidConfiguration | AdapterError>;
export declare const open: (options: SqliteOptions & Sql.LayerOptions) => Promise<Store>;
