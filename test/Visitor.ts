/**
 * One browser and one site, for tests of whole requests: cookies are kept as a browser keeps them, nothing is sent anywhere.
 *
 * The site is either the Promise facade (`visitor`) or the programs themselves under the clock of the test (`program`).
 */
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as References from "effect/References"
import * as HandleAction from "../src/composition/HandleAction.ts"
import { Settings } from "../src/config/Settings.ts"
import type { ConfigurationError, Options } from "../src/config/Settings.ts"
import { AuthRequest, fromWeb } from "../src/http/AuthRequest.ts"
import * as AuthResponse from "../src/http/AuthResponse.ts"
import { Auth } from "../src/index.ts"
import type * as Services from "../src/composition/Services.ts"
import { layer as servicesLayer } from "./ServicesLayer.ts"
import { forLayer } from "./ForLayer.ts"
import { forFunctions } from "./ForFunctions.ts"
import { offline } from "./Offline.ts"

export const site = "https://app.example"
export const secret = "test-secret-0123456789-abcdefghijklmnopqrstuvwxyz"
export const otherSecret = "other-secret-9876543210-zyxwvutsrqponmlkjihgfedcba"

/** Calls of an application's logger. */
export interface Told {
  readonly errors: Array<Error>
  readonly warnings: Array<string>
  /** The texts of the warnings. */
  readonly advice: Array<string>
  readonly messages: Array<string>
  /** Failures of visitors, which are no alarm. */
  readonly mistakes: Array<unknown>
}

export const listener = (): { readonly told: Told; readonly logger: NonNullable<Options["logger"]> } => {
  const told: Told = { errors: [], warnings: [], advice: [], messages: [], mistakes: [] }
  return {
    told,
    logger: {
      error: (error) => void told.errors.push(error),
      warn: (code, text = "") => {
        told.warnings.push(code)
        told.advice.push(text)
      },
      debug: (message, metadata) => {
        told.messages.push(message)
        const mistake: unknown =
          typeof metadata === "object" && metadata !== null ? Reflect.get(metadata, "error") : null
        if (mistake instanceof Error) told.mistakes.push(mistake)
      }
    }
  }
}

export type Authorize = (credentials: Readonly<Record<string, string>>, request: Request) => unknown

// Tests play applications that are written without types as well: what a provider holds is not looked at here.
type Given = Options["providers"][number]

/** A form of a name and a password; `pw` is right. */
export const password = (authorize: Authorize = accepting, more: object = {}): Given =>
  ({
    id: "credentials",
    name: "Password",
    type: "credentials",
    credentials: { username: { label: "Name" }, password: { label: "Password", type: "password" } },
    authorize,
    ...more
  }) as unknown as Given

const accepting: Authorize = ({ password, username }) =>
  password === "pw" ? { id: `id of ${username}`, name: username, email: "ann@example.com" } : null

/** A provider whose endpoints are all known, so that starting there asks nobody. */
export const acme = (more: object = {}): Given =>
  ({
    id: "acme",
    name: "Acme",
    type: "oauth",
    authorization: "https://acme.example/authorize",
    token: "https://acme.example/token",
    userinfo: "https://acme.example/userinfo",
    clientId: "client",
    clientSecret: "client-secret-0123456789-abcdefghijk",
    ...more
  }) as unknown as Given

export const options = (more: Partial<Options> = {}): Options => ({
  secret,
  trustHost: true,
  basePath: "/auth",
  providers: [password(), acme()],
  logger: listener().logger,
  ...more
})

let sites = 0

/** The options of a site with a secret of its own: what the process remembers of other sites does not concern it. */
export const ownSite = (more: Partial<Options> = {}): Options => options({ secret: `${secret} ${++sites}`, ...more })

export type Site = (request: Request) => Promise<Response>

/** The facade over one configuration object. */
export const facade =
  (config: Options): Site =>
  (request) =>
    Auth(request, forFunctions(config))

type Form = Readonly<Record<string, string>> | ReadonlyArray<readonly [string, string]> | string

/** A browser at a site. */
export interface Visitor {
  readonly cookies: Map<string, string>
  readonly send: (method: string, path: string, init?: RequestInit) => Promise<Response>
  readonly get: (path: string, headers?: Record<string, string>) => Promise<Response>
  /** Posts a form; a token is not added. */
  readonly post: (path: string, form: Form, headers?: Record<string, string>) => Promise<Response>
  /** Posts a form with the token of this browser. */
  readonly submit: (path: string, form?: Form, headers?: Record<string, string>) => Promise<Response>
  readonly csrfToken: () => Promise<string>
  /** Signs in with the right password. */
  readonly signIn: (username?: string) => Promise<Response>
  readonly session: () => Promise<{ readonly user?: Record<string, unknown>; readonly expires: string } | null>
}

export const visitor = (at: Site, origin = site, basePath = "/auth"): Visitor => {
  const cookies = new Map<string, string>()
  const send: Visitor["send"] = async (method, path, init = {}) => {
    const headers = new Headers(init.headers)
    if (cookies.size > 0 && !headers.has("cookie")) {
      headers.set("cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "))
    }
    const response = await at(new Request(`${origin}${path}`, { ...init, method, headers }))
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/; Max-Age=0(?:;|$)/.test(line)) cookies.delete(name)
      else cookies.set(name, value)
    }
    return response
  }
  const get: Visitor["get"] = (path, headers = {}) => send("GET", path, { headers })
  const post: Visitor["post"] = (path, form, headers = {}) =>
    send("POST", path, {
      headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
      body: typeof form === "string" ? form : new URLSearchParams(pairs(form)).toString()
    })
  const csrfToken = async () => ((await (await get(`${basePath}/csrf`)).json()) as { csrfToken: string }).csrfToken
  const submit: Visitor["submit"] = async (path, form = {}, headers = {}) => {
    const token = await csrfToken()
    return post(
      path,
      typeof form === "string" ? `csrfToken=${token}&${form}` : [["csrfToken", token], ...pairs(form)],
      headers
    )
  }
  return {
    cookies,
    send,
    get,
    post,
    submit,
    csrfToken,
    signIn: (username = "ann") => submit(`${basePath}/callback/credentials`, { username, password: "pw" }),
    session: async () => (await get(`${basePath}/session`)).json()
  }
}

const pairs = (form: Exclude<Form, string>): Array<[string, string]> =>
  (Array.isArray(form) ? form : Object.entries(form)).map(([name, value]): [string, string] => [name, value])

/** A program's requests to the network. */
export const network = (
  answer: (url: string) => Response = () => new Response("nothing", { status: 404 })
): { readonly asked: Array<string>; readonly fetch: typeof globalThis.fetch } => {
  const asked: Array<string> = []
  return {
    asked,
    fetch: (input) => {
      const url = input instanceof Request ? input.url : String(input)
      asked.push(url)
      return Promise.resolve(answer(url))
    }
  }
}

/** Bytes that are the same in every run and different in every draw. */
export const countedBytes = (): Layer.Layer<SecureRandom.SecureRandom> =>
  Layer.sync(SecureRandom.SecureRandom, () => {
    let draws = 0
    return SecureRandom.make((size) => {
      draws++
      return Uint8Array.from({ length: size }, (_, index) => (draws * 31 + index * 7 + (draws >> 8)) & 255)
    })
  })

const silent = Layer.mergeAll(Logger.layer([]), Layer.succeed(References.MinimumLogLevel, "None"))

/** The services of a configuration, with nothing of the outside. */
export const layer = (config: Options): Layer.Layer<Services.Services, ConfigurationError> =>
  servicesLayer(forLayer(config)).pipe(Layer.provideMerge(countedBytes()), Layer.provide(offline), Layer.merge(silent))

/** Answers one request by the program alone; failures of reading the request stay failures. */
export const program = Effect.fnUntraced(function* (request: Request) {
  const { basePath } = yield* Settings
  const read = yield* fromWeb(request, basePath)
  const handled = yield* Effect.provideService(HandleAction.handle, AuthRequest, read)
  return { failure: handled.failure, response: AuthResponse.toWeb(handled.response), data: handled.response }
})

/** A form of a browser that holds these cookies. */
export const form = (
  path: string,
  fields: Readonly<Record<string, string>>,
  headers: Record<string, string> = {}
): Request =>
  new Request(`${site}${path}`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body: new URLSearchParams(fields).toString()
  })

/** An address without the name of the request, which is another one every time. */
export const withoutReference = (address: string): string =>
  address.replace(/[?&]request_id=[\w.-]{8,64}(?=$|[&#])/, "")

/** Does an address name a provider action without one of these providers? */
export const lacksProvider = (url: string, ids: ReadonlyArray<string>): boolean => {
  const found = /^\/auth\/(?:callback|signin|webauthn-options)(?:\/([^/]*))?\/?$/.exec(new URL(url).pathname)
  return found !== null && !ids.includes(found[1] ?? "")
}

/** Where an answer leads, without the name of the request. */
export const locationOf = ({ headers }: Response): string | null => {
  const location = headers.get("location")
  return location === null ? null : withoutReference(location)
}

/** `name=value` of every cookie that an answer sets. */
export const cookieOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ")
