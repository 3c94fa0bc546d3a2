/**
 * The story of a request, as `debug` tells it: which messages there are, and what they show and do not show.
 */
import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as References from "effect/References"
import * as HandleAction from "../../src/composition/HandleAction.ts"
import { AuthRequest, fromWeb } from "../../src/http/AuthRequest.ts"
import { Doorman } from "../../src/Doorman.ts"
import type { Options } from "../../src/config/Settings.ts"
import { customFetch } from "../../src/index.ts"
import { makeMemory } from "../../src/Adapter.ts"
import { idp, memoryProvider } from "../MemoryProvider.ts"
import { forLayer } from "../ForLayer.ts"
import { acme, facade, options, visitor } from "../Visitor.ts"

type Entry = readonly [message: string, metadata: Readonly<Record<string, unknown>>]

/** Calls of a debug function of the options. */
const heard = () => {
  const entries: Array<Entry> = []
  const logger = {
    error: () => undefined,
    warn: () => undefined,
    debug: (message: string, metadata?: unknown) => void entries.push([message, metadata as Entry[1]])
  }
  return {
    logger,
    entries,
    of: (message: string) => entries.filter(([name]) => name === message).map(([, metadata]) => metadata)
  }
}

/** A sign-in at a provider, with the provider's own words on the way back. */
const signIn = async (more: Partial<Options>, change: (back: URL) => void = () => undefined) => {
  const provider = memoryProvider()
  const listening = heard()
  const browser = visitor(
    facade(
      options({
        providers: [
          { ...idp(), [customFetch]: (url: string, init?: RequestInit) => provider.fetch(new Request(url, init)) }
        ],
        logger: listening.logger,
        ...more
      } as Partial<Options>)
    )
  )
  const { headers } = await browser.submit("/auth/signin/idp")
  const location = headers.get("location") ?? ""
  const back = provider.agree(location, "code-4711-abcdefghijklmnopqrstuvwxyz")
  change(back)
  const response = await browser.get(back.pathname + back.search)
  return { ...listening, provider, browser, location: new URL(location), response }
}

/** The arguments of a call of an adapter. */
const argumentsOf = (entry: Entry[1] | undefined) =>
  (entry?.["args"] ?? []) as ReadonlyArray<Readonly<Record<string, unknown>>>

const everything = (entries: ReadonlyArray<Entry>): string => JSON.stringify(entries)

describe("the story of a sign-in at a provider", () => {
  it("names the request, the address, the answers of the provider, the callbacks and the answer", async () => {
    const callbacks = { signIn: () => true, jwt: ({ token }: { readonly token: object }) => token }
    const { entries, of } = await signIn({
      debug: true,
      callbacks: callbacks as never,
      events: { signIn: () => undefined }
    })
    const [ready] = of("authorization url is ready")
    assert.match(String(ready?.["url"]), /^https:\/\/idp\.example\/authorize\?/)
    for (const part of ["client_id=client-1", "response_type=code", "state=[redacted]", "code_challenge=[redacted]"]) {
      assert.include(String(ready?.["url"]), part)
    }
    assert.deepStrictEqual(
      of("provider_response").map(({ endpoint, status, url }) => [endpoint, status, url]),
      [
        ["discovery document", 200, "https://idp.example/.well-known/openid-configuration"],
        ["token endpoint", 200, "https://idp.example/token"],
        ["key set", 200, "https://idp.example/keys"]
      ]
    )
    assert.strictEqual(of("callback_signIn")[0]?.["answer"], true)
    assert.include(of("callback_jwt")[0]?.["members"] as Array<string>, "sub")
    assert.strictEqual(of("event_signIn").length, 1)
    const [, answer] = of("response").slice(-2)
    assert.deepInclude(answer, { status: 302, location: "https://app.example" })
    const [first] = of("request")
    assert.deepInclude(first, { method: "GET", action: "csrf", origin: "https://app.example" })
    for (const [, metadata] of entries) assert.match(String(metadata["requestId"]), /^[\w.-]{8,64}$/)
  })

  it("names the rule that refused", async () => {
    const { of, response } = await signIn({ debug: true }, (back) => back.searchParams.set("state", "another"))
    assert.include(response.headers.get("location"), "flow_mismatch")
    assert.deepInclude(of("response").at(-1), { status: 302, failure: "InvalidCheck" })
    assert.include(String(of("response").at(-1)?.["location"]), "error=OAuthCallbackError&code=flow_mismatch")
  })

  it("names an address of a client that is refused, by its site alone", async () => {
    const { entries, logger, of } = heard()
    await visitor(facade(options({ logger, debug: true }))).submit("/auth/signout", {
      callbackUrl: "https://user:pass@evil.example/secret-path-4711"
    })
    assert.deepInclude(of("callback_url")[0], { refused: "https://evil.example" })
    assert.notInclude(everything(entries), "secret-path")
  })

  it("names the status of a provider that refuses", async () => {
    const provider = memoryProvider()
    provider.script["/token"] = () => Response.json({ error: "invalid_client" }, { status: 401 })
    const listening = heard()
    const fetcher = (url: string, init?: RequestInit) => provider.fetch(new Request(url, init))
    const config = options({
      providers: [{ ...idp(), [customFetch]: fetcher } as never],
      logger: listening.logger,
      debug: true
    })
    const browser = visitor(facade(config))
    const { headers } = await browser.submit("/auth/signin/idp")
    const back = provider.agree(headers.get("location") ?? "", "code-1")
    await browser.get(back.pathname + back.search)
    assert.deepInclude(listening.of("provider_response").at(-1), { endpoint: "token endpoint", status: 401 })
    assert.deepInclude(listening.of("authorization result")[0], { failed: "OAuthCallbackError/provider_error" })
  })

  it("is not passed to a debug function alone", async () => {
    const { entries } = await signIn({ debug: false })
    assert.deepStrictEqual(entries, [])
  })

  it("shows no secret", async () => {
    const { browser, entries, location, provider } = await signIn({
      debug: true,
      adapter: makeMemory(),
      session: { strategy: "database" }
    })
    await browser.session()
    await browser.submit("/auth/signout")
    const secrets = [
      "code-4711",
      location.searchParams.get("state"),
      location.searchParams.get("nonce"),
      location.searchParams.get("code_challenge"),
      ...provider.issued,
      ...[...browser.cookies].flatMap(([name, value]) => (name.endsWith("callback-url") ? [] : [value])),
      options().secret as string
    ]
    assert.isAbove(entries.length, 20)
    const text = everything(entries)
    for (const secret of secrets) if (typeof secret === "string" && secret.length > 8) assert.notInclude(text, secret)
    const email = String(provider.claims["email"] ?? "")
    assert.isTrue(text.includes(email))
  })
})

describe("calls of an adapter", () => {
  it("have their arguments and results, and the linking rule its reason", async () => {
    const { of } = await signIn({ debug: true, adapter: makeMemory(), session: { strategy: "database" } })
    assert.deepInclude(of("account_linking")[0], {
      decision: "create",
      because: "No user has the account or the address.",
      account: "unknown"
    })
    const [args] = argumentsOf(of("adapter_createUser")[0])
    const result = of("adapter_createUser_result")[0]?.["result"] as Record<string, unknown>
    assert.strictEqual(typeof args?.["id"], "string")
    assert.strictEqual(result["id"], args?.["id"])
    const [linked] = argumentsOf(of("adapter_linkAccount")[0])
    assert.deepInclude(linked, { provider: "idp", access_token: "[redacted]", id_token: "[redacted]" })
    const [session] = argumentsOf(of("adapter_createSession")[0])
    assert.deepInclude(session, { sessionToken: "[redacted]", userId: args?.["id"] })
  })

  it("of promises are logged alike, and a failure by its name", async () => {
    const adapter = {
      getUserByAccount: () => Promise.resolve(null),
      getUserByEmail: () => Promise.resolve(null),
      createUser: () => Promise.reject(new Error("disk full")),
      getUser: () => Promise.resolve(null),
      updateUser: (user: object) => Promise.resolve(user),
      linkAccount: () => Promise.resolve()
    }
    const { of } = await signIn({ debug: true, adapter, session: { strategy: "jwt" } })
    assert.deepStrictEqual(of("adapter_getUserByAccount")[0]?.["args"], [
      { provider: "idp", providerAccountId: "[redacted]" }
    ])
    assert.deepInclude(of("adapter_getUserByAccount_result")[0], { result: null })
    assert.deepInclude(of("adapter_createUser_result")[0], { failed: "AdapterError/unavailable" })
  })
})

describe("without debug", () => {
  const lines: Array<string> = []
  beforeEach(() => {
    lines.length = 0
    for (const level of ["error", "warn", "info", "debug", "log"] as const) {
      vi.spyOn(console, level).mockImplementation((...words: Array<unknown>) => void lines.push(words.join(" ")))
    }
  })
  afterEach(() => vi.restoreAllMocks())

  it("nothing is logged", async () => {
    const { logger: _, ...rest } = options({ providers: [acme()] })
    await visitor(facade(rest)).submit("/auth/signin/acme")
    assert.deepStrictEqual(lines, [])
  })

  it("and with it, each message is a line with its metadata", async () => {
    const { logger: _, ...rest } = options({ providers: [acme()], debug: true })
    await visitor(facade(rest)).submit("/auth/signin/acme")
    const line = lines.find((one) => one.includes("authorization url is ready")) ?? ""
    assert.match(
      line,
      /^\[auth\]\[debug\] authorization url is ready \{"provider":"acme","url":"https:\/\/acme\.example\//
    )
  })
})

describe("in an Effect application", () => {
  const told = (more: Partial<Options>) =>
    Effect.gen(function* () {
      const entries: Array<readonly [string, unknown]> = []
      const logger = Logger.make<unknown, void>(({ logLevel, message }) => void entries.push([logLevel, message]))
      yield* Effect.gen(function* () {
        const { services, settings } = yield* Doorman
        const request = yield* fromWeb(new Request("https://app.example/auth/session"), settings.basePath)
        yield* Effect.provideContext(Effect.provideService(HandleAction.handle, AuthRequest, request), services)
      }).pipe(
        Effect.provide(
          Doorman.layer(forLayer({ providers: [], secret: options().secret, origin: "https://app.example", ...more }))
        ),
        Effect.provide([FetchHttpClient.layer, Logger.layer([logger])])
      )
      return entries.flatMap(([level, message]) => (Array.isArray(message) ? [[level, message[0]]] : []))
    })

  it.gen("the messages go to its own loggers", function* () {
    assert.deepInclude(yield* told({ debug: true }), ["Debug", "request"])
    assert.deepInclude(yield* told({ debug: true }), ["Debug", "response"])
  })

  it.gen("there are none without the option, at any level", Effect.provide(Layer.empty), function* () {
    assert.deepStrictEqual(
      (yield* Effect.provideService(told({}), References.MinimumLogLevel, "All")).filter(
        ([level]) => level === "Debug"
      ),
      []
    )
  })
})
