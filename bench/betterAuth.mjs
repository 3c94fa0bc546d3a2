/**
 * Three actions beside better-auth, each side with users and sessions in a SQLite file of its own by `node:sqlite`: a session is
 * read, a password signs in, and a link is asked for by email. Neither side hashes the password or sends the mail: both cost the
 * same on either side, and far more than the rest. Both sides count attempts to sign in in SQLite.
 *
 *     node bench/betterAuth.mjs [--quick]
 *
 * Needs `npm run build`, `npm ci --prefix bench --ignore-scripts` and a Node.js with `node:sqlite`. Before an action is measured, both
 * sides are asked for it and what they answer is compared. Prints JSON, one row for each
 * action.
 */
import { betterAuth } from "better-auth"
import { getMigrations } from "better-auth/db/migration"
import { magicLink } from "better-auth/plugins/magic-link"
import { mkdtemp, rm } from "node:fs/promises"
import { DatabaseSync } from "node:sqlite"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { Auth } from "../dist/index.js"
import { sqlite } from "../dist/server/SqliteStore.js"
import { FULL, measure, QUICK } from "./interleave.mjs"
import { base, cookiesSet, origin, secret } from "./setting.mjs"
import { post } from "./cases/forms.mjs"

const { values } = parseArgs({ options: { quick: { type: "boolean", default: false } } })
const email = "ada@example.com"
const password = "correct horse battery staple"

/** Cookies of an answer, as the next request sends them. */
const cookieOf = (response) =>
  cookiesSet(response)
    .map(([name, value]) => `${name}=${value}`)
    .join("; ")

/** Addresses that were not used before: a site sends one address few links. */
const addresses = () => {
  let count = 0
  return () => `person-${count++}@example.com`
}

/** Internet addresses that were not used before: attempts from one are counted under one key. */
const addressesOfClients = () => {
  let count = 0
  return () => {
    count++
    return `10.${count >> 16}.${(count >> 8) & 255}.${count & 255}`
  }
}

/** The last mail that a side was asked to send. */
const outbox = () => {
  let last
  return {
    send: async ({ email, identifier, url }) => {
      last = { to: email ?? identifier, url }
    },
    last: () => last
  }
}

/** Links after which the budget of a site begins anew: it has room for more. */
const linksOfBudget = 200

/**
 * The shared state of an adapter, in which the budget of a site for links is never spent: it is counted under another key from time to
 * time. That of a mailbox is not spent, because each link is for an address of its own, and a sign-in takes its counts back.
 */
const withoutSiteBudget = ({ get, swap }) => {
  let count = 0
  const current = (key) => (key.startsWith("limit.sitenew:") ? `${key}.${Math.floor(count / linksOfBudget)}` : key)
  const counted = (change) => {
    if (change.key.startsWith("limit.sitenew:")) count++
    return { ...change, key: current(change.key) }
  }
  return {
    get: (key) => get(current(key)),
    swap: (change) => swap(counted(change))
  }
}

/** The passwords of our side: the application keeps them, in a table of its own. */
const passwordsIn = (filename) => {
  const database = new DatabaseSync(filename)
  database.exec("CREATE TABLE passwords (user_id TEXT PRIMARY KEY, password TEXT NOT NULL) STRICT")
  const select = database.prepare("SELECT password FROM passwords WHERE user_id = ?")
  const insert = database.prepare("INSERT INTO passwords (user_id, password) VALUES (?, ?)")
  return {
    keep: (userId) => insert.run(userId, password),
    isRight: (userId, given) => select.get(userId)?.password === given,
    close: () => database.close()
  }
}

const ours = async (filename) => {
  const adapter = sqlite(filename, { binding: "node:sqlite" })
  const passwords = passwordsIn(filename)
  const ada = { id: "", name: "Ada Lovelace", email, emailVerified: new Date() }
  passwords.keep((await adapter.createUser(ada)).id)
  const { last, send } = outbox()
  const config = {
    secret,
    trustedHosts: [new URL(origin).host],
    basePath: "/auth",
    adapter,
    session: { strategy: "database" },
    providers: [
      {
        id: "credentials",
        type: "credentials",
        credentials: { email: {}, password: { type: "password" } },
        authorize: async (given) => {
          const user = await adapter.getUserByEmail(String(given.email))
          return user !== null && passwords.isRight(user.id, given.password) ? user : null
        }
      },
      { id: "email", type: "email", from: "site@example.com", sendVerificationRequest: send }
    ]
  }
  const unlimited = { ...config, sharedState: withoutSiteBudget(adapter.sharedState) }
  const answer = async (request, options = config) => {
    const response = await Auth(request, options)
    if (response.status >= 400) throw new Error(`${request.url} answered ${response.status}`)
    return response
  }
  const signIn = () => answer(post("callback/credentials", { email, password }))
  const cookie = cookieOf(await signIn())
  const session = () => answer(new Request(`${base}/session`, { headers: { cookie } }))
  const next = addresses()
  const link = () => answer(post("signin/email", { email: next() }), unlimited)
  const end = () => {
    passwords.close()
    return adapter.close()
  }
  return { session, signIn, link, last, close: end, cookie }
}

const theirs = async (filename) => {
  const database = new DatabaseSync(filename)
  const { last, send } = outbox()
  const options = {
    database,
    baseURL: origin,
    basePath: "/auth",
    secret,
    emailAndPassword: {
      enabled: true,
      password: { hash: async (text) => text, verify: async ({ hash, password }) => hash === password }
    },
    plugins: [magicLink({ sendMagicLink: send })],
    rateLimit: { enabled: true, storage: "database", customRules: { "/get-session": false } },
    telemetry: { enabled: false },
    logger: { disabled: true }
  }
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON")
  await (await getMigrations(options)).runMigrations()
  const auth = betterAuth(options)
  const clients = addressesOfClients()
  const ask = async (path, body, cookie) => {
    const headers = { origin, ...(body && { "content-type": "application/json" }), ...(cookie && { cookie }) }
    const request = new Request(`${base}/${path}`, {
      headers: { ...headers, "x-forwarded-for": clients() },
      method: body === undefined ? "GET" : "POST",
      body: body && JSON.stringify(body)
    })
    const response = await auth.handler(request)
    if (response.status >= 400) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return response
  }
  await ask("sign-up/email", { name: "Ada Lovelace", email, password })
  const signIn = () => ask("sign-in/email", { email, password })
  const cookie = cookieOf(await signIn())
  const session = () => ask("get-session", undefined, cookie)
  const next = addresses()
  const link = () => ask("sign-in/magic-link", { email: next() })
  return { session, signIn, link, last, close: () => database.close(), cookie }
}

/** The user of a session; the whole text has names and members of its own on each side. */
const userOf = async ({ session }) => (await (await session()).json()).user.email

/** The result that both sides must have before their times count, by action. */
const checks = {
  session: (side) => userOf(side),
  signIn: async (side) => {
    const response = await side.signIn()
    return [cookieOf(response).includes("session"), await userOf(side)]
  },
  link: async (side) => {
    await side.link()
    const { to, url } = side.last()
    return [to, new URL(url).searchParams.get("token").length >= 32]
  }
}

const labels = {
  session: "database session, SQLite",
  signIn: "password sign-in, SQLite, without hashing",
  link: "email link asked for, SQLite"
}

const directory = await mkdtemp(join(tmpdir(), "doorman-better-auth-"))
const sides = { ours: await ours(join(directory, "ours.db")), theirs: await theirs(join(directory, "theirs.db")) }
try {
  const rows = []
  for (const [id, label] of Object.entries(labels)) {
    const [own, other] = [await checks[id](sides.ours), await checks[id](sides.theirs)]
    if (JSON.stringify(own) !== JSON.stringify(other)) {
      rows.push({ id, label, error: `ours answered ${JSON.stringify(own)}, theirs ${JSON.stringify(other)}` })
      continue
    }
    const contenders = Object.entries(sides).map(([name, side]) => ({ name, run: side[id], warmupCalls: 4000 }))
    const result = await measure(contenders, values.quick ? QUICK : FULL, [["theirs/ours", "theirs", "ours"]])
    rows.push({ id, label, ...result })
  }
  process.stdout.write(JSON.stringify(rows))
} finally {
  for (const { close } of Object.values(sides)) await close()
  await rm(directory, { recursive: true, force: true })
}
