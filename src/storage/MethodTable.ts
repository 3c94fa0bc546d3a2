/**
 * The table of adapter methods: what each method takes and answers, and which members of a row it was asked for. Guards, checks of
 * rows, debug messages and both faces of promises are derived from it; the interfaces are written out in `AdapterShape.ts`,
 * `authjs/AuthJsAdapter.ts` and `authjs/PromiseAdapter.ts`.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import type { AdapterError } from "../Errors.ts"
import type { AdapterMethod, AdapterShape } from "./AdapterShape.ts"

/**
 * An argument of a method: the id of a user; the key of an account, without other members; a new row of a user; an object whose
 * members without a value are left out; a value that no log shows; any other value.
 */
export type Argument = "userId" | "accountKey" | "ownedRow" | "members" | "secret" | "plain"

/** The kind of a row. */
export type RowKind =
  | "user"
  | "account"
  | "session"
  | "sessionAndUser"
  | "listedSession"
  | "verificationToken"
  | "authenticator"

/** A method of the table. */
export interface Method {
  readonly takes: ReadonlyArray<Argument>
  /**
   * The answer: a new row, the row that was changed, a row that may be absent, rows of a user, a boolean, a number, or nothing. After
   * `absence` a missing row is no failure.
   */
  readonly gives: "row" | "change" | "option" | "list" | "boolean" | "number" | "void" | "absence"
  readonly row?: RowKind
  /** Members of an answered row that equal the arguments, or the members of the first argument. */
  readonly match?: ReadonlyArray<string>
}

/** The methods that take values: `transaction` takes a program. */
export type TableMethod = Exclude<AdapterMethod, "transaction">

/** The methods, in the order of the documentation of Auth.js; those that only some stores have follow. */
export const methodTable: Readonly<Record<AdapterMethod, Method>> = {
  createUser: { takes: ["members"], gives: "row", row: "user" },
  getUser: { takes: ["userId"], gives: "option", row: "user", match: ["id"] },
  getUserByEmail: { takes: ["plain"], gives: "option", row: "user" },
  getUserByAccount: { takes: ["accountKey"], gives: "option", row: "user" },
  updateUser: { takes: ["members"], gives: "change", row: "user", match: ["id"] },
  deleteUser: { takes: ["userId"], gives: "absence" },
  linkAccount: { takes: ["ownedRow"], gives: "void" },
  unlinkAccount: { takes: ["accountKey"], gives: "absence" },
  createSession: { takes: ["ownedRow"], gives: "row", row: "session", match: ["userId"] },
  getSessionAndUser: { takes: ["secret"], gives: "option", row: "sessionAndUser" },
  updateSession: { takes: ["plain"], gives: "option", row: "session" },
  deleteSession: { takes: ["secret"], gives: "option", row: "session" },
  createVerificationToken: { takes: ["plain"], gives: "void" },
  useVerificationToken: {
    takes: ["plain"],
    gives: "option",
    row: "verificationToken",
    match: ["identifier", "token"]
  },
  getAccount: { takes: ["secret", "plain"], gives: "option", row: "account", match: ["providerAccountId", "provider"] },
  getAuthenticator: { takes: ["secret"], gives: "option", row: "authenticator", match: ["credentialID"] },
  createAuthenticator: { takes: ["ownedRow"], gives: "row", row: "authenticator" },
  listAuthenticatorsByUserId: { takes: ["userId"], gives: "list", row: "authenticator", match: ["userId"] },
  updateAuthenticatorCounter: {
    takes: ["secret", "plain"],
    gives: "change",
    row: "authenticator",
    match: ["credentialID"]
  },
  transaction: { takes: ["plain"], gives: "void" },
  useOnce: { takes: ["secret", "plain"], gives: "boolean" },
  listAccounts: { takes: ["userId"], gives: "list", row: "account", match: ["userId"] },
  updateAccount: { takes: ["members", "plain"], gives: "boolean" },
  listSessions: { takes: ["userId"], gives: "list", row: "listedSession" },
  endSession: { takes: ["userId", "secret"], gives: "boolean" },
  deleteSessions: { takes: ["userId", "secret"], gives: "absence" },
  touchSession: { takes: ["secret", "plain"], gives: "absence" },
  describeAuthenticator: { takes: ["secret", "members"], gives: "boolean" },
  sweep: { takes: ["plain", "plain"], gives: "number" }
}

const isMethod = (name: string): name is AdapterMethod => Object.hasOwn(methodTable, name)

const methodNames: ReadonlyArray<AdapterMethod> = Object.keys(methodTable).filter(isMethod)

/** Every method. */
export const allMethods: ReadonlySet<AdapterMethod> = new Set(methodNames)

/** The methods that take values. */
export const tableMethods: ReadonlyArray<TableMethod> = methodNames.filter((name) => name !== "transaction")

type Call = (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, AdapterError>

/** Calls a method of a store by its name. The arguments are those of the method. */
export const callByName = (
  store: AdapterShape,
  name: TableMethod,
  args: ReadonlyArray<unknown>
): Effect.Effect<unknown, AdapterError> => Reflect.apply(store[name] as Call, store, args)

/** Makes every method that takes values. Each function keeps to the arguments and the answer of its row. */
export const makeMethods = (make: (name: TableMethod) => Call): Pick<AdapterShape, TableMethod> =>
  Object.fromEntries(tableMethods.map((name) => [name, make(name)])) as Partial<AdapterShape> as Pick<
    AdapterShape,
    TableMethod
  >
