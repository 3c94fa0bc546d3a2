/**
 * Libraries that open SQLite files in this process: the one that Node.js brings along, and `libsql` elsewhere.
 *
 * Neither is imported: `node:sqlite` is asked for by name, where there is one, and `libsql` is loaded when it is needed.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { InvalidConfiguration } from "../Errors.ts"
import { loadPackage } from "../internal/LoadPackage.ts"
import { nodeModule } from "../internal/NodeModule.ts"

/**
 * A file that is open.
 *
 * @category models
 * @since 0.1.0
 */
export interface Database {
  /** Runs one statement and answers its rows. Throws what SQLite fails with. */
  readonly all: (statement: string, parameters: ReadonlyArray<unknown>) => ReadonlyArray<Record<string, unknown>>
  readonly isTransaction: () => boolean
  readonly close: () => void
}

/**
 * A library.
 *
 * @category models
 * @since 0.1.0
 */
export interface Binding {
  readonly name: "node:sqlite" | "libsql"
  /** Opens a file, or a database in memory named `:memory:`. Throws. */
  readonly open: (filename: string) => Database
}

interface Prepared {
  readonly all: (...parameters: ReadonlyArray<unknown>) => unknown
}

type Constructor = new (filename: string) => object

/** Statements that stay prepared, the last ones. */
const keptStatements = 200

const isConstructor = (value: unknown): value is Constructor => typeof value === "function"

const method = (target: object, name: string): ((...parameters: ReadonlyArray<unknown>) => unknown) => {
  const member: unknown = Reflect.get(target, name)
  return (...parameters) => {
    const result: unknown = typeof member === "function" ? Reflect.apply(member, target, parameters) : undefined
    return result
  }
}

const isRow = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null

/** Values that every binding takes: neither knows booleans or dates. */
const bindable = (value: unknown): unknown => {
  if (value === undefined) return null
  if (value instanceof Date) return value.getTime()
  return typeof value === "boolean" ? Number(value) : value
}

const databaseOf = (
  target: object,
  inTransaction: string,
  spread: (values: ReadonlyArray<unknown>) => ReadonlyArray<unknown>
): Database => {
  const prepare = method(target, "prepare")
  const statements = new Map<string, Prepared>()
  const preparedOf = (statement: string): Prepared => {
    const cached = statements.get(statement)
    if (cached !== undefined) return cached
    const statementObject = prepare(statement)
    const preparation: Prepared = { all: isRow(statementObject) ? method(statementObject, "all") : () => [] }
    statements.set(statement, preparation)
    const [oldest] = statements.keys()
    if (statements.size > keptStatements && oldest !== undefined) statements.delete(oldest)
    return preparation
  }
  return {
    all: (statement, parameters) => {
      const rows = preparedOf(statement).all(...spread(parameters.map(bindable)))
      return Array.isArray(rows) ? rows.filter(isRow) : []
    },
    isTransaction: () => Reflect.get(target, inTransaction) === true,
    close: () => {
      statements.clear()
      method(target, "close")()
    }
  }
}

/** Statements that begin and end transactions, and settings: statements without parameters whose rows are not read. */
const isControl = (statement: string): boolean =>
  /^\s*(?:(?:BEGIN|COMMIT|END|ROLLBACK|SAVEPOINT|RELEASE)\b|PRAGMA\s+\w+\s*=)/i.test(statement)

/** Statements that write nothing, or that SQLite refuses in a transaction. */
const needsNoLock = (statement: string): boolean =>
  /^\s*(?:SELECT|VALUES|EXPLAIN|PRAGMA|VACUUM|ATTACH|DETACH)\b/i.test(statement)

/**
 * `libsql` leaves a prepared statement that met a lock unfinished. Until it runs again, SQLite commits nothing that other
 * statements of the connection write, and reports them as done. `exec` finishes: it takes the lock for them here.
 */
const finishing = (database: Database, target: object): Database => {
  const exec = method(target, "exec")
  return {
    ...database,
    all: (statement, parameters) => {
      if (isControl(statement)) {
        exec(statement)
        return []
      }
      if (database.isTransaction() || needsNoLock(statement)) return database.all(statement, parameters)
      exec("BEGIN IMMEDIATE")
      const rows = Result.try(() => {
        const rows = database.all(statement, parameters)
        exec("COMMIT")
        return rows
      })
      if (database.isTransaction()) exec("ROLLBACK")
      return Result.getOrThrow(rows)
    }
  }
}

const ofNode = Effect.sync((): Binding | undefined => {
  const module = nodeModule("node:sqlite")
  const DatabaseSync = isRow(module) ? module["DatabaseSync"] : undefined
  return isConstructor(DatabaseSync)
    ? {
        name: "node:sqlite",
        open: (filename) => databaseOf(new DatabaseSync(filename), "isTransaction", (values) => values)
      }
    : undefined
})

const ofLibsql = Effect.tryPromise({
  // Bundlers cannot take a native package along: the runtime finds it beside the bundle, or not.
  try: () => loadPackage("libsql"),
  catch: () => undefined
}).pipe(
  Effect.map((found): Binding | undefined => {
    const Libsql = isRow(found) ? found["default"] : undefined
    return isConstructor(Libsql)
      ? {
          name: "libsql",
          open: (filename) => {
            const target = new Libsql(filename)
            return finishing(
              databaseOf(target, "inTransaction", (values) => [values]),
              target
            )
          }
        }
      : undefined
  }),
  Effect.catch(() => Effect.succeed(undefined))
)

/** Where libraries are looked for, in this order. @category models @since 0.1.0 */
export const sources: ReadonlyArray<readonly [Binding["name"], Effect.Effect<Binding | undefined>]> = [
  ["node:sqlite", ofNode],
  ["libsql", ofLibsql]
]

/**
 * The library that there is: the one of Node.js first. A name asks for that one.
 *
 * @category constructors
 * @since 0.1.0
 */
export const find = Effect.fnUntraced(function* (
  wanted?: Binding["name"],
  from: typeof sources = sources
): Effect.fn.Return<Binding, InvalidConfiguration> {
  for (const [name, source] of from) {
    const binding: Binding | undefined = wanted === undefined || wanted === name ? yield* source : undefined
    if (binding !== undefined) return binding
  }
  const problem = wanted === undefined ? "There is no SQLite here" : `There is no ${wanted} here`
  return yield* new InvalidConfiguration({
    field: "binding",
    detail: `${problem}: use Node.js 22.13 or later, which has node:sqlite, or install the package libsql`,
    fix:
      wanted === "node:sqlite"
        ? "Use Node.js 22.13 or later, or leave binding out and install libsql: npm install libsql"
        : "Install it beside this one: npm install libsql"
  })
})
