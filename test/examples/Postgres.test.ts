/**
 * The example for PostgreSQL: two processes behind one address, one cookie and one real database.
 */
import { request as forward } from "node:http"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { WebServer } from "../../demo/WebServer.ts"
import { listenOnLoopback } from "../../demo/WebServer.ts"
import { CookieJarClient } from "../real/CookieJarClient.ts"
import type { OpenIdProvider } from "../real/OpenIdProvider.ts"
import type { PostgresServer } from "../sql/PostgresServer.ts"
import { isPostgresHere, startPostgres } from "../sql/PostgresServer.ts"
import type { Example } from "./Example.ts"
import { knowing, sessionOf, signInOnTheWay, signOut, startExample, startProvider } from "./Example.ts"

/** Hands requests to the instances in turn, or all to one of them. */
const startBalancer = async () => {
  const server: WebServer = await listenOnLoopback(0)
  const state = { instances: [] as ReadonlyArray<Example>, only: undefined as number | undefined, turn: 0 }
  server.serve((incoming, outgoing) => {
    const { instances, only } = state
    const instance = instances[only ?? state.turn++ % instances.length]
    if (instance === undefined) return void outgoing.writeHead(502).end()
    const { headers, method, url } = incoming
    const onward = forward(instance.origin + url, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    onward.on("error", () => outgoing.headersSent || outgoing.writeHead(502).end())
    incoming.pipe(onward)
  })
  return { state, origin: `http://localhost:${server.port}`, close: server.close }
}

describe.skipIf(!isPostgresHere)("examples/postgres/server.ts", () => {
  let postgres: PostgresServer
  let provider: OpenIdProvider
  let balancer: Awaited<ReturnType<typeof startBalancer>>

  beforeAll(async () => {
    const started = await Promise.all([startPostgres(), startProvider(), startBalancer()])
    ;[postgres, provider, balancer] = started
    const environment = {
      ...knowing(provider),
      AUTH_URL: `${balancer.origin}/auth`,
      DATABASE_URL: await postgres.database()
    }
    // At once, on an empty database: one of them makes the tables.
    balancer.state.instances = await Promise.all([
      startExample("postgres/server.ts", environment),
      startExample("postgres/server.ts", environment)
    ])
  })
  afterAll(async () => {
    await Promise.all([provider.close(), balancer.close(), ...balancer.state.instances.map(({ stop }) => stop())])
    await postgres.stop()
  })

  /** What follows is answered by one instance; by both in turn when none is named. */
  const at = (instance?: 0 | 1): void => void (balancer.state.only = instance)

  it("answers as one, whichever instance a request reaches", async () => {
    at()
    const client = new CookieJarClient()
    const page = await signInOnTheWay(client, balancer.origin)
    assert.equal(page.url.href, `${balancer.origin}/private`)
    assert.equal(page.body, "Hello alice of the test\n")
    assert.deepNestedInclude(await sessionOf(client, balancer.origin), { "user.email": "alice@provider.example" })
    await signOut(client, balancer.origin)
    assert.isNull(await sessionOf(client, balancer.origin))
  })

  it("reads and ends at one what began at the other", async () => {
    at(0)
    const client = new CookieJarClient()
    await signInOnTheWay(client, balancer.origin)
    at(1)
    assert.equal((await client.visit(`${balancer.origin}/private`)).body, "Hello alice of the test\n")
    const copy = new CookieJarClient()
    const cookie = await client.cookie(balancer.origin, "authjs.session-token")
    await copy.jar.setCookie(`authjs.session-token=${cookie}; Path=/`, balancer.origin)
    assert.deepNestedInclude(await sessionOf(copy, balancer.origin), { "user.name": "alice of the test" })
    await signOut(client, balancer.origin)
    at(0)
    assert.isNull(await sessionOf(copy, balancer.origin), "a copy of the cookie is worth nothing either")
    assert.equal((await copy.visit(`${balancer.origin}/private`)).url.pathname, "/auth/signin")
  })

  it("takes the answer of a provider once, at whichever instance", async () => {
    at(0)
    const client = new CookieJarClient()
    const page = await client.visit(`${balancer.origin}/auth/signin`)
    const [form] = page.forms
    assert.isDefined(form)
    const back = await client.submit(page, form, {}, { stopBefore: (url) => url.pathname === "/auth/callback/idp" })
    const twin = new CookieJarClient()
    for (const cookie of await client.jar.getCookies(balancer.origin)) {
      await twin.jar.setCookie(String(cookie), balancer.origin)
    }
    const asked = provider.requests.get("/token") ?? 0
    await client.proceed(back)
    assert.isNotNull(await sessionOf(client, balancer.origin))
    at(1)
    const again = await twin.visit(String(back.location))
    assert.include(["/auth/error", "/auth/signin"], again.url.pathname)
    assert.isNull(await sessionOf(twin, balancer.origin))
    assert.equal(provider.requests.get("/token"), asked + 1, "the provider is not asked a second time")
  })

  it("closes what it opened when it is told to end", async () => {
    const [, last] = balancer.state.instances
    assert.equal(await last?.stop(), 0)
    at(0)
    assert.isNull(await sessionOf(new CookieJarClient(), balancer.origin))
  })
})
