/**
 * PostgreSQL through `@effect/sql-pg`, which is loaded when it is needed: install it beside this package.
 *
 * Programs that have a `PgClient` layer of their own do not need this: the adapter works with every `SqlClient`.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import { type AdapterError, InvalidConfiguration } from "../Errors.ts"
import { layerOf, type PostgresOptions } from "./PostgresClient.ts"

export type { PostgresOptions } from "./PostgresClient.ts"

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
