/**
 * SQLite for ordinary servers: `sqlite("app.db")` is an `adapter`. It needs no `effect`.
 *
 * The library is `node:sqlite` of Node 22.13 and later, else the package `libsql`.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"
import * as Layer from "effect/Layer"
import { storeOf } from "../sql/Open.ts"
import { layer as sqlLayer } from "../sql/SqlAdapter.ts"
import { misuseOf, path } from "./Arguments.ts"
import { layer as sqliteLayer } from "../sql/Sqlite.ts"
import type { SqlStore, SqlStoreOptions } from "../sql/SqlStore.ts"

export type { SqlStore, SqlStoreOptions } from "../sql/SqlStore.ts"

/**
 * How a file is kept.
 *
 * @category models
 * @since 0.1.0
 */
export interface SqliteStoreOptions extends SqlStoreOptions {
  /** The library. Default: the one that there is, `node:sqlite` first. */
  readonly binding?: "node:sqlite" | "libsql" | undefined
  /** Seconds to wait for another connection that writes. Default: 5. */
  readonly busyTimeout?: number | undefined
  /** `full` waits for the disk with every change. Default: `normal`, with which a crash of the machine may lose the last ones. */
  readonly synchronous?: "normal" | "full" | undefined
}

/**
 * Storage in a file, which is made where it is missing; `:memory:` keeps everything in this process. It is opened by the first
 * call, and its tables are made then. Sessions, counts and marks of all processes on the file are shared.
 *
 * @category constructors
 * @since 0.1.0
 */
export const sqlite = (
  file: string,
  { binding, busyTimeout, synchronous, ...options }: SqliteStoreOptions = {}
): SqlStore => {
  const timeout = busyTimeout === undefined ? undefined : Duration.seconds(busyTimeout)
  return storeOf(
    Layer.provide(sqlLayer(options), sqliteLayer({ filename: file, binding, busyTimeout: timeout, synchronous })),
    misuseOf("sqlite(file)", { file: [file, path] })
  )
}
