/**
 * PostgreSQL through `@effect/sql-pg`, which is loaded when it is needed: install it beside this package.
 *
 * Programs that have a `PgClient` layer of their own do not need this: the adapter works with every `SqlClient`.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { type AdapterError, InvalidConfiguration } from "../Errors.ts"
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
}

const isLayerMaker = (value: unknown): value is typeof import("@effect/sql-pg/PgClient").layer =>
  typeof value === "function"

const driver = Effect.tryPromise({
  try: (): Promise<unknown> => import("@effect/sql-pg/PgClient"),
  catch: (cause) =>
    new InvalidConfiguration({
      detail: "PostgreSQL needs the package @effect/sql-pg",
      fix: "Install it beside this one: npm install @effect/sql-pg",
      cause
    })
}).pipe(
  Effect.map((found): unknown =>
    typeof found === "object" && found !== null ? Reflect.get(found, "layer") : undefined
  ),
  Effect.filterOrFail(isLayerMaker, () => new InvalidConfiguration({ detail: "@effect/sql-pg is of another version" }))
)

/**
 * A client with a pool of connections, as a layer.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (options: PostgresOptions): Layer.Layer<SqlClient, InvalidConfiguration | AdapterError> =>
  Layer.unwrap(Effect.map(driver, (makeLayer) => layerOf(makeLayer, options)))

/** The same, by a driver that is loaded. @internal */
export const layerOf = (
  makeLayer: typeof import("@effect/sql-pg/PgClient").layer,
  { maxConnections, prepare, url }: PostgresOptions
): Layer.Layer<SqlClient, AdapterError> =>
  makeLayer({
    url: typeof url === "string" ? Redacted.make(url) : url,
    maxConnections: maxConnections ?? 10,
    prepare,
    // Columns of times without a zone, which other programs may have made, are read and written as UTC.
    startupParameters: { TimeZone: "UTC" }
  }).pipe(Layer.catchTag("SqlError", (error) => Layer.effect(SqlClient, Effect.fail(asAdapterError("open")(error)))))
