/**
 * A site on the library with a browser before it: an OAuth provider, an OpenID Connect provider and a mail server in memory,
 * a form of a name and a password, and ears for callbacks, events and the log.
 */
import { isShape } from "../../src/config/Bindings.ts"
import { Passkey } from "../../src/Provider/Passkey.ts"
import { type Visitor, visitor } from "../Visitor.ts"
import { create, type CreationOptions } from "../webauthn/SoftwareAuthenticator.ts"
import type { Library } from "./Library.ts"

export const origin = "https://app.example"
export const secret = "spec-secret-0123456789-abcdefghijklmnopqrstuvwxyz"
export const sessionCookie = "__Secure-authjs.session-token"
export const month = 2_592_000
export const day = 86_400

type Messages = Array<Record<string, unknown>>

/** Calls of the application's functions. */
export interface Heard {
  readonly errors: Array<Error>
  readonly warnings: Array<string>
  readonly debug: Array<string>
  /** Parameters of callbacks and messages of events by name; events begin with `on`. */
  readonly calls: Record<string, Messages>
  /** Links that were mailed. */
  readonly links: Array<string>
  /** Requests to the provider. */
  readonly sent: Array<{ readonly method: string; readonly url: URL; readonly type: string; readonly body: string }>
}

export interface Site extends Heard {
  readonly config: Record<string, unknown>
  readonly browser: Visitor
  readonly ask: (request: Request) => Promise<Response>
  /** Goes to the provider and comes back; the last answer. */
  readonly byProvider: (id?: string) => Promise<Response>
  /** Asks for a link and follows it; the answers to both. */
  readonly byLink: (email?: string) => Promise<readonly [Response, Response]>
  /** Opens a link and presses the button of its page; the last answer. */
  readonly follow: (link: string) => Promise<Response>
}

/** The answers of the provider; rows change them. */
export const grant: Readonly<Record<string, unknown>> = {
  access_token: "access-1",
  refresh_token: "refresh-1",
  token_type: "BEARER",
  expires_in: 3600,
  scope: "profile",
  authorization_details: [{ type: "account_information", actions: ["list"] }],
  tenant: "t-1"
}
export const profile: Readonly<Record<string, unknown>> = {
  sub: "sub-1",
  name: "Ada",
  email: "ada@example.com",
  email_verified: true,
  picture: "https://img.example/ada.png"
}

const acme = "https://acme.example"

/** Answers of the provider by path. */
const answers = (tokens: object, person: object): Readonly<Record<string, () => object>> => ({
  "/token": () => tokens,
  "/userinfo": () => person,
  "/.well-known/openid-configuration": () => ({
    issuer: acme,
    authorization_endpoint: `${acme}/authorize`,
    token_endpoint: `${acme}/token`,
    userinfo_endpoint: `${acme}/userinfo`,
    jwks_uri: `${acme}/keys`,
    response_types_supported: ["code"],
    code_challenge_methods_supported: ["S256"]
  })
})

export const fetcher =
  (heard: Pick<Heard, "sent">, tokens: object, person: object): typeof globalThis.fetch =>
  async (input, init) => {
    const request = new Request(input, init)
    const url = new URL(request.url)
    heard.sent.push({
      method: request.method,
      url,
      type: request.headers.get("content-type") ?? "",
      body: await request.text()
    })
    const answer = answers(tokens, person)[url.pathname]
    return answer === undefined ? new Response(null, { status: 404 }) : Response.json(answer())
  }

/** Options of `Auth`, and what the provider says. */
export interface Changes {
  readonly tokens?: object
  readonly profile?: object
  /** Members of the OAuth provider. */
  readonly provider?: object
  readonly [option: string]: unknown
}

const ear = (calls: Heard["calls"], name: string) => (message: Record<string, unknown>) => {
  calls[name] = [...(calls[name] ?? []), message]
}

const makeProviders = (library: Library, heard: Heard, changes: Changes): ReadonlyArray<object> => {
  const { profile: person = profile, provider = {}, tokens = grant } = changes
  const client = {
    clientId: "client-1",
    clientSecret: "client-secret-1",
    [library.customFetch]: fetcher(heard, tokens, person)
  }
  return [
    {
      id: "acme",
      name: "Acme",
      type: "oauth",
      authorization: `${acme}/authorize`,
      token: `${acme}/token`,
      userinfo: `${acme}/userinfo`,
      ...client,
      ...provider
    },
    { id: "company", name: "Company", type: "oidc", issuer: acme, checks: ["pkce", "state", "nonce"], ...client },
    {
      id: "credentials",
      name: "Password",
      type: "credentials",
      credentials: { username: { label: "Name" }, password: { label: "Password", type: "password" } },
      authorize: ({ password, username }: Record<string, string>) =>
        password === "pw" ? { id: `id of ${username}`, name: username, email: "ada@example.com", role: "admin" } : null
    },
    ...(changes["adapter"] === undefined
      ? []
      : [
          {
            id: "email",
            name: "Email",
            type: "email",
            from: "site@app.example",
            maxAge: 3600,
            sendVerificationRequest: ({ url }: { readonly url: string }) => void heard.links.push(url)
          }
        ])
  ]
}

/** Warnings that a site of this process received: some come once a process. */
export const warned = new Set<string>()

/** A site of the library; `changes` are options and what the provider says. */
export const makeSite = (library: Library, changes: Changes = {}): Site => {
  const heard: Heard = { errors: [], warnings: [], debug: [], calls: {}, links: [], sent: [] }
  const { callbacks, events, profile: _profile, provider: _provider, tokens: _tokens, ...options } = changes
  const names = ["createUser", "updateUser", "linkAccount", "session", "signIn", "signOut"]
  const config = {
    secret,
    trustHost: true,
    basePath: "/auth",
    providers: makeProviders(library, heard, changes),
    logger: {
      error: (error: Error) => void heard.errors.push(error),
      warn: (code: string) => {
        heard.warnings.push(code)
        warned.add(code)
      },
      debug: (message: string) => void heard.debug.push(message)
    },
    callbacks: {
      signIn: (params: Record<string, unknown>) => (ear(heard.calls, "signIn")(params), true),
      ...Object(callbacks)
    },
    events: { ...Object.fromEntries(names.map((name) => [name, ear(heard.calls, `on ${name}`)])), ...Object(events) },
    ...options
  }
  const ask = (request: Request) => library.Auth(request, given)
  // Functions take a store of promises.
  const { adapter }: { readonly adapter?: unknown } = options
  const given =
    typeof adapter === "object" && adapter !== null && isShape(adapter)
      ? { ...config, adapter: library.Adapter.toPromises(adapter) }
      : config
  const basePath = typeof changes["basePath"] === "string" ? changes["basePath"] : "/auth"
  const browser = visitor(ask, origin, basePath)
  const follow: Site["follow"] = async (link) => {
    const { pathname, search, searchParams } = new URL(link)
    const page = await browser.get(pathname + search)
    return page.status === 200 ? browser.submit(pathname, [...searchParams]) : page
  }
  return {
    ...heard,
    config,
    browser,
    ask,
    byProvider: async (id = "acme") => {
      const away = new URL((await browser.submit(`${basePath}/signin/${id}`)).headers.get("location") ?? "")
      const state = away.searchParams.get("state")
      return browser.get(`${basePath}/callback/${id}?code=code-1${state === null ? "" : `&state=${state}`}`)
    },
    byLink: async (email = "ada@example.com") => {
      const asked = await browser.submit(`${basePath}/signin/email`, { email })
      return [asked, await follow(heard.links.at(-1) ?? origin)]
    },
    follow
  }
}

/** The attributes of a cookie that an answer sets, by its name without prefix; `value` is its value. */
export const cookieOf = (response: Response, name: string): Record<string, string> | undefined => {
  for (const line of response.headers.getSetCookie()) {
    const [pair = "", ...attributes] = line.split("; ")
    const [key, value] = [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]
    if (key.replace(/^__(?:Secure|Host)-/, "") !== name) continue
    return Object.fromEntries([
      ["name", key],
      ["value", value],
      ...attributes.map((attribute) => {
        const [word = "", ...rest] = attribute.split("=")
        return [word.toLowerCase(), rest.join("=")]
      })
    ])
  }
  return undefined
}

/** The claims of the session cookie of a browser. */
export const claimsOf = (library: Library, browser: Visitor, salt = sessionCookie) =>
  library.decode({ token: browser.cookies.get(salt) ?? "", salt, secret })

/** Where an answer leads: path and `error`. */
export const destinationOf = (response: Response) => {
  const location = response.headers.get("location")
  if (location === null) return { status: response.status }
  const url = new URL(location, origin)
  return { status: response.status, path: url.pathname, error: url.searchParams.get("error") }
}

/** The members of an object that are named. */
export const pick = (value: unknown, ...names: ReadonlyArray<string>): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, Object(value)[name] as unknown]))

/** A site with passkeys and its store. */
export const passkeySite = (library: Library, experimental: object = { enableWebAuthn: true }) => {
  const store = library.Adapter.makeMemory()
  const site = makeSite(library, {
    adapter: library.Adapter.toPromises(store),
    experimental,
    session: { strategy: "jwt" },
    providers: [Passkey()]
  })
  return {
    ...site,
    store,
    /** Registers a key; the last answer. */
    register: async (): Promise<Response> => {
      const query = "action=register&email=ada%40example.com"
      const asked = await site.browser.get(`/auth/webauthn-options/passkey?${query}`)
      const { options } = (await asked.json()) as { readonly options: CreationOptions }
      const { data } = create(options, origin)
      return site.browser.post("/auth/callback/passkey", { action: "register", data: JSON.stringify(data) })
    }
  }
}

/** Runs a program, and keeps what the console would show of a level. */
export const listening = async <A>(
  lines: Array<string>,
  run: () => Promise<A>,
  level: "debug" | "warn" = "warn"
): Promise<A> => {
  const before = console[level]
  console[level] = (...words: ReadonlyArray<unknown>) => void lines.push(words.join(" "))
  try {
    return await run()
  } finally {
    console[level] = before
  }
}
