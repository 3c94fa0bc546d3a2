/**
 * Storage in a SQL database: SQLite or PostgreSQL, through the `SqlClient` of `effect/sql`.
 *
 * The tables are those that Auth.js makes in PostgreSQL, so that an existing database is taken over as it is. Clients come
 * from `effect-doorman/sql/Sqlite`, `effect-doorman/sql/Postgres` or any driver of Effect. How tokens are stored, how a
 * database is taken over and how several instances share one is written in `docs/sql.md`.
 *
 * @since 0.1.0
 */
export {
  layer,
  layerSharedState,
  type LayerOptions,
  layerSweeper,
  make,
  migrate,
  type Options
} from "./sql/SqlAdapter.ts"
export type { OpenError } from "./sql/SqlAdapter.ts"
export type { SweepOptions } from "./sql/Sweep.ts"
export type { Secrets } from "./sql/TokenCipher.ts"
