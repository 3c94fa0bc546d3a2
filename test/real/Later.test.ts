/**
 * Effects of time: providers that recover, attempts that grow old, sessions that end. Only the date is
 * moved; servers and sockets stay real.
 */
import { afterAll, afterEach, assert, beforeAll, beforeEach, it, vi } from "vitest"
import type { AppServer } from "./AppServer.ts"
import { startAppServer } from "./AppServer.ts"
import { CookieJarClient } from "./CookieJarClient.ts"
import { providerAt } from "./hostile/Visit.ts"
import type { ForgedIssuer, ForgingProvider } from "./ForgingProvider.ts"
import { json, reply, startForgingProvider } from "./ForgingProvider.ts"
import { sessionOf, startSignIn, untilCallback } from "./Journey.ts"

const minute = 60_000
const day = 24 * 60 * minute

let server: ForgingProvider
let app: AppServer
let issuer: ForgedIssuer
let client: CookieJarClient
let count = 0

beforeAll(async () => {
  server = await startForgingProvider()
})

afterAll(() => server.close())

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"] })
  issuer = server.issuer(`later-${count++}`)
  app = await startAppServer()
  app.configure({ providers: [providerAt("forged", issuer)] })
  client = new CookieJarClient()
})

afterEach(async () => {
  vi.useRealTimers()
  await app.close()
})

/** Lets time pass. Milliseconds. */
const pass = (milliseconds: number): void => {
  vi.setSystemTime(Date.now() + milliseconds)
}

it("P094, H131 a provider that was down works again when it is back", async () => {
  issuer.dials = { metadata: () => reply({ status: 503 }) }
  const end = await startSignIn(client, app, "forged")
  assert.equal(end.url.searchParams.get("error"), "OAuthSignin")
  assert.equal(end.url.searchParams.get("code"), "provider_unavailable")
  assert.isNull(await sessionOf(client, app))
  issuer.dials = {}
  pass(minute)
  await startSignIn(client, app, "forged")
  assert.isNotNull(await sessionOf(client, app))
})

it("P055, P100 an unknown key is looked for again, but not before a minute has passed", async () => {
  await startSignIn(client, app, "forged")
  issuer.dials = { header: (honest) => ({ ...honest, kid: "unknown" }) }
  pass(2 * minute)
  let before = issuer.count.jwks
  for (let visit = 0; visit < 3; visit++) await startSignIn(new CookieJarClient(), app, "forged")
  assert.equal(issuer.count.jwks - before, 1)
  pass(2 * minute)
  before = issuer.count.jwks
  await startSignIn(new CookieJarClient(), app, "forged")
  assert.equal(issuer.count.jwks - before, 1)
})

it("H141 keys that are known still serve while the key set cannot be read", async () => {
  await startSignIn(client, app, "forged")
  issuer.dials = { jwks: () => reply({ status: 500 }) }
  pass(2 * minute)
  const other = new CookieJarClient()
  await startSignIn(other, app, "forged")
  assert.isNotNull(await sessionOf(other, app))
})

it("H115, P137 an attempt that is older than a quarter of an hour cannot be finished", async () => {
  const back = await untilCallback(client, app, "forged")
  // A browser whose clock stands still keeps the cookies for as long as it likes.
  const cookies = await client.jar.getCookies(app.callback("forged"))
  pass(16 * minute)
  const { token } = issuer.count
  const late = new CookieJarClient()
  for (const cookie of cookies)
    await late.jar.setCookie(`${cookie.key}=${cookie.value}; Path=/; HttpOnly; SameSite=Lax`, app.origin)
  const end = await late.proceed(back)
  assert.equal(end.url.pathname, "/auth/signin")
  assert.equal(end.url.searchParams.get("error"), "OAuthCallbackError")
  assert.equal(end.url.searchParams.get("code"), "flow_expired")
  assert.isNull(await sessionOf(late, app))
  assert.equal(issuer.count.token, token, "no token request")
})

it("an attempt of fourteen minutes can be finished", async () => {
  const back = await untilCallback(client, app, "forged")
  pass(14 * minute)
  await client.proceed(back)
  assert.isNotNull(await sessionOf(client, app))
})

it("H052 a session that was not used for thirty days has ended", async () => {
  await startSignIn(client, app, "forged")
  const cookies = await client.jar.getCookies(app.origin)
  pass(29 * day)
  assert.isNotNull(await sessionOf(client, app))
  pass(31 * day)
  const late = new CookieJarClient()
  for (const cookie of cookies) await late.jar.setCookie(`${cookie.key}=${cookie.value}; Path=/`, app.origin)
  assert.isNull(await sessionOf(late, app))
})

it("P095 metadata is read again after some time, so that a provider can move", async () => {
  await startSignIn(client, app, "forged")
  issuer.dials = { metadata: (honest) => json({ ...honest, token_endpoint: `${issuer.issuer}/elsewhere` }) }
  pass(2 * day)
  await startSignIn(new CookieJarClient(), app, "forged")
  assert.isAbove(issuer.count.metadata, 1)
  assert.isAbove(issuer.count.elsewhere, 0)
})
