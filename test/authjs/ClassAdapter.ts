/**
 * An Auth.js adapter as a class: methods on the prototype that need `this`, numbers for ids, dates as text, counters as
 * text, rows as instances of classes with getters.
 */
import { sessionIdOf } from "../../src/Adapter.ts"

const unique = (): Error => Object.assign(new Error("duplicate key value"), { code: "23505" })

interface Stored {
  readonly id: number
  readonly name: string | null
  readonly email: string | null
  readonly emailVerified: string | null
  readonly image: string | null
}

interface UserValues {
  readonly name?: string | null | undefined
  readonly email?: string | null | undefined
  readonly emailVerified?: Date | null | undefined
  readonly image?: string | null | undefined
}

/** A row whose members are getters of its class. */
class UserRow {
  readonly #values: Stored
  constructor(values: Stored) {
    this.#values = values
  }
  get id() {
    return this.#values.id
  }
  get name() {
    return this.#values.name
  }
  get email() {
    return this.#values.email
  }
  get emailVerified() {
    return this.#values.emailVerified
  }
  get image() {
    return this.#values.image
  }
}

interface AccountKey {
  readonly provider: string
  readonly providerAccountId: string
}
interface SessionValues {
  readonly sessionToken: string
  readonly userId: Id
  readonly expires: Date
}
interface AuthenticatorValues {
  readonly userId: Id
  readonly credentialID: string
  readonly counter: number
  readonly credentialBackedUp: boolean
}

/** The types of Auth.js know texts only. */
type Id = string | number

const numberOf = (id: unknown): number => {
  if (typeof id !== "number") throw new TypeError("ids of users are numbers")
  return id
}

export class ClassAdapter {
  #next = 1
  readonly users = new Map<number, Stored>()
  readonly accounts = new Map<
    string,
    AccountKey & { readonly userId: Id; readonly type?: string; readonly expires_at?: number }
  >()
  readonly sessions = new Map<string, { readonly userId: Id; readonly expires: string }>()
  readonly tokens = new Map<string, Date>()
  readonly authenticators = new Map<string, AuthenticatorValues>()
  readonly used = new Set<string>()

  #isTaken(email: string | null, id: number): boolean {
    return email !== null && [...this.users.values()].some((user) => user.email === email && user.id !== id)
  }
  async createUser(user: UserValues) {
    const id = this.#next++
    return this.#store({ id, name: null, email: null, emailVerified: null, image: null }, user)
  }
  #store(before: Stored, change: UserValues) {
    const row: Stored = {
      id: before.id,
      name: change.name === undefined ? before.name : change.name,
      email: change.email === undefined ? before.email : change.email,
      emailVerified:
        change.emailVerified === undefined ? before.emailVerified : (change.emailVerified?.toISOString() ?? null),
      image: change.image === undefined ? before.image : change.image
    }
    if (this.#isTaken(row.email, row.id)) throw unique()
    this.users.set(row.id, row)
    return new UserRow(row)
  }
  async getUser(id: Id) {
    const row = this.users.get(numberOf(id))
    return row === undefined ? null : new UserRow(row)
  }
  async getUserByEmail(email: string) {
    const row = [...this.users.values()].find((user) => user.email === email)
    return row === undefined ? undefined : new UserRow(row)
  }
  async getUserByAccount(key: AccountKey) {
    const account = this.accounts.get(JSON.stringify([key.provider, key.providerAccountId]))
    return account === undefined ? null : this.getUser(account.userId)
  }
  async updateUser(change: UserValues & { readonly id: Id }) {
    const before = this.users.get(numberOf(change.id))
    if (before === undefined) throw Object.assign(new Error("No record was found"), { code: "P2025" })
    return this.#store(before, change)
  }
  async deleteUser(id: Id) {
    if (!this.users.delete(numberOf(id))) throw Object.assign(new Error("No record was found"), { code: "P2025" })
    for (const [key, row] of this.accounts) if (row.userId === id) this.accounts.delete(key)
    for (const [key, row] of this.sessions) if (row.userId === id) this.sessions.delete(key)
    for (const [key, row] of this.authenticators) if (row.userId === id) this.authenticators.delete(key)
  }
  #mustExist(id: Id) {
    if (!this.users.has(numberOf(id))) throw Object.assign(new Error("no such key"), { code: "23503" })
  }
  async linkAccount(account: AccountKey & { readonly userId: Id }) {
    const key = JSON.stringify([account.provider, account.providerAccountId])
    if (this.accounts.has(key)) throw unique()
    this.#mustExist(account.userId)
    this.accounts.set(key, { ...account })
  }
  async unlinkAccount(key: AccountKey) {
    const at = JSON.stringify([key.provider, key.providerAccountId])
    const row = this.accounts.get(at)
    if (!this.accounts.delete(at)) throw Object.assign(new Error("No record was found"), { code: "P2025" })
    if (row?.type === "webauthn") this.authenticators.delete(key.providerAccountId)
  }
  async getAccount(providerAccountId: string, provider: string) {
    const row = this.accounts.get(JSON.stringify([provider, providerAccountId]))
    return row === undefined ? null : { ...row, expires_at: row.expires_at?.toString(), session_state: null }
  }
  async createSession(session: SessionValues) {
    if (this.sessions.has(session.sessionToken)) throw unique()
    this.#mustExist(session.userId)
    const row = { ...session, expires: session.expires.toISOString().replace("T", " ").replace("Z", "") }
    this.sessions.set(session.sessionToken, row)
    return row
  }
  async getSessionAndUser(sessionToken: string) {
    const session = this.sessions.get(sessionToken)
    return session === undefined
      ? { session: null, user: null }
      : { session: { ...session, sessionToken }, user: await this.getUser(session.userId) }
  }
  async updateSession(change: Omit<SessionValues, "userId">) {
    const before = this.sessions.get(change.sessionToken)
    if (before !== undefined)
      this.sessions.set(change.sessionToken, { ...before, expires: change.expires.toISOString() })
  }
  async deleteSession(sessionToken: string) {
    if (!this.sessions.delete(sessionToken)) throw Object.assign(new Error("No record was found"), { code: "P2025" })
  }
  createVerificationToken(token: { readonly identifier: string; readonly token: string; readonly expires: Date }) {
    this.tokens.set(JSON.stringify([token.identifier, token.token]), token.expires)
  }
  useVerificationToken({ identifier, token }: { readonly identifier: string; readonly token: string }) {
    const key = JSON.stringify([identifier, token])
    const expires = this.tokens.get(key)
    return this.tokens.delete(key) && expires !== undefined ? { identifier, token, expires: expires.getTime() } : null
  }
  async createAuthenticator(row: AuthenticatorValues) {
    if (this.authenticators.has(row.credentialID)) throw unique()
    this.#mustExist(row.userId)
    this.authenticators.set(row.credentialID, { ...row })
    return this.getAuthenticator(row.credentialID)
  }
  async getAuthenticator(credentialID: string) {
    const row = this.authenticators.get(credentialID)
    return row === undefined
      ? null
      : { ...row, counter: String(row.counter), credentialBackedUp: row.credentialBackedUp ? 1 : 0 }
  }
  async listAuthenticatorsByUserId(userId: Id) {
    return [...this.authenticators.values()].filter((row) => row.userId === numberOf(userId))
  }
  async updateAuthenticatorCounter(credentialID: string, counter: number) {
    const row = this.authenticators.get(credentialID)
    if (row === undefined) return null
    if (counter <= row.counter && counter + row.counter > 0) throw new Error("the counter does not grow")
    this.authenticators.set(credentialID, { ...row, counter })
    return this.getAuthenticator(credentialID)
  }
  async useOnce(key: string) {
    const first = !this.used.has(key)
    this.used.add(key)
    return first
  }
  async listAccounts(userId: Id) {
    return [...this.accounts.values()].filter((row) => row.userId === numberOf(userId))
  }
  async updateAccount(change: AccountKey, before?: { readonly refresh_token: string | undefined }) {
    const key = JSON.stringify([change.provider, change.providerAccountId])
    const row = this.accounts.get(key)
    const has: unknown = row === undefined ? null : Reflect.get(row, "refresh_token")
    if (row === undefined || (before !== undefined && (has ?? undefined) !== before.refresh_token)) return false
    this.accounts.set(key, Object.assign({}, row, change))
    return true
  }
  async listSessions(userId: Id) {
    return [...this.sessions]
      .filter(([, row]) => row.userId === numberOf(userId))
      .map(([sessionToken, row]) => ({ ...row, id: sessionIdOf(sessionToken), sessionToken }))
  }
  async endSession(userId: Id, id: string) {
    const [found] = [...this.sessions].find(
      ([sessionToken, row]) => row.userId === numberOf(userId) && sessionIdOf(sessionToken) === id
    ) ?? [""]
    return this.sessions.delete(found)
  }
  async deleteSessions(userId: Id, except?: string) {
    for (const [key, row] of this.sessions) if (row.userId === userId && key !== except) this.sessions.delete(key)
  }
  async describeAuthenticator(credentialID: string, details: object) {
    const row = this.authenticators.get(credentialID)
    if (row === undefined) return false
    this.authenticators.set(credentialID, Object.assign({}, row, details))
    return true
  }
  async touchSession(sessionToken: string, lastSeenAt: Date) {
    const row = this.sessions.get(sessionToken)
    if (row !== undefined) this.sessions.set(sessionToken, Object.assign({}, row, { lastSeenAt: lastSeenAt.getTime() }))
  }
  async sweep(before: Date, limit: number) {
    const ended = [...this.sessions].filter(
      ([, row]) => Date.parse(`${row.expires.replace(" ", "T").replace("Z", "")}Z`) < before.getTime()
    )
    for (const [key] of ended.slice(0, limit)) this.sessions.delete(key)
    return Math.min(limit, ended.length)
  }
}
