/**
 * The sites that are played at: each configuration as the function and behind a server of Effect.
 */
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { Auth } from "../../src/Auth.ts"
import { Doorman } from "../../src/Doorman.ts"
import * as Access from "../../src/Access.ts"
import * as Http from "../../src/Http.ts"
import { encode } from "../../src/index.ts"
import * as Mailer from "../../src/Mailer.ts"
import { listener, secret, site, type Site, visitor } from "../Visitor.ts"
import { type Configured, configurations } from "./Configurations.ts"
import { faultyProvider } from "./FaultyProvider.ts"
import type { Play } from "./Play.ts"
import { forFunctions } from "../ForFunctions.ts"
import { openSqlite } from "../sql/OpenStore.ts"
import { forLayer } from "../ForLayer.ts"

/** One configuration that answers, and what a browser got from it before. */
export interface Entry {
  readonly configuration: string
  readonly entry: Play["entry"]
  readonly fails: Configured["fails"]
  readonly basePath: string
  readonly answer: Site
  /** Cookies of a browser that has not signed in, and its CSRF token. */
  readonly anonymous: string
  readonly token: string
  /** Cookies of one that has, an expired session and one that is too long. */
  readonly known: ReadonlyArray<string>
  /** Ids of providers that the site has, by the action that begins with them. */
  readonly providers: (action: string) => ReadonlyArray<string>
  /** Scripts of the library's own on the sign-in page. */
  readonly scripts: number
  /** Log entries for the operator, since the last call. */
  readonly alarms: () => ReadonlyArray<string>
}

/** The sites of one round, with storage and a provider of their own. */
export interface Sites {
  readonly entries: ReadonlyArray<Entry>
  readonly provider: ReturnType<typeof faultyProvider>
  /** The address of the last mail. */
  readonly lastLink: () => string | undefined
  readonly close: () => Promise<void>
}

export const scriptsIn = (html: string): number => html.split("<script>").length - 1

const quiet = Layer.mergeAll(Logger.layer([]), FetchHttpClient.layer, HttpServer.layerServices)

/** The configuration behind a server of Effect. */
const served = ({ options }: Configured) => {
  // Errors of wrong configurations end the layer: only right ones are served.
  const { raw: _, ...rest } = options
  const app = Http.layer(Access.Default).pipe(
    Layer.provide(Doorman.layer(forLayer({ ...rest, origin: site }))),
    Layer.provide(quiet)
  )
  return HttpRouter.toWebHandler(app, { disableLogger: true })
}

const idsOf = (providers: unknown): ReadonlyArray<string> =>
  Array.isArray(providers) ? providers.map((one: object) => String(Reflect.get(one, "id"))) : []

const enter = async (
  { fails, name, options: { basePath = "/auth", providers } }: Configured,
  entry: Play["entry"],
  answer: Site,
  alarms: Entry["alarms"]
): Promise<Entry> => {
  const browser = visitor(answer, site, basePath)
  const csrf = await (await browser.get(`${basePath}/csrf`)).text()
  const token = csrf.startsWith('{"csrfToken"') ? (JSON.parse(csrf) as { readonly csrfToken: string }).csrfToken : ""
  const pairs = () => [...browser.cookies].map((pair) => pair.join("="))
  const anonymous = pairs().join("; ")
  await browser.post(`${basePath}/callback/credentials`, { csrfToken: token, username: "ann", password: "pw" })
  const salt = "__Secure-authjs.session-token"
  const expired = await encode({ token: { sub: "1" }, secret, salt, maxAge: -1000 })
  const scripts = scriptsIn(await (await browser.get(`${basePath}/signin`)).text())
  alarms()
  return {
    configuration: name,
    entry,
    fails,
    basePath,
    answer,
    anonymous,
    token,
    known: [`${salt}=${expired}`, `${salt}=${"x".repeat(5000)}`, ...pairs()],
    providers: (action) => idsOf(providers).filter((id) => action !== "webauthn-options" || id === "passkey"),
    scripts,
    alarms
  }
}

/** The function with a logger of its own. */
const called = (configured: Configured): Promise<Entry> => {
  const { logger, told } = listener()
  const options = { ...configured.options, logger }
  return enter(
    { ...configured, options },
    "function",
    (one) => Auth(one, forFunctions(options)),
    () => {
      const alarms = told.errors
        .filter((error) => Reflect.get(error, "blame") === "operator")
        .map((error) => `${error.message}: ${String(error.cause)}`)
      for (const list of [told.errors, told.warnings, told.messages, told.mistakes]) list.length = 0
      return alarms
    }
  )
}

export const openSites = async (only: (name: string) => boolean = () => true): Promise<Sites> => {
  const provider = faultyProvider()
  const { adapter: database, close } = await openSqlite({ filename: ":memory:" })
  const mailer = Mailer.capture(1)
  const entries: Array<Entry> = []
  const disposals = [close]
  for (const configured of configurations({ database, fetch: provider.fetch, mailer })) {
    if (!only(configured.name)) continue
    entries.push(await called(configured))
    if (configured.fails === "refused") continue
    const { dispose, handler } = served(configured)
    disposals.unshift(dispose)
    entries.push(await enter(configured, "server", handler, () => []))
  }
  return {
    entries,
    provider,
    lastLink: () => Effect.runSync(mailer.mails).at(-1)?.url,
    close: async () => {
      for (const dispose of disposals) await dispose()
    }
  }
}
