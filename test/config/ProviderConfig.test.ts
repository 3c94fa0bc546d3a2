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
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { inspect } from "node:util"
import * as Access from "../../src/Access.ts"
import * as Adapter from "../../src/Adapter.ts"
import { Doorman } from "../../src/Doorman.ts"
import { InvalidConfiguration } from "../../src/Errors.ts"
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

/** What is served, with a layer that is built from these variables. */
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
    const keycloak = Keycloak({
      clientId: Config.String("ID"),
      clientSecret: Config.Redacted("SECRET"),
      issuer: Config.String("ISSUER"),
      profile: ({ sub }) => Effect.succeed({ id: sub, name: `of ${sub}` })
    })
    const variables = { ID: client.clientId, SECRET: client.clientSecret, ISSUER: idp.issuer }
    const browser = yield* Testing.browser(app(Doorman.layerConfig({ ...site, providers: [keycloak] }), variables))
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

describe("a preset with options from Config", () => {
  const keys = { clientId: "id", clientSecret: Redacted.make("secret") }

  it.gen("has the addresses and requests that follow from them", Effect.scoped, function* () {
    const { get } = yield* built(
      Doorman.layerConfig({
        ...site,
        providers: [
          Mastodon({ ...keys, issuer: Config.String("MASTODON") }),
          () => GitHub({ ...keys, enterprise: { baseUrl: Config.String("GITHUB") } }),
          NetSuite({ ...keys, accountID: Config.String("ACCOUNT"), userinfo: Config.String("SCRIPT") })
        ]
      }),
      {
        MASTODON: "https://social.example/",
        GITHUB: "https://github.example",
        ACCOUNT: "1234567_SB1",
        SCRIPT: "https://script.example/me"
      }
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

describe("a Config of one provider", () => {
  const github = GitHub({
    clientId: Config.String("GITHUB_CLIENT"),
    clientSecret: Config.schema(Schema.Redacted(Schema.String.check(Schema.isMinLength(20))), "GITHUB_PASSWORD"),
    allowDangerousEmailAccountLinking: Config.Boolean("LINKING")
  })
  const keycloak = Keycloak({ clientId: "id", clientSecret: Redacted.make("secret"), issuer: idp.issuer })
  const layer = Doorman.layerConfig({ ...site, providers: [github, keycloak] })

  it.effect("disables the provider when the value is missing, and names the option and the variable", () =>
    Effect.gen(function* () {
      const { get, lines } = yield* built(layer, { GITHUB_PASSWORD: "p".repeat(20), AUTH_GITHUB_ID: "not asked for" })
      const failure = Result.getOrThrow(Result.flip(get("github")))
      assert.instanceOf(failure, InvalidConfiguration)
      assert.deepInclude(failure, { provider: "github", field: "providers.github.clientId", variable: "GITHUB_CLIENT" })
      assert.deepStrictEqual(
        lines.map((line) => (line instanceof InvalidConfiguration ? [line.field, line.variable] : line)),
        [
          ["providers.github.clientId", "GITHUB_CLIENT"],
          ["providers.github.allowDangerousEmailAccountLinking", "LINKING"]
        ]
      )
      assert.strictEqual(redirect(get("keycloak")).clientId, "id")
    }).pipe(Effect.scoped)
  )

  it.gen("repeats no value that is not valid", Effect.scoped, function* () {
    const short = "too short a secret"
    const { get, lines } = yield* built(layer, { GITHUB_CLIENT: "id", GITHUB_PASSWORD: short, LINKING: "no" })
    const failure = Result.getOrThrow(Result.flip(get("github")))
    assert.deepInclude(failure, { field: "providers.github.clientSecret", variable: "GITHUB_PASSWORD" })
    assert.lengthOf(lines, 1)
    assert.notInclude(`${String(failure)} ${JSON.stringify(failure)} ${JSON.stringify(lines)}`, short)
  })

  it.gen("is asked for before the variables of the library", Effect.scoped, function* () {
    const variables = {
      GITHUB_CLIENT: "own",
      GITHUB_PASSWORD: "p".repeat(20),
      LINKING: "true",
      AUTH_GITHUB_ID: "other"
    }
    const { get, lines } = yield* built(layer, variables)
    const { allowDangerousEmailAccountLinking, clientId, clientSecret } = redirect(get("github"))
    assert.deepStrictEqual([allowDangerousEmailAccountLinking, clientId], [true, "own"])
    assert.strictEqual(clientSecret === undefined ? "" : Redacted.value(clientSecret), variables.GITHUB_PASSWORD)
    assert.deepStrictEqual(
      lines.map((line) => (line instanceof InvalidConfiguration ? line.field : line)),
      []
    )
  })

  it.gen("fails the layer when the source cannot be read", Effect.scoped, function* () {
    const down = ConfigProvider.make((path) =>
      path.includes("GITHUB_PASSWORD")
        ? Effect.fail(new ConfigProvider.SourceError({ message: "the vault is sealed" }))
        : Effect.succeed(undefined)
    )
    const failure = yield* Effect.flip(Layer.build(layer.pipe(Layer.provide([offline, ConfigProvider.layer(down)]))))
    assert.strictEqual(failure._tag, "ConfigError")
    assert.include(failure.message, "the vault is sealed")
  })
})

describe("a password in a layer", () => {
  const form = { name: { autocomplete: "username" }, password: { type: "password", redacted: true } } as const

  it.effect("reaches authorize as Redacted, and neither callbacks nor the page", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const own = Credentials({
        name: Config.String("FORM"),
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
      const browser = yield* Testing.browser(app(doorman, { FORM: "Own form" }))
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
    const email = Email({ maxAge: Config.Duration("LINKS"), secret: Config.Redacted("LINK_SECRET"), from })
    const doorman = Doorman.layerConfig({ ...store, providers: [email] })
    const browser = yield* Testing.browser(app(doorman, { LINKS: "5 minutes", LINK_SECRET: "a secret of links" }))
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
    const auth = { user: "ann", pass: Config.Redacted("PASSWORD") }
    const providers = [
      Resend({ apiKey: Config.Redacted("KEY"), from }),
      Nodemailer({ server: { host: Config.String("HOST"), auth }, from }),
      Email({ server: Config.Redacted("SERVER"), from })
    ] as const
    const { get } = yield* built(Doorman.layerConfig({ ...site, adapter: Adapter.makeMemory(), providers }), {
      PASSWORD: "a password",
      KEY: "a key",
      HOST: "mail.example",
      SERVER: "smtps://ann:a-password@mail.example"
    })
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
