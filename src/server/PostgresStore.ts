/**
 * PostgreSQL for ordinary servers: `postgres({ url })` is an `adapter`. It needs neither `effect` nor a driver: the one of
 * Effect, `@effect/sql-pg`, is part of this entry.
 *
 * @since 0.1.0
 */
import { layer as driverLayer } from "@effect/sql-pg/PgClient"
import * as Duration from "effect/Duration"
import * as Layer from "effect/Layer"
import { storeOf } from "../sql/Open.ts"
import { layerOf } from "../sql/PostgresClient.ts"
import { layer as sqlLayer } from "../sql/SqlAdapter.ts"
import type { SqlStore, SqlStoreOptions } from "../sql/SqlStore.ts"
import { connectionUrl, misuseOf } from "./Arguments.ts"

export type { SqlStore, SqlStoreOptions } from "../sql/SqlStore.ts"

/**
 * Which server.
 *
 * @category models
 * @since 0.1.0
 */
export interface PostgresStoreOptions extends SqlStoreOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string
  /** Connections that are open at once, at most. Default: 10. */
  readonly maxConnections?: number | undefined
  /** `false` behind a pooler that does not follow prepared statements, such as PgBouncer before 1.21. Default: `true`. */
  readonly prepare?: boolean | undefined
  /** Seconds for opening a connection. Default: 5. */
  readonly connectTimeout?: number | undefined
  /** Seconds after which an unused connection is closed. Default: 60. */
  readonly idleTimeout?: number | undefined
  /** The name in `pg_stat_activity`. Default: the one of the URL. */
  readonly applicationName?: string | undefined
}

const seconds = (value: number | undefined): Duration.Duration | undefined =>
  value === undefined ? undefined : Duration.seconds(value)

/**
 * Storage in a database. Its connections are opened by the first call, and its tables are made then. Sessions, counts and marks
 * of all processes on the database are shared.
 *
 * @category constructors
 * @since 0.1.0
 */
export const postgres = (options: PostgresStoreOptions): SqlStore => {
  // Code without types may give no object.
  const { applicationName, connectTimeout, idleTimeout, maxConnections, prepare, url, ...sql } = { ...options }
  const client = layerOf(driverLayer, {
    applicationName,
    connectTimeout: seconds(connectTimeout),
    idleTimeout: seconds(idleTimeout),
    maxConnections,
    prepare,
    url
  })
  return storeOf(Layer.provide(sqlLayer(sql), client), misuseOf("postgres({ url })", { url: [url, connectionUrl] }))
}
