import * as SecureRandom from "effect/crypto/SecureRandom";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { SqlClient } from "effect/sql/SqlClient";
import { Adapter } from "./Adapter.ts";
import { type AdapterError, InvalidConfiguration, type WeakSecret } from "./Errors.ts";
import { type NameOptions } from "./sql/Names.ts";
import * as Sweep from "./sql/Sweep.ts";
import * as TokenCipher from "./sql/TokenCipher.ts";
import { type AdapterShape } from "./storage/AdapterShape.ts";
export type { Columns, Tables } from "./sql/Names.ts";
export type { SweepOptions } from "./sql/Sweep.ts";
export type { Secrets } from "./sql/TokenCipher.ts";
export interface Options extends NameOptions {
    readonly ids?: "uuid" | "database" | (() => string) | undefined;
    readonly hashTokens?: boolean | undefined;
    readonly encryptTokens?: {
        readonly secret: TokenCipher.Secrets;
    } | undefined;
    readonly takeOver?: boolean | undefined;
    readonly migrate?: boolean | undefined;
}
export interface LayerOptions extends Options {
    readonly sweep?: Sweep.SweepOptions | false | undefined;
}
export type OpenError = AdapterError | InvalidConfiguration | WeakSecret;
export declare const migrate: (options?: Options) => Effect.Effect<ReadonlyArray<string>, OpenError, SqlClient>;
export declare const make: (options?: Options | undefined) => Effect.Effect<AdapterShape, OpenError, SecureRandom.SecureRandom | SqlClient>;
export declare const layerSweeper: (options?: Sweep.SweepOptions) => Layer.Layer<never, never, Adapter>;
export declare const layer: (options?: LayerOptions) => Layer.Layer<Adapter, OpenError, SqlClient | SecureRandom.SecureRandom>;
