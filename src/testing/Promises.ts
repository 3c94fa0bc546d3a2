/**
 * The test kit of ordinary servers: a browser, an OpenID provider, a mailbox and signed-in users for tests of `createAuth`, as
 * promises and for every test runner. It needs no `effect`.
 *
 * Nothing here opens a socket. Time is that of `Date`: a fake clock of the test runner moves it. For tests alone: the private keys
 * of the provider are published with this package.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Cookies from "effect/http/Cookies"
import type { HttpClientResponse } from "effect/http/HttpClientResponse"
import type { HttpClientError } from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import type { NamedUser, SignInOptions } from "../actions/ServerSignIn.ts"
import { customFetch } from "../internal/Markers.ts"
import type { Profile } from "../models/Shape.ts"
import type { OIDCConfig } from "../compat/providers.ts"
import type { ServerAuth } from "../server/ServerAuth.ts"
import * as Browser from "./Browser.ts"
import type { FaultName } from "./idp/Faults.ts"
import type { ProviderRequest } from "./idp/Transport.ts"
import type { Algorithm } from "./idp/TestKeys.ts"
import type { Client, ProviderUser } from "./idp/Users.ts"
import { type Consent, IdentityProvider } from "./IdentityProvider.ts"
import { mergeCookies, type StorageState, stateOfHeaders } from "./StorageState.ts"

export { siteOrigin } from "./Browser.ts"
export type { FaultFacts } from "./idp/Fault.ts"
export { type FaultName, faults } from "./idp/Faults.ts"
export type { Algorithm } from "./idp/TestKeys.ts"
export type { ProviderRequest } from "./idp/Transport.ts"
export type { Client, ProviderUser } from "./idp/Users.ts"
export type { StorageCookie, StorageState } from "./StorageState.ts"
export type { NamedUser, ServerAuth, SignInOptions } from "../index.ts"

/** A secret for tests: long enough, and published with this package. @category constants @since 0.1.0 */
export const secret = "for tests only: 0123456789 abcdefghijklmnopqrstuvwxyz"

/**
 * Options of a provider. Each has a default.
 *
 * @category models
 * @since 0.1.0
 */
export interface TestProviderOptions {
  /** Issuer identifier: `https`, without query and final slash. Default: `https://idp.test`. */
  readonly issuer?: string
  /** Default: one client, `test-client`, that may be sent back anywhere. */
  readonly clients?: readonly [Client, ...ReadonlyArray<Client>]
  /** Default: `ada`, `grace`, and `eve`, who gives the address of `ada` without having verified it. */
  readonly users?: ReadonlyArray<ProviderUser>
  /** How ID tokens are signed. Default: `RS256`. */
  readonly algorithm?: Algorithm
  /** The seed of codes and tokens. Default: the issuer. */
  readonly seed?: string
}

/**
 * An OpenID provider in this process.
 *
 * @category models
 * @since 0.1.0
 */
export interface TestProvider {
  readonly issuer: string
  /** A provider for the `providers` of the options, `idp` by id; members given here win. It asks this provider alone. */
  readonly provider: (more?: Partial<Omit<OIDCConfig<Profile>, "type">>) => OIDCConfig<Profile>
  /** The provider as `fetch`, for the `customFetch` of a provider and in place of the global function. */
  readonly fetch: typeof globalThis.fetch
  /** Lets a user agree or decline. Answers the URL that the provider redirects the browser to. */
  readonly authorize: (
    authorizationUrl: string | URL,
    consent?: { readonly as?: string | undefined; readonly decline?: string | undefined }
  ) => Promise<URL>
  /** The requests of the application and of browsers, the oldest first. */
  readonly requests: ReadonlyArray<ProviderRequest>
  /** Adds a user, or replaces the user of that `sub`. */
  readonly setUser: (user: ProviderUser) => void
  /** Revokes the consent of a user: their codes and tokens are invalid from now on. */
  readonly revoke: (sub: string) => void
  /** Sets faults, until `reset`. */
  readonly set: (...faults: ReadonlyArray<FaultName>) => void
  /** Makes the provider honest again. */
  readonly reset: () => void
}

/**
 * Makes an OpenID provider.
 *
 * @category constructors
 * @since 0.1.0
 */
export const createTestProvider = (options: TestProviderOptions = {}): TestProvider => {
  const idp = IdentityProvider.make(options)
  return {
    issuer: idp.issuer,
    provider: (more = {}) => idp.provider({ [customFetch]: idp.fetch, ...more }),
    fetch: idp.fetch,
    authorize: (address, consent) => Effect.runPromise(idp.authorize(address, consent)),
    requests: idp.requests,
    setUser: (user) => Effect.runSync(idp.setUser(user)),
    revoke: (sub) => Effect.runSync(idp.revoke(sub)),
    set: (...faults) => Effect.runSync(idp.set(...faults)),
    reset: () => Effect.runSync(idp.reset)
  }
}

/** A mail with a sign-in link. @category models @since 0.1.0 */
export interface TestMail {
  readonly to: string
  readonly url: string
  readonly expires: Date
}

/**
 * Keeps the mails of an email provider.
 *
 * @category models
 * @since 0.1.0
 */
export interface TestMailbox {
  /** The oldest first. */
  readonly mails: ReadonlyArray<TestMail>
  /** For the option of this name of an email provider. */
  readonly sendVerificationRequest: (mail: {
    readonly identifier: string
    readonly url: string
    readonly expires: Date
  }) => void
  readonly clear: () => void
}

/**
 * Makes a mailbox.
 *
 * @category constructors
 * @since 0.1.0
 */
export const createMailbox = (): TestMailbox => {
  const mails: Array<TestMail> = []
  return {
    mails,
    sendVerificationRequest: ({ expires, identifier, url }) => void mails.push({ to: identifier, url, expires }),
    clear: () => void mails.splice(0)
  }
}

/**
 * Where the site of a browser is, and what is around it.
 *
 * @category models
 * @since 0.1.0
 */
export interface TestBrowserOptions {
  /** Default: `https://app.test`. */
  readonly origin?: string
  /** Default: `/auth`. */
  readonly basePath?: string
  /** The providers at which `signIn` may sign in. */
  readonly providers?: ReadonlyArray<TestProvider>
  /** Where `askForLink` finds the mail. */
  readonly mailbox?: TestMailbox
}

/** The error of a step that does not succeed. @category errors @since 0.1.0 */
export interface StepFailure extends Error {
  readonly _tag: "StepFailed"
  readonly step: string
  readonly status: number
  readonly location: string | undefined
  readonly body: string
  /** The public name of the failure, as the URL of the error page has it: `?error=`. */
  readonly error: string | undefined
  /** The details of the failure: `&code=`. */
  readonly code: string | undefined
}

const Record = Schema.Record(Schema.String, Schema.Unknown)
const TestSession = Schema.StructWithRest(Schema.Struct({ user: Schema.optionalKey(Record), expires: Schema.String }), [
  Record
])

/** The session as a client sees it. @category models @since 0.1.0 */
export interface TestSession {
  readonly user?: Readonly<Record<string, unknown>>
  readonly expires: string
  readonly [claim: string]: unknown
}

const decodeSession = Schema.decodeUnknownEffect(Schema.NullOr(TestSession))

/** A request of a script of the site. @category models @since 0.1.0 */
export interface TestRequest {
  readonly method?: "DELETE" | "GET" | "HEAD" | "PATCH" | "POST" | "PUT"
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Where a user was when they decided to sign in. @category models @since 0.1.0 */
export interface TestSignIn {
  readonly callbackUrl?: string
}

/**
 * A browser of one user. Addresses without an origin are the site's.
 *
 * @category models
 * @since 0.1.0
 */
export interface TestBrowser {
  /** Opens an address as a user does who enters it, and follows redirects. */
  readonly open: (address: string) => Promise<Response>
  /** Asks for an address as a script of the site does, without following redirects. */
  readonly fetch: (address: string, request?: TestRequest) => Promise<Response>
  /** Posts a form of the site, with the CSRF token of this browser, without following redirects. */
  readonly submit: (address: string, fields?: Readonly<Record<string, string>>) => Promise<Response>
  /** The answer of `GET session`. */
  readonly session: () => Promise<TestSession | null>
  /** A whole sign-in at a provider in this process. Answers where the site leads to then. */
  readonly signIn: (provider: string, consent?: TestSignIn & { readonly as?: string }) => Promise<string>
  /** A sign-in with the form of a credentials provider. */
  readonly signInWith: (
    provider: string,
    fields: Readonly<Record<string, string>>,
    start?: TestSignIn
  ) => Promise<string>
  /** Asks for a sign-in link, and answers the mail: its `url` is the link. */
  readonly askForLink: (provider: string, email: string, start?: TestSignIn) => Promise<TestMail>
  /** Opens the link of a mail and presses its button. Answers where the site leads to then. */
  readonly followLink: (link: string) => Promise<string>
  readonly signOut: () => Promise<void>
  /** Puts the cookies of a signed-in user into this browser. */
  readonly become: (user: { readonly storageState: StorageState }) => Promise<void>
  /** Another browser at the same application: of another user, or on another device. It has no cookies yet. */
  readonly another: () => TestBrowser
}

/** A function that answers requests, such as `auth.handler` or `fetch`, or what has one. @category models @since 0.1.0 */
export type TestApplication =
  | ((request: Request) => Promise<Response> | Response)
  | { readonly handler: (request: Request) => Promise<Response> }

/**
 * Makes a browser that looks at an application: at a function that answers requests, such as `auth.handler` or the `fetch` of a
 * framework, or with the global `fetch` at the server that listens at `origin`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const createBrowser = (application: TestApplication, options: TestBrowserOptions = {}): TestBrowser => {
  const { basePath = "/auth", mailbox, origin = Browser.siteOrigin, providers = [] } = options
  const handler = typeof application === "function" ? application : application.handler
  const answer = (request: Request) => Promise.resolve(handler(new Request(request, { redirect: "manual" })))
  const site: Browser.Site = {
    basePath,
    failure: Effect.succeed(undefined),
    network: {
      origin,
      send: (request, url) => {
        const provider = providers.find(({ issuer }) => new URL(issuer).origin === url.origin)
        if (provider !== undefined) return Browser.answeredBy((sent) => provider.fetch(sent), request)
        return url.origin === origin
          ? Browser.answeredBy(answer, request)
          : Effect.fail(Browser.nowhere(request, origin))
      }
    }
  }
  return browserOf(site, providers, mailbox)
}

const browserOf = (
  site: Browser.Site,
  providers: ReadonlyArray<TestProvider>,
  mailbox: TestMailbox | undefined
): TestBrowser => {
  const cookies = Ref.makeUnsafe<ReadonlyArray<Cookies.Cookie>>([])
  const steps = Browser.stepsOf(site, cookies)
  const answered = <E>(step: Effect.Effect<HttpClientResponse, E>) =>
    Effect.runPromise(Effect.flatMap(step, toResponse))
  const authorize = (address: string, consent: Consent) =>
    Effect.tryPromise({
      try: () => {
        const provider = providers.find(({ issuer }) => address.startsWith(issuer))
        return provider === undefined
          ? Promise.reject(
              new Error(`createBrowser has no provider for ${new URL(address).origin}: { providers: [idp] }`)
            )
          : provider.authorize(address, consent)
      },
      catch: (cause) => ({ message: cause instanceof Error ? cause.message : String(cause) })
    })
  return {
    open: (address) => answered(steps.open(address)),
    fetch: (address, { body, headers = {}, method = "GET" } = {}) => {
      const request = HttpClientRequest.make(method)(address, { headers })
      const { "content-type": type = "text/plain;charset=UTF-8" } = headers
      return answered(
        steps.script.execute(body === undefined ? request : HttpClientRequest.bodyText(request, body, type))
      )
    },
    submit: (address, fields) => answered(steps.submit(address, fields)),
    session: () => Effect.runPromise(Effect.flatMap(steps.session, decodeSession)),
    signIn: (provider, consent) => Effect.runPromise(steps.signInAt(authorize, provider, consent)),
    signInWith: (provider, fields, start) => Effect.runPromise(steps.signInWith(provider, fields, start)),
    askForLink: (provider, email, start) =>
      Effect.runPromise(
        steps.askForLinkIn(
          Effect.sync(() => [...(mailbox?.mails ?? [])]),
          provider,
          email,
          start
        )
      ),
    followLink: (link) => Effect.runPromise(steps.followLink(link)),
    signOut: () => Effect.runPromise(steps.signOut),
    become: ({ storageState }) =>
      Effect.runPromise(
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          Ref.update(cookies, (kept) => mergeCookies(kept, storageState, now))
        )
      ),
    another: () => browserOf(site, providers, mailbox)
  }
}

/** A response of the application, read to its end. */
const toResponse = (response: HttpClientResponse): Effect.Effect<Response, HttpClientError> =>
  Effect.map(response.arrayBuffer, (body) => {
    const { "set-cookie": _, ...rest } = response.headers
    const headers = new Headers(rest)
    for (const line of Cookies.toSetCookieHeaders(response.cookies)) headers.append("set-cookie", line)
    return new Response(body.byteLength === 0 ? null : body, { status: response.status, headers })
  })

/**
 * A signed-in user: a `Cookie` header for requests, and the state of a browser, of Playwright or of this kit.
 *
 * @category models
 * @since 0.1.0
 */
export interface SignedInUser {
  readonly cookie: string
  readonly storageState: StorageState
}

/**
 * Signs a user in with `auth.signIn`: `callbacks.signIn` may refuse it, `callbacks.jwt` makes the token, and handlers of events
 * run. With an adapter the store must know the user by this id. A bearer token comes from `auth.sessions.issue`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const signedInAs = (
  auth: Pick<ServerAuth, "basePath" | "signIn">,
  user: NamedUser<string>,
  { origin = Browser.siteOrigin, ...options }: SignInOptions & { readonly origin?: string } = {}
): Promise<SignedInUser> =>
  auth.signIn(new Request(`${origin}${auth.basePath}/session`), user, options).then((headers) => {
    const storageState = stateOfHeaders(headers, new URL(origin))
    return { cookie: storageState.cookies.map(({ name, value }) => `${name}=${value}`).join("; "), storageState }
  })
