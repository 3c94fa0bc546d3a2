/**
 * The world around an application of `test/packed/builds`: an OpenID provider, a mail server, the store behind the application's
 * adapter, and a person who signs in in four ways over HTTP. It is the same for every builder and every runtime.
 */
import { UnstorageAdapter } from "@auth/unstorage-adapter"
import { createStorage } from "unstorage"
import memoryDriver from "unstorage/drivers/memory"
import { assert } from "vitest"
import { listenOnLoopback } from "../../demo/WebServer.ts"
import { applicationAt, environment, startProvider } from "../frameworks/Application.ts"
import { type Application, me } from "../frameworks/Flows.ts"
import { CookieJarClient, formFor } from "../real/CookieJarClient.ts"
import { sessionOf, signInWithPassword, signOut, startSignIn } from "../real/Journey.ts"
import { startMailServer } from "../real/MailServer.ts"
import {
  create,
  type CreationOptions,
  type Credential,
  get,
  type RequestOptions
} from "../webauthn/SoftwareAuthenticator.ts"

/** The variables of applications, with the addresses that lead to the rest. */
export interface World {
  readonly variables: Readonly<Record<string, string>>
  /** Every address that is in a mail to this recipient. */
  readonly linksTo: (recipient: string) => ReadonlyArray<string>
  readonly close: () => Promise<void>
}

type Methods = Readonly<Record<string, (...values: ReadonlyArray<unknown>) => Promise<unknown>>>

const reviveDate = (_: string, value: unknown): unknown =>
  typeof value === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? new Date(value) : value

/** Starts the provider, the mail server and the store. */
export const startWorld = async (): Promise<World> => {
  const provider = await startProvider()
  const mailServer = await startMailServer({ plain: true })
  const rows = UnstorageAdapter(createStorage({ driver: memoryDriver() })) as unknown as Methods
  const posted: Array<{ readonly to: string; readonly url: string }> = []
  const server = await listenOnLoopback(0)
  server.serve((incoming, outgoing) => {
    const path = (incoming.url ?? "/").slice(1)
    const chunks: Array<Buffer> = []
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk))
    incoming.on("end", () => {
      const values: Array<never> = JSON.parse(Buffer.concat(chunks).toString(), reviveDate)
      const work =
        path === "mail" ? Promise.resolve(void posted.push(...values)) : rows[path.replace("rows/", "")]?.(...values)
      void Promise.resolve(work).then(
        (answer) => outgoing.end(JSON.stringify(answer ?? null)),
        (error: unknown) => outgoing.writeHead(500).end(String(error))
      )
    })
  })
  return {
    variables: {
      ...environment(provider),
      AUTH_TRUST_HOST: "true",
      BUILDS_DRIVER: `http://127.0.0.1:${server.port}`,
      BUILDS_SMTP: `smtp://127.0.0.1:${mailServer.port}`
    },
    linksTo: (recipient) => [
      ...posted.filter(({ to }) => to === recipient).map(({ url }) => url),
      ...mailServer.deliveries
        .filter(({ recipients }) => recipients.includes(recipient))
        .flatMap(({ mail }) => /https?:\/\/\S+/.exec(mail.text ?? "") ?? [])
    ],
    close: async () => void (await Promise.all([provider.close(), mailServer.close(), server.close()]))
  }
}

/** Fails unless the application's own code and the session endpoint both know the visitor; then signs out. */
const isSignedIn = async (client: CookieJarClient, app: Application, email: string): Promise<void> => {
  assert.deepNestedInclude(await me(client, app), { "user.email": email })
  assert.deepNestedInclude(await sessionOf(client, app), { "user.email": email })
  await signOut(client, app)
  assert.isNull(await me(client, app))
}

/** A different person at each application, because all of them share the store. */
const personAt = ({ origin }: Application): string => `person-${new URL(origin).port}@example.com`

const password = async (app: Application): Promise<void> => {
  const client = new CookieJarClient()
  const fields = { username: "bob", password: "incorrect" }
  const refused = await signInWithPassword(client, app, "credentials", fields)
  assert.equal(refused.url.searchParams.get("error"), "CredentialsSignin", "a wrong password")
  await signInWithPassword(client, app, "credentials", { ...fields, password: "correct" })
  await isSignedIn(client, app, "bob@app.example")
}

const openid = async (app: Application): Promise<void> => {
  const client = new CookieJarClient()
  const end = await startSignIn(client, app, "idp")
  assert.equal(end.url.href, `${app.origin}/`, end.body.slice(0, 300))
  await isSignedIn(client, app, "alice@provider.example")
}

/** Follows a link, and presses the button of the page that it leads to. */
const follow = async (client: CookieJarClient, address: string): Promise<void> => {
  const page = await client.visit(address)
  await client.submit(page, formFor(page, "nodemailer"))
}

const link = async (app: Application, world: World): Promise<void> => {
  const client = new CookieJarClient()
  const email = personAt(app)
  const sent = await signInWithPassword(client, app, "nodemailer", { email })
  const [address] = world.linksTo(email)
  if (address === undefined) throw new Error(`No mail: ${sent.url.href} ${sent.body.slice(0, 300)}`)
  await follow(client, address)
  await isSignedIn(client, app, email)
}

const ask = async <A>(client: CookieJarClient, app: Application, query: string): Promise<A> => {
  const { body, status } = await client.fetch(app.action(`webauthn-options/passkey?${query}`))
  assert.equal(status, 200, body)
  return JSON.parse(body).options
}

const answer = (client: CookieJarClient, app: Application, action: string, data: object) =>
  client.fetch(app.callback("passkey"), {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", origin: app.origin },
    body: String(new URLSearchParams({ action, data: JSON.stringify(data) }))
  })

const register = async (client: CookieJarClient, app: Application): Promise<Credential> => {
  const { credential, data } = create(await ask<CreationOptions>(client, app, "action=register"), app.origin)
  const { headers } = await answer(client, app, "register", data)
  assert.notInclude(headers.get("location"), "error")
  return credential
}

/** Adds a key to the account of a magic link, and signs in with it. */
const passkey = async (app: Application, world: World): Promise<void> => {
  const client = new CookieJarClient()
  const email = `key-${personAt(app)}`
  await signInWithPassword(client, app, "nodemailer", { email })
  await follow(client, world.linksTo(email)[0] ?? app.origin)
  const credential = await register(client, app)
  await signOut(client, app)
  credential.counter++
  const proof = get(credential, await ask<RequestOptions>(client, app, "action=authenticate"), app.origin)
  const { headers } = await answer(client, app, "authenticate", proof)
  assert.notInclude(headers.get("location"), "error")
  await isSignedIn(client, app, email)
}

const kinds = { password, openid, link, passkey }

type Kind = keyof typeof kinds

/** How each kind of sign-in went. */
export type Results = Readonly<Record<Kind, string>>

/** Signs in in all ways at a running application: `ok`, or what went wrong. */
export const signInAt = async (origin: string, world: World): Promise<Results> => {
  const app = applicationAt(origin, { me: "/me" })
  const results: Record<Kind, string> = { password: "", openid: "", link: "", passkey: "" }
  for (const kind of ["password", "openid", "link", "passkey"] as const)
    results[kind] = await kinds[kind](app, world).then(
      () => "ok",
      (error: unknown) => `failed: ${error instanceof Error ? error.message : String(error)}`
    )
  return results
}
