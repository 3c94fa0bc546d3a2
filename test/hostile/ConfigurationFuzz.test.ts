/**
 * Requests that are made up, at configurations of many shapes, through the function and through a server of Effect.
 *
 * `npm run fuzz -- <requests> <first number>` plays as many as one wants; `npm test` plays ten thousand.
 */
import { assert, describe, it } from "@effect/vitest"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { encode } from "../../src/index.ts"
import * as Auth from "../../src/Auth.ts"
import * as Http from "../../src/Http.ts"
import { secret, site, type Site, visitor } from "../Visitor.ts"
import { type Configured, configurations } from "./Configurations.ts"
import { generator, nearlyRight, request } from "./Requests.ts"

const runs = Number(process.env["DOORMAN_FUZZ_RUNS"] ?? 10_000)
const first = Number(process.env["DOORMAN_FUZZ_SEED"] ?? 1)

interface Entry {
  readonly configured: Configured
  readonly answer: Site
  readonly spare: ReadonlyArray<string>
  readonly anonymous: string
  readonly token: string
  readonly cookies: ReadonlyArray<string>
  /** Scripts of the library's own on the sign-in page. */
  readonly scripts: number
}

const scriptsIn = (html: string): number => html.split("<script>").length - 1

const quiet = Layer.mergeAll(Logger.layer([]), FetchHttpClient.layer, HttpServer.layerServices)

/** The configuration behind a server of Effect. */
const served = ({ options }: Configured) => {
  // Errors of wrong configurations end the layer: only right ones are served.
  const { raw: _, ...rest } = options
  const app = Http.layer.pipe(Layer.provide(Auth.layer({ ...rest, origin: site })), Layer.provide(quiet))
  return HttpRouter.toWebHandler(app, { disableLogger: true })
}

const enter = async (configured: Configured, answer: Site): Promise<Entry> => {
  const { basePath = "/auth" } = configured.options
  const browser = visitor(answer, site, basePath)
  const csrf = async () => {
    const body = await (await browser.get(`${basePath}/csrf`)).text()
    return body.startsWith('{"csrfToken"') ? (JSON.parse(body) as { readonly csrfToken: string }).csrfToken : ""
  }
  const token = await csrf()
  const pairs = () => [...browser.cookies].map((pair) => pair.join("="))
  const anonymous = pairs().join("; ")
  await browser.post(`${basePath}/callback/credentials`, { csrfToken: token, username: "ann", password: "pw" })
  const salt = "__Secure-authjs.session-token"
  const expired = await encode({ token: { sub: "1" }, secret, salt, maxAge: -1000 })
  return {
    configured,
    answer,
    anonymous,
    token,
    spare: [token, await csrf(), "ann", "pw", "/dash", site],
    scripts: scriptsIn(await (await browser.get(`${basePath}/signin`)).text()),
    cookies: [...pairs(), `${salt}=${expired}`, `${salt}=${"x".repeat(5000)}`]
  }
}

/** Is the path that of a provider which every configuration has? The others lead to the error page. */
const namesProvider = (url: string): boolean =>
  /\/(?:signin|callback)\/(?:acme|oidc|credentials)\/?$/.test(new URL(url).pathname)

/** What must hold of every answer. */
const check = async ({ configured, scripts }: Entry, one: Request, response: Response, name: string): Promise<void> => {
  const body = await response.text()
  const location = response.headers.get("location") ?? ""
  assert.isAtMost(body.length, 64_000, name)
  assert.isAtMost(scriptsIn(body), scripts, name)
  for (const line of response.headers.getSetCookie()) assert.isAtMost(line.length, 4096, name)
  if (configured.fails === "refused") {
    const { pathname } = new URL(one.url)
    if (one.method === "GET" && /^\/auth\/session\/?$/.test(pathname))
      assert.deepStrictEqual([response.status, body], [500, "null"], name)
    assert.isUndefined(
      response.headers.getSetCookie().find((line) => /session-token=[^;]/.test(line)),
      name
    )
    return
  }
  if (configured.fails === "never") {
    assert.isBelow(response.status, 500, name)
    if (!namesProvider(one.url)) return
    assert.notInclude(location, "error=Configuration", name)
  } else if (response.status >= 500) {
    // The error page that says so, or a session that cannot be read.
    assert.isTrue(body.includes("</html>") || body === "null" || body.startsWith("{"), `${name}: ${body.slice(0, 200)}`)
  }
}

const heap = (): number => {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

describe("whatever a client sends, however the site is configured", () => {
  it(`H298 ${runs} requests: every one is answered, and only what is misconfigured or fails answers a 5xx`, async () => {
    const rejected: Array<unknown> = []
    const listen = (reason: unknown) => void rejected.push(reason)
    process.on("unhandledRejection", listen)
    const entries: Array<Entry> = []
    const servers: Array<() => Promise<void>> = []
    for (const configured of configurations()) {
      entries.push(await enter(configured, (one) => Auth.Auth(one, configured.options)))
      if (configured.fails === "refused") continue
      const { dispose, handler } = served(configured)
      servers.push(dispose)
      entries.push(await enter({ ...configured, name: `${configured.name}, served` }, handler))
    }
    const statuses = new Map<number, number>()
    let early = 0
    for (let run = 0; run < runs; run++) {
      const seed = first + run
      const random = generator(Math.imul(seed, 2_654_435_761))
      const entry = random.pick(entries)
      const { anonymous, answer, configured, cookies, spare, token } = entry
      const one =
        seed % 3 === 0 && (configured.options.basePath ?? "/auth") === "/auth"
          ? nearlyRight(random, spare, anonymous, token)
          : request(random, spare, cookies)
      const name = `seed ${seed}, ${configured.name}: ${one.method} ${one.url}`
      const response = await answer(one).catch((error: unknown) => assert.fail(`${name}: rejected: ${String(error)}`))
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
      await check(entry, one, response, name)
      if (run === Math.floor(runs / 2)) early = heap()
    }
    const growth = heap() - early
    for (const dispose of servers) await dispose()
    await new Promise((resolve) => setImmediate(resolve))
    process.off("unhandledRejection", listen)
    assert.deepStrictEqual(rejected, [])
    // The grammar reached all kinds of answers.
    for (const status of [200, 302, 400, 405, 415, 500])
      assert.isAbove(statuses.get(status) ?? 0, 20, `status ${status}: ${JSON.stringify([...statuses])}`)
    process.stdout.write(
      `fuzz: ${runs} requests from ${first}, ${entries.length} configurations: ${JSON.stringify(Object.fromEntries([...statuses].toSorted(([a], [b]) => a - b)))}` +
        `${globalThis.gc === undefined ? "" : `, heap ${(growth / (runs / 2)).toFixed(1)} B a request in the second half`}\n`
    )
  }, 3_600_000)
})
