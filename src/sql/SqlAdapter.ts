/**
 * The adapter over SQL, put together from the methods of its tables, with its migration and its sweeper.
 *
 * @since 0.1.0
 */
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { Adapter } from "../Adapter.ts"
import { type AdapterError, InvalidConfiguration, type WeakSecret } from "../Errors.ts"
import type { Access } from "./Access.ts"
import * as Accounts from "./Accounts.ts"
import * as Authenticators from "./Authenticators.ts"
import { hasDetails } from "./Details.ts"
import { columnOf, columnsOf } from "./Catalogue.ts"
import { kindOf } from "./Ids.ts"
import * as Migrations from "./Migrations.ts"
import { resolveNames } from "./Names.ts"
import * as Sessions from "./Sessions.ts"
import { asAdapterError, inTransaction } from "./SqlFailure.ts"
import type { SqlStoreOptions } from "./SqlStore.ts"
import * as StateTable from "./StateTable.ts"
import * as Sweep from "./Sweep.ts"
import * as TokenCipher from "./TokenCipher.ts"
import * as Users from "./Users.ts"
import * as VerificationTokens from "./VerificationTokens.ts"
import * as SharedState from "../SharedState.ts"
import type { AdapterShape } from "../storage/AdapterShape.ts"
import { make as makeAdapter } from "../storage/MakeAdapter.ts"

/**
 * Options of the adapter. All may be left out.
 *
 * @category models
 * @since 0.1.0
 */
export interface Options extends Omit<SqlStoreOptions, "encryptTokens" | "sweep"> {
  /** Encrypt the tokens of providers with a key of these secrets, newest first. */
  readonly encryptTokens?: { readonly secret: TokenCipher.Secrets } | undefined
}

/**
 * Options of the adapter with its sweeper; `sweep: false` leaves that out.
 *
 * @category models
 * @since 0.1.0
 */
export interface LayerOptions extends Options {
  readonly sweep?: Sweep.SweepOptions | false | undefined
}

/** Failures of opening a database. @category errors @since 0.1.0 */
export type OpenError = AdapterError | InvalidConfiguration | WeakSecret

const migrationOptions = (options: Options): Migrations.MigrationOptions => ({
  names: resolveNames(options),
  takeOver: options.takeOver,
  databaseIds: options.ids === undefined ? undefined : options.ids === "database"
})

/**
 * Makes the tables and indexes that are missing; answers the names of the migrations that ran.
 *
 * @category constructors
 * @since 0.1.0
 */
export const migrate = (options: Options = {}): Effect.Effect<ReadonlyArray<string>, OpenError, SqlClient> => {
  const migrations = migrationOptions(options)
  return Effect.zipWith(Migrations.migrate(migrations), Migrations.migrateState(migrations.names), (own, state) => [
    ...own,
    ...state.map((name) => `shared_state_${name}`)
  ])
}

const problem = (detail: string): InvalidConfiguration => new InvalidConfiguration({ detail })

/** Looks at the database once; nothing of it changes later. */
const open = Effect.fnUntraced(function* (options: Options) {
  const sql = yield* SqlClient
  const random = yield* SecureRandom.SecureRandom
  const names = resolveNames(options)
  const { columns, tables } = names
  yield* Migrations.refuseNewerTables(names)
  const origin = yield* Migrations.recordedOrigin(names)
  const userColumns = yield* columnsOf(sql, tables.users)
  const idColumn = userColumns.find(({ name }) => name === columns.users.id)
  const accountId = yield* columnOf(sql, tables.accounts, columns.accounts.id)
  const sessionId = yield* columnOf(sql, tables.sessions, columns.sessions.id)
  const stateColumns = yield* columnsOf(sql, tables.sharedState)
  if (origin === undefined || idColumn === undefined || stateColumns.length === 0)
    return yield* problem("The tables have not been made: migrate first")
  const idKind = kindOf(idColumn)
  const ids = options.ids ?? (idColumn.filled ? "database" : "uuid")
  if (ids === "database" && !idColumn.filled) {
    return yield* problem(
      `Column ${columns.users.id} of ${tables.users} does not fill itself: ids cannot be "database"`
    )
  }
  if (ids !== "database" && idKind === "integer") {
    return yield* problem(`Column ${columns.users.id} of ${tables.users} holds numbers: ids have to be "database"`)
  }
  const cipher =
    options.encryptTokens === undefined ? undefined : yield* TokenCipher.make(options.encryptTokens.secret, random)
  const rowIds = ids === "database" ? "uuid" : ids
  const known = new Set<string>([...Object.keys(columns.users), ...Object.values(columns.users)])
  const access: Access = {
    sql: sql.withoutTransforms(),
    names,
    idKind,
    newIds: {
      users: idsFrom(ids, random),
      accounts: idsFrom(accountId?.filled === true ? "database" : rowIds, random),
      sessions: idsFrom(sessionId?.filled === true ? "database" : rowIds, random)
    },
    furtherColumns: userColumns.map(({ name }) => name).filter((name) => !known.has(name)),
    hasSessionDetails: yield* hasDetails(sql, names, "sessions"),
    hasKeyDetails: yield* hasDetails(sql, names, "authenticators"),
    hashTokens: options.hashTokens !== false,
    cipher
  }
  return access
})

const idsFrom = (
  ids: NonNullable<Options["ids"]>,
  random: SecureRandom.SecureRandom["Service"]
): Effect.Effect<string | undefined> => {
  if (ids === "database") return Effect.succeed(undefined)
  return ids === "uuid" ? random.uuidV4() : Effect.sync(ids)
}

const adapterOf = (access: Access): AdapterShape =>
  makeAdapter({
    ...Users.make(access),
    ...Sessions.make(access),
    ...Accounts.make(access),
    ...VerificationTokens.make(access),
    ...Authenticators.make(access),
    transaction: (program) => inTransaction(access.sql, "transaction", program),
    sweep: Sweep.make(access),
    sharedState: StateTable.make(access.sql, access.names.tables)
  })

const asOpenError = (error: SqlError | OpenError): OpenError =>
  isSqlError(error) ? asAdapterError("open")(error) : error

/**
 * The adapter. Makes missing tables first, unless that is switched off; does not sweep by itself.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.fnUntraced(function* (
  options: Options = {}
): Effect.fn.Return<AdapterShape, OpenError, SqlClient | SecureRandom.SecureRandom> {
  if (options.migrate !== false) yield* migrate(options)
  return adapterOf(yield* Effect.mapError(open(options), asOpenError))
})

/**
 * Sweeps the adapter in the background: rows that have ended are removed in steps of a bounded size. Several instances may
 * do so at once. Nothing happens with an adapter that cannot sweep.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerSweeper = (options: Sweep.SweepOptions = {}): Layer.Layer<never, never, Adapter> =>
  Layer.effectDiscard(
    Effect.flatMap(Adapter, (adapter) =>
      adapter.methods.has("sweep") ? Effect.forkScoped(Sweep.sweeping(adapter, options)) : Effect.void
    )
  )

/**
 * Shared state in a table of its own, for a site whose users are stored elsewhere or nowhere. Makes the table first, unless
 * that is switched off, and removes what has ended, unless `sweep` is `false`. The adapter brings the same along.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerSharedState = (
  options: Pick<LayerOptions, "migrate" | "sweep" | "tables"> = {}
): Layer.Layer<never, OpenError, SqlClient> =>
  Layer.unwrap(
    Effect.gen(function* () {
      const sql = (yield* SqlClient).withoutTransforms()
      const names = resolveNames(options)
      if (options.migrate !== false) yield* Migrations.migrateState(names)
      const adapter = makeAdapter({ sweep: Sweep.makeState(sql, names.tables) })
      const sweeper =
        options.sweep === false
          ? Layer.empty
          : Layer.provide(layerSweeper(options.sweep), Layer.succeed(Adapter, adapter))
      return Layer.merge(SharedState.layer(StateTable.make(sql, names.tables)), sweeper)
    })
  )

/**
 * The adapter as a layer, with its sweeper; `sweep: false` leaves that out.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (
  options: LayerOptions = {}
): Layer.Layer<Adapter, OpenError, SqlClient | SecureRandom.SecureRandom> => {
  const adapter = Layer.effect(Adapter, make(options))
  return options.sweep === false ? adapter : Layer.provideMerge(layerSweeper(options.sweep), adapter)
}
