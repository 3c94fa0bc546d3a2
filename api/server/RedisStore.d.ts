import type { PromiseStateStore } from "../storage/PromiseState.ts";
export interface RedisOptions {
    readonly url: string;
    readonly prefix?: string | undefined;
}
export interface RedisStore extends PromiseStateStore {
    readonly close: () => Promise<void>;
}
export declare const redis: (options: RedisOptions) => RedisStore;
