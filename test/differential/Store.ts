/**
 * Storage for both sides: an adapter as Auth.js defines it, plain functions that answer promises, over lists in memory. It
 * is seeded alike for each side, remembers every call, and can be told which methods it lacks and which answer otherwise.
 *
 * Ids are its own and count up and columns without a value are null, as in a database; a session or account is found as
 * it was written, expired or not.
 */

/** A row of any table. */
export type Row = Record<string, unknown>

/** The rows before the first request. */
export interface Seed {
  readonly users?: ReadonlyArray<Row>
  readonly accounts?: ReadonlyArray<Row>
  readonly sessions?: ReadonlyArray<Row>
  readonly tokens?: ReadonlyArray<Row>
}

/** Which methods there are, and which of them answer otherwise; `answer` is what the method would have done. */
export interface Habits {
  readonly lacks?: ReadonlyArray<string>
  readonly instead?: Readonly<Record<string, (answer: () => unknown, ...args: ReadonlyArray<unknown>) => unknown>>
}

/** A method of an adapter. */
export type Method = (...args: ReadonlyArray<never>) => Promise<unknown>

/** The methods that change something: what a store observes of a sign-in. */
export const writes: ReadonlySet<string> = new Set([
  "createUser",
  "updateUser",
  "deleteUser",
  "linkAccount",
  "unlinkAccount",
  "createSession",
  "updateSession",
  "deleteSession",
  "createVerificationToken",
  "useVerificationToken",
  "createAuthenticator",
  "updateAuthenticatorCounter"
])

const noColumns: Row = { name: null, email: null, emailVerified: null, image: null }

/** A member without a value is none: databases would refuse it or take it for NULL. */
const said = (row: Row): Row => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined))

const same = (row: Row, key: Row): boolean => Object.entries(key).every(([name, value]) => row[name] === value)

/** One store. */
export class Store {
  readonly users: Array<Row>
  readonly accounts: Array<Row>
  readonly sessions: Array<Row>
  readonly tokens: Array<Row>
  /** Every call, with its arguments as they were. */
  onCall: (name: string, args: ReadonlyArray<unknown>) => void = () => undefined
  #made = 0

  constructor(seed: Seed = {}) {
    const copied = (rows: ReadonlyArray<Row> = []): Array<Row> => rows.map((row) => ({ ...row }))
    this.users = copied(seed.users)
    this.accounts = copied(seed.accounts)
    this.sessions = copied(seed.sessions)
    this.tokens = copied(seed.tokens)
  }

  /** The adapter. */
  adapter({ instead = {}, lacks = [] }: Habits = {}): Record<string, Method> {
    const methods = this.#methods()
    const adapter: Record<string, Method> = {}
    for (const [name, method] of Object.entries(methods)) {
      if (lacks.includes(name)) continue
      adapter[name] = async (...args) => {
        this.onCall(name, args)
        const answer = (): unknown => method(...args)
        const other = instead[name]
        return other === undefined ? answer() : other(answer, ...args)
      }
    }
    return adapter
  }

  #methods(): Record<string, (...args: ReadonlyArray<never>) => unknown> {
    const find = (rows: ReadonlyArray<Row>, key: Row): Row | null => {
      const row = rows.find((one) => same(one, key))
      return row === undefined ? null : { ...row }
    }
    const take = (rows: Array<Row>, key: Row): Row | null => {
      const at = rows.findIndex((one) => same(one, key))
      return at < 0 ? null : (rows.splice(at, 1)[0] ?? null)
    }
    const change = (rows: ReadonlyArray<Row>, key: Row, more: Row): Row | null => {
      const row = rows.find((one) => same(one, key))
      return row === undefined ? null : { ...Object.assign(row, said(more)) }
    }
    return {
      createUser: (user: Row) => {
        this.#made += 1
        const row = { ...noColumns, ...said(user), id: `made-${this.#made}` }
        this.users.push(row)
        return { ...row }
      },
      getUser: (id: string) => find(this.users, { id }),
      getUserByEmail: (email: string) => find(this.users, { email }),
      getUserByAccount: ({ provider, providerAccountId }: Row) => {
        const account = find(this.accounts, { provider, providerAccountId })
        return account === null ? null : find(this.users, { id: account["userId"] })
      },
      updateUser: (user: Row) => change(this.users, { id: user["id"] }, user),
      deleteUser: (id: string) => {
        for (const rows of [this.accounts, this.sessions]) while (take(rows, { userId: id }) !== null) continue
        return take(this.users, { id })
      },
      linkAccount: (account: Row) => {
        this.accounts.push(said(account))
        return { ...account }
      },
      unlinkAccount: ({ provider, providerAccountId }: Row) => take(this.accounts, { provider, providerAccountId }),
      createSession: (session: Row) => {
        this.sessions.push({ ...session })
        return { ...session }
      },
      getSessionAndUser: (sessionToken: string) => {
        const session = find(this.sessions, { sessionToken })
        const user = session === null ? null : find(this.users, { id: session["userId"] })
        return session === null || user === null ? null : { session, user }
      },
      updateSession: (session: Row) => change(this.sessions, { sessionToken: session["sessionToken"] }, session),
      deleteSession: (sessionToken: string) => take(this.sessions, { sessionToken }),
      createVerificationToken: (token: Row) => {
        this.tokens.push({ ...token })
        return { ...token }
      },
      useVerificationToken: ({ identifier, token }: Row) => take(this.tokens, { identifier, token }),
      getAccount: (providerAccountId: string, provider: string) => find(this.accounts, { providerAccountId, provider }),
      getAuthenticator: () => null,
      createAuthenticator: (authenticator: Row) => ({ ...authenticator }),
      listAuthenticatorsByUserId: () => [],
      updateAuthenticatorCounter: () => null
    }
  }

  /** Everything that is stored. */
  get rows(): Readonly<Record<string, ReadonlyArray<Row>>> {
    return { users: this.users, accounts: this.accounts, sessions: this.sessions, tokens: this.tokens }
  }
}
