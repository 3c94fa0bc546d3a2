/** Options of providers in a layer: redacted secrets, durations and values from Config, through whole requests. */
import { assert, describe, it } from "@effect/vitest"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import { inspect } from "node:util"
import * as Access from "../../src/Access.ts"
import * as Adapter from "../../src/Adapter.ts"
import { Doorman } from "../../src/Doorman.ts"
import * as Http from "../../src/Http.ts"
import * as Mailer from "../../src/Mailer.ts"
import { isRedirectProvider, type Provider } from "../../src/Provider/internal/Provider.ts"
import { Bungie } from "../../src/Provider/Bungie.ts"
import { Credentials } from "../../src/Provider/Credentials.ts"
import { Email } from "../../src/Provider/Email.ts"
import { GitHub } from "../../src/Provider/GitHub.ts"
import { Keycloak } from "../../src/Provider/Keycloak.ts"
import { Mastodon } from "../../src/Provider/Mastodon.ts"
import { NetSuite } from "../../src/Provider/NetSuite.ts"
import { Nodemailer } from "../../src/Provider/Nodemailer.ts"
import { Passkey } from "../../src/Provider/Passkey.ts"
import { Resend } from "../../src/Provider/Resend.ts"
import { withPresetTools } from "../../src/Provider/internal/ProfileRequest.ts"
import * as Testing from "../../src/Testing.ts"
import { offline } from "../Offline.ts"

const site = { secret: Testing.secret, origin: Testing.siteOrigin }
const client = { clientId: "the client", clientSecret: "a client secret of the test" }
const idp = { issuer: "https://idp.test", clients: [client] } as const

const env = (variables: Record<string, string>) => ConfigProvider.layer(ConfigProvider.fromEnvRecord(variables))

/** The answers of a layer that is built from these variables. */
const app = <E, R>(doorman: Layer.Layer<Doorman, E, R>, variables: Record<string, string> = {}) =>
  Http.layer(Access.Default).pipe(Layer.provide(doorman), Layer.provide([env(variables), HttpServer.layerServices]))

/** The compiled configuration, and what building it logged. */
const built = Effect.fnUntraced(function* <E>(
  layer: Layer.Layer<Doorman, E, HttpClient.HttpClient>,
  variables: Record<string, string> = {}
) {
  const lines: Array<unknown> = []
  const logger = Logger.make(({ message }) => void lines.push(...(Array.isArray(message) ? message : [message])))
  const context = yield* Layer.build(
    layer.pipe(Layer.provide([offline, env(variables)]), Layer.provide(Logger.layer([logger])))
  )
  const { settings } = Context.get(context, Doorman)
  return { lines, get: (id: string) => settings.providers.get(id) }
})

const redirect = (provider: Result.Result<Provider, unknown>) => {
  const found = Result.getOrThrow(provider)
  if (!isRedirectProvider(found)) throw new Error("not a provider that sends the browser away")
  return found
}

const isEffect = (value: unknown): value is Effect.Effect<unknown, unknown> => Effect.isEffect(value)

describe("a client secret in a layer", () => {
  it.gen("signs in with a redacted one", Effect.provide(Testing.layer({ provider: idp })), function* () {
    const keycloak = Keycloak({ ...client, clientSecret: Redacted.make(client.clientSecret), issuer: idp.issuer })
    const browser = yield* Testing.browser(app(Doorman.layer({ ...site, providers: [keycloak] })))
    yield* browser.signIn("keycloak")
    assert.nestedPropertyVal(yield* browser.session, "user.name", "Ada Lovelace")
  })

  it.gen("signs in with values from Config", Effect.provide(Testing.layer({ provider: idp })), function* () {
    const own = Config.all({
      clientId: Config.String("ID"),
      clientSecret: Config.Redacted("SECRET"),
      issuer: Config.String("ISSUER")
    })
    const profile = ({ sub }: { readonly sub: string }) => Effect.succeed({ id: sub, name: `of ${sub}` })
    const doorman = Layer.unwrap(
      Effect.map(own, (values) => Doorman.layer({ ...site, providers: [Keycloak({ ...values, profile })] }))
    )
    const variables = { ID: client.clientId, SECRET: client.clientSecret, ISSUER: idp.issuer }
    const browser = yield* Testing.browser(app(doorman, variables))
    yield* browser.signIn("keycloak")
    assert.nestedPropertyVal(yield* browser.session, "user.name", "of ada")
  })

  it.gen("fails to sign in with another one", Effect.provide(Testing.layer({ provider: idp })), function* () {
    const keycloak = Keycloak({ ...client, clientSecret: Redacted.make("another"), issuer: idp.issuer })
    const browser = yield* Testing.browser(app(Doorman.layer({ ...site, providers: [keycloak] })))
    const failure = yield* Effect.flip(browser.signIn("keycloak"))
    assert.include(failure.message, "error=OAuthCallbackError")
  })
})

describe("a preset with options of its own", () => {
  const keys = { clientId: "id", clientSecret: Redacted.make("secret") }

  it.gen("has the addresses and requests that follow from them", Effect.scoped, function* () {
    const { get } = yield* built(
      Doorman.layerConfig({
        ...site,
        providers: [
          Mastodon({ ...keys, issuer: "https://social.example/" }),
          () => GitHub({ ...keys, enterprise: { baseUrl: "https://github.example" } }),
          NetSuite({ ...keys, accountID: "1234567_SB1", userinfo: "https://script.example/me" })
        ]
      })
    )
    assert.strictEqual(redirect(get("mastodon")).token.url, "https://social.example/oauth/token")
    assert.strictEqual(redirect(get("github")).token.url, "https://github.example/login/oauth/access_token")
    const netsuite = redirect(get("netsuite"))
    assert.match(netsuite.token.url ?? "", /^https:\/\/1234567-sb1\.suitetalk\.api\.netsuite\.com\//)
    assert.strictEqual(netsuite.userinfo.url, "https://script.example/me")
    assert.isFunction(netsuite.userinfo.request)
  })

  it.gen("sends a key that is redacted", Effect.scoped, function* () {
    const { get } = yield* built(
      Doorman.layer({ ...site, providers: [Bungie({ ...keys, apiKey: keys.clientSecret })] })
    )
    const { request } = redirect(get("bungie")).userinfo
    const sent: Array<string | null> = []
    const fetch = (_: unknown, init?: RequestInit) => {
      sent.push(new Headers(init?.headers).get("x-api-key"))
      return Promise.resolve(new Response("{}", { headers: { "content-type": "application/json" } }))
    }
    const attempt = { tokens: { access_token: "a" }, fetch }
    const answer = request?.(withPresetTools("bungie", attempt, { ...attempt, provider: {} }))
    assert.isTrue(Effect.isEffect(answer))
    if (isEffect(answer)) yield* Effect.exit(answer)
    assert.deepStrictEqual(sent, ["secret"])
  })
})

describe("a password in a layer", () => {
  const form = { name: { autocomplete: "username" }, password: { type: "password", redacted: true } } as const

  it.effect("reaches authorize as Redacted, and neither callbacks nor the page", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const own = Credentials({
        name: "Own form",
        credentials: form,
        authorize: (credentials) => {
          seen.push(inspect(credentials), JSON.stringify(credentials))
          const { name, password } = credentials
          return password !== undefined && Redacted.value(password) === "pw" ? { id: "1", name: name ?? null } : null
        }
      })
      const doorman = Doorman.layerConfig({
        ...site,
        providers: [own],
        callbacks: {
          signIn: ({ credentials }) => {
            seen.push(credentials, credentials?.["password"])
            return true
          }
        }
      })
      const browser = yield* Testing.browser(app(doorman))
      yield* browser.signInWith("credentials", { name: "ann", password: "pw" })
      assert.nestedPropertyVal(yield* browser.session, "user.name", "ann")
      assert.deepStrictEqual(seen.slice(2), [{ name: "ann" }, undefined])
      assert.include(String(seen[0]), "<redacted:password>")
      assert.notInclude(`${String(seen[0])}${String(seen[1])}`, "pw")
      const other = yield* browser.another
      yield* Effect.flip(other.signInWith("credentials", { name: "ann", password: "guess" }))
      assert.isNull(yield* other.session)
      const page = yield* (yield* other.get("/auth/signin")).text
      assert.include(page, "Own form")
      assert.notInclude(page, "redacted")
    }).pipe(Effect.provide(Testing.layer()))
  )

  it.effect("is a text in an object of the application, whose type says so", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const own = { id: "own", name: "Own", type: "credentials" as const, credentials: form as Record<string, object> }
      const authorize = ({ password }: { readonly [name: string]: unknown }) => (seen.push(password), { id: "1" })
      const browser = yield* Testing.browser(app(Doorman.layer({ ...site, providers: [{ ...own, authorize }] })))
      yield* browser.signInWith("own", { name: "ann", password: "pw" })
      assert.deepStrictEqual(seen, ["pw"])
    }).pipe(Effect.provide(Testing.layer()))
  )
})

describe("an email provider in a layer", () => {
  const store = { ...site, adapter: Adapter.makeMemory(), mailer: Mailer.Mailer }
  const from = "no-reply@site.test"

  it.gen("has links that last as long as its duration says", Effect.provide(Testing.layer()), function* () {
    const email = Email({ maxAge: "5 minutes", secret: Redacted.make("a secret of links"), from })
    const browser = yield* Testing.browser(app(Doorman.layer({ ...store, providers: [email] })))
    const first = yield* browser.askForLink("email", "ada@example.com")
    assert.include(first.text, "for 5 minutes")
    yield* TestClock.adjust("299 seconds")
    yield* browser.followLink(first.url)
    assert.nestedPropertyVal(yield* browser.session, "user.email", "ada@example.com")
    const other = yield* browser.another
    const second = yield* other.askForLink("email", "ada@example.com")
    yield* TestClock.adjust("301 seconds")
    assert.include((yield* Effect.flip(other.followLink(second.url))).message, "error=Verification")
  })

  it.gen("gives its functions the values that they have in `Auth`", Effect.provide(Testing.layer()), function* () {
    const given: Array<unknown> = []
    const own = Resend({
      apiKey: Redacted.make("key"),
      maxAge: Duration.minutes(2),
      sendVerificationRequest: ({ provider }) => void given.push([provider.apiKey, provider.maxAge])
    })
    const browser = yield* Testing.browser(app(Doorman.layer({ ...store, providers: [own] })))
    yield* browser.submit("/auth/signin/resend", { email: "ada@example.com" })
    assert.deepStrictEqual(given, [["key", 120]])
  })

  it.gen("keeps its key and the password of its server hidden", Effect.scoped, function* () {
    const auth = { user: "ann", pass: Redacted.make("a password") }
    const providers = [
      Resend({ apiKey: Redacted.make("a key"), from }),
      Nodemailer({ server: { host: "mail.example", auth }, from }),
      Email({ server: Redacted.make("smtps://ann:a-password@mail.example"), from })
    ] as const
    const { get } = yield* built(Doorman.layer({ ...site, adapter: Adapter.makeMemory(), providers }))
    const transports = ["resend", "nodemailer", "email"].map((id) => {
      const provider = Result.getOrThrow(get(id))
      return provider._tag === "Email" ? provider.transport : undefined
    })
    const [resend, nodemailer, email] = transports
    assert.strictEqual(resend?._tag === "Http" ? Redacted.value(resend.apiKey) : "", "a key")
    assert.deepStrictEqual(nodemailer?._tag === "Smtp" ? nodemailer.server : "", {
      host: "mail.example",
      auth: { user: "ann", pass: "a password" }
    })
    assert.strictEqual(email?._tag === "Smtp" ? email.server : "", "smtps://ann:a-password@mail.example")
    for (const shown of [inspect(transports, { depth: 9 }), JSON.stringify(transports)]) {
      assert.notMatch(shown, /a.password|a key/)
    }
  })
})

describe("a ceremony in a layer", () => {
  it.gen("lasts as long as its duration says", Effect.scoped, function* () {
    const { get } = yield* built(
      Doorman.layer({
        ...site,
        adapter: Adapter.makeMemory(),
        experimental: { enableWebAuthn: true },
        providers: [
          Passkey({
            authenticationOptions: { timeout: "90 seconds" },
            registrationOptions: { timeout: { minutes: 2 } }
          })
        ]
      })
    )
    const provider = Result.getOrThrow(get("passkey"))
    assert.deepStrictEqual(
      provider._tag === "WebAuthn" ? [provider.authentication.timeout, provider.registration.timeout] : [],
      [90_000, 120_000]
    )
    assert.deepInclude(provider._tag === "WebAuthn" ? provider.registration : {}, { residentKey: "required" })
  })
})
