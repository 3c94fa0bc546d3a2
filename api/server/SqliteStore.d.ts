import type { SqlStore, SqlStoreOptions } from "../sql/SqlStore.ts";
export type { SqlStore, SqlStoreOptions } from "../sql/SqlStore.ts";
export interface SqliteStoreOptions extends SqlStoreOptions {
    readonly binding?: "node:sqlite" | "libsql" | undefined;
    readonly busyTimeout?: number | undefined;
    readonly synchronous?: "normal" | "full" | undefined;
}
export declare const sqlite: (file: string, { binding, busyTimeout, synchronous, ...options }?: SqliteStoreOptions) => SqlStore;
