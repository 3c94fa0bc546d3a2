/**
 * A site behind the HTTP door of Effect, with a provider, a store, mail, keys, and an application that uses sessions; with
 * canaries in all that is secret and in all that says who somebody is; and with somebody who listens everywhere.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as HttpMiddleware from "effect/http/HttpMiddleware"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Layer from "effect/Layer"
import * as Rpc from "effect/rpc/Rpc"
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as RpcSerialization from "effect/rpc/RpcSerialization"
import * as RpcServer from "effect/rpc/RpcServer"
import * as Schema from "effect/Schema"
import { TestClock } from "effect/testing"
import * as Audit from "../../src/Audit.ts"
import * as Auth from "../../src/Auth.ts"
import type { Options } from "../../src/AuthConfig.ts"
import * as DoormanRpc from "../../src/Rpc.ts"
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
import * as Sinks from "./Sinks.ts"
import { of, talkativeStore, type TalkativeStore } from "./TalkativeStore.ts"
import { hurried } from "./Watched.ts"

export const origin = "https://app.test"

/** What an application's own error says, and that it was the application who said it. */
export const spoken = (...args: ReadonlyArray<unknown>): Error =>
  new Error(`APPSAYS[${JSON.stringify(args, (_, value: unknown) => (value instanceof Request ? {} : value))}]SAIDAPP`)

/** A text without what the application said in it by itself. */
export const unspoken = (text: string): string => text.replace(/APPSAYS\[[\s\S]*?\]SAIDAPP/g, "")

/** What a visitor and a site have that nobody else may know. */
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

/** What is no secret. */
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

/** What is wanted of a site, besides its plan. */
export interface Leaks {
  /** An application that says too much: for tests of this test. */
  readonly options?: Partial<Options>
  readonly routes?: (texts: Texts) => Layer.Layer<never, never, HttpRouter.HttpRouter>
}

const Who = Schema.Struct({ name: Schema.NullOr(Schema.String), email: Schema.NullOr(Schema.String) })

class Api extends HttpApi.make("api").add(
  HttpApiGroup.make("me")
    .add(HttpApiEndpoint.get("who", "/api/me", { success: Who }))
    .middleware(Http.RequireSession)
) {}

class Procedures extends RpcGroup.make(Rpc.make("who", { success: Who })).middleware(DoormanRpc.RequireSession) {}

const who = Effect.map(Http.CurrentUser, ({ email, name }) => ({ email, name }))

/** The id of the user with the password: some applications take the address. */
export const idOf = ({ addressAsId }: Plan, { email }: Texts): string => (addressAsId ? email : "user-1")

/** What an application does with sessions. Whatever fails is looked at, and goes on to fail as the application lets it. */
const programs = (plan: Plan, texts: Texts, sinks: Sinks.Sinks) => {
  const { email, name, note } = texts
  const id = idOf(plan, texts)
  const heard = <A, E, R>(program: Effect.Effect<A, E, R>) =>
    Effect.onExit(program, (exit) =>
      Effect.sync(() => {
        if (Exit.isFailure(exit)) sinks.say("failure", ...Sinks.renderings(exit.cause))
      })
    )
  const answered = Effect.as(HttpServerResponse.text("done"))
  return Layer.mergeAll(
    HttpRouter.add("GET", "/app/me", heard(Effect.flatMap(Http.requireSession, ({ user }) => HttpServerResponse.json(user)))),
    HttpRouter.add("POST", "/app/sign-in", answered(heard(Http.signIn({ id, name, email })))),
    HttpRouter.add("POST", "/app/sign-out", answered(heard(Http.signOut))),
    HttpRouter.add("POST", "/app/update", answered(heard(Http.updateSession({ note, name })))),
    HttpRouter.add("GET", "/app/sessions", answered(heard(Http.listSessions(id)))),
    HttpRouter.add(
      "POST",
      "/app/revoke",
      answered(
        heard(
          Effect.gen(function* () {
            const [first] = yield* Http.listSessions(id)
            if (first !== undefined) yield* Http.revokeSession(id, first.id)
            yield* Http.revokeOtherSessions
            yield* Http.revokeSessions(id)
          })
        )
      )
    )
  )
}

/** The client of the site: the provider, which may repeat what it was told. */
const clientOf = (idp: TestProvider, { fault }: Plan, sinks: Sinks.Sinks): HttpClient.HttpClient =>
  HttpClient.make((request, url) => {
    sinks.say("request address", url.href)
    const told = Effect.map(Effect.orDie(HttpClientRequest.toWeb(request)), (web) => web)
    const repeating = (respond: (text: string) => Response) =>
      Effect.flatMap(told, (web) =>
        Effect.map(
          Effect.promise(() => web.text()),
          (body) =>
            HttpClientResponse.fromWeb(
              request,
              respond(`${decodeURIComponent(body.replaceAll("+", " "))} ${body} ${[...web.headers].join(" ")} ${url.href}`)
            )
        )
      )
    switch (`${fault} ${url.pathname}`) {
      case "token endpoint echoes as JSON /token":
        return repeating((text) =>
          Response.json(
            { error: text.slice(0, 200), error_description: text, error_uri: `https://idp.test/?${encodeURIComponent(text)}` },
            { status: 400 }
          )
        )
      case "token endpoint echoes as a page /token":
        return repeating((text) => new Response(`<p>${text}`, { status: 500, headers: { "content-type": "text/html" } }))
      case "token endpoint breaks with the request /token":
        return repeating((text) => new Response(text)).pipe(
          Effect.flatMap((response) => response.text),
          Effect.orDie,
          Effect.flatMap((text) =>
            Effect.fail(
              new HttpClientError.HttpClientError({
                reason: new HttpClientError.TransportError({
                  request,
                  cause: Object.assign(new Error(`connection lost: ${text}`), { request, text }),
                  description: text
                })
              })
            )
          )
        )
      case "userinfo echoes /userinfo":
        return repeating((text) =>
          Response.json(
            { error: text },
            { status: 401, headers: { "www-authenticate": `Bearer error="${encodeURIComponent(text)}"` } }
          )
        )
      case "metadata echoes /.well-known/openid-configuration":
        return repeating((text) => Response.json({ issuer: text }))
      default:
        return idp.client.execute(request)
    }
  })

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
    ...(logger === "effect" ? {} : { logger: listened, debug: logger === "option with debug" }),
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
    people: [
      { sub: texts.subject, name: texts.name, email: texts.email, email_verified: plan.seed % 2 === 0, picture: texts.picture }
    ],
    random: listenedBytes(plan.seed, note)
  })
  if (plan.fault === "dial") yield* idp.set(plan.dial)
  const store = talkativeStore(plan.way)
  if (plan.fault === "adapter") store.breaks(plan.method, plan.seed % 3 === 0 ? "23505" : "08006")
  const mailbox = Mailer.capture()
  const mailer: Mailer.Mailer["Service"] = {
    send: (mail) =>
      Effect.andThen(
        mailbox.send(mail),
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
  const { options = {}, routes } = leaks
  const said = Audit.layerSink((event) =>
    Effect.andThen(
      Effect.sync(() => sinks.say("audit event", ...Sinks.renderings(event))),
      plan.fault === "audit" ? Effect.fail(new Error("the table of the audit is full")) : Effect.void
    )
  )
  const Handlers = HttpApiBuilder.group(Api, "me", (handlers) => handlers.handle("who", () => who))
  const clock = Context.get(yield* Layer.build(hurried), Clock.Clock)
  const context = Context.add(sinks.context, Clock.Clock, clock).pipe(
    Context.add(HttpMiddleware.TracerHeaderFilter, () => true)
  )
  // Built by itself, so that options that cannot work fail the run.
  const doorman = yield* Effect.orDie(
    Layer.build(
      Auth.layer({
        ...optionsOf(plan, texts, idp, store, sinks),
        mailer,
        origin,
        ...options
      } as Parameters<typeof Auth.layer>[0]).pipe(
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
  const App = Layer.mergeAll(
    HttpApiBuilder.layer(Api).pipe(Layer.provide(Handlers)),
    RpcServer.layerHttp({ group: Procedures, path: "/rpc", protocol: "http" }).pipe(
      Layer.provide(Procedures.toLayer({ who: () => who })),
      Layer.provide(DoormanRpc.layer),
      Layer.provide(RpcSerialization.layerJson)
    ),
    programs(plan, texts, sinks),
    routes?.(texts) ?? Layer.empty
  ).pipe(
    Layer.provide(Http.layer),
    Layer.provideMerge(Layer.succeedContext(doorman)),
    Layer.provide([HttpServer.layerServices, Layer.succeedContext(context)])
  )
  const redaction = plan.redaction === "layer" ? yield* Layer.build(Http.layerRedaction) : Context.empty()
  const { dispose, handler } = HttpRouter.toWebHandler(
    App as Layer.Layer<never, never, HttpRouter.HttpRouter>,
    { disableLogger: !plan.access }
  )
  yield* Effect.addFinalizer(() => Effect.promise(() => dispose()))

  const isSlow = plan.fault === "dial" && /Slow$|Leisurely$/.test(plan.dial)
  /** The answer; time passes for a provider that is slow, and for nobody else. */
  const asked = Effect.fnUntraced(function* (request: Request) {
    let isDone = false
    const answer = Promise.resolve(handler(request, Context.merge(context, redaction))).finally(() => {
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
      if (pathname === "/auth/csrf" && text.startsWith("{")) note("form", "anti-forgery token", member(text, "csrfToken"))
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

/** What an address holds that must be in no other place. */
const notice = (location: string, note: Site["note"]): void => {
  if (!location.startsWith("https://idp.test/authorize")) return
  const parameters = new URL(location).searchParams
  for (const name of ["state", "nonce", "code_challenge"]) note("attempt", name, parameters.get(name))
}
