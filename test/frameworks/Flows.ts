/**
 * The flows that an application on any framework package takes a visitor through, over HTTP: what the package answers is
 * what browsers and scripts see.
 */
import { assert } from "vitest"
import { CookieJarClient } from "../real/CookieJarClient.ts"
import type { Place } from "../real/Journey.ts"
import { csrfTokenOf, sessionOf, signInWithPassword, signOut, startSignIn } from "../real/Journey.ts"
import type { OpenIdProvider } from "../real/OpenIdProvider.ts"

/** An application: where its endpoints are, and a page of its own that tells the session as JSON. */
export interface Application extends Place {
  readonly origin: string
  /** Path of the page that answers with what the server's own function says about the session. */
  readonly me: string
  /** The framework has a protection of its own against forged requests: there are no tokens. */
  readonly withoutCsrf?: boolean
}

const csrf = async (client: CookieJarClient, app: Application): Promise<{ readonly csrfToken?: string }> =>
  app.withoutCsrf === true ? {} : { csrfToken: await csrfTokenOf(client, app) }

/** The session on the application's own page. */
export const me = async (client: CookieJarClient, { me, origin }: Application): Promise<unknown> => {
  const answer = await client.fetch(origin + me)
  if (answer.status !== 200) throw new Error(`${me} answered ${answer.status}: ${answer.body}`)
  return JSON.parse(answer.body)
}

const form = { "content-type": "application/x-www-form-urlencoded", "x-auth-return-redirect": "1" }

/** Posts a form as the script of a framework package does: it wants to be told the address, not to be sent there. */
export const postByScript = async (
  client: CookieJarClient,
  app: Application,
  path: string,
  fields: Readonly<Record<string, string>>
): Promise<URL> => {
  const answer = await client.fetch(app.action(path), {
    method: "POST",
    // Browsers name the site with every post; some frameworks insist on it.
    headers: { ...form, origin: app.origin },
    body: String(new URLSearchParams({ ...fields, ...(await csrf(client, app)) }))
  })
  assert.equal(answer.status, 200)
  return new URL(JSON.parse(answer.body).url)
}

/** Sign-in at a provider, session, update, sign-out. */
export const throughProvider = async (app: Application): Promise<void> => {
  const client = new CookieJarClient()
  assert.isNull(await me(client, app))
  const page = await startSignIn(client, app, "idp")
  assert.equal(page.url.href, `${app.origin}/`, "back on the start page")
  const known = { "user.name": "alice of the test", "user.email": "alice@provider.example" }
  assert.deepNestedInclude(await me(client, app), known)
  assert.deepNestedInclude(await sessionOf(client, app), known)
  const updated = await client.fetch(app.action("session"), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...(await csrf(client, app)), data: { user: { name: "Alice Renamed" } } })
  })
  assert.equal(updated.status, 200)
  assert.equal(JSON.parse(updated.body).user.name, "Alice Renamed")
  assert.deepNestedInclude(await me(client, app), { "user.name": "Alice Renamed" })
  const before = await client.jar.serialize()
  await signOut(client, app)
  assert.isNull(await me(client, app))
  assert.isNull(await sessionOf(client, app))
  assert.include(JSON.stringify(before), "authjs.session-token")
  assert.notInclude(JSON.stringify(await client.jar.serialize()), "authjs.session-token")
}

/** Sign-in with a password, and the reasons why not. */
export const throughPassword = async (app: Application): Promise<void> => {
  const client = new CookieJarClient()
  const refused = await signInWithPassword(client, app, "credentials", { username: "bob", password: "nothing" })
  assert.equal(refused.url.href.split("?")[0], app.action("signin"))
  assert.deepInclude(Object.fromEntries(refused.url.searchParams), { error: "CredentialsSignin", code: "credentials" })
  const wrong = await signInWithPassword(client, app, "credentials", { username: "bob", password: "wrong" })
  assert.equal(wrong.url.searchParams.get("code"), "wrong_password")
  assert.isNull(await me(client, app))
  await signInWithPassword(client, app, "credentials", { username: "bob", password: "correct" })
  assert.deepNestedInclude(await me(client, app), { "user.name": "Bob", "user.email": "bob@app.example" })
}

/** This step by a script. */
export const throughScript = async (app: Application, provider: OpenIdProvider): Promise<void> => {
  const client = new CookieJarClient()
  const refused = await postByScript(client, app, "callback/credentials", { username: "bob", password: "wrong" })
  assert.deepNestedInclude(Object.fromEntries(refused.searchParams), {
    error: "CredentialsSignin",
    code: "wrong_password"
  })
  const sent = await postByScript(client, app, "signin/idp", { callbackUrl: "/" })
  assert.equal(sent.origin, provider.issuer)
  assert.equal(sent.searchParams.get("redirect_uri"), app.callback("idp"))
  const done = await postByScript(client, app, "callback/credentials", {
    username: "bob",
    password: "correct",
    callbackUrl: "/somewhere"
  })
  assert.equal(done.href, `${app.origin}/somewhere`)
  assert.deepNestedInclude(await me(client, app), { "user.name": "Bob" })
  const gone = await postByScript(client, app, "signout", { callbackUrl: "/" })
  assert.equal(gone.href, `${app.origin}/`)
  assert.isNull(await me(client, app))
}
