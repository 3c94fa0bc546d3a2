/**
 * Options and results of `sqlite` and `postgres` for ordinary servers. These are types alone.
 *
 * @since 0.1.0
 */
import type { StoreAdapter } from "../authjs/AuthJsAdapter.ts"
import type { NameOptions } from "./Names.ts"

/**
 * How a database is used. All may be left out.
 *
 * @category models
 * @since 0.1.0
 */
export interface SqlStoreOptions extends NameOptions {
  /**
   * Where new ids come from: `"uuid"` makes strings (UUID version 4), `"database"` leaves it to the column, a function makes
   * strings of the application's own. Default: `"database"` where the column fills itself, else `"uuid"`.
   */
  readonly ids?: "uuid" | "database" | (() => string) | undefined
  /** Keep session and verification tokens as SHA-256? Default: `true`. `false` while Auth.js works on the same tables. */
  readonly hashTokens?: boolean | undefined
  /** Encrypt the tokens of providers with a key of these secrets, newest first. */
  readonly encryptTokens?: { readonly secret: string | ReadonlyArray<string> } | undefined
  /**
   * Are the tables those of Auth.js? `true` takes them over, `false` refuses to. Default: whether there are any decides.
   */
  readonly takeOver?: boolean | undefined
  /** Make what is missing before the first use? Default: `true`. */
  readonly migrate?: boolean | undefined
  /** `false` leaves expired rows to another process. Default: they are removed in the background. */
  readonly sweep?: false | undefined
}

/**
 * Storage in a database, as promises: the methods of an Auth.js adapter, and those that only this library has.
 *
 * @category models
 * @since 0.1.0
 */
export interface SqlStore extends Required<StoreAdapter> {
  /** Ends the sweeping and closes the database. `dispose` of `createAuth` does so too; the next call opens the database again. */
  readonly close: () => Promise<void>
}
