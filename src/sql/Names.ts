/**
 * The names of tables and columns. By default they are those that Auth.js gives a PostgreSQL database.
 *
 * @since 0.1.0
 */

/**
 * The tables.
 *
 * @category models
 * @since 0.1.0
 */
export interface Tables {
  readonly users: string
  readonly accounts: string
  readonly sessions: string
  readonly verificationTokens: string
  readonly authenticators: string
  /** Keys that were used and cannot be used again. Auth.js has no such table. */
  readonly usedKeys: string
  /** The shared state of all processes. Auth.js has no such table. */
  readonly sharedState: string
  /** Which migrations have run. */
  readonly migrations: string
  /** Which migrations of the shared state have run. */
  readonly sharedStateMigrations: string
}

const members = {
  users: ["id", "name", "email", "emailVerified", "image"],
  accounts: [
    "id",
    "userId",
    "type",
    "provider",
    "providerAccountId",
    "refresh_token",
    "access_token",
    "expires_at",
    "id_token",
    "scope",
    "session_state",
    "token_type"
  ],
  sessions: [
    "id",
    "userId",
    "expires",
    "sessionToken",
    "createdAt",
    "lastSeenAt",
    "authenticatedAt",
    "amr",
    "acr",
    "userAgent",
    "clientAddress"
  ],
  verificationTokens: ["identifier", "expires", "token"],
  authenticators: [
    "credentialID",
    "userId",
    "providerAccountId",
    "credentialPublicKey",
    "counter",
    "credentialDeviceType",
    "credentialBackedUp",
    "transports",
    "label",
    "createdAt",
    "lastUsedAt"
  ]
} as const

type Members = typeof members

/**
 * The columns of each table, by the member that they hold.
 *
 * @category models
 * @since 0.1.0
 */
export type Columns = {
  readonly [Table in keyof Members]: { readonly [Member in Members[Table][number]]: string }
}

/**
 * Names that differ from the usual ones.
 *
 * @category models
 * @since 0.1.0
 */
export interface NameOptions {
  readonly tables?: Partial<Tables> | undefined
  readonly columns?: { readonly [Table in keyof Columns]?: Partial<Columns[Table]> } | undefined
}

/**
 * Every name.
 *
 * @category models
 * @since 0.1.0
 */
export interface Names {
  readonly tables: Tables
  readonly columns: Columns
}

const usualTables: Tables = {
  users: "users",
  accounts: "accounts",
  sessions: "sessions",
  verificationTokens: "verification_token",
  authenticators: "authenticators",
  usedKeys: "doorman_used_keys",
  sharedState: "doorman_shared_state",
  migrations: "doorman_migrations",
  sharedStateMigrations: "doorman_shared_state_migrations"
}

/** Columns with the names of their members, but for those that are given. */
const columnsOf = <Member extends string>(
  names: ReadonlyArray<Member>,
  given: { readonly [Name in Member]?: string } = {}
): { readonly [Name in Member]: string } => {
  const usual = Object.fromEntries<string>(names.map((name) => [name, name])) as { readonly [Name in Member]: string }
  return { ...usual, ...given }
}

/**
 * The usual names, with those that are given instead.
 *
 * @category constructors
 * @since 0.1.0
 */
export const resolveNames = ({ columns, tables }: NameOptions): Names => ({
  tables: { ...usualTables, ...tables },
  columns: {
    users: columnsOf(members.users, columns?.users),
    accounts: columnsOf(members.accounts, columns?.accounts),
    sessions: columnsOf(members.sessions, columns?.sessions),
    verificationTokens: columnsOf(members.verificationTokens, columns?.verificationTokens),
    authenticators: columnsOf(members.authenticators, columns?.authenticators)
  }
})
