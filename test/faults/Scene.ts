/**
 * One person at one site whose store, provider and mailer a test can break, under a clock of its own.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import { HttpClientError, TransportError } from "effect/http/HttpClientError"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { TestClock } from "effect/testing"
import type { Options } from "../../src/config/Settings.ts"
import { EmailSignInError } from "../../src/Errors.ts"
import { capture, type Mailbox, type Mailer } from "../../src/Mailer.ts"
import type { Services } from "../../src/composition/Services.ts"
import { type Browser, browser, config, type Log, type Seen, world } from "../Browser.ts"
import { idpOrigin, idpSecret, type MemoryProvider, memoryProvider } from "../MemoryProvider.ts"
import { json } from "../oauth/ScriptedProvider.ts"
import type { Credential } from "../webauthn/SoftwareAuthenticator.ts"
import { driven, type Injector, makeInjector } from "./Injector.ts"
import { adapterOf, makeVault, type Rivals, type StoreKind, type Vault } from "./Store.ts"

export type Strategy = "database" | "jwt"
export type Played<A> = Effect.Effect<A, unknown, Services>

/** Something that signs somebody in once: an address that is followed, with the cookies that belong to it. */
export interface Ticket {
  /** Tickets of one name are one. */
  readonly name: string
  readonly use: (visitor: Browser) => Played<Seen>
  readonly cookies: ReadonlyMap<string, string>
  /** How often it signed somebody in. */
  wins: number
}

/** Calls of an event handler. */
export interface ToldEvent {
  readonly name: string
  /** Whom or what it is about. */
  readonly about: string
}

export interface Scene {
  readonly store: StoreKind
  readonly strategy: Strategy
  readonly vault: Vault
  readonly injector: Injector
  readonly rivals: Rivals
  readonly provider: MemoryProvider
  readonly mailbox: Mailbox["Service"]
  readonly person: Browser
  readonly log: Log
  readonly told: Array<ToldEvent>
  readonly tickets: Array<Ticket>
  /** The keys that the person's authenticator made. */
  readonly keys: Array<Credential>
  /** Every answer, with its lines that set a session. */
  readonly answers: Array<Seen>
}

export const sessionCookie = "__Host-authjs.session-token"

/** A provider of plain OAuth at the same place, whose sign-ins need no signatures. */
export const oauth = (more: object = {}) => ({
  id: "idp",
  name: "Identity",
  type: "oauth" as const,
  authorization: `${idpOrigin}/authorize`,
  token: `${idpOrigin}/token`,
  userinfo: `${idpOrigin}/userinfo`,
  clientId: "client-1",
  clientSecret: idpSecret,
  ...more
})

const faultyClient = (inner: HttpClient.HttpClient, injector: Injector): HttpClient.HttpClient =>
  HttpClient.make((request) => {
    const path = new URL(request.url).pathname.replace("/.well-known/openid-configuration", "/discovery")
    const talkative = () => new Error(`${request.url} failed: ${JSON.stringify(request)}`)
    return injector.around(
      path,
      {
        part: "provider",
        failure: Effect.suspend(() =>
          Effect.fail(new HttpClientError({ reason: new TransportError({ request, cause: talkative() }) }))
        ),
        defect: talkative,
        nothing: Effect.sync(() => HttpClientResponse.fromWeb(request, json({}))),
        patience: 13
      },
      inner.execute(request)
    )
  })

const faultyMailer = (inner: Mailer["Service"], injector: Injector): Mailer["Service"] => ({
  send: (mail) => {
    const talkative = () => new Error(`mail to ${mail.to} failed: ${Redacted.value(mail.url)}`)
    return injector.around(
      "mail",
      {
        part: "mailer",
        failure: Effect.fail(new EmailSignInError({ detail: "The test says so" })),
        defect: talkative,
        patience: 33
      },
      inner.send(mail)
    )
  }
})

export interface SceneOptions {
  readonly store: StoreKind
  readonly strategy: Strategy
  readonly options?: ((scene: Pick<Scene, "mailbox">) => Partial<Options>) | undefined
}

/** Plays in a new scene. */
export const inScene = <A, E>(
  { options, store, strategy }: SceneOptions,
  play: (scene: Scene) => Effect.Effect<A, E, Services>
) =>
  Effect.gen(function* () {
    const clock = yield* Clock.Clock
    const injector = makeInjector(() => clock.currentTimeMillisUnsafe())
    const vault = makeVault()
    const rivals: Rivals = { account: undefined, known: new Set() }
    const honest = memoryProvider()
    const mails = capture()
    const log: Log = { entries: [] }
    const told: Array<ToldEvent> = []
    const run = Effect.runPromiseWith(yield* Effect.context<never>())
    const provider: MemoryProvider = {
      ...honest,
      layer: Layer.succeed(HttpClient.HttpClient, faultyClient(honest.client, injector))
    }
    const tell =
      <M>(name: string, about: (message: M) => string | null | undefined) =>
      (message: M) =>
        void told.push({ name, about: about(message) ?? "" })
    const events: Options["events"] = {
      createUser: tell("createUser", ({ user }) => user.id),
      updateUser: tell("updateUser", ({ user }) => user.id),
      linkAccount: tell("linkAccount", ({ account }) => `${account.provider} ${account.providerAccountId}`),
      signIn: tell("signIn", ({ user }) => user.id),
      signOut: tell("signOut", () => "")
    }
    const person = browser()
    const answers: Array<Seen> = []
    const scene: Scene = {
      store,
      strategy,
      vault,
      injector,
      rivals,
      provider,
      mailbox: mails,
      log,
      told,
      tickets: [],
      keys: [],
      answers,
      person: person
    }
    const whole = config({
      adapter: adapterOf(store, vault, injector, rivals, run),
      mailer: faultyMailer(mails, injector),
      session: { strategy },
      events,
      ...options?.(scene)
    })
    const site = world(whole, provider, log)
    return yield* Effect.provide(play(scene), site)
  }).pipe(Effect.provide(TestClock.layer()))

/** Does an answer sign somebody in? */
export const sessionOf = (seen: Seen): string | undefined => {
  for (const line of seen.lines) {
    const [, value = ""] = /^__Host-authjs\.session-token(?:\.0)?=([^;]+)/.exec(line) ?? []
    if (value !== "" && !/; Max-Age=0(?:;|$)/.test(line)) return value
  }
  return undefined
}

/** Sends requests while a fault may strike, and remembers the answer. */
export const sent = (scene: Scene, request: Played<Seen>): Played<Seen> =>
  Effect.tap(driven(scene.injector, request), (seen) => Effect.sync(() => void scene.answers.push(seen)))

/** Uses a ticket. */
export const spent = Effect.fnUntraced(function* (
  scene: Scene,
  name: string,
  use: Ticket["use"],
  visitor: Browser = scene.person
) {
  const known = scene.tickets.find((one) => one.name === name)
  const ticket: Ticket = known ?? { name, use, cookies: new Map(visitor.cookies), wins: 0 }
  if (known === undefined) scene.tickets.push(ticket)
  const seen = yield* sent(scene, use(visitor))
  if (sessionOf(seen) !== undefined) ticket.wins++
  return seen
})

/** A whole sign-in at the provider; the answer of the first request that did not lead on. */
export const signInAtProvider = Effect.fnUntraced(function* (scene: Scene, visitor: Browser = scene.person) {
  const left = yield* sent(scene, visitor.submit("/auth/signin/idp"))
  if (left.location?.startsWith(`${idpOrigin}/authorize`) !== true) return left
  const back = scene.provider.agree(left.location)
  return yield* spent(scene, back.href, (who) => who.get(back), visitor)
})

/** An answer in a few letters: `ok`, `null`, or the page and its error. */
export const shortly = (seen: Seen): string => {
  if (seen.body === "null") return "null"
  if (seen.failure === undefined) return "ok"
  if (seen.location === null) return String(seen.status)
  const { pathname, searchParams } = new URL(seen.location)
  return `${pathname.replace("/auth/", "")} ${searchParams.get("error") ?? ""}`
}
