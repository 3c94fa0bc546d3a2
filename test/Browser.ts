/**
 * A browser at a site whose programs run under the clock of the test: cookies are kept as browsers keep them.
 *
 * The network is a provider in memory, and what the programs log is collected.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as References from "effect/References"
import { TestClock } from "effect/testing"
import * as HandleAction from "../src/composition/HandleAction.ts"
import { Settings, type Options } from "../src/config/Settings.ts"
import { AuthRequest, fromWeb } from "../src/http/AuthRequest.ts"
import * as AuthResponse from "../src/http/AuthResponse.ts"
import type { AuthError } from "../src/Errors.ts"
import type * as Services from "../src/composition/Services.ts"
import { layer as servicesLayer } from "./ServicesLayer.ts"
import { LogLimit, makeLogLimiter } from "../src/Telemetry.ts"
import { idp, type MemoryProvider, memoryProvider } from "./MemoryProvider.ts"
import { countedBytes, locationOf, password, secret, site } from "./Visitor.ts"
import { forLayer } from "./ForLayer.ts"

/** Milliseconds since 1970 at which every test begins. */
export const start = 1_800_000_000_000

/** Waits until whatever was forked waits for the clock or for nothing that will come. */
export const settled = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

/** Log entries, one for each call. */
export interface Log {
  readonly entries: Array<{ readonly level: string; readonly message: unknown }>
}

export const config = (more: Partial<Options> = {}): Options => ({
  secret,
  trustHost: true,
  basePath: "/auth",
  providers: [idp(), password()],
  ...more
})

/** The services of a configuration, a provider and a log that belong to one test. */
export const world = (
  options: Options,
  provider: MemoryProvider = memoryProvider(),
  log: Log = { entries: [] },
  bytes = countedBytes()
) =>
  servicesLayer(forLayer(options)).pipe(
    Layer.provideMerge(bytes),
    Layer.provide(provider.layer),
    Layer.merge(
      Logger.layer([
        Logger.make(({ logLevel, message }) => {
          for (const one of Array.isArray(message) ? message : [message]) {
            log.entries.push({ level: logLevel, message: one })
          }
        })
      ])
    ),
    Layer.merge(Layer.succeed(References.MinimumLogLevel, "All")),
    Layer.merge(Layer.sync(LogLimit, makeLogLimiter)),
    Layer.tap(() => TestClock.setTime(start))
  )

/** Runs a program in such a world. */
export const at =
  (options: Options = config(), provider?: MemoryProvider, log?: Log) =>
  <A, E>(program: Effect.Effect<A, E, Services.Services>) =>
    Effect.provide(program, world(options, provider, log))

/** One person at a site, with its provider and its log. */
export const visit = (options: Options = config()) => {
  const provider = memoryProvider()
  const log: Log = { entries: [] }
  return { person: browser(), provider, log, at: at(options, provider, log) }
}

/** An answer as a test looks at it. */
export interface Seen {
  readonly status: number
  readonly headers: Headers
  /** `Set-Cookie` lines. */
  readonly lines: ReadonlyArray<string>
  /** Without the name of the request. */
  readonly location: string | null
  readonly body: string
  readonly data: AuthResponse.AuthResponse
  readonly failure: AuthError | undefined
}

interface Extra {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Browser {
  readonly cookies: Map<string, string>
  readonly send: (method: string, url: string | URL, extra?: Extra) => Effect.Effect<Seen, AuthError, Services.Services>
  readonly get: (
    path: string | URL,
    headers?: Readonly<Record<string, string>>
  ) => Effect.Effect<Seen, AuthError, Services.Services>
  /** Posts a form, with this browser's token. */
  readonly submit: (
    path: string,
    fields?: Readonly<Record<string, string>>
  ) => Effect.Effect<Seen, AuthError, Services.Services>
  /** Starts a sign-in; the address at the provider. */
  readonly leave: (
    providerId?: string,
    fields?: Readonly<Record<string, string>>
  ) => Effect.Effect<string, AuthError, Services.Services>
  readonly signInWithPassword: (username?: string) => Effect.Effect<Seen, AuthError, Services.Services>
  readonly session: Effect.Effect<
    { user?: Record<string, unknown>; expires: string } | null,
    AuthError,
    Services.Services
  >
}

/** Name, value and whether it is a deletion, of a `Set-Cookie` line. */
export const cookieOf = (line: string): { readonly name: string; readonly value: string; readonly gone: boolean } => {
  const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
  return { name, value, gone: /; Max-Age=0(?:;|$)/.test(line) }
}

/** The attributes of a `Set-Cookie` line, by lower-case name. */
export const attributesOf = (line: string): Record<string, string> =>
  Object.fromEntries(
    line
      .split("; ")
      .slice(1)
      .map((one) => one.split("=", 2))
      .map(([name = "", value = ""]): [string, string] => [name.toLowerCase(), value])
  )

export const browser = (origin = site): Browser => {
  const cookies = new Map<string, string>()
  const send: Browser["send"] = Effect.fnUntraced(function* (method, url, extra = {}) {
    const headers = new Headers(extra.headers)
    if (cookies.size > 0 && !headers.has("cookie")) {
      headers.set("cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "))
    }
    const { basePath } = yield* Settings
    const request = new Request(new URL(url, origin), { method, headers, body: extra.body ?? null })
    const read = yield* fromWeb(request, basePath)
    const { failure, response } = yield* Effect.provideService(HandleAction.handle, AuthRequest, read)
    const web = AuthResponse.toWeb(response)
    const lines = web.headers.getSetCookie()
    for (const line of lines) {
      const { gone, name, value } = cookieOf(line)
      if (gone) cookies.delete(name)
      else cookies.set(name, value)
    }
    const body = yield* Effect.promise(() => web.text())
    return { status: web.status, headers: web.headers, lines, location: locationOf(web), body, data: response, failure }
  })
  const get: Browser["get"] = (path, headers) => send("GET", path, headers === undefined ? {} : { headers })
  const submit: Browser["submit"] = Effect.fnUntraced(function* (path, fields = {}) {
    const { body } = yield* get("/auth/csrf")
    const { csrfToken } = JSON.parse(body) as { csrfToken: string }
    return yield* send("POST", path, {
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ csrfToken, ...fields }).toString()
    })
  })
  return {
    cookies,
    send,
    get,
    submit,
    leave: (providerId = "idp", fields = {}) =>
      Effect.map(submit(`/auth/signin/${providerId}`, fields), ({ location }) => location ?? ""),
    signInWithPassword: (username = "ann") => submit("/auth/callback/credentials", { username, password: "pw" }),
    session: Effect.map(get("/auth/session"), ({ body }) => JSON.parse(body))
  }
}

/** A whole sign-in at a provider in memory. */
export const signInAt = Effect.fnUntraced(function* (
  visitor: Browser,
  provider: MemoryProvider,
  fields: Readonly<Record<string, string>> = {}
) {
  const away = yield* visitor.leave("idp", fields)
  return yield* visitor.get(provider.agree(away))
})
