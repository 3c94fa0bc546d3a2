/** Session reads with a store in memory: an adapter of plain functions, the same object for both sides. */
import {
  base,
  callbackUrlCookie,
  commonConfig,
  csrfCookie,
  oauthProviders,
  origin,
  sessionCookie
} from "../setting.mjs"
import { csrfValue } from "./csrf.mjs"

const url = `${base}/session`
const token = "session-token-0000000-abcdefghijklmnopqrstuvwxyz"
const day = 24 * 60 * 60 * 1000

/** A store of `count` users with one session each; the session that is read is as old as an hour. */
const store = (count) => {
  const rows = new Map()
  const expires = new Date(Date.now() + 30 * day - day / 24)
  const add = (sessionToken, id) =>
    rows.set(sessionToken, {
      session: { sessionToken, userId: id, expires },
      user: { id, name: `User ${id}`, email: `${id}@example.com`, emailVerified: null, image: null }
    })
  for (let i = 1; i < count; i++) add(`session-token-${i}`, `user-${i}`)
  add(token, "user-0")
  return rows
}

/** The adapter over a store: what a read needs works, the rest is there because a configuration asks for it. */
const adapter = (rows) => {
  const never = async () => null
  return {
    createUser: never,
    getUser: never,
    getUserByEmail: never,
    getUserByAccount: never,
    updateUser: never,
    linkAccount: never,
    createSession: never,
    getSessionAndUser: async (sessionToken) => rows.get(sessionToken) ?? null,
    updateSession: async (change) => change,
    deleteSession: async (sessionToken) => {
      rows.delete(sessionToken)
    }
  }
}

const headers = {
  cookie: `${csrfCookie}=${csrfValue}; ${callbackUrlCookie}=${encodeURIComponent(origin)}; ${sessionCookie}=${token}`
}

const reader = (count) => (implementation) => {
  const config = { ...commonConfig(), providers: oauthProviders(1), adapter: adapter(store(count)) }
  const run = async () => {
    const response = await implementation.Auth(new Request(url, { headers }), config)
    if (response.status !== 200) throw new Error(`session answered ${response.status}`)
    return response
  }
  return {
    run,
    check: async () => {
      const response = await run()
      const body = await response.json()
      return { status: response.status, user: body?.user, expires: typeof body?.expires }
    }
  }
}

const databaseCase = (id, label, count) => ({ id, label, contender: reader(count) })

export const databaseCases = [
  databaseCase("session-database", "database session, memory adapter", 10),
  databaseCase("session-database-100000", "database session, 100 000 stored", 100_000)
]
