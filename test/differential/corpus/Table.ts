/**
 * The small vocabulary the tables of the corpus are written in: one call per scenario, everything unsaid is the default.
 */
import type { Fault } from "../FakeProvider.ts"
import type { CookieState } from "../GivenCookies.ts"
import type { Config } from "../Implementation.ts"
import { defaultOrigin, type Kit, type Past, type PlannedStep, type Scenario, type Step } from "../Scenario.ts"
import type { Seed } from "../Store.ts"

/** Members of a scenario besides its steps. */
export interface Options {
  readonly origin?: string
  readonly given?: ReadonlyArray<CookieState>
  readonly faults?: ReadonlyArray<Fault>
  readonly openid?: boolean
  readonly held?: ReadonlyArray<readonly [string, string]>
  readonly seed?: Seed
  readonly traits?: ReadonlyArray<string>
  readonly environment?: Readonly<Record<string, string>>
  readonly perRequest?: boolean
  readonly production?: boolean
  readonly config?: (kit: Kit) => Config
}

/** A scenario. */
export const scenario = (
  group: string,
  name: string,
  steps: ReadonlyArray<PlannedStep>,
  options: Options = {}
): Scenario => ({
  group,
  name: `${group}: ${name}`,
  origin: options.origin ?? defaultOrigin,
  given: options.given ?? [],
  faults: options.faults ?? [],
  openid: options.openid ?? false,
  held: options.held ?? [],
  seed: options.seed ?? {},
  traits: options.traits ?? [],
  ...(options.environment === undefined ? {} : { environment: options.environment }),
  ...(options.perRequest === undefined ? {} : { perRequest: options.perRequest }),
  ...(options.production === undefined ? {} : { production: options.production }),
  config: options.config ?? ((kit) => ({ providers: [oauth(kit), password(kit)] })),
  steps
})

/** A GET request. */
export const get = (path: string, more: Omit<Step, "path" | "method"> = {}): PlannedStep => ({
  make: { path, ...more }
})

/** A POST request with a form; the CSRF token of the browser's cookie is sent unless said otherwise. */
export const post = (
  path: string,
  form: Readonly<Record<string, string>> = {},
  more: Omit<Step, "path" | "method" | "form"> = {}
): PlannedStep => ({ make: { method: "POST", path, form, csrf: "held", ...more } })

/** A POST request without a CSRF token. */
export const bare = (path: string, more: Omit<Step, "path" | "method"> = {}): PlannedStep => ({
  make: { method: "POST", path, ...more }
})

/** A request computed from what came before. */
export const computed = (make: (past: Past) => Step): PlannedStep => ({ make })

/** This request, some seconds later. */
export const after = (seconds: number, step: PlannedStep): PlannedStep => ({ ...step, seconds })

/** The last place the browser was sent to. */
export const lastLocation = (past: Past): string =>
  past.locations.filter((location) => location !== undefined).at(-1) ?? ""

/** The browser comes back from the provider: follows the last redirect, agrees, and asks for the callback. */
export const comeBack = (change: (back: URL) => void = () => undefined, more: Omit<Step, "path"> = {}): PlannedStep =>
  computed((past) => {
    const location = lastLocation(past)
    const back =
      URL.canParse(location) && new URL(location).host === past.idp.host
        ? past.idp.authorize(location)
        : new URL("/auth/callback/acme?code=none&state=none", past.origin)
    change(back)
    return { path: `${back.pathname}${back.search}`, ...more }
  })

/** Fields of a provider. */
export type Fields = Record<PropertyKey, unknown>

/** A function of the application that throws. */
export const fails = (): never => {
  throw new Error("no")
}

/** An OAuth 2.0 provider with fixed endpoints. */
export const oauth = (kit: Kit, more: Fields = {}): Fields => ({
  id: "acme",
  name: "Acme",
  type: "oauth",
  authorization: `${kit.idp.issuer}/authorize`,
  token: `${kit.idp.issuer}/token`,
  userinfo: `${kit.idp.issuer}/userinfo`,
  clientId: "client-1",
  clientSecret: "client-secret-1",
  [kit.implementation.customFetch]: kit.idp.fetch,
  ...more
})

/** An OpenID provider found by discovery. */
export const oidc = (kit: Kit, more: Fields = {}): Fields => ({
  id: "acme",
  name: "Acme",
  type: "oidc",
  issuer: kit.idp.issuer,
  clientId: "client-1",
  clientSecret: "client-secret-1",
  [kit.implementation.customFetch]: kit.idp.fetch,
  ...more
})

/** A credentials provider that knows one user. */
export const password = (kit: Kit, more: Fields = {}): Fields => ({
  id: "password",
  name: "Password",
  type: "credentials",
  credentials: { username: { label: "Name" }, password: { label: "Password", type: "password" } },
  authorize: kit.spy("authorize", (given: Record<string, unknown>): unknown =>
    given["username"] === "ada" && given["password"] === "secret"
      ? { id: "user-1", name: "Ada", email: "ada@example.com" }
      : null
  ),
  ...more
})

/** A configuration whose callbacks answer like the defaults and are seen. */
export const watched = (kit: Kit, more: Config = {}): Config => ({
  providers: [oauth(kit), password(kit)],
  callbacks: {
    signIn: kit.spy("signIn", () => true),
    jwt: kit.spy("jwt", ({ token }: { readonly token: unknown }) => token),
    session: kit.spy("session", ({ session }: { readonly session: unknown }) => session)
  },
  ...more
})
