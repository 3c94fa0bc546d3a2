/**
 * The example for PostgreSQL: two processes behind one address, one cookie and one real database.
 */
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { CookieJarClient } from "../real/CookieJarClient.ts"
import type { OpenIdProvider } from "../real/OpenIdProvider.ts"
import type { PostgresServer } from "../sql/PostgresServer.ts"
import { isPostgresHere, startOwnPostgres } from "../sql/PostgresServer.ts"
import type { Balancer } from "./Balancer.ts"
import { startBalancer } from "./Balancer.ts"
import type { Example } from "./Example.ts"
import { knowing, sessionOf, signInOnTheWay, signOut, startExample, startProvider } from "./Example.ts"

describe.skipIf(!isPostgresHere)("examples/postgres/server.ts", () => {
  let postgres: PostgresServer
  let provider: OpenIdProvider
  let balancer: Balancer
  let instances: ReadonlyArray<Example> = []
  let stopped = false

  beforeAll(async () => {
    const started = await Promise.all([startOwnPostgres(), startProvider(), startBalancer()])
    ;[postgres, provider, balancer] = started
    const environment = {
      ...knowing(provider),
      AUTH_URL: `${balancer.origin}/auth`,
      DATABASE_URL: await postgres.database()
    }
    // At once, on an empty database: one of them makes the tables.
    instances = await Promise.all([
      startExample("postgres/server.ts", environment),
      startExample("postgres/server.ts", environment)
    ])
    balancer.state.targets = instances.map(({ origin }) => origin)
  })
  afterAll(async () => {
    await Promise.all([provider.close(), balancer.close(), ...instances.map(({ stop }) => stop())])
    if (!stopped) await postgres.stop()
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
    const [, last] = instances
    assert.equal(await last?.stop(), 0)
    at(0)
    assert.isNull(await sessionOf(new CookieJarClient(), balancer.origin))
  })

  it("signs no user in while the database is gone, and takes no cookie away", async () => {
    at(0)
    const client = new CookieJarClient()
    await signInOnTheWay(client, balancer.origin)
    const cookie = await client.cookie(balancer.origin, "authjs.session-token")
    await postgres.stop()
    stopped = true
    const page = await client.visit(`${balancer.origin}/private`)
    assert.equal(page.status, 503)
    assert.isDefined(cookie)
    assert.equal(await client.cookie(balancer.origin, "authjs.session-token"), cookie)
  })
})
