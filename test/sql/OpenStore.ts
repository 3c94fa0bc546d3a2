/** Databases that are open, as Effect applications have them. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { openLayer } from "../../src/sql/Open.ts"
import * as Postgres from "../../src/sql/Postgres.ts"
import * as Sql from "../../src/sql/SqlAdapter.ts"
import * as Sqlite from "../../src/sql/Sqlite.ts"
import type { AdapterShape } from "../../src/storage/AdapterShape.ts"

export interface Store {
  readonly adapter: AdapterShape
  readonly close: () => Promise<void>
}

export const openStore = (layer: Parameters<typeof openLayer>[0]): Promise<Store> =>
  Effect.runPromise(
    Effect.flatMap(Scope.make(), (scope) =>
      Effect.map(Scope.provide(openLayer(layer), scope), (adapter) => ({
        adapter,
        close: () => Effect.runPromise(Scope.close(scope, Exit.void))
      })).pipe(Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause))))
    )
  )

export const openSqlite = (options: Sqlite.SqliteOptions & Sql.LayerOptions): Promise<Store> =>
  openStore(Layer.provide(Sql.layer(options), Sqlite.layer(options)))

export const openPostgres = (options: Postgres.PostgresOptions & Sql.LayerOptions): Promise<Store> =>
  openStore(Layer.provide(Sql.layer(options), Postgres.layer(options)))
