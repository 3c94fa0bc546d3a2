/**
 * Every sign-in method and every function among the options of `createAuth`, from the installed package, without effect. A case
 * names the members of the option types that it drives.
 */
import { createAuth, customFetch } from "effect-doorman"
import Credentials from "effect-doorman/providers/credentials"
import Email from "effect-doorman/providers/email"
import Nodemailer from "effect-doorman/providers/nodemailer"
import Passkey from "effect-doorman/providers/passkey"
import { createTestProvider } from "effect-doorman/testing/promises"
import { create, get } from "../../webauthn/SoftwareAuthenticator.ts"
import { createStore } from "./Store.js"
import { createVisitor, expect } from "./Visitor.js"

const origin = "http://localhost:3000"
const secret = "a-secret-of-a-program-0123456789-abcdefghijk"

/** The application of a case: its visitor, and what its functions were called with. */
const application = (options) => {
  const calls = []
  const called =
    (name, answer) =>
    (...given) => {
      calls.push(name)
      return typeof answer === "function" ? answer(...given) : answer
    }
  const { env = {}, ...given } = options(called)
  const auth = createAuth({ secret, origin, env, ...given })
  return {
    auth,
    visitor: createVisitor(auth, origin),
    expectCalls: (...names) => {
      const missing = names.filter((name) => !calls.includes(name))
      if (missing.length > 0) throw new Error(`not called: ${missing.join(", ")}; called: ${calls.join(", ")}`)
    }
  }
}

const later = (value) => new Promise((resolve) => setTimeout(() => resolve(value), 1))

const password = (called, answer = () => later({ id: "1", name: "Ann", email: "ann@example.com" })) =>
  Credentials({
    credentials: { name: {}, password: { type: "password" } },
    authorize: called("authorize", ({ password }) => (password === "correct" ? answer() : null))
  })

const fields = { name: "Ann", password: "correct" }
const quiet = { error: () => {}, warn: () => {}, debug: () => {} }

const openid = (world, more = {}) => ({
  id: "idp",
  name: "Provider",
  type: "oidc",
  issuer: world.issuer,
  clientId: world.clientId,
  clientSecret: world.clientSecret,
  ...more
})

const mails = (called, more = {}) => {
  const sent = []
  const provider = Email({
    sendVerificationRequest: called("send", async (mail) => {
      await later()
      sent.push(mail)
    }),
    ...more
  })
  return { sent, provider }
}

export const cases = [
  {
    name: "a password, with callbacks and events",
    covers: [
      "CredentialsConfig.authorize",
      "CallbacksOptions.signIn",
      "CallbacksOptions.redirect",
      "CallbacksOptions.jwt",
      "CallbacksOptions.session",
      "EventsOptions.signIn",
      "EventsOptions.signOut",
      "EventsOptions.session",
      "Options.clientAddress"
    ],
    run: async () => {
      const { expectCalls, visitor } = application((called) => ({
        providers: [password(called)],
        clientAddress: called("clientAddress", "192.0.2.1"),
        callbacks: {
          signIn: called("callbacks.signIn", () => later(true)),
          redirect: called("callbacks.redirect", ({ baseUrl }) => later(`${baseUrl}/home`)),
          jwt: called("callbacks.jwt", ({ token }) => later({ ...token, role: "editor" })),
          session: called("callbacks.session", ({ session, token }) => later({ ...session, role: token.role }))
        },
        events: {
          signIn: called("events.signIn", () => later()),
          signOut: called("events.signOut"),
          session: called("events.session")
        }
      }))
      expect("the address", (await visitor.signInWith("credentials", fields)).pathname, "/home")
      const { role, user } = await visitor.session()
      expect("the session", [user.name, role], ["Ann", "editor"])
      await visitor.signOut()
      expect("the session after the sign-out", await visitor.session(), null)
      expectCalls(
        "authorize",
        "clientAddress",
        "callbacks.signIn",
        "callbacks.redirect",
        "callbacks.jwt",
        "callbacks.session",
        "events.signIn",
        "events.signOut",
        "events.session"
      )
    }
  },
  {
    name: "a wrong password, and a logger",
    covers: ["LoggerInstance.error", "LoggerInstance.warn", "LoggerInstance.debug"],
    run: async () => {
      const { expectCalls, visitor } = application((called) => ({
        providers: [
          password(called, () => {
            throw new Error("the database is away")
          })
        ],
        debug: true,
        cookies: { sessionToken: { options: { httpOnly: false } } },
        logger: { error: called("error"), warn: called("warn"), debug: called("debug") }
      }))
      for (const given of [{ ...fields, password: "wrong" }, fields]) {
        const failure = await visitor.signInWith("credentials", given).then(() => "none", String)
        if (!failure.includes("error=")) throw new Error(failure)
      }
      expectCalls("authorize", "error", "warn", "debug")
    }
  },
  {
    name: "tokens of the application's own",
    covers: ["JwtOptions.encode", "JwtOptions.decode"],
    run: async () => {
      const { expectCalls, visitor } = application((called) => ({
        providers: [password(called)],
        jwt: {
          encode: called("encode", ({ token }) => later(btoa(JSON.stringify(token)))),
          decode: called("decode", ({ token }) => later(JSON.parse(atob(token))))
        }
      }))
      await visitor.signInWith("credentials", fields)
      expect("the user", (await visitor.session()).user.name, "Ann")
      expectCalls("encode", "decode")
    }
  },
  {
    name: "OpenID, with a store",
    covers: [
      "ProfileCallback.call",
      "AccountCallback.call",
      "EventsOptions.createUser",
      "EventsOptions.linkAccount",
      "SessionOptions.generateSessionToken",
      "AuthConfig.session.generateSessionToken",
      "customFetch",
      "adapter"
    ],
    run: async (world) => {
      const { expectCalls, visitor } = application((called) => ({
        adapter: createStore(),
        providers: [
          openid(world, {
            [customFetch]: called("customFetch", (...given) => fetch(...given)),
            profile: called("profile", ({ email, name, sub }) => later({ id: sub, name, email })),
            account: called("account", ({ access_token }) => ({ access_token }))
          })
        ],
        session: { generateSessionToken: called("generateSessionToken", () => `token-${crypto.randomUUID()}`) },
        events: { createUser: called("createUser", () => later()), linkAccount: called("linkAccount") }
      }))
      await visitor.signIn("idp")
      expect("the user", (await visitor.session()).user.email, "alice@provider.example")
      expectCalls("customFetch", "profile", "account", "createUser", "linkAccount", "generateSessionToken")
    }
  },
  {
    name: "OAuth, with requests of the application's own",
    covers: ["AuthorizationHandler.conform", "TokenEndpointHandler.conform", "UserinfoEndpointHandler.request"],
    run: async (world) => {
      const { issuer } = world
      const { expectCalls, visitor } = application((called) => ({
        providers: [
          openid(world, {
            type: "oauth",
            issuer,
            authorization: {
              url: `${issuer}/auth`,
              params: { scope: "profile email openid" },
              conform: called("authorization.conform", (address) => address)
            },
            token: { url: `${issuer}/token`, conform: called("conform", (response) => later(response)) },
            userinfo: {
              url: `${issuer}/me`,
              request: called("userinfo.request", async ({ tokens }) =>
                (await fetch(`${issuer}/me`, { headers: { authorization: `Bearer ${tokens.access_token}` } })).json()
              )
            },
            profile: ({ email, name, sub }) => ({ id: sub, name, email })
          })
        ]
      }))
      await visitor.signIn("idp")
      expect("the user", (await visitor.session()).user.email, "alice@provider.example")
      expectCalls("authorization.conform", "conform", "userinfo.request")
    }
  },
  {
    name: "OAuth, with a token request of the application's own",
    covers: ["TokenEndpointHandler.request"],
    run: async (world) => {
      const { issuer } = world
      const { expectCalls, visitor } = application((called) => ({
        providers: [
          openid(world, {
            type: "oauth",
            authorization: { url: `${issuer}/auth`, params: { scope: "profile email openid" } },
            token: {
              url: `${issuer}/token`,
              request: called("token.request", async ({ checks, params, provider }) => {
                const answer = await fetch(`${issuer}/token`, {
                  method: "POST",
                  headers: { authorization: `Basic ${btoa(`${world.clientId}:${world.clientSecret}`)}` },
                  body: new URLSearchParams({
                    grant_type: "authorization_code",
                    code: params.code,
                    redirect_uri: `${origin}/auth/callback/${provider.id}`,
                    code_verifier: checks.code_verifier
                  })
                })
                return { tokens: await answer.json() }
              })
            },
            userinfo: `${issuer}/me`,
            profile: ({ email, name, sub }) => ({ id: sub, name, email })
          })
        ]
      }))
      await visitor.signIn("idp")
      expect("the user", (await visitor.session()).user.email, "alice@provider.example")
      expectCalls("token.request")
    }
  },
  {
    name: "a magic link, after the answer",
    covers: [
      "EmailConfig.sendVerificationRequest.call",
      "EmailConfig.generateVerificationToken.call",
      "EmailConfig.normalizeIdentifier.call",
      "EventsOptions.updateUser",
      "Schema.waitUntil",
      "AuthConfig.waitUntil"
    ],
    run: async () => {
      let mail
      const pending = []
      const store = createStore()
      await store.createUser({ email: "ann@example.com", emailVerified: null, name: "Ann" })
      const { expectCalls, visitor } = application((called) => {
        mail = mails(called, {
          normalizeIdentifier: called("normalize", (address) => later(address.trim().toLowerCase())),
          generateVerificationToken: called("generate", () => later(`token-${crypto.randomUUID()}`))
        })
        return {
          adapter: store,
          providers: [mail.provider],
          waitUntil: called("waitUntil", (sending) => void pending.push(sending)),
          events: { updateUser: called("updateUser") }
        }
      })
      await visitor.askForLink("email", "Ann@Example.com")
      await Promise.all(pending)
      await visitor.followLink(mail.sent[0].url)
      expect("the user", (await visitor.session()).user.email, "ann@example.com")
      expectCalls("send", "normalize", "generate", "waitUntil", "updateUser")
    }
  },
  {
    name: "a magic link over SMTP",
    covers: ["EmailConfig.nodemailer"],
    run: async () => {
      const sent = []
      const { expectCalls, visitor } = application((called) => ({
        adapter: createStore(),
        providers: [
          Nodemailer({
            server: "smtp://localhost",
            from: "site@example.com",
            nodemailer: called("nodemailer", async () => ({
              createTransport: () => ({
                sendMail: async (mail) => {
                  sent.push(mail)
                  return { accepted: [mail.to.address], rejected: [], pending: [] }
                },
                close: () => {}
              })
            }))
          })
        ]
      }))
      await visitor.askForLink("nodemailer", "ann@example.com")
      await visitor.followLink(/https?:\/\/\S+/.exec(sent[0].text)[0])
      expect("the user", (await visitor.session()).user.email, "ann@example.com")
      expectCalls("nodemailer")
    }
  },
  {
    name: "a passkey",
    covers: ["WebAuthnConfig.getRelayingParty", "WebAuthnConfig.getUserInfo"],
    run: async () => {
      let mail
      const { expectCalls, visitor } = application((called) => {
        mail = mails(called)
        return {
          adapter: createStore(),
          experimental: { enableWebAuthn: true },
          providers: [
            mail.provider,
            Passkey({
              getRelayingParty: called("getRelayingParty", () => ({ id: "localhost", name: "Program", origin })),
              getUserInfo: called("getUserInfo", async (_, { query, body }) => {
                const email = query?.email ?? body?.email
                return email === undefined ? null : { user: { email, name: email }, exists: false }
              })
            })
          ]
        }
      })
      const answer = (action, data) => visitor.submit("/auth/callback/passkey", { action, data: JSON.stringify(data) })
      const asked = await visitor.json("/auth/webauthn-options/passkey?action=register&email=kim%40example.com")
      const { credential, data } = create(asked.options, origin)
      const registered = await answer("register", data)
      if (`${registered.headers.get("location")}`.includes("error="))
        throw new Error(registered.headers.get("location"))
      await visitor.followLink(mail.sent[0].url)
      expect("the user", (await visitor.session()).user.email, "kim@example.com")
      await visitor.signOut()
      credential.counter++
      const { options } = await visitor.json("/auth/webauthn-options/passkey?action=authenticate")
      const proved = await answer("authenticate", get(credential, options, origin))
      if (`${proved.headers.get("location")}`.includes("error=")) throw new Error(proved.headers.get("location"))
      expect("the user of the key", (await visitor.session()).user.email, "kim@example.com")
      expectCalls("getRelayingParty", "getUserInfo")
    }
  },
  {
    name: "an address that its owner proves",
    covers: ["EventsOptions.addressReleased"],
    run: async () => {
      let mail
      const store = createStore()
      const { id } = await store.createUser({ email: "ann@example.com", emailVerified: null, name: "Eve" })
      await store.linkAccount({ userId: id, provider: "idp", providerAccountId: "eve", type: "oidc" })
      const { expectCalls, visitor } = application((called) => {
        mail = mails(called)
        return {
          adapter: store,
          unprovenAddress: "release",
          providers: [mail.provider],
          events: { addressReleased: called("addressReleased", () => later()) }
        }
      })
      await visitor.askForLink("email", "ann@example.com")
      await visitor.followLink(mail.sent[0].url)
      expect("the user", (await visitor.session()).user.email, "ann@example.com")
      expectCalls("addressReleased")
    }
  },
  {
    name: "a provider that accepts the tokens no more",
    covers: ["EventsOptions.reauthenticationRequired"],
    run: async () => {
      const idp = createTestProvider()
      const { auth, expectCalls, visitor } = application((called) => ({
        adapter: createStore(),
        logger: quiet,
        providers: [idp.provider()],
        events: { reauthenticationRequired: called("reauthenticationRequired") }
      }))
      await visitor.signIn("idp", (address) => idp.authorize(address))
      idp.revoke("ada")
      const failure = await auth.providerTokens
        .getCurrent(visitor.request("/"), new Headers(), { provider: "idp", minimumValidity: 7200 })
        .then(
          () => "none",
          ({ _tag }) => _tag
        )
      expect("the failure", failure, "ReauthenticationRequired")
      expectCalls("reauthenticationRequired")
    }
  }
]

/** Runs every case; answers a line for each that fails. */
export const runCases = async (world) => {
  const failures = []
  for (const { name, run } of cases) {
    await run(world).catch((error) => failures.push(`${name}: ${error?.stack ?? error}`))
  }
  return failures
}
