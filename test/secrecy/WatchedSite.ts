/**
 * A site behind the HTTP door of Effect, with a provider, a store, mail, keys, and an application that uses sessions; with
 * canaries in all that is secret and in all that says who somebody is; and with somebody who listens everywhere.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpMiddleware from "effect/http/HttpMiddleware"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import { TestClock } from "effect/testing"
import * as Audit from "../../src/Audit.ts"
import { Doorman } from "../../src/Doorman.ts"
import type { Options } from "../../src/config/Settings.ts"
import * as Access from "../../src/Access.ts"
import * as Http from "../../src/Http.ts"
import * as Mailer from "../../src/Mailer.ts"
import { EmailSignInError } from "../../src/Errors.ts"
import { Email } from "../../src/Provider/Email.ts"
import { Passkey } from "../../src/Provider/Passkey.ts"
import * as Telemetry from "../../src/Telemetry.ts"
import { IdentityProvider, type TestProvider } from "../../src/testing/IdentityProvider.ts"
import * as SeededBytes from "../../src/testing/idp/SeededBytes.ts"
import { password as passwordProvider } from "../Visitor.ts"
import type { Credential } from "../webauthn/SoftwareAuthenticator.ts"
import { type Canary, type Kind, mint } from "./Canaries.ts"
import type { Plan } from "./Plan.ts"
import { clientOf } from "./RepeatingClient.ts"
import * as Sinks from "./Sinks.ts"
import { of, talkativeStore, type TalkativeStore } from "./TalkativeStore.ts"
import { hurried } from "./Watched.ts"
import { layerOf } from "./WatchedApplication.ts"
import { forLayer } from "../ForLayer.ts"

export const origin = "https://app.test"

/** The message of an application's own error, marked as the application's. */
export const spoken = (...args: ReadonlyArray<unknown>): Error =>
  new Error(`APPSAYS[${JSON.stringify(args, (_, value: unknown) => (value instanceof Request ? {} : value))}]SAIDAPP`)

/** A text without what the application said in it by itself. */
export const unspoken = (text: string): string => text.replace(/APPSAYS\[[\s\S]*?\]SAIDAPP/g, "")

/** The secrets of a visitor and a site. */
const textsOf = (seed: number) => {
  const text = mint(seed)
  return {
    secret: text("secret"),
    earlier: text("earlier"),
    clientSecret: text("client", true),
    password: text("pw", true),
    email: `${text("person")}@mail.example`,
    guess: text("guess", true),
    name: text("Ann", true),
    picture: `https://pictures.example/${text("face")}.png`,
    subject: text("sub"),
    note: text("note", true),
    wrong: text("wrong"),
    strayLink: text("link"),
    target: text("target"),
    says: text("says")
  }
}

/** Values that are public. */
const kinds: Readonly<Record<string, Kind>> = {
  email: "person",
  name: "person",
  note: "person",
  picture: "person",
  subject: "person",
  strayLink: "link",
  target: "target",
  says: "words"
}

export type Texts = ReturnType<typeof textsOf>

/** The id of the user with the password: some applications take the address. */
export const idOf = ({ addressAsId }: Plan, { email }: Texts): string => (addressAsId ? email : "user-1")

export interface Answer {
  readonly status: number
  readonly location: string | undefined
  readonly body: string
}

export interface Sent {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Person {
  readonly cookies: Map<string, string>
  readonly send: (method: string, address: string, sent?: Sent) => Effect.Effect<Answer>
}

export interface Site {
  readonly plan: Plan
  readonly texts: Texts
  readonly sinks: Sinks.Sinks
  readonly idp: TestProvider
  readonly store: TalkativeStore
  readonly mails: Effect.Effect<ReadonlyArray<Mailer.CapturedMail>>
  readonly keys: Array<Credential>
  readonly person: () => Person
  /** Everything that is a canary by now. */
  readonly canaries: () => ReadonlyArray<Canary>
  readonly note: (kind: Kind, name: string, value: string | null | undefined) => void
}

/** Options of a site, besides its plan. */
export interface Leaks {
  /** An application that says too much: for tests of this test. */
  readonly options?: Partial<Options>
  /** Addresses that a visitor opens after the flow. */
  readonly visits?: ReadonlyArray<string>
  /** The user agent of that visitor. */
  readonly userAgent?: keyof Texts
  readonly routes?: (texts: Texts) => Layer.Layer<never, never, HttpRouter.HttpRouter>
}

const callbacksOf = ({ fault, strategy }: Plan): Partial<Options> => {
  const broken = (...args: ReadonlyArray<unknown>) => Promise.reject(spoken(...args))
  switch (fault) {
    case "signIn throws":
      return { callbacks: { signIn: broken } }
    case "signIn refuses":
      return { callbacks: { signIn: () => false } }
    case "jwt throws":
      return { callbacks: { jwt: broken } }
    case "session throws":
      return { callbacks: { session: broken } }
    case "redirect throws":
      return { callbacks: { redirect: broken } }
    case "an event throws":
      return { events: { signIn: broken, signOut: broken, createUser: broken, linkAccount: broken, session: broken } }
    case "encode throws":
      return strategy === "jwt" ? { jwt: { encode: broken } } : {}
    default:
      return {}
  }
}

const optionsOf = (plan: Plan, texts: Texts, idp: TestProvider, store: TalkativeStore, sinks: Sinks.Sinks) => {
  const { client, fault, logger, provider, strategy } = plan
  const oidc = idp.provider({
    ...(provider === "oidc with userinfo" ? { idToken: false } : {}),
    ...(client === "post" ? { client: { token_endpoint_auth_method: "client_secret_post" as const } } : {}),
    ...(fault === "a profile throws" ? { profile: (...args) => Promise.reject(spoken(...args)) } : {})
  })
  const chosen =
    provider === "oauth"
      ? {
          ...oidc,
          type: "oauth",
          authorization: `${idp.issuer}/authorize?scope=openid+profile+email`,
          token: `${idp.issuer}/token`,
          userinfo: `${idp.issuer}/userinfo`
        }
      : oidc
  const listened = {
    error: (error: Error) => sinks.say("log message", ...Sinks.renderings(error), ...Sinks.renderings(error.cause)),
    warn: (code: string) => sinks.say("log line", code),
    debug: (message: string, metadata?: unknown) => sinks.say("log line", message, ...Sinks.renderings(metadata))
  }
  return {
    providers: [
      chosen as typeof oidc,
      passwordProvider((given) =>
        fault === "authorize throws"
          ? Promise.reject(spoken(given))
          : fault === "authorize refuses" || given["password"] !== texts.password
            ? null
            : { id: idOf(plan, texts), name: texts.name, email: texts.email }
      ),
      Email(),
      Passkey()
    ],
    experimental: { enableWebAuthn: true },
    secret: [texts.secret, texts.earlier],
    session: { strategy },
    adapter: store.adapter,
    ...(logger.startsWith("effect") ? {} : { logger: listened }),
    debug: logger.endsWith("with debug"),
    ...callbacksOf(plan)
  } satisfies Partial<Options>
}

/** Bytes of the provider, each draw of which becomes a part of a code or of a token. */
const listenedBytes = (seed: number, note: Site["note"]): SecureRandom.SecureRandom["Service"] => {
  const source = SeededBytes.make(`provider ${seed}`)
  return SecureRandom.make((size) => {
    const bytes = Effect.runSync(source.randomBytes(size))
    note("secret", "code or token of the provider", Buffer.from(bytes).toString("base64url"))
    return bytes
  })
}

/** Answers of one kind are one sink. */
const sinkOf = (type: string | null): Sinks.Sink =>
  type === null ? "body" : type.includes("problem") ? "problem" : type.includes("html") ? "page" : "body"

/** Builds a site, in a scope. */
export const make = Effect.fnUntraced(function* (plan: Plan, leaks: Leaks = {}) {
  const texts = textsOf(plan.seed)
  const sinks = Sinks.make(plan.level)
  const noted = new Map<string, Canary>()
  const note: Site["note"] = (kind, name, value) => {
    if (typeof value === "string" && value.length >= 12 && !noted.has(value)) noted.set(value, { kind, name, value })
  }
  for (const [name, value] of Object.entries(texts)) note(kinds[name] ?? "secret", name, value)
  note("secret", "the password of the store's address", "canary password 4711")

  const idp = IdentityProvider.make({
    clients: [{ clientId: "the-client", clientSecret: texts.clientSecret }],
    users: [
      {
        sub: texts.subject,
        name: texts.name,
        email: texts.email,
        email_verified: plan.seed % 2 === 0,
        picture: texts.picture
      }
    ],
    random: listenedBytes(plan.seed, note)
  })
  if (plan.fault === "dial") yield* idp.set(plan.dial)
  const store = talkativeStore(plan.way)
  if (plan.fault === "adapter") store.breaks(plan.method, plan.seed % 3 === 0 ? "23505" : "08006")
  const mailbox = Mailer.capture()
  const mailer: Mailer.Mailer["Service"] = {
    send: (redacted) => {
      const mail = Mailer.plainMail(redacted)
      return Effect.andThen(
        mailbox.send(redacted),
        plan.fault !== "mailer"
          ? Effect.void
          : plan.way === "dies"
            ? Effect.die(Object.assign(new Error(JSON.stringify(mail)), { mail }))
            : Effect.fail(
                new EmailSignInError({
                  detail: "The mail could not be sent",
                  cause: Object.assign(new Error(`550 ${mail.to} refused: ${mail.url} ${mail.text}`), { mail })
                })
              )
      )
    }
  }
  const { options = {}, routes } = leaks
  const said = Audit.layerSink((event) =>
    Effect.andThen(
      Effect.sync(() => sinks.say("audit event", ...Sinks.renderings(event))),
      plan.fault === "audit" ? Effect.fail("the table of the audit is full") : Effect.void
    )
  )
  const clock = Context.get(yield* Layer.build(hurried), Clock.Clock)
  const context = Context.add(sinks.context, Clock.Clock, clock).pipe(
    Context.add(HttpMiddleware.TracerHeaderFilter, () => true)
  )
  // Built by itself, so that options that cannot work fail the run.
  const doorman = yield* Effect.orDie(
    Layer.build(
      Doorman.layer(forLayer({ ...optionsOf(plan, texts, idp, store, sinks), mailer, origin, ...options })).pipe(
        Layer.provide(
          Layer.mergeAll(
            said,
            Telemetry.layer,
            Layer.succeed(HttpClient.HttpClient, clientOf(idp, plan, sinks)),
            Layer.succeed(SecureRandom.SecureRandom, SeededBytes.make(`site ${plan.seed}`))
          ).pipe(Layer.provideMerge(Layer.succeedContext(context)))
        )
      )
    )
  )
  const App = Layer.mergeAll(layerOf(idOf(plan, texts), texts, sinks), routes?.(texts) ?? Layer.empty).pipe(
    Layer.provide(Http.layer(Access.Default)),
    Layer.provideMerge(Layer.succeedContext(doorman)),
    Layer.provide([HttpServer.layerServices, Layer.succeedContext(context)])
  )
  const { dispose, handler } = HttpRouter.toWebHandler(App, { disableLogger: !plan.access })
  yield* Effect.addFinalizer(() => Effect.promise(() => dispose()))

  const isSlow = plan.fault === "dial" && /Slow$|Leisurely$/.test(plan.dial)
  /** The answer; time passes for a provider that is slow, and for nobody else. */
  const asked = Effect.fnUntraced(function* (request: Request) {
    let isDone = false
    const answer = Promise.resolve(handler(request, context)).finally(() => {
      isDone = true
    })
    for (let turn = 0; isSlow && !isDone && turn < 5_000; turn++) {
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      if (!isDone && idp.requests.some(({ status }) => status === undefined)) yield* TestClock.adjust("5 seconds")
    }
    return yield* Effect.promise(() => answer)
  })

  const person = (): Person => {
    const cookies = new Map<string, string>()
    let last: string | undefined
    const send: Person["send"] = Effect.fnUntraced(function* (method, address, { body, headers = {} } = {}) {
      const url = new URL(address, origin)
      const sending = new Headers({
        ...(plan.accept === "" ? {} : { accept: plan.accept }),
        ...(plan.asJson ? { "x-auth-return-redirect": "1" } : {}),
        ...(cookies.size === 0 ? {} : { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") }),
        ...(last === undefined || !url.pathname.startsWith("/auth/") ? {} : { referer: last }),
        ...headers
      })
      const request = new Request(url, { method, headers: sending, ...(body === undefined ? {} : { body }) })
      const response = yield* asked(request)
      const text = yield* Effect.promise(() => response.text())
      if (method === "GET" && response.status < 300) last = url.href
      const { pathname } = url
      for (const line of response.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        sinks.say("cookie", decodeURIComponent(line))
        if (!name.endsWith("callback-url")) note("cookie", `cookie ${name}`, decodeURIComponent(value))
        if (/; Max-Age=0(?:;|$)/.test(line)) cookies.delete(name)
        else cookies.set(name, value)
      }
      const location = response.headers.get("location") ?? urlOf(text)
      if (location !== undefined) notice(location, note)
      if (response.headers.has("location")) sinks.say("location", location ?? "")
      for (const [name, value] of response.headers) {
        if (name !== "set-cookie" && name !== "location") sinks.say("header", `${name}: ${value}`)
      }
      if (pathname === "/auth/csrf" && text.startsWith("{"))
        note("form", "anti-forgery token", member(text, "csrfToken"))
      if (location !== undefined && urlOf(text) === location) sinks.say("location", location)
      else sinks.said.push({ sink: sinkOf(response.headers.get("content-type")), text, path: pathname })
      return { status: response.status, location, body: text }
    })
    return { cookies, send }
  }

  const canaries = (): ReadonlyArray<Canary> => {
    for (const { body, path } of idp.requests) {
      if (path !== "/token") continue
      note("secret", "verifier", new URLSearchParams(body).get("code_verifier"))
      note("secret", "code", new URLSearchParams(body).get("code"))
    }
    for (const token of of(store, "access_token", "refresh_token", "id_token", "credentialPublicKey")) {
      note("secret", "token in the store", token)
    }
    for (const token of of(store, "sessionToken")) note("cookie", "session token", token)
    return [...noted.values()]
  }
  const site: Site = { plan, texts, sinks, idp, store, mails: mailbox.mails, keys: [], person, canaries, note }
  return site
})

const member = (text: string, name: string): string | undefined => {
  const value: unknown = Reflect.get(JSON.parse(text) as object, name)
  return typeof value === "string" ? value : undefined
}

/** The address that an answer for programs leads to. */
const urlOf = (text: string): string | undefined => (text.startsWith('{"url":') ? member(text, "url") : undefined)

/** The values of an address that must be in no other place. */
const notice = (location: string, note: Site["note"]): void => {
  if (!location.startsWith("https://idp.test/authorize")) return
  const parameters = new URL(location).searchParams
  for (const name of ["state", "nonce", "code_challenge"]) note("attempt", name, parameters.get(name))
}
