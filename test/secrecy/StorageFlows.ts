/**
 * The flows that use a store, played by a person who is watched: what has to be there first, and the flow itself.
 */
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import { asUserId } from "../../src/models/Id.ts"
import type { Options } from "../../src/config/Settings.ts"
import type { AuthError } from "../../src/Errors.ts"
import * as Mailer from "../../src/Mailer.ts"
import { Email } from "../../src/Provider/Email.ts"
import { Passkey } from "../../src/Provider/Passkey.ts"
import type { Services } from "../../src/composition/Services.ts"
import { type Browser, config } from "../Browser.ts"
import { idp } from "../MemoryProvider.ts"
import { fieldsOf } from "../Mailed.ts"
import { password, site } from "../Visitor.ts"
import {
  create,
  type CreationOptions,
  type Credential,
  get,
  type RequestOptions
} from "../webauthn/SoftwareAuthenticator.ts"
import { canary } from "./Look.ts"
import type { TalkativeStore } from "./TalkativeStore.ts"
import { type Watched, watch } from "./Watched.ts"

export type Played<A> = Effect.Effect<A, AuthError, Services>

/** A site with a store, mail and keys, all of which are watched. */
export interface Site {
  readonly options: Options
  readonly world: Watched
  readonly store: TalkativeStore
  readonly mails: Effect.Effect<ReadonlyArray<Mailer.CapturedMail>>
  /** Keys that were made. */
  readonly keys: Array<Credential>
}

export const makeSite = (store: TalkativeStore, more: Partial<Options> = {}): Site => {
  const mailer = Mailer.capture()
  const options = config({
    unprovenAddress: "release",
    providers: [
      idp(),
      password((given) => ({ id: "1", name: given["username"], email: given["username"] })),
      Email(),
      Passkey()
    ],
    experimental: { enableWebAuthn: true },
    adapter: store.adapter,
    mailer,
    ...more
  })
  const world = watch(options)
  Object.assign(world.provider.tokens, { access: canary.access, refresh: canary.refresh })
  Object.assign(world.provider.claims, {
    email: canary.email,
    name: canary.name,
    sub: "canary-subject-4711",
    email_verified: false
  })
  return { options, world, store, mails: mailer.mails, keys: [] }
}

/** Like a browser's `submit`, seen by the watcher. */
export const submit = Effect.fnUntraced(function* (
  person: Browser,
  path: string,
  fields: Readonly<Record<string, string>> = {}
) {
  const { csrfToken } = JSON.parse((yield* person.get("/auth/csrf")).body) as { csrfToken: string }
  return yield* person.send("POST", path, {
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ csrfToken, ...fields }).toString()
  })
})

export const atProvider = Effect.fnUntraced(function* ({ world }: Site, person: Browser) {
  const { location } = yield* submit(person, "/auth/signin/idp")
  if (location?.startsWith("https://idp.example/") !== true) return
  yield* person.get(world.provider.agree(location, canary.code))
})

export const askForLink = (person: Browser, email = canary.email) => submit(person, "/auth/signin/email", { email })

export const followLink = Effect.fnUntraced(function* ({ mails }: Site, person: Browser) {
  const mail = (yield* mails).at(-1)
  if (mail === undefined) return
  const link = new URL(mail.url)
  const page = yield* person.get(link)
  yield* person.send("POST", link.pathname, {
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(fieldsOf(page.body)).toString()
  })
})

const optionsOf = <A>(body: string): A | undefined =>
  body.startsWith("{") ? (JSON.parse(body) as { readonly options?: A }).options : undefined

const post = (person: Browser, action: string, data: unknown) =>
  submit(person, "/auth/callback/passkey", { action, data: JSON.stringify(data) })

export const makeKey = Effect.fnUntraced(function* (here: Site, person: Browser, email = canary.email) {
  const asked = yield* person.get(`/auth/webauthn-options/passkey?action=register&email=${encodeURIComponent(email)}`)
  const options = optionsOf<CreationOptions>(asked.body)
  if (options === undefined) return
  const { credential, data } = create(options, site)
  here.keys.push(credential)
  const { location } = yield* post(person, "register", data)
  // The key of a new person waits for the link.
  if (location?.includes("/verify-request") === true) yield* followLink(here, person)
})

export const useKey = Effect.fnUntraced(function* ({ keys }: Site, person: Browser) {
  const options = optionsOf<RequestOptions>(
    (yield* person.get("/auth/webauthn-options/passkey?action=authenticate")).body
  )
  const [key] = keys
  if (options === undefined || key === undefined) return
  key.counter++
  yield* post(person, "authenticate", get(key, options, site))
})

export interface StorageFlow {
  readonly title: string
  readonly options?: Partial<Options>
  /** The preparation, without faults. */
  readonly before?: (site: Site, person: Browser) => Played<unknown>
  readonly play: (site: Site, person: Browser) => Played<unknown>
}

const signedOut = (person: Browser) => Effect.sync(() => person.cookies.clear())

export const storageFlows: ReadonlyArray<StorageFlow> = [
  { title: "a first sign-in at a provider", play: atProvider },
  {
    title: "a first sign-in at a provider, with session tokens",
    options: { session: { strategy: "jwt" } },
    play: atProvider
  },
  {
    title: "a further sign-in at a provider",
    before: (site, person) => Effect.andThen(atProvider(site, person), signedOut(person)),
    play: atProvider
  },
  {
    title: "linking a further account",
    before: (site, person) => Effect.andThen(askForLink(person, "other.canary@mail.example"), followLink(site, person)),
    play: atProvider
  },
  {
    title: "a session that is read, renewed, changed and ended",
    before: atProvider,
    play: Effect.fnUntraced(function* (_, person) {
      yield* person.get("/auth/session")
      yield* TestClock.adjust("2 days")
      yield* person.get("/auth/session")
      yield* submit(person, "/auth/session", { data: "x" })
      yield* submit(person, "/auth/signout")
      yield* person.get("/auth/session")
    })
  },
  {
    title: "a session that has ended",
    before: atProvider,
    play: (_, person) => Effect.andThen(TestClock.adjust("40 days"), person.get("/auth/session"))
  },
  {
    title: "asking for a link twice, and following it",
    play: Effect.fnUntraced(function* (site, person) {
      yield* askForLink(person)
      yield* askForLink(person)
      yield* followLink(site, person)
      yield* followLink(site, person)
    })
  },
  {
    title: "following a link to an account whose address nobody had proven",
    before: (site, person) =>
      Effect.andThen(Effect.andThen(makeKey(site, person), signedOut(person)), askForLink(person)),
    play: followLink
  },
  {
    title: "making a key and signing in with it",
    play: Effect.fnUntraced(function* (site, person) {
      yield* makeKey(site, person)
      yield* makeKey(site, person)
      yield* signedOut(person)
      yield* useKey(site, person)
    })
  },
  {
    title: "signing in with a key",
    before: (site, person) => Effect.andThen(makeKey(site, person), signedOut(person)),
    play: useKey
  },
  {
    title: "a password, with a session in the store",
    before: (site) =>
      Effect.orDie(
        site.store.real.createUser({ id: asUserId("1"), email: canary.email, emailVerified: null, name: canary.name })
      ),
    play: (_, person) =>
      submit(person, "/auth/callback/credentials", { username: canary.email, password: canary.password })
  }
]
