/**
 * `createAuth`, the layers and the handler of `node:http` are one library: a request of the differential corpus goes
 * through the handler of `createAuth` and through another entry point, with the same bytes of chance and the same clock, and the answers are the
 * same to the byte. So is what was done for them: calls of the application, of its store and of providers, events and logs.
 * Requests to the handler go over a socket; the few that no client can send there are counted.
 *
 * Additions of a server are allowed and checked: a `content-length` that is the length of the body. A handler that knows the connection
 * gives advice about it, which `test/server/Addresses.test.ts` checks. Requests outside of the base
 * path are the application's own on a router; they are counted and left out. `DOORMAN_DIFF_RUNS` and `DOORMAN_DIFF_SEED` are
 * those of the tests beside this one.
 */
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { Agent, createServer, METHODS, request as nodeRequest } from "node:http"
import { buffer } from "node:stream/consumers"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { requestUrl } from "../../src/config/HostPolicy.ts"
import { isAuthAction } from "../../src/index.ts"
import { plainEngine } from "../../src/http/PlainExchange.ts"
import { type NodeHandler, toNodeHandler } from "../../src/node.ts"
import type * as ServerEngine from "../../src/server/ServerEngine.ts"
import type { Options } from "../../src/config/Settings.ts"
import { Doorman, type DoormanOptions } from "../../src/Doorman.ts"
import * as Access from "../../src/Access.ts"
import * as Http from "../../src/Http.ts"
import { repetitions } from "../Repetitions.ts"
import { comparePlays, describeDifference } from "./Compare.ts"
import { corpus } from "./corpus/Corpus.ts"
import { emailLinks } from "./corpus/EmailLinks.ts"
import { linking } from "./corpus/Linking.ts"
import { visits } from "./corpus/Sequences.ts"
import { oauth, scenario } from "./corpus/Table.ts"
import { storedConfigurations } from "./corpus/StoredConfiguration.ts"
import { storedSessions } from "./corpus/StoredSessions.ts"
import { storedSignIns } from "./corpus/StoredSignIns.ts"
import { countHostsFrom, FakeProvider } from "./FakeProvider.ts"
import { generate } from "./Generator.ts"
import { givenCookies } from "./GivenCookies.ts"
import { type Config, type Implementation, ours } from "./Implementation.ts"
import { withStillClock } from "./Run.ts"
import { type Kit, play, type Scenario, secret, start } from "./Scenario.ts"
import { generateStored } from "./StorageGenerator.ts"
import { Store } from "./Store.ts"

const chance = vi.hoisted(() => ({ seed: "", draws: 0, bytes: (size: number): Uint8Array => new Uint8Array(size) }))

chance.bytes = (size) => {
  chance.draws++
  const hash = createHash("shake256", { outputLength: size })
  return new Uint8Array(hash.update(`${chance.seed} ${chance.draws}`).digest())
}

beforeAll(() => {
  vi.spyOn(console, "warn").mockImplementation(() => undefined)
  vi.spyOn(globalThis.crypto, "getRandomValues").mockImplementation((array) => {
    if (array instanceof Uint8Array) array.set(chance.bytes(array.length))
    return array
  })
})
afterAll(() => vi.restoreAllMocks())

/** An answer as it goes over the wire. */
interface Sent {
  readonly method: string
  readonly url: string
  readonly status: number
  readonly headers: ReadonlyArray<string>
  readonly cookies: ReadonlyArray<string>
  readonly length: string | null
  readonly body: Buffer
}

/** The result of one request: an answer, or a thrown error. */
type Told = Sent | { readonly method: string; readonly url: string; readonly thrown: unknown }

/** A door, as an implementation that writes down what it answered. */
interface Door extends Implementation {
  readonly told: Array<Told>
}

const door = (base: Implementation, number: string, answer: Implementation["Auth"]): Door => {
  const told: Array<Told> = []
  return {
    ...base,
    told,
    Auth: async (request, config) => {
      chance.seed = `${number} ${told.length}`
      chance.draws = 0
      const { method, url } = request
      try {
        const response = await answer(request, config)
        assert.instanceOf(response, Response)
        const headers = [...response.headers].filter(([name]) => name !== "set-cookie" && name !== "content-length")
        const length = response.headers.get("content-length")
        const body = Buffer.from(await response.clone().arrayBuffer())
        told.push({
          method,
          url,
          status: response.status,
          headers: headers.map(([name, value]) => `${name}: ${value}`),
          cookies: response.headers.getSetCookie(),
          length,
          body
        })
        return response
      } catch (thrown) {
        told.push({ method, url, thrown })
        throw thrown
      }
    }
  }
}

type Handler = (request: Request) => Promise<Response>

/** The handler of `createAuth` for each configuration. */
const facadeOf = ({ make }: typeof ServerEngine): Implementation["Auth"] => {
  const made = new Map<Config, Handler>()
  return (request, config) => {
    const options = config as unknown as Options
    const handler = made.get(config) ?? make(options, new Set(), options).handler
    made.set(config, handler)
    return handler(request)
  }
}

/** An entry point beside the facade. */
interface Entry {
  /** `undefined` for a request that cannot be sent there. */
  readonly answer: (request: Request, config: Config) => Promise<Response | undefined>
  readonly close: () => Promise<void>
}

/** Headers that belong to the connection, not to the request. */
const ofConnection: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "keep-alive",
  "transfer-encoding",
  "upgrade"
])

/** The handler of `node:http`, behind a socket. */
const onSocket = async ({ make }: typeof ServerEngine): Promise<Entry> => {
  const made = new Map<Config, NodeHandler>()
  const asked: { handler: NodeHandler; encrypted: boolean } = { handler: () => undefined, encrypted: false }
  const server = createServer((incoming, outgoing) => {
    Object.assign(incoming.socket, { encrypted: asked.encrypted })
    asked.handler(incoming, outgoing)
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const port = typeof address === "object" ? address?.port : undefined
  const agent = new Agent({ keepAlive: true })
  const handlerOf = (config: Config): NodeHandler => {
    const options = config as unknown as Options
    const engine = make(options, new Set(), options)
    const handler = Object.assign(engine.handler, { [plainEngine]: () => engine.plain })
    return toNodeHandler({ basePath: basePathOf(config), requestUrl: (one) => requestUrl(one, options), handler })
  }
  const send = async (request: Request, { host, pathname, search }: URL, body: Uint8Array): Promise<Response> => {
    const headers = { ...Object.fromEntries(request.headers), host }
    const path = `${pathname}${search}`
    const sent = nodeRequest({ agent, port, method: request.method, path, headers, setHost: false })
    sent.end(body)
    const [answer] = await once(sent, "response")
    const received = new Headers()
    for (let at = 0; at < answer.rawHeaders.length; at += 2) {
      const [name, value] = answer.rawHeaders.slice(at, at + 2)
      if (name !== "Date" && !ofConnection.has(name.toLowerCase())) received.append(name, value)
      if (name.toLowerCase() === "content-length") received.set(name, value)
    }
    const bytes = await buffer(answer)
    return new Response(bytes.length === 0 ? null : new Uint8Array(bytes), {
      status: answer.statusCode,
      headers: received
    })
  }
  return {
    answer: async (request, config) => {
      const url = new URL(request.url)
      const isSendable =
        METHODS.includes(request.method) &&
        /^https?:$/.test(url.protocol) &&
        ![...request.headers.keys()].some((name) => ofConnection.has(name))
      const body = isSendable
        ? await request
            .clone()
            .bytes()
            .catch(() => undefined)
        : undefined
      if (body === undefined) return undefined
      asked.handler = made.get(config) ?? handlerOf(config)
      asked.encrypted = url.protocol === "https:"
      made.set(config, asked.handler)
      return send(request, url, body)
    },
    close: async () => {
      agent.destroy()
      server.close()
      server.closeAllConnections()
      await once(server, "close")
    }
  }
}

/** The layers on a router of their own for each configuration. */
const onRouter = async (): Promise<Entry> => {
  const made = new Map<Config, { readonly handler: Handler; readonly dispose: () => Promise<void> }>()
  return {
    answer: (request, config) => {
      const known =
        made.get(config) ??
        HttpRouter.toWebHandler(
          Http.layer(Access.Default).pipe(
            // the corpus writes configurations without types, as it does for the facade
            Layer.provide(Doorman.layer(config as unknown as DoormanOptions)),
            Layer.provide(FetchHttpClient.layer),
            Layer.provide(HttpServer.layerServices)
          ),
          { disableLogger: true }
        )
      made.set(config, known)
      return known.handler(request)
    },
    close: async () => {
      for (const { dispose } of made.values()) await dispose()
    }
  }
}

/** The scenario without what only one door has, and with cookies that are the same for both. */
const settled = async (given: Scenario, implementation: Implementation): Promise<Scenario> => {
  const config = (kit: Kit): Config => {
    const { raw: _, ...rest } = Object.fromEntries(Object.entries(given.config(kit)))
    return rest
  }
  const sample: Config = {
    secret,
    ...config({ implementation, idp: new FakeProvider(), store: new Store(), mails: [], spy: (_, f) => f })
  }
  const { secret: secrets } = sample
  const held = new Map(given.held)
  for (const state of given.given) {
    const known = typeof secrets === "string" || Array.isArray(secrets) ? secrets : secret
    for (const [name, value] of await givenCookies(state, { secret: known, origin: given.origin, config: sample }))
      held.set(name, value)
  }
  return { ...given, given: [], held: [...held], config }
}

interface Tally {
  requests: number
  unsent: number
  outside: number
  refused: number
  cookies: number
  readonly differences: Array<string>
}

const basePathOf = (config: Config): string =>
  typeof config["basePath"] === "string" ? config["basePath"].replace(/\/+$/, "") : "/auth"

const isBelow = (basePath: string, url: string): boolean => {
  const { pathname } = new URL(url)
  // At the root the rest of the site is the application's.
  if (basePath === "") return isAuthAction(pathname.split("/")[1] ?? "")
  return pathname === basePath || pathname.startsWith(`${basePath}/`)
}

const lines = (sent: Sent): ReadonlyArray<string> => [
  `status ${sent.status}`,
  ...sent.headers.toSorted(),
  ...sent.cookies.map((cookie) => `set-cookie: ${cookie}`),
  `body ${sent.body.toString("latin1")}`
]

/** The differences between two answers to one request. */
const difference = (left: Sent, right: Sent): string | undefined => {
  const [a, b] = [lines(left), lines(right)]
  const only = (mine: ReadonlyArray<string>, theirs: ReadonlyArray<string>): string =>
    mine.filter((line, at) => !theirs.includes(line) || theirs[at] !== line).join("\n      ")
  if (a.join("\n") !== b.join("\n")) return `facade ${only(a, b)}\n    other ${only(b, a)}`
  const lengths = [left, right].map(({ length }) => length).filter((length) => length !== null)
  if (left.method !== "HEAD" && lengths.some((length) => Number(length) !== left.body.length)) return "content-length"
  return undefined
}

/** A kind of entry point. */
interface Kind {
  readonly name: string
  /** The facade's input for a request through such an entry point. */
  readonly prepare: (request: Request) => Request
  /** Loads what it needs; the result opens one. */
  readonly load: () => Promise<() => Promise<Entry>>
}

const layers: Kind = { name: "the layers", prepare: (request) => request, load: () => Promise.resolve(onRouter) }

const handler: Kind = {
  name: "the handler of node:http",
  prepare: (request) => {
    const headers = new Headers(request.headers)
    headers.set("connection", "keep-alive")
    headers.set("host", new URL(request.url).host)
    return new Request(request, { headers })
  },
  // A copy of its own: what the process remembers of a request, such as that a code is used up, is not that of the facade.
  load: async () => {
    vi.resetModules()
    const engine = await import("../../src/server/ServerEngine.ts")
    return () => onSocket(engine)
  }
}

/** Plays visits, so that what is loaded on demand belongs to these modules, and not to those that are loaded afterwards. */
const loadOnDemand = (library: Implementation, answer: Implementation["Auth"]): Promise<void> =>
  withStillClock(async () => {
    const clock = { set: (milliseconds: number) => void vi.setSystemTime(milliseconds) }
    const loading = door(
      library,
      "loading",
      async (request, config) => (await answer(request, config)) ?? Response.error()
    )
    for (const given of visits) await play(await settled(given, library), () => loading, clock)
  })

beforeAll(async () => {
  const entry = await onRouter()
  const library = await ours()
  await loadOnDemand(library, async (request, config) => (await entry.answer(request, config)) ?? Response.error())
  await entry.close()
})

/** The facade and the other entry, in modules of their own: what the process remembers of one kind does not concern the other. */
const loadBoth = async ({ load }: Kind) => {
  vi.resetModules()
  const library = await ours()
  const facade = facadeOf(await import("../../src/server/ServerEngine.ts"))
  await loadOnDemand(library, facade)
  return { library: { ...library, Auth: facade }, open: await load() }
}

const loaded = new Map<Kind, ReturnType<typeof loadBoth>>()

const compare = async (
  scenarios: ReadonlyArray<Scenario>,
  from: string,
  kind: Kind,
  change: (response: Response) => Response = (response) => response
): Promise<Tally> =>
  withStillClock(async () => {
    const { prepare } = kind
    const loading = loaded.get(kind) ?? loadBoth(kind)
    loaded.set(kind, loading)
    const { library, open } = await loading
    const tally: Tally = { requests: 0, unsent: 0, outside: 0, refused: 0, cookies: 0, differences: [] }
    const clock = { set: (milliseconds: number) => void vi.setSystemTime(milliseconds) }
    for (const [index, given] of scenarios.entries()) {
      clock.set(start)
      const scenario = await settled(given, library)
      const number = `${from} ${index}`
      const facade = door(library, number, (request, config) => library.Auth(prepare(request), config))
      countHostsFrom(index)
      const there = await play(scenario, () => facade, clock)
      const entry = await open()
      const other = door(library, number, async (request, config) => {
        const answer = await entry.answer(request, config)
        if (answer !== undefined) return change(answer)
        tally.unsent++
        return library.Auth(prepare(request), config)
      })
      countHostsFrom(index)
      let basePath = "/auth"
      const here = await play(
        {
          ...scenario,
          config: (kit) => {
            const config = scenario.config(kit)
            basePath = basePathOf(config)
            return config
          }
        },
        () => other,
        clock
      )
      await entry.close()
      assert.strictEqual(other.told.length, facade.told.length, given.name)
      const done = comparePlays(scenario, there, here).filter(
        ({ aspect }) => aspect !== "header.content-length" && !(aspect === "advice" && kind === handler)
      )
      for (const [step, left] of facade.told.entries()) {
        const right = other.told[step] ?? assert.fail()
        tally.requests++
        const where = `${given.name}, request ${step + 1}: ${left.method} ${left.url}`
        if (left.url !== right.url) tally.differences.push(`${where}\n    then ${right.url}`)
        else if ("thrown" in left || "thrown" in right) {
          if (isRefusal(left, right)) tally.refused++
          else
            tally.differences.push(`${where}\n    thrown ${"thrown" in right ? String(right.thrown) : "by the facade"}`)
        } else if (!isBelow(basePath, left.url)) tally.outside++
        else {
          const found = difference(left, right)
          tally.cookies += left.cookies.length
          if (found !== undefined) tally.differences.push(`${where}\n    ${found}`)
          else tally.differences.push(...done.filter(({ place }) => place.step === step).map(describeDifference))
        }
      }
    }
    return tally
  })

/** The facade answers a layer's failure as a problem of the configuration. */
const isRefusal = (left: Told, right: Told): boolean =>
  "thrown" in right &&
  right.thrown instanceof Error &&
  Reflect.get(right.thrown, "blame") === "operator" &&
  !("thrown" in left) &&
  (left.status === 500 || left.headers.some((line) => /^location: .*[?&]error=Configuration/.test(line)))

const report = ({ differences }: Tally): string =>
  `${differences.length === 0 ? "" : differences.length}${differences.slice(0, 12).join("\n")}`

const runs = (usual: number): number => Number(process.env["DOORMAN_DIFF_RUNS"] ?? usual)
const first = Number(process.env["DOORMAN_DIFF_SEED"] ?? 1)
const numbered = <A>(count: number, make: (number: number) => A): ReadonlyArray<A> =>
  Array.from({ length: count }, (_, index) => make(first + index))

/** Paths below the base path, as routers like to read them otherwise. */
const spellings: ReadonlyArray<string> = [
  "/auth",
  "/auth/",
  "/auth?x=1",
  "/auth;x",
  "/auth//",
  "/auth//session",
  "/auth/session//",
  "/auth/SESSION",
  "/auth/session?",
  "/auth/session?a=%zz",
  "/auth/session%",
  "/auth/%zz",
  "/auth/signin/%zz",
  "/auth/signin/%e0%a4%a",
  "/auth/callback/%ff%fe",
  "/auth/callback/acme%?code=x&state=y",
  "/auth/callback/acme%2f",
  "/auth/callback/acme;x=1?code=x",
  "/auth/callback/acme%3Fcode=x",
  "/auth/callback/acme%23",
  "/auth/%2e%2e/session",
  "/auth/./session",
  "/auth/signin/../session",
  "/auth/signin/:id",
  "/auth/signin/*",
  "/auth/*",
  "/auth/:x",
  "/auth/%2a",
  "/auth/se%73sion",
  `/auth/signin/${"x".repeat(101)}`,
  `/auth/callback/${"x".repeat(5000)}?code=x`,
  `/auth/${"a/".repeat(500)}`,
  "/auth/session\\x",
  "/auth/signin/é",
  "/auth/signin/%00",
  "/auth/session/?x",
  "/auth/csrf/;y"
]

const verbs: ReadonlyArray<string> = [
  "GET",
  "POST",
  "HEAD",
  "OPTIONS",
  "PUT",
  "PROPFIND",
  "QUERY",
  "BREW",
  "get",
  "patch"
]

const bases: ReadonlyArray<string> = [
  "/auth",
  "",
  "/a/b/c",
  "/a:b",
  "/:tenant/x",
  "/a*b/*",
  "/x(y)",
  "/a;b",
  "/A",
  "/a@b,c=d"
]

const quirks = (): ReadonlyArray<Scenario> => [
  ...spellings.flatMap((path) =>
    verbs.map((method) => scenario("spelling", `${method} ${path.slice(0, 60)}`, [{ make: { method, path } }]))
  ),
  ...bases.flatMap((basePath) =>
    [
      "/session",
      "/csrf",
      "/signin",
      "/signin/acme",
      "/callback/acme?code=x",
      "/signin/%zz",
      "/session//",
      "/nothing"
    ].map((path) =>
      scenario("base path", `${basePath}${path}`, [{ make: { path: `${basePath}${path}` } }], {
        config: (kit) => ({ providers: [oauth(kit)], basePath })
      })
    )
  )
]

/** Every scenario of a corpus at night. `Differential.test.ts` and those beside it play all of them through one door each time. */
const sampled = (all: ReadonlyArray<Scenario>, share: number): ReadonlyArray<Scenario> =>
  all.filter((_, index) => index % repetitions(share === 1 ? 4 : 8, 1) === 0)

/** Each with its scenarios; of random ones a share. */
const parts: ReadonlyArray<readonly [string, (share: number) => ReadonlyArray<Scenario>]> = [
  ["the corpus", (share) => sampled(corpus, share)],
  ["spellings of paths, and base paths", quirks],
  [
    "the corpus with storage",
    (share) => sampled([...storedSessions, ...linking, ...storedSignIns, ...storedConfigurations], share)
  ],
  ["the corpus of email links", (share) => sampled(emailLinks, share)],
  ["random visits", (share) => numbered(runs(repetitions(50, 1000)) * share, generate)],
  [
    "random visits with storage",
    (share) => numbered(runs(repetitions(15, 150)) * share, (number) => generateStored(number, { mail: false }))
  ],
  [
    "random visits with email links",
    (share) => numbered(runs(repetitions(10, 100)) * share, (number) => generateStored(number, { mail: true }))
  ]
]

describe.for([layers, handler])("the facade and $name", (kind) => {
  for (const [name, scenarios] of parts) {
    it(
      `answer alike: ${name}`,
      async () => {
        const list = scenarios(kind === layers ? 1 : 0.1)
        const tally = await compare(list, name, kind)
        if (process.env["DOORMAN_DIFF_TALLY"] !== undefined)
          console.info(name, list.length, { ...tally, differences: tally.differences.length })
        assert.strictEqual(report(tally), "")
        assert.isAbove(tally.requests - tally.outside - tally.refused - tally.unsent, list.length / 2)
      },
      Math.max(300_000, runs(0) * 50)
    )
  }
})

const withHeaders =
  (change: (headers: Headers) => void) =>
  (response: Response): Response => {
    const headers = new Headers(response.headers)
    change(headers)
    return new Response(response.body, { status: response.status, headers })
  }

const planted: ReadonlyArray<readonly [string, (response: Response) => Response]> = [
  ["another status", (response) => new Response(response.body, { status: 203, headers: response.headers })],
  ["a header more", withHeaders((headers) => headers.set("x-planted", "1"))],
  ["a header less", withHeaders((headers) => headers.delete("vary"))],
  ["another order of the cookies", withHeaders((headers) => reordered(headers, (lines) => lines.toReversed()))],
  ["a cookie less", withHeaders((headers) => reordered(headers, (lines) => lines.slice(1)))],
  ["a wrong length", withHeaders((headers) => headers.set("content-length", "1"))],
  ["another byte", (response) => new Response(response.body === null ? "x" : null, response)]
]

const reordered = (headers: Headers, change: (lines: Array<string>) => Array<string>): void => {
  const lines = change(headers.getSetCookie())
  headers.delete("set-cookie")
  for (const line of lines) headers.append("set-cookie", line)
}

describe("a difference is seen:", () => {
  for (const [name, change] of planted) {
    it.for([layers, handler])(`${name}, by $name`, async (kind) => {
      const { differences } = await compare(visits.slice(0, 2), name, kind, change)
      assert.isNotEmpty(differences)
    })
  }
})
