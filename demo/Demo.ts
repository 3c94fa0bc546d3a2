/**
 * Starts the demo: an application with effect-doorman under `/auth`, its database, its mailbox, and an OpenID
 * provider on another host name (`localhost` and `127.0.0.1` are two sites for a browser, so cookies behave as they will in
 * production).
 */
import { randomBytes } from "node:crypto"
import { type AuthConfig, createAuth, type ServerAuth } from "../src/index.ts"
import { capture } from "../src/Mailer.ts"
import { makeApplication } from "./Application.ts"
import { basePath, makeAuthConfig } from "./AuthConfig.ts"
import { typed } from "./DataFolder.ts"
import { settlePeople } from "./People.ts"
import { makeProvider } from "./Provider.ts"
import { makeSessionEnd } from "./SessionEnd.ts"
import type { Place, Store } from "./Store.ts"
import { openStore } from "./Store.ts"
import type { WebServer } from "./WebServer.ts"
import { listenOnLoopback, nodeListener } from "./WebServer.ts"

/** How to start the demo. */
export interface DemoOptions {
  readonly auth: (request: Request, config: AuthConfig) => Promise<Response>
  /** Port of the application; 0 takes any free one. */
  readonly port: number
  /** Port of the OpenID provider; 0 takes any free one. */
  readonly providerPort: number
  readonly secret: string
  readonly database: Place
  /** Seconds for which an access token of the provider is valid; default: 60. */
  readonly tokenSeconds?: number
}

/** A demo that runs. */
export interface Demo {
  readonly url: string
  readonly providerUrl: string
  /** The database, in words and without its password. */
  readonly storePlace: string
  readonly close: () => Promise<void>
}

/** How many mails the mailbox keeps. */
const keptMails = 50

/** The database could not be opened. */
export class NoDatabase extends Error {
  override readonly name = "NoDatabase"
  readonly storePlace: string
  constructor(storePlace: string, cause: unknown) {
    super(`The database ${storePlace} could not be opened.`, { cause })
    this.storePlace = storePlace
  }
}

/**
 * Starts both servers. Where it rejects, nothing is left running: with `PortTaken` when another process has a port, with `NoDatabase` when
 * the database cannot be opened.
 */
export const startDemo = async (options: DemoOptions): Promise<Demo> => {
  const storePlace = describePlace(options.database)
  const opened: Array<() => Promise<void>> = []
  const close = async (): Promise<void> => {
    for (const one of opened.toReversed()) await one()
  }
  const listen = async (port: number): Promise<WebServer> => {
    const server = await listenOnLoopback(port)
    opened.push(server.close)
    return server
  }
  try {
    const store = await open(options.database, storePlace)
    opened.push(store.close)
    const app = await listen(options.port)
    const provider = await listen(options.providerPort)
    const url = `http://localhost:${app.port}`
    const issuer = `http://127.0.0.1:${provider.port}`
    const client = { clientId: "effect-doorman-demo", clientSecret: randomBytes(32).toString("base64url") }
    const mailbox = capture(keptMails)
    const unlink: ServerAuth["accounts"]["unlink"] = (...removed) => server.accounts.unlink(...removed)
    const config = makeAuthConfig({
      ...client,
      secret: options.secret,
      store,
      mailer: mailbox,
      origin: url,
      issuer,
      unlink
    })
    const server = createAuth({ ...config, env: {} })
    opened.push(server.dispose)
    provider.serve(
      makeProvider(issuer, {
        ...client,
        name: "the Doorman demo",
        origin: url,
        base: `${url}${basePath}`,
        tokenSeconds: options.tokenSeconds ?? 60
      })
    )
    const sessionEnd = makeSessionEnd({ adapter: store.adapter, secret: options.secret, url })
    opened.push(sessionEnd.close)
    const auth = (request: Request): Promise<Response> => options.auth(request, config)
    app.serve(
      nodeListener(makeApplication({ auth, server, store, storePlace, mailbox, url, issuer, sessionEnd }), new URL(url))
    )
    return { url, providerUrl: issuer, storePlace, close }
  } catch (error) {
    await close()
    throw error
  }
}

const open = async (place: Place, storePlace: string): Promise<Store> => {
  try {
    const store = await openStore(place)
    await settlePeople(store)
    return store
  } catch (error) {
    throw new NoDatabase(storePlace, error)
  }
}

const describePlace = (place: Place): string => {
  if ("filename" in place) return place.filename === ":memory:" ? "this process" : typed(place.filename)
  if (!URL.canParse(place.url)) return "DATABASE_URL"
  const { host, pathname } = new URL(place.url)
  return `PostgreSQL at ${host}${pathname}`
}
