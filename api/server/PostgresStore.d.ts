import type { SqlStore, SqlStoreOptions } from "../sql/SqlStore.ts";
export type { SqlStore, SqlStoreOptions } from "../sql/SqlStore.ts";
export interface PostgresStoreOptions extends SqlStoreOptions {
    readonly url: string;
    readonly maxConnections?: number | undefined;
    readonly prepare?: boolean | undefined;
}
export declare const postgres: (options: PostgresStoreOptions) => SqlStore;
