/**
 * A client of PostgreSQL by a driver that is loaded. It stands apart from `Postgres.ts`, which loads one by `import()`: bundles of
 * ordinary servers must not hold that.
 *
 * @since 0.1.0
 */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import type { AdapterError } from "../Errors.ts"
import { asAdapterError } from "./SqlFailure.ts"

/**
 * Which server.
 *
 * @category models
 * @since 0.1.0
 */
export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string | Redacted.Redacted<string>
  /** Connections that are open at once, at most; ten when left out. */
  readonly maxConnections?: number | undefined
  /** `false` behind a pooler that does not follow prepared statements, such as PgBouncer before 1.21. Default: `true`. */
  readonly prepare?: boolean | undefined
  /** Time for opening a connection; five seconds when left out. A bare number is milliseconds. */
  readonly connectTimeout?: Duration.Input | undefined
  /** Time after which an unused connection is closed; a minute when left out. A bare number is milliseconds. */
  readonly idleTimeout?: Duration.Input | undefined
  /** The name in `pg_stat_activity`; the one of the URL when left out. */
  readonly applicationName?: string | undefined
}

/** A client with a pool of connections, as a layer. @internal */
export const layerOf = (
  makeLayer: typeof import("@effect/sql-pg/PgClient").layer,
  { applicationName, connectTimeout, idleTimeout, maxConnections, prepare, url }: PostgresOptions
): Layer.Layer<SqlClient, AdapterError> =>
  makeLayer({
    url: typeof url === "string" ? Redacted.make(url) : url,
    maxConnections: maxConnections ?? 10,
    prepare,
    connectTimeout,
    idleTimeout,
    applicationName,
    // Columns of times without a zone, which other programs may have made, are read and written as UTC.
    startupParameters: { TimeZone: "UTC" }
  }).pipe(Layer.catchTag("SqlError", (error) => Layer.effect(SqlClient, Effect.fail(asAdapterError("open")(error)))))
