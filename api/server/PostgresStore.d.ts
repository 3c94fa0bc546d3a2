import type { SqlStore, SqlStoreOptions } from "../sql/SqlStore.ts";
export type { SqlStore, SqlStoreOptions } from "../sql/SqlStore.ts";
export interface PostgresStoreOptions extends SqlStoreOptions {
    readonly url: string;
    readonly maxConnections?: number | undefined;
    readonly prepare?: boolean | undefined;
    readonly connectTimeout?: number | undefined;
    readonly idleTimeout?: number | undefined;
    readonly applicationName?: string | undefined;
}
export declare const postgres: (options: PostgresStoreOptions) => SqlStore;
