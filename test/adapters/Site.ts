/**
 * A site on one adapter, for flows that look at the rows: two OpenID providers in memory, a mailbox, passkeys, and browsers.
 *
 * The site can be answered by the library under test (`here`) or by `@auth/core` as published (`there`): both then drive
 * the same adapter on the same database.
 */
import { Auth as PeerAuth, customFetch as peerFetch } from "@auth/core"
import PeerGoogle from "@auth/core/providers/google"
import PeerPasskey from "@auth/core/providers/passkey"
import * as nine from "simplewebauthn-server-9"
import { fieldsOf } from "../Mailed.ts"
import { idp, idpSecret, memoryProvider, type MemoryProvider } from "../MemoryProvider.ts"
import { listener, secret, type Site as Door, type Told, visitor, type Visitor } from "../Visitor.ts"

/** A row by the names of Auth.js, with the values that the database answers. */
export type Row = Readonly<Record<string, unknown>>

export type Table = "user" | "account" | "session" | "token" | "key"

/** Rows from before this library. */
export interface Before {
  readonly name: string
  readonly email: string
  readonly provider: string
  readonly providerAccountId: string
  readonly sessionToken: string
  readonly expires: Date
}

type Method = (...args: ReadonlyArray<unknown>) => unknown

/** An adapter on a database of its own, and a way to look into it that does not go through the adapter. */
export interface Store {
  readonly adapter: object
  /** Every row of a table. */
  readonly rows: (table: Table) => Promise<ReadonlyArray<Row>>
  /** Writes a user who has not proven the address, an account and a session, without the adapter. */
  readonly writeBefore: (before: Before) => Promise<unknown>
  readonly close?: () => Promise<unknown>
}

/** The library under test, as an application takes it. */
export interface Library {
  readonly Auth: (request: Request, config: never) => Promise<Response>
  readonly customFetch: symbol
  readonly Passkey: (options: object) => unknown
  readonly Google: (options: object) => unknown
}

/** A person with an account at the providers. */
export interface Person {
  readonly sub: string
  readonly name: string
  readonly email: string
}

export interface Mail {
  readonly identifier: string
  readonly url: URL
}

/** Which library answers. */
export type Place = "here" | "there"

/** A browser that can be led to either library. */
export interface Browser extends Visitor {
  readonly go: (place: Place) => void
}

/** Names of the providers. */
export type ProviderId = "idp" | "other" | "google"

export interface Site {
  readonly store: Store
  readonly told: Told
  readonly mails: Array<Mail>
  /** `vouched`: a site whose only sign-in methods are Google and links. */
  readonly browser: (strategy?: "database" | "jwt", vouched?: "vouched") => Browser
  /** Signs in at a provider; the answer of the callback. `claims` are what it says beside the person. */
  readonly signIn: (browser: Visitor, person: Person, provider?: ProviderId, claims?: object) => Promise<Response>
  /** Asks for a link and answers it. */
  readonly askForLink: (browser: Visitor, email: string) => Promise<URL>
  /** Calls a method of the adapter as Auth.js does. */
  readonly call: (method: string, ...args: ReadonlyArray<unknown>) => Promise<unknown>
  readonly has: (method: string) => boolean
  readonly users: (email: string) => Promise<ReadonlyArray<Row>>
  readonly accounts: (userId: unknown) => Promise<ReadonlyArray<Row>>
  readonly sessions: (userId: unknown) => Promise<ReadonlyArray<Row>>
  readonly tokens: (email: string) => Promise<ReadonlyArray<Row>>
  readonly keys: (userId: unknown) => Promise<ReadonlyArray<Row>>
}

export const sessionCookie = "__Secure-authjs.session-token"

/** Seconds of the configured sessions; a day passes between two renewals. */
export const maxAge = 30 * 24 * 60 * 60

let people = 0

/** Somebody whom nobody has met in this process: mailboxes are counted beyond one site. */
export const somebody = (name = "Ada"): Person => {
  const number = ++people
  return { sub: `subject-${number}`, name: `${name} ${number}`, email: `${name.toLowerCase()}-${number}@example.com` }
}

/** A moment, in milliseconds since 1970, in whatever way a database says it; text without a zone is UTC. */
export const momentOf = (value: unknown): number => {
  if (value instanceof Date) return value.getTime()
  if (typeof value === "number") return value
  const text = String(value).trim().replace(" ", "T")
  if (/^\d+$/.test(text)) return Number(text)
  return Date.parse(/(?:Z|[+-]\d\d(?::?\d\d)?)$/.test(text) ? text.replace(/([+-]\d\d)$/, "$1:00") : `${text}Z`)
}

/** A provider that says more than a table has columns for, as some do. */
const talkative =
  (provider: MemoryProvider): typeof globalThis.fetch =>
  async (input, init) => {
    const answer = await provider.fetch(input, init)
    if (!(input instanceof Request ? input.url : String(input)).endsWith("/token") || !answer.ok) return answer
    const tokens = (await answer.json()) as object
    return Response.json({ ...tokens, session_state: "state-there", refresh_expires_in: 1800, "not-before-policy": 0 })
  }

const origins = { idp: "https://idp.example", other: "https://other.example", google: "https://accounts.google.com" }

/** A site on a store. */
export const siteOn = (store: Store, library: Library): Site => {
  const providers = {
    idp: memoryProvider(origins.idp),
    other: memoryProvider(origins.other),
    google: memoryProvider(origins.google)
  }
  const { logger, told } = listener()
  const mails: Array<Mail> = []
  const methods = store.adapter as Record<string, Method | undefined>
  const has = (method: string) => typeof methods[method] === "function"
  const openId = (id: "idp" | "other", symbol: symbol) =>
    idp({ id, issuer: origins[id], [symbol]: talkative(providers[id]) })
  const email = {
    id: "email",
    name: "Email",
    type: "email",
    maxAge: 600,
    sendVerificationRequest: ({ identifier, url }: { identifier: string; url: string }) => {
      mails.push({ identifier, url: new URL(url) })
    }
  }
  const hasKeys = has("getAuthenticator")
  const google = { clientId: "client-1", clientSecret: idpSecret }
  const config = (strategy: "database" | "jwt", providers: ReadonlyArray<unknown>) => ({
    secret,
    trustHost: true,
    basePath: "/auth",
    logger,
    adapter: store.adapter,
    session: { strategy, maxAge },
    providers,
    callbacks: {
      session: ({ newSession, session, trigger, user }: Readonly<Record<string, unknown>>) => ({
        expires: (session as { readonly expires: unknown }).expires,
        user: strategy === "database" ? pick(user) : pick((session as { readonly user: unknown }).user),
        ...(trigger === "update" ? { asked: newSession } : {})
      })
    },
    ...(hasKeys ? { experimental: { enableWebAuthn: true } } : {})
  })
  const providersOf = (symbol: symbol, passkey: unknown, platform: (options: object) => unknown, vouched: boolean) =>
    vouched
      ? [platform({ ...google, [symbol]: providers.google.fetch }), email]
      : [openId("idp", symbol), openId("other", symbol), email, ...(hasKeys ? [passkey] : [])]
  const doors = (strategy: "database" | "jwt", vouched: boolean): Readonly<Record<Place, Door>> => {
    const { Auth, customFetch, Google, Passkey } = library
    const peerPasskey = { ...PeerPasskey({}), simpleWebAuthn: { ...nine } }
    const ours = config(strategy, providersOf(customFetch, Passkey({}), Google, vouched))
    const theirs = config(strategy, providersOf(peerFetch, peerPasskey, PeerGoogle, vouched))
    return {
      here: (request) => Auth(request, ours as never),
      there: (request) => PeerAuth(request, theirs as never) as Promise<Response>
    }
  }
  const ofUser = async (table: Table, userId: unknown) =>
    (await store.rows(table)).filter((row) => String(row["userId"]) === String(userId))
  return {
    store,
    told,
    mails,
    browser: (strategy = "database", vouched) => {
      const both = doors(strategy, vouched === "vouched")
      let at: Place = "here"
      return { ...visitor((request) => both[at](request)), go: (place) => void (at = place) }
    },
    signIn: async (browser, person, provider = "idp", claims = { email_verified: true }) => {
      const started = await browser.submit(`/auth/signin/${provider}`)
      const back = providers[provider].agree(started.headers.get("location") ?? "")
      Object.assign(providers[provider].claims, { ...person, ...claims })
      return browser.get(back.pathname + back.search)
    },
    askForLink: async (browser, address) => {
      const before = mails.length
      await browser.submit("/auth/signin/email", { email: address })
      const sent = mails[before]
      if (sent?.identifier !== address || mails.length !== before + 1) throw new Error(`no mail for ${address}`)
      return sent.url
    },
    call: async (method, ...args) => {
      const run = methods[method]
      if (run === undefined) throw new Error(`the adapter has no ${method}`)
      return run(...args)
    },
    has,
    users: async (address) => (await store.rows("user")).filter((row) => row["email"] === address),
    accounts: (userId) => ofUser("account", userId),
    sessions: (userId) => ofUser("session", userId),
    tokens: async (address) => (await store.rows("token")).filter((row) => row["identifier"] === address),
    keys: (userId) => ofUser("key", userId)
  }
}

const pick = (user: unknown) => {
  const { email, name } = user as { readonly email?: unknown; readonly name?: unknown }
  return { email, name }
}

/** Opens a link here and presses the button of the page. */
export const press = async (browser: Visitor, link: URL): Promise<Response> => {
  const page = await browser.get(link.pathname + link.search)
  return browser.post(link.pathname, fieldsOf(await page.text()))
}
