/**
 * Properties that no single answer of a provider shows: number and content of requests, and single use.
 * Faults of one answer are in the tables of the other `Hostile…` files.
 */
import { afterAll, assert, beforeAll, it } from "vitest"
import { startAppServer } from "./AppServer.ts"
import { CookieJarClient } from "./CookieJarClient.ts"
import { playFault, providerAt } from "./hostile/Visit.ts"
import type { ForgingProvider } from "./ForgingProvider.ts"
import { startForgingProvider } from "./ForgingProvider.ts"
import { sessionOf, startSignIn, untilCallback } from "./Journey.ts"

let server: ForgingProvider

beforeAll(async () => {
  server = await startForgingProvider()
})

afterAll(() => server.close())

it("signs in while nothing is wrong", () =>
  playFault(server, "control", { title: "control", dials: () => ({}), outcome: { end: "signed in" } }))

/** An application with one provider at a new issuer, and a browser. */
const visitor = async (name: string) => {
  const issuer = server.issuer(name)
  const app = await startAppServer()
  app.configure({ providers: [providerAt("forged", issuer)] })
  return { issuer, app, client: new CookieJarClient() }
}

it("P065 a nonce of an earlier attempt is refused", async () => {
  const { app, client, issuer } = await visitor("old-nonce")
  await startSignIn(client, app, "forged")
  const earlier = issuer.seen.authorization.get("nonce")
  issuer.dials = { claims: (honest) => ({ ...honest, nonce: earlier }) }
  const other = new CookieJarClient()
  const end = await startSignIn(other, app, "forged")
  assert.equal(end.url.searchParams.get("code"), "invalid_token")
  assert.isNull(await sessionOf(other, app))
  await app.close()
})

it("P095 many sign-ins read the metadata and the key set once", async () => {
  const { app, issuer } = await visitor("cached")
  await Promise.all(Array.from({ length: 10 }, () => startSignIn(new CookieJarClient(), app, "forged")))
  assert.equal(issuer.count.token, 10)
  assert.equal(issuer.count.metadata, 1)
  assert.equal(issuer.count.jwks, 1)
  await app.close()
})

it("P100 a flood of unknown keys does not become a flood of key set requests", async () => {
  const { app, issuer } = await visitor("key-flood")
  await startSignIn(new CookieJarClient(), app, "forged")
  const before = issuer.count.jwks
  issuer.dials = { header: (honest) => ({ ...honest, kid: `unknown-${Math.random()}` }) }
  for (let visit = 0; visit < 5; visit++) await startSignIn(new CookieJarClient(), app, "forged")
  assert.isAtMost(issuer.count.jwks - before, 1)
  await app.close()
})

it("P007, H101 one answer delivered many times at once is one token request", async () => {
  const { app, client, issuer } = await visitor("parallel")
  const back = await untilCallback(client, app, "forged")
  const ends = await Promise.all(Array.from({ length: 20 }, () => client.proceed(back)))
  assert.equal(issuer.count.token, 1)
  for (const end of ends) for (const exchange of end.trail) assert.isBelow(exchange.status, 500)
  assert.isNotNull(await sessionOf(client, app))
  await app.close()
})

it("P002, P004, P134 every attempt is bound by values of its own", async () => {
  const { app, issuer } = await visitor("fresh-values")
  const seen: Array<string> = []
  for (let visit = 0; visit < 3; visit++) {
    await startSignIn(new CookieJarClient(), app, "forged")
    const { authorization, token } = issuer.seen
    assert.equal(authorization.get("response_type"), "code")
    assert.equal(authorization.get("code_challenge_method"), "S256")
    assert.match(token.get("code_verifier") ?? "", /^[\w.~-]{43,128}$/)
    seen.push(authorization.get("state") ?? "", authorization.get("nonce") ?? "", token.get("code_verifier") ?? "")
  }
  for (const value of seen) assert.isAtLeast(value.length, 22)
  assert.equal(new Set(seen).size, seen.length)
  await app.close()
})

it("P140, P164 the query of a sign-in request cannot change what is sent to the provider", async () => {
  const { app, client, issuer } = await visitor("injection")
  const page = await client.visit(app.action("signin"))
  const form = page.forms[0]
  assert.isDefined(form)
  const action = new URL(form.action)
  action.search =
    "redirect_uri=https://evil.example&client_id=other&response_type=token&state=mine&code_challenge=x&code_challenge_method=plain&request_uri=urn:x"
  await client.submit(page, { ...form, action })
  if (issuer.count.authorization > 0) {
    const sent = issuer.seen.authorization
    assert.equal(sent.get("redirect_uri"), app.callback("forged"))
    assert.equal(sent.get("client_id"), issuer.clientId)
    assert.equal(sent.get("response_type"), "code")
    assert.equal(sent.get("code_challenge_method"), "S256")
    assert.notEqual(sent.get("state"), "mine")
    assert.isFalse(sent.has("request_uri"))
  }
  assert.equal(issuer.count.authorization, 1, "the request was refused altogether")
  await app.close()
})
