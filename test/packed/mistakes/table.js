/**
 * Mistakes, what the person who makes one sees, and what the log says: `shows` is in the body of the answer, each of `says` in one
 * entry of the log. `setup` makes them; `open` follows to the page at the end.
 */
import { setTimeout as sleep } from "node:timers/promises"
import express from "express"
import { Auth, createAuth, getToken } from "effect-doorman"
import { toNodeHandler } from "effect-doorman/node"
import GitHub from "effect-doorman/providers/github"
import * as GitHubModule from "effect-doorman/providers/github"
import Credentials from "effect-doorman/providers/credentials"
import Passkey from "effect-doorman/providers/passkey"
import { postgres } from "effect-doorman/postgres"
import { redis } from "effect-doorman/redis"
import { sqlite } from "effect-doorman/sqlite"
import { browser } from "./browser.js"
import * as Capture from "./capture.js"

let sites = 0
/** A sound secret, another for each site. */
const secret = () => `mistakes-made-on-purpose-${++sites}-Vq8rT2xWm5LkPz`

const github = () => GitHub({ clientId: "id", clientSecret: "secret-of-the-client-0123456789" })
const password = (more = {}) =>
  Credentials({
    credentials: { username: {}, password: { type: "password" } },
    authorize: ({ password, username }) => (password === "right" ? { id: username, name: username } : null),
    ...more
  })
const idp = ({ idp }, more = {}) => ({
  id: "idp",
  name: "Provider",
  type: "oidc",
  issuer: idp,
  clientId: "client",
  clientSecret: "client-secret-0123456789-abcdefghijk",
  ...more
})
/** A sound configuration; `origin: undefined` leaves the address to the environment. */
const sound = ({ site }, more = {}) => ({ secret: secret(), origin: site, providers: [github()], ...more })
const mail = {
  id: "mail",
  name: "Mail",
  type: "email",
  from: "a@site.example",
  sendVerificationRequest: () => undefined
}

const readme =
  ({ auth }) =>
  async (request, response) => {
    const headers = new Headers()
    const session = await auth.getSession(request, headers)
    response.setHeaders(headers).end(`Hello ${session?.user?.name ?? "stranger"}\n`)
  }
const signInBy = (id, fields) => (visitor) => visitor.signIn(id, fields)
const signInWithPassword = (visitor) =>
  visitor.submit("/auth/callback/credentials", { username: "ann", password: "right" })
/** A page of a browser that was sent back and forth. */
const throughProvider = signInBy("idp")

/** The same, and the session after it. */
const throughProviderIn = async (visitor) => {
  await throughProvider(visitor)
  return visitor.ask("/auth/session")
}

/** A site that mails links; the world has the last one. */
const withLinks = (world, adapter) =>
  sound(world, {
    adapter,
    session: { strategy: "jwt" },
    providers: [{ ...mail, sendVerificationRequest: ({ url }) => void (world.link = url) }]
  })
/** Opens a link, and presses the button of its page. */
const followLink = async (visitor, link) => {
  const page = await (await visitor.open(link)).text()
  const fields = [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [
    name,
    value.replaceAll("&amp;", "&")
  ])
  return visitor.open(link, { method: "POST", body: new URLSearchParams(fields) })
}

/** A visitor with a cookie asks a site whose store this is. */
const withStore = (store) => ({
  options: (world) => sound(world, { adapter: store() }),
  headers: () => ({ cookie: "authjs.session-token=0123456789abcdef" }),
  path: "/auth/session"
})

/** What getToken reads of the cookies of a visitor. */
const tokenOf = ({ jar }, options) => {
  const cookie = [...jar].map((pair) => pair.join("=")).join("; ")
  return getToken({ req: { headers: { cookie } }, ...options })
}

/** The rows that were good in the first measurement, and stay so. */
const good = {
  "no secret, at an endpoint": {
    options: (world) => sound(world, { secret: undefined }),
    status: 500,
    shows: [/secret is not set/, /AUTH_SECRET/],
    says: [/secret is not set\n(.*\n)*.*option: secret\n(.*\n)*.*variable: AUTH_SECRET\n(.*\n)*.*fix: /]
  },
  "a weak secret": {
    env: () => ({ NODE_ENV: "production" }),
    options: (world) => sound(world, { secret: "secret" }),
    status: 500,
    says: [/secret: .*\n(.*\n)*.*fix: Use at least 32 random bytes/]
  },
  "AUTH_URL with a slash at its end": {
    env: ({ site }) => ({ AUTH_URL: `${site}/auth/`, AUTH_SECRET: secret() }),
    options: () => ({ providers: [github()] }),
    status: 200,
    shows: [/GitHub/]
  },
  "no AUTH_URL, in development": {
    options: (world) => sound(world, { origin: undefined }),
    status: 200,
    shows: [/GitHub/]
  },
  "no AUTH_URL, in production": {
    env: () => ({ NODE_ENV: "production" }),
    options: (world) => sound(world, { origin: undefined }),
    status: 200,
    says: [/Nothing vouches for the host(.*\n)*.*fix: Set AUTH_URL or origin/]
  },
  "no AUTH_URL, opened at another address of the machine": {
    options: (world) => sound(world, { origin: undefined }),
    play: (visitor, { port }) => visitor.open(`http://127.0.0.1:${port}/auth/signin`),
    status: 200,
    shows: [/GitHub/]
  },
  "a variable that is misspelt": {
    env: () => ({ AUTH_SECRT: "x", AUTH_GITHUB_CLIENT_ID: "x" }),
    options: ({ site }) => ({ origin: site, providers: [GitHub] }),
    status: 500,
    shows: [/AUTH_SECRET/, /AUTH_GITHUB_ID/],
    says: [/secret is not set/, /AUTH_GITHUB_ID/]
  },
  "a wrong client secret": {
    issuer: "wrong client secret",
    options: (world) => sound(world, { providers: [idp(world)] }),
    play: throughProvider,
    status: 200,
    says: [/invalid_client/, /fix: /]
  },
  "a redirect URI that is not registered": {
    issuer: "redirect URI differs",
    options: (world) => sound(world, { providers: [idp(world)] }),
    play: throughProvider,
    status: 200,
    says: [/http:\/\/localhost:\d+\/auth\/callback\/idp/]
  },
  "an issuer that cannot be reached": {
    options: (world) => sound(world, { providers: [idp({ idp: "http://127.0.0.1:9" })] }),
    play: throughProvider,
    status: 200,
    says: [/127\.0\.0\.1:9/]
  },
  "an issuer that answers 404": {
    issuer: "discovery 404",
    options: (world) => sound(world, { providers: [idp(world)] }),
    play: throughProvider,
    status: 200,
    says: [/404/]
  },
  "an issuer that answers HTML": {
    issuer: "discovery HTML",
    options: (world) => sound(world, { providers: [idp(world)] }),
    play: throughProvider,
    status: 200,
    says: [/openid-configuration|JSON|HTML/i]
  },
  "an issuer with a slash too many": {
    issuer: "none",
    options: (world) => sound(world, { providers: [idp({ idp: `${world.idp}/` })] }),
    play: throughProviderIn,
    status: 200,
    shows: [/Ann/]
  },
  "an issuer with a slash too few": {
    issuer: ["none", (origin) => `${origin}/`],
    options: (world) => sound(world, { providers: [idp(world)] }),
    play: throughProviderIn,
    status: 200,
    shows: [/Ann/]
  },
  "an issuer at localhost that calls itself 127.0.0.1": {
    issuer: "none",
    options: (world) => sound(world, { providers: [idp({ idp: world.idp.replace("127.0.0.1", "localhost") })] }),
    play: throughProvider,
    status: 200,
    says: [/localhost[^]*127\.0\.0\.1|127\.0\.0\.1[^]*localhost/]
  },
  "an issuer over http": {
    options: (world) => sound(world, { providers: [idp({ idp: "http://idp.example" })] }),
    play: (visitor) => visitor.open("/auth/error?error=Configuration"),
    status: 500,
    shows: [/https/],
    says: [/issuer/]
  },
  "an issuer that is missing": {
    options: (world) => sound(world, { providers: [idp({ idp: undefined })] }),
    play: (visitor) => visitor.open("/auth/error?error=Configuration"),
    status: 500,
    shows: [/issuer/],
    says: [/issuer/]
  },
  "a clock that is ahead of the provider's": {
    issuer: "clock ahead",
    options: (world) => sound(world, { providers: [idp(world)] }),
    play: throughProvider,
    status: 200,
    says: [/clock/]
  },
  "an ID token for another audience": {
    issuer: "foreign audience",
    options: (world) => sound(world, { providers: [idp(world)] }),
    play: throughProvider,
    status: 200,
    says: [/another client: expected client, got another-client/]
  },
  "a token endpoint that answers 500": {
    issuer: "token endpoint 500",
    options: (world) => sound(world, { providers: [idp(world)] }),
    play: throughProvider,
    status: 200,
    says: [/500/]
  },
  "cookies of 20 kB": {
    options: (world) => sound(world),
    play: (visitor) => visitor.open("/auth/signin", { headers: { cookie: `big=${"x".repeat(12_000)}` } }),
    status: 200
  },
  "database sessions without an adapter": {
    options: (world) => sound(world, { session: { strategy: "database" } }),
    status: 500,
    shows: [/adapter/],
    says: [/adapter(.*\n)*.*fix: /]
  },
  "an email provider without an adapter": {
    options: (world) => sound(world, { providers: [github(), mail] }),
    path: "/auth/error?error=Configuration",
    status: 500,
    shows: [/adapter/],
    says: [/adapter(.*\n)*.*fix: /]
  },
  "passkeys without the option": {
    options: (world) => sound(world, { providers: [github(), Passkey] }),
    path: "/auth/error?error=Configuration",
    status: 500,
    shows: [/enableWebAuthn/],
    says: [/enableWebAuthn/]
  },
  "a link that was used": {
    options: (world) => withLinks(world, Capture.links()),
    play: async (visitor, world) => {
      await visitor.signIn("mail", { email: "ann@site.example" })
      await followLink(visitor, world.link)
      return followLink(visitor, world.link)
    },
    shows: [/link/i],
    says: [/Verification/]
  },
  "a link that is too old": {
    options: (world) => withLinks(world, Capture.links({ expired: true })),
    play: async (visitor, world) => {
      await visitor.signIn("mail", { email: "ann@site.example" })
      return followLink(visitor, world.link)
    },
    shows: [/link/i],
    says: [/Verification/]
  },
  "cookies that the browser blocks": {
    issuer: "none",
    options: (world) => sound(world, { providers: [idp(world)] }),
    play: async (visitor) => {
      const { csrfToken } = await (await visitor.ask("/auth/csrf")).json()
      const begin = await visitor.ask("/auth/signin/idp", { method: "POST", body: new URLSearchParams({ csrfToken }) })
      visitor.jar.clear()
      return visitor.open(begin.headers.get("location"))
    },
    status: 200,
    shows: [/cookie/]
  },
  "too many attempts": {
    options: (world) => sound(world, { providers: [password()] }),
    play: async (visitor) => {
      for (let attempt = 0; attempt < 12; attempt++)
        await visitor.submit("/auth/callback/credentials", { username: "ann", password: "wrong" })
      return visitor.submit("/auth/callback/credentials", { username: "ann", password: "wrong" })
    },
    status: 200,
    shows: [/too many attempts/]
  },
  "a cookie of another application on localhost": {
    options: (world) => sound(world),
    headers: () => ({ cookie: "authjs.session-token=eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIn0..x.y.z" }),
    path: "/auth/session",
    status: 200,
    shows: [/^null$/],
    says: [/session-cookie-unopened/]
  },
  "pages that lead back to themselves": {
    options: (world) => sound(world, { pages: { signIn: "/auth/signin" } }),
    status: 200,
    shows: [/GitHub/],
    says: [/pages\.signIn leads back to itself/]
  },
  "pages that are relative": {
    options: (world) => sound(world, { pages: { signIn: "login" } }),
    status: 200,
    says: [/pages\.signIn must be a path that begins with \//]
  },
  "createAuth() without an argument": {
    serve: () => toNodeHandler(createAuth()),
    status: 500,
    says: [/createAuth\(config\) expects an object of options/]
  },
  "two providers with one id": {
    options: (world) => sound(world, { providers: [github(), github()] }),
    status: 500,
    shows: [/github/],
    says: [/github/]
  },
  "misspelt options": {
    options: (world) => sound(world, { sesion: {}, adaptor: {}, callback: {} }),
    status: 500,
    says: [/sesion/, /adaptor/, /callback/]
  },
  "misspelt callbacks": {
    options: (world) => sound(world, { callbacks: { signin: () => true, sesion: () => ({}) } }),
    status: 500,
    says: [/callbacks\.signin/, /callbacks\.sesion/]
  },
  "a secret that changed, in getToken": {
    options: (world) => sound(world, { providers: [password()] }),
    play: async (visitor) => {
      await signInWithPassword(visitor)
      return Response.json(await tokenOf(visitor, { secret: secret() }))
    },
    shows: [/^null$/],
    says: [/session-cookie-unopened.*secret/]
  },
  "getToken under the name for https": {
    options: (world) =>
      sound(world, { providers: [password()], secret: "mistakes-made-on-purpose-https-Vq8rT2xWm5LkPz" }),
    play: async (visitor) => {
      await signInWithPassword(visitor)
      const options = { secret: "mistakes-made-on-purpose-https-Vq8rT2xWm5LkPz", secureCookie: true }
      return Response.json(await tokenOf(visitor, options))
    },
    shows: [/^null$|ann/]
  },
  "a cookie for subdomains": {
    options: (world) =>
      sound(world, { providers: [password()], cookies: { sessionToken: { options: { domain: ".localhost" } } } }),
    play: async (visitor) => {
      await signInWithPassword(visitor)
      return visitor.ask("/auth/session")
    },
    shows: [/ann|null/]
  },
  "cookies of 200 kB": {
    options: (world) => sound(world),
    play: (visitor) => visitor.open("/auth/signin", { headers: { cookie: `big=${"x".repeat(200_000)}` } }),
    status: 431
  },
  "passkeys without an adapter": {
    options: (world) => sound(world, { providers: [github(), Passkey], experimental: { enableWebAuthn: true } }),
    path: "/auth/error?error=Configuration",
    status: 500,
    shows: [/adapter/],
    says: [/adapter(.*\n)*.*fix: /]
  },
  "a session callback without return": {
    options: (world) => sound(world, { providers: [password()], callbacks: { session: () => undefined } }),
    play: async (visitor) => {
      await signInWithPassword(visitor)
      return visitor.ask("/auth/session")
    },
    says: [/session/]
  },
  "a jwt callback without return": {
    options: (world) => sound(world, { providers: [password()], callbacks: { jwt: () => undefined } }),
    play: signInWithPassword,
    says: [/jwt/]
  },
  "authorize that throws": {
    options: (world) =>
      sound(world, {
        providers: [
          password({
            authorize: () => {
              throw new Error("the user table is gone")
            }
          })
        ]
      }),
    play: signInWithPassword,
    status: 500,
    says: [/CallbackRouteError.*\n(.*\n)*.*caused by the user table is gone/]
  },
  "a body parser in front": {
    options: (world) => sound(world, { providers: [password()] }),
    serve: ({ auth }) =>
      express().use(express.urlencoded({ extended: true }), toNodeHandler(auth), (_, response) => response.end("in")),
    play: signInWithPassword,
    status: 200,
    shows: [/^in$/]
  },
  "Auth(request) with a request of Express": {
    serve: (world) =>
      express().use(async (request, response) => {
        const answer = await Auth(request, sound(world))
        response.status(answer.status).end(await answer.text())
      }),
    status: 400,
    says: [/expects a web Request/]
  },
  "a sign-in that is cancelled at the provider": {
    issuer: "cancelled",
    options: (world) => sound(world, { providers: [idp(world)] }),
    play: throughProvider,
    status: 200,
    shows: [/cancelled/]
  },
  "a sign-in in two tabs": {
    issuer: "none",
    options: (world) => sound(world, { providers: [idp(world)] }),
    play: async (visitor) => {
      const { csrfToken } = await (await visitor.ask("/auth/csrf")).json()
      const begin = () => visitor.ask("/auth/signin/idp", { method: "POST", body: new URLSearchParams({ csrfToken }) })
      const [first, second] = [await begin(), await begin()]
      await visitor.open(second.headers.get("location"))
      await visitor.open(first.headers.get("location"))
      return visitor.ask("/auth/session")
    },
    status: 200,
    shows: [/Ann/]
  }
}

/** The rows that were bad. */
const bad = {
  "a README server without a secret": {
    options: () => ({ providers: [GitHub] }),
    other: readme,
    path: "/",
    status: 500,
    shows: [/secret is not set/, /AUTH_SECRET/, /Reference: /],
    says: [
      /secret is not set\n(.*\n)*.*option: secret\n(.*\n)*.*variable: AUTH_SECRET\n(.*\n)*.*fix: (.*\n)*.*request: /
    ]
  },
  "an exception of the application's own handler": {
    options: (world) => sound(world),
    other: () => () => {
      throw new TypeError("a bug of the application")
    },
    path: "/",
    status: 500,
    shows: [/Reference: /],
    says: [/TypeError: a bug of the application\n +at /]
  },
  "basePath without a slash": {
    options: (world) => sound(world, { basePath: "auth" }),
    other: readme,
    status: 500,
    shows: [/basePath/, /\/auth/],
    says: [/basePath(.*\n)*.*fix: /]
  },
  "basePath other than the path of AUTH_URL": {
    env: ({ site }) => ({ AUTH_URL: `${site}/auth`, AUTH_SECRET: secret() }),
    options: () => ({ providers: [github()], basePath: "/api/auth" }),
    path: "/api/auth/signin",
    status: 200,
    says: [/env-url-basepath-mismatch.*\/auth.*\/api\/auth|env-url-basepath-mismatch.*\/api\/auth.*\/auth/]
  },
  "a mount path other than basePath, in Express": {
    options: (world) => sound(world),
    serve: ({ auth }) => express().use("/api/auth", toNodeHandler(auth)),
    path: "/api/auth/signin",
    status: 404,
    says: [/\/api\/auth\/signin, and basePath is \/auth\n +option: basePath\n +fix: Set basePath to \/api\/auth/]
  },
  "a mount path other than basePath, alone": {
    options: (world) => sound(world, { basePath: "/api/auth" }),
    path: "/auth/signin",
    status: 404,
    says: [/\/auth\/signin, and basePath is \/api\/auth\n +option: basePath\n +fix: Set basePath to \/auth/]
  },
  "a secret in quotes, in the environment": {
    env: ({ site }) => ({ AUTH_URL: `${site}/auth`, AUTH_SECRET: `"${secret()}"` }),
    options: () => ({ providers: [github()] }),
    status: 500,
    shows: [/quotation marks/],
    says: [/secret .*quotation marks(.*\n)*.*variable: AUTH_SECRET\n(.*\n)*.*fix: .*quotation marks/]
  },
  "a secret in quotes, as an option": {
    options: (world) => sound(world, { secret: `'${secret()}'` }),
    status: 500,
    shows: [/quotation marks/],
    says: [/quotation marks/]
  },
  "a client id in quotes": {
    env: () => ({ AUTH_GITHUB_ID: '"id"', AUTH_GITHUB_SECRET: '"client-secret-0123456789"' }),
    options: (world) => sound(world, { providers: [GitHub] }),
    path: "/auth/error?error=Configuration",
    status: 500,
    shows: [/quotation marks/],
    says: [/github\.clientId(.*\n)*.*quotation marks/, /github\.clientSecret(.*\n)*.*quotation marks/]
  },
  'AUTH_TRUST_HOST="false" in quotes': {
    env: () => ({ AUTH_TRUST_HOST: '"false"', AUTH_SECRET: secret() }),
    options: () => ({ providers: [github()] }),
    status: 500,
    shows: [/trustHost is not true/],
    says: [/trustHost is not true(.*\n)*.*variable: AUTH_TRUST_HOST\n(.*\n)*.*fix: /]
  },
  "AUTH_URL in quotes": {
    env: ({ site }) => ({ AUTH_URL: `"${site}/auth"`, AUTH_SECRET: secret() }),
    options: () => ({ providers: [github()] }),
    path: "/auth/error?error=Configuration",
    status: 500,
    shows: [/AUTH_URL must be an http or https URL; it is/, /quotation marks/],
    says: [/AUTH_URL must be an http or https URL; it is .*http:(.*\n)*.*fix: .*quotation marks/],
    never: [/setEnvDefaults/]
  },
  "AUTH_URL without a scheme": {
    env: ({ port }) => ({ AUTH_URL: `localhost:${port}/auth`, AUTH_SECRET: secret(), NODE_ENV: "production" }),
    options: () => ({ providers: [github()] }),
    status: 200,
    says: [/AUTH_URL must be an http or https URL; it is .*localhost:\d+\/auth(.*\n)*.*fix: .*https:\/\//],
    never: [/setEnvDefaults/]
  },
  "toNodeHandler(auth.handler)": {
    serve: (world) => toNodeHandler(createAuth(sound(world)).handler),
    thrown: /toNodeHandler\(auth\)/
  },
  "auth.handler as a listener of node:http": {
    options: (world) => sound(world),
    serve: ({ auth }) => auth.handler,
    status: 500,
    says: [/toNodeHandler\(auth\)/]
  },
  "a page of another origin (CORS)": {
    options: (world) => sound(world),
    play: (visitor) =>
      visitor.ask("/auth/session", {
        method: "OPTIONS",
        headers: {
          origin: "https://spa.example",
          "access-control-request-method": "GET",
          "sec-fetch-site": "cross-site"
        }
      }),
    status: 405,
    says: [/https:\/\/spa\.example(.*\n)*.*fix: /]
  },
  "an adapter as a promise": {
    options: (world) => sound(world, { adapter: Promise.resolve(Capture.memory()) }),
    status: 500,
    shows: [/await/],
    says: [/adapter is a Promise(.*\n)*.*fix: .*await/]
  },
  "an adapter without tables": {
    options: (world) => sound(world, { adapter: Capture.withoutTables(), providers: [github(), mail] }),
    play: signInBy("mail", { email: "ann@site.example" }),
    status: 500,
    shows: [/Run the migration/],
    says: [/fix: Run the migration(.*\n)*.*no such table/]
  },
  "a signIn callback without return": {
    options: (world) => sound(world, { providers: [password()], callbacks: { signIn: () => undefined } }),
    play: signInWithPassword,
    status: 403,
    says: [/callbacks\.signIn.*undefined(.*\n)*.*fix: .*return true/i]
  },
  "a provider as a namespace import": {
    options: (world) => sound(world, { providers: [github(), GitHubModule] }),
    path: "/auth/error?error=Configuration",
    status: 500,
    shows: [/import \* as/],
    says: [/import \* as/]
  },
  "an unknown provider": {
    options: (world) => sound(world, { providers: [github(), password()] }),
    play: signInBy("githubb"),
    status: 500,
    says: [/No provider has this id\. Known ids: github, credentials/]
  },
  "an ID token that ended, by a wrong clock": {
    issuer: "clock behind",
    options: (world) => sound(world, { providers: [idp(world)] }),
    play: throughProvider,
    status: 200,
    shows: [/clock/],
    says: [/clock.*\d{4}-\d\d-\d\dT.*\d{4}-\d\d-\d\dT/]
  },
  "a sign-in in a frame": {
    options: (world) => sound(world),
    headers: () => ({ "sec-fetch-dest": "iframe", "sec-fetch-site": "cross-site" }),
    status: 200,
    says: [/frame/]
  },
  "getSession without await": {
    options: (world) => sound(world),
    other:
      ({ auth }) =>
      (request, response) => {
        const session = auth.getSession(request)
        response.end(`Hello ${session.user.name}`)
      },
    path: "/",
    status: 500,
    says: [/await/]
  },
  "getSession with headers alone": {
    options: (world) => sound(world),
    other:
      ({ auth }) =>
      async ({ headers }, response) =>
        response.end(String(await auth.getSession({ headers: new Headers({ host: headers.host }) }))),
    path: "/",
    status: 200,
    shows: [/^null$/]
  },
  "a browser at 127.0.0.1, and AUTH_URL at localhost": {
    options: (world) => sound(world),
    play: async (_, { port, site }) => {
      const there = `http://127.0.0.1:${port}`
      const visitor = browser(there)
      const { csrfToken } = await (await visitor.ask("/auth/csrf")).json()
      const answer = await visitor.ask("/auth/signin/github", {
        method: "POST",
        body: new URLSearchParams({ csrfToken })
      })
      return browser(site).open(answer.headers.get("location"))
    },
    status: 200,
    shows: [/GitHub/, /address/],
    says: [/127\.0\.0\.1:\d+[^]*localhost:\d+/]
  },
  "a browser at another port than that of AUTH_URL": {
    options: (world) => sound(world, { origin: "http://localhost:3999" }),
    play: async (visitor) => {
      const { csrfToken } = await (await visitor.ask("/auth/csrf")).json()
      const answer = await visitor.ask("/auth/signin/github", {
        method: "POST",
        body: new URLSearchParams({ csrfToken })
      })
      return Response.json(answer.headers.get("location"))
    },
    shows: [/^"http:\/\/localhost:3999\/auth\/signin/],
    says: [/localhost:\d+[^]*localhost:3999/]
  },
  "TLS that ends at a proxy, with trustedHosts": {
    options: ({ port }) => sound({}, { trustedHosts: [`localhost:${port}`] }),
    headers: () => ({ "x-forwarded-proto": "https" }),
    status: 200,
    says: [/https[^]*trustedHosts|trustedProxies/]
  },
  "TLS that ends at a proxy, on Vercel": {
    env: () => ({ VERCEL: "1", AUTH_SECRET: secret() }),
    options: () => ({ providers: [github()] }),
    play: async (_, { auth }) => {
      const headers = { "x-forwarded-proto": "https", "x-forwarded-host": "site.example" }
      return Response.json(
        (await auth.handler(new Request("http://site.example/auth/csrf", { headers }))).headers.getSetCookie()
      )
    },
    says: [/says https[^]*http:\/\/site\.example(.*\n)*.*fix: .*AUTH_URL/]
  },
  "TLS that ends at a proxy, behind trust proxy of Express": {
    options: (world) => sound(world, { origin: undefined, trustHost: true }),
    headers: () => ({ "x-forwarded-proto": "https" }),
    serve: ({ auth }) => express().set("trust proxy", true).use(toNodeHandler(auth)),
    play: async (visitor) => Response.json((await visitor.ask("/auth/csrf")).headers.getSetCookie()),
    shows: [/; Secure/]
  },
  "AUTH_URL with http, in production": {
    env: () => ({ AUTH_URL: "http://site.example/auth", AUTH_SECRET: secret(), NODE_ENV: "production" }),
    options: () => ({ providers: [github()] }),
    status: 200,
    says: [/http:\/\/site\.example[^]*https/]
  },
  "AUTH_URL without a path, at a page of the application": {
    env: ({ site }) => ({ AUTH_URL: site, AUTH_SECRET: secret() }),
    options: () => ({ providers: [github()] }),
    other: readme,
    path: "/",
    status: 200,
    shows: [/^Hello stranger/]
  },
  "/auth, opened by a person": {
    options: (world) => sound(world),
    path: "/auth",
    shows: [/Sign in|Page not found/]
  },
  "/auth/login, opened by a person": {
    options: (world) => sound(world),
    path: "/auth/login",
    status: 404,
    shows: [/Sign in|not found/i]
  },
  "a mailer that answers a promise": {
    options: (world) =>
      sound(world, {
        adapter: Capture.memory(),
        providers: [{ ...mail, sendVerificationRequest: undefined }],
        mailer: { send: async () => undefined }
      }),
    play: signInBy("mail", { email: "ann@site.example" }),
    status: 200,
    shows: [/Check your email/]
  },
  "redacted: true in createAuth": {
    options: (world) =>
      sound(world, {
        providers: [password({ credentials: { username: {}, password: { type: "password", redacted: true } } })]
      }),
    path: "/auth/error?error=Configuration",
    status: 500,
    shows: [/redacted/],
    says: [/redacted/]
  },
  "providers that are no list": {
    options: (world) => sound(world, { providers: GitHub }),
    status: 500,
    shows: [/providers: Expected array/],
    says: [/option: providers/]
  },
  "a database without a URL": {
    ...withStore(() => postgres({ url: undefined })),
    says: [/postgres\(\{ url \}\) expects the URL of a server as url; it got undefined/]
  },
  "a database without options": {
    ...withStore(() => postgres(undefined)),
    says: [/postgres\(\{ url \}\) expects the URL of a server/]
  },
  "a database server that is not there": {
    ...withStore(() => postgres({ url: "postgres://app:a-password@127.0.0.1:1/app" })),
    says: [/There is no connection to the database[^]*Failed to connect, code ECONNREFUSED/],
    never: [/a-password/]
  },
  "a file of SQLite in a folder that is missing": {
    ...withStore(() => sqlite("no/such/folder.sqlite")),
    says: [/no\/such\/folder\.sqlite cannot be opened: its folder must exist/]
  },
  "options in place of the file of SQLite": {
    ...withStore(() => sqlite({ filename: "users.sqlite" })),
    says: [/sqlite\(file\) expects the path of a file as file; it got an object/]
  },
  "Redis without a URL": {
    options: (world) => sound(world, { providers: [password()], sharedState: redis({ url: undefined }) }),
    play: signInWithPassword,
    says: [/redis\(\{ url \}\) expects the URL of a server/]
  },
  "no AUTH_URL and no proxy, on this machine": {
    options: (world) => sound(world, { origin: undefined }),
    status: 200,
    never: [/trustedProxies/]
  },
  "a callbackUrl of another site": {
    options: (world) => sound(world),
    path: "/auth/signin?callbackUrl=https%3A%2F%2Fother.example%2Fpage",
    status: 200,
    says: [/callbackUrl(.*\n)*.*other\.example/]
  },
  "a link to /signin/x": {
    options: (world) => sound(world),
    path: "/auth/signin/github",
    status: 405,
    shows: [/Sign in/],
    says: [/POST/]
  }
}

export const table = Object.fromEntries(
  [good, bad].flatMap((rows) => Object.entries(rows).map(([name, row]) => [name, { good: rows === good, ...row }]))
)
