/**
 * The steps that a visitor takes through an application, in the words of the tests.
 */
import type { AppServer } from "./AppServer.ts"
import type { Exchange, NavigateOptions, Visit } from "./CookieJarClient.ts"
import { type CookieJarClient, formFor } from "./CookieJarClient.ts"

/** Where the endpoints of an application are. */
export type Place = Pick<AppServer, "action" | "callback">

/** Opens the sign-in page and presses the button of provider `id`. */
export const startSignIn = async (
  client: CookieJarClient,
  app: Place,
  id: string,
  options?: NavigateOptions
): Promise<Visit> => {
  const page = await client.visit(app.action("signin"))
  return client.submit(page, formFor(page, id), {}, options)
}

/** Presses the button of provider `id` and stops when the provider sends the browser back: the answer is in `location`. */
export const untilCallback = (client: CookieJarClient, app: Place, id: string): Promise<Visit> =>
  startSignIn(client, app, id, { stopBefore: (url) => url.href.startsWith(app.callback(id)) })

/** Fills the form of a credentials provider. */
export const signInWithPassword = async (
  client: CookieJarClient,
  app: Place,
  id: string,
  fields: Readonly<Record<string, string>>
): Promise<Visit> => {
  const page = await client.visit(app.action("signin"))
  return client.submit(page, formFor(page, id), fields)
}

/** Signs out through the confirmation page. */
export const signOut = async (client: CookieJarClient, app: Place): Promise<Visit> => {
  const page = await client.visit(app.action("signout"))
  const form = page.forms[0]
  if (form === undefined) throw new Error(`No form on the sign-out page (${page.status})`)
  return client.submit(page, form)
}

/** The answer of the session endpoint. */
export interface SeenSession {
  readonly user?: Readonly<Record<string, unknown>>
  readonly expires: string
  readonly [member: string]: unknown
}

/** Reads the session; `null` when nobody is signed in. Fails when the endpoint does not answer 200. */
export const sessionOf = async (client: CookieJarClient, app: Place): Promise<SeenSession | null> => {
  const answer = await client.fetch(app.action("session"))
  if (answer.status !== 200) throw new Error(`The session endpoint answered ${answer.status}: ${answer.body}`)
  return JSON.parse(answer.body)
}

/** Fetches the anti-forgery token. */
export const csrfTokenOf = async (client: CookieJarClient, app: Place): Promise<string> =>
  JSON.parse((await client.fetch(app.action("csrf"))).body).csrfToken

/** Sends an update of the session, as a client script would. */
export const updateSession = async (client: CookieJarClient, app: Place, data: unknown): Promise<Exchange> =>
  client.fetch(app.action("session"), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ csrfToken: await csrfTokenOf(client, app), data })
  })
