/**
 * A link is asked for by email, beside better-auth, each side with users and attempts in a SQLite file of its own by `node:sqlite`.
 * Neither side sends the mail.
 *
 *     node bench/betterAuth.mjs [--quick]
 *
 * Needs `npm run build`, `npm ci --prefix bench --ignore-scripts` and a Node.js with `node:sqlite`. Prints JSON.
 */
import { betterAuth } from "better-auth"
import { getMigrations } from "better-auth/db/migration"
import { magicLink } from "better-auth/plugins/magic-link"
import { mkdtemp, rm } from "node:fs/promises"
import { DatabaseSync } from "node:sqlite"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Auth } from "../dist/index.js"
import { sqlite } from "../dist/server/SqliteStore.js"
import { FULL, measure, QUICK } from "./interleave.mjs"
import { base, origin, secret } from "./setting.mjs"
import { post } from "./cases/forms.mjs"

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

const ours = async (filename) => {
  const adapter = sqlite(filename, { binding: "node:sqlite" })
  const { last, send } = outbox()
  const config = {
    secret,
    trustedHosts: [new URL(origin).host],
    basePath: "/auth",
    adapter,
    session: { strategy: "database" },
    providers: [{ id: "email", type: "email", from: "site@example.com", sendVerificationRequest: send }],
    sharedState: withoutSiteBudget(adapter.sharedState)
  }
  const next = addresses()
  const link = async () => {
    const response = await Auth(post("signin/email", { email: next() }), config)
    if (response.status >= 400) throw new Error(`signin/email answered ${response.status}`)
  }
  return { link, last, close: () => adapter.close() }
}

const theirs = async (filename) => {
  const database = new DatabaseSync(filename)
  const { last, send } = outbox()
  const options = {
    database,
    baseURL: origin,
    basePath: "/auth",
    secret,
    plugins: [magicLink({ sendMagicLink: send })],
    rateLimit: { enabled: true, storage: "database" },
    telemetry: { enabled: false },
    logger: { disabled: true }
  }
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON")
  await (await getMigrations(options)).runMigrations()
  const auth = betterAuth(options)
  const clients = addressesOfClients()
  const next = addresses()
  const link = async () => {
    const headers = { origin, "content-type": "application/json", "x-forwarded-for": clients() }
    const body = JSON.stringify({ email: next() })
    const response = await auth.handler(new Request(`${base}/sign-in/magic-link`, { method: "POST", headers, body }))
    if (response.status >= 400) throw new Error(`magic-link answered ${response.status}: ${await response.text()}`)
  }
  return { link, last, close: () => database.close() }
}

/** Asks a side once: both sides must send a link to the address that asked. */
const check = async ({ last, link }) => {
  await link()
  const { to, url } = last()
  return [to, new URL(url).searchParams.get("token").length >= 32]
}

const directory = await mkdtemp(join(tmpdir(), "doorman-better-auth-"))
const sides = { ours: await ours(join(directory, "ours.db")), theirs: await theirs(join(directory, "theirs.db")) }
try {
  const [own, other] = [JSON.stringify(await check(sides.ours)), JSON.stringify(await check(sides.theirs))]
  if (own !== other) throw new Error(`ours sent ${own}, theirs ${other}`)
  const contenders = Object.entries(sides).map(([name, { link }]) => ({ name, run: link, warmupCalls: 4000 }))
  const pace = process.argv.includes("--quick") ? QUICK : FULL
  const result = await measure(contenders, pace, [["theirs/ours", "theirs", "ours"]])
  process.stdout.write(JSON.stringify([{ id: "link", label: "email link asked for, SQLite", ...result }]))
} finally {
  for (const { close } of Object.values(sides)) await close()
  await rm(directory, { recursive: true, force: true })
}
