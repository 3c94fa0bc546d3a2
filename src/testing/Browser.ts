/**
 * A browser in a test: it keeps cookies, follows redirects, and talks to the application and to the provider in this process.
 *
 * No socket is opened. The application is its own layer of routes, run in the fiber of the test, so that `TestClock`, the
 * seeded randomness and the captured mails are the test's.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as Cookies from "effect/http/Cookies"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpRouter from "effect/http/HttpRouter"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import * as Mailer from "../Mailer.ts"
import * as BrowserClient from "./BrowserClient.ts"
import type { Network } from "./BrowserClient.ts"
import { type Consent, IdentityProvider } from "./IdentityProvider.ts"
import { mergeCookies, type StorageState } from "./StorageState.ts"

/** The origin of the site where a test names none. @category constants @since 0.1.0 */
export const siteOrigin = "https://app.test"

/**
 * Why a step of a sign-in failed. `status` and `body` are those of the last answer.
 *
 * They are there to be read: `location` and `body` are whole, with whatever codes and tokens of the test they hold.
 *
 * @category errors
 * @since 0.1.0
 */
export class StepFailed extends Data.TaggedError("StepFailed")<{
  readonly step: string
  readonly status: number
  readonly location: string | undefined
  readonly body: string
  /** The failure or defect of an application that answered only a status. */
  readonly cause?: unknown
}> {
  /** The public name of the failure, as the URL of the error page has it: `?error=`. */
  get error(): string | undefined {
    return this.#parameter("error")
  }

  /** The details of the failure: `&code=`. */
  get code(): string | undefined {
    return this.#parameter("code")
  }

  #parameter(name: string): string | undefined {
    return new URL(this.location ?? "/", siteOrigin).searchParams.get(name) ?? undefined
  }

  override get message(): string {
    return `${this.step}: ${this.status}${this.location === undefined ? "" : ` to ${this.location}`} ${this.body}`
  }
}

/** Failures of a step. @category errors @since 0.1.0 */
export type BrowserError = HttpClientError.HttpClientError | Schema.SchemaError | StepFailed

type Fields = Readonly<Record<string, string>>

/** Further headers of one request. @category models @since 0.1.0 */
export interface RequestOptions {
  readonly headers?: Fields | undefined
}

/** Where a person was when they decided to sign in. @category models @since 0.1.0 */
export interface SignInStart {
  /** Where to go afterwards. Default: where the site leads to by itself. */
  readonly callbackUrl?: string | undefined
}

/** The user who consents at the provider. @category models @since 0.1.0 */
export interface SignInConsent extends SignInStart {
  /** The `sub` of a person whom the provider knows. Default: the first. */
  readonly as?: string | undefined
}

/**
 * A browser of one person.
 *
 * @category models
 * @since 0.1.0
 */
export interface Browser {
  /** The scripts of the site as an `HttpClient`: addresses without an origin are the site's, redirects are not followed. */
  readonly client: HttpClient.HttpClient
  /** The cookies that the browser has. */
  readonly cookies: Ref.Ref<ReadonlyArray<Cookies.Cookie>>
  /** Opens an address as a user does who enters it, and follows redirects. */
  readonly open: (
    address: string,
    options?: RequestOptions
  ) => Effect.Effect<HttpClientResponse.HttpClientResponse, BrowserError>
  /** Asks for an address as a script of the site does, without following redirects. */
  readonly get: (
    address: string,
    options?: RequestOptions
  ) => Effect.Effect<HttpClientResponse.HttpClientResponse, BrowserError>
  /** Posts a form, with the CSRF token of this browser, without following redirects. */
  readonly submit: (
    address: string,
    fields?: Fields,
    options?: RequestOptions
  ) => Effect.Effect<HttpClientResponse.HttpClientResponse, BrowserError>
  /** The answer of `GET session`. */
  readonly session: Effect.Effect<unknown, BrowserError>
  /** A whole sign-in at the provider in this process: to it, agreed there, and back. Answers where the site leads to then. */
  readonly signIn: (provider: string, consent?: SignInConsent) => Effect.Effect<string, BrowserError, IdentityProvider>
  /** A sign-in with the form of a credentials provider. */
  readonly signInWith: (provider: string, fields: Fields, start?: SignInStart) => Effect.Effect<string, BrowserError>
  /** Asks for a sign-in link, and answers the mail that was captured: its `url` is the link. Fails when none was sent. */
  readonly askForLink: (
    provider: string,
    email: string,
    start?: SignInStart
  ) => Effect.Effect<Mailer.CapturedMail, BrowserError, Mailer.Mailbox>
  /** Opens the link of a mail and presses its button. Answers where the site leads to then. */
  readonly followLink: (link: string) => Effect.Effect<string, BrowserError>
  readonly signOut: Effect.Effect<void, BrowserError>
  /** Puts the cookies of a user who is signed in already into this browser. */
  readonly become: <E, R>(person: {
    readonly storageState: Effect.Effect<StorageState, E, R>
  }) => Effect.Effect<void, E, R>
  /** Another browser at the same application: of another person, or on another device. It has no cookies yet. */
  readonly another: Effect.Effect<Browser>
}

/**
 * Where the site of a browser is.
 *
 * @category models
 * @since 0.1.0
 */
export interface SiteOptions {
  /** Default: `https://app.test`. */
  readonly origin?: string | undefined
  /** Default: `/auth`. */
  readonly basePath?: string | undefined
}

const CsrfAnswer = HttpClientResponse.schemaBodyJson(Schema.Struct({ csrfToken: Schema.String }))

/**
 * Makes a browser that looks at an application: the layer that would be served. It is built for this browser alone, but for
 * layers that the test has provided already: those are shared, as everywhere.
 *
 * @category constructors
 * @since 0.1.0
 */
export function make<A, E, R>(
  app: Layer.Layer<A, E, R>,
  options?: SiteOptions
): Effect.Effect<
  Browser,
  HttpRouter.Request.Without<E>,
  | Exclude<HttpRouter.Request.Without<R>, HttpRouter.HttpRouter>
  | HttpRouter.Request.Only<"GlobalRequires", R>
  | HttpRouter.Request.Only<"Requires", R>
  | Scope.Scope
>
export function make<A, E>(
  app: Layer.Layer<A, E, HttpRouter.HttpRouter>,
  { basePath = "/auth", origin = siteOrigin }: SiteOptions = {}
): Effect.Effect<Browser, E, Scope.Scope> {
  return Effect.gen(function* () {
    // Services of the test, such as its clock, take precedence over those of the build.
    const context = yield* Effect.context<Scope.Scope>()
    const built = yield* Layer.build(Layer.provideMerge(app, HttpRouter.layer))
    const failure = yield* Ref.make<Cause.Cause<unknown> | undefined>(undefined)
    const handler = HttpEffect.toWebHandlerWith<never, HttpServerRequest | Scope.Scope>(
      Context.omit(Scope.Scope)(context)
    )(Effect.tapCause(Context.get(built, HttpRouter.HttpRouter).asHttpEffect(), (cause) => Ref.set(failure, cause)))
    const elsewhere = Context.getOption(context, HttpClient.HttpClient)
    const network: Network = {
      origin,
      send: (request, url) =>
        url.origin === origin
          ? answeredBy(handler, request)
          : elsewhere._tag === "Some"
            ? elsewhere.value.execute(request)
            : Effect.fail(nowhere(request, origin))
    }
    return yield* visitor({ network, failure: Ref.get(failure), basePath })
  })
}

/** Sends a request to a function; interruption aborts it, as a browser does when the user leaves the page. */
export const answeredBy = (
  handler: (request: Request) => Promise<Response>,
  request: HttpClientRequest.HttpClientRequest
): Effect.Effect<HttpClientResponse.HttpClientResponse> =>
  Effect.flatMap(Effect.orDie(HttpClientRequest.toWeb(request)), (web) =>
    Effect.map(
      Effect.promise((signal) => handler(new Request(web, { signal }))),
      (response) => HttpClientResponse.fromWeb(request, decompressed(response))
    )
  )

/** The response with its body as the application wrote it, which the browser accepted compressed. */
const decompressed = (response: Response): Response => {
  const encoding = response.headers.get("content-encoding")
  if (response.body === null || (encoding !== "gzip" && encoding !== "deflate")) return response
  const { headers, status, statusText } = response
  return new Response(response.body.pipeThrough(new DecompressionStream(encoding)), { headers, status, statusText })
}

/** The failure of a request that no part of the test answers. */
export const nowhere = (
  request: HttpClientRequest.HttpClientRequest,
  origin: string
): HttpClientError.HttpClientError =>
  new HttpClientError.HttpClientError({
    reason: new HttpClientError.TransportError({
      request,
      description: `The site of this browser is ${origin}, and there is no HttpClient for any other: provide Testing.layer()`
    })
  })

/** The shared parts of all browsers at one application. */
export interface Site {
  readonly network: Network
  /** The last failure of the application. */
  readonly failure: Effect.Effect<Cause.Cause<unknown> | undefined>
  readonly basePath: string
}

/** The steps of a browser, with the provider and the mails that they need as arguments. */
export interface Steps extends Pick<
  Browser,
  "followLink" | "get" | "open" | "session" | "signInWith" | "signOut" | "submit"
> {
  /** The scripts of the site. */
  readonly script: HttpClient.HttpClient
  readonly signInAt: (
    authorize: (address: string, consent: Consent) => Effect.Effect<URL, { readonly message: string }>,
    provider: string,
    consent?: SignInConsent
  ) => Effect.Effect<string, BrowserError>
  readonly askForLinkIn: <Mail, R>(
    mails: Effect.Effect<ReadonlyArray<Mail>, never, R>,
    provider: string,
    email: string,
    start?: SignInStart
  ) => Effect.Effect<Mail, BrowserError, R>
}

/** A browser without cookies. */
export const visitor = (site: Site): Effect.Effect<Browser> =>
  Effect.map(Ref.make<ReadonlyArray<Cookies.Cookie>>([]), (cookies) => {
    const { askForLinkIn, script: client, signInAt, ...rest } = stepsOf(site, cookies)
    return {
      ...rest,
      signIn: (provider, consent) =>
        Effect.flatMap(IdentityProvider, ({ authorize }) => signInAt(authorize, provider, consent)),
      askForLink: (provider, email, start) =>
        Effect.flatMap(Mailer.Mailbox, ({ mails }) => askForLinkIn(mails, provider, email, start)),
      client,
      cookies,
      become: (person) =>
        Effect.flatMap(Effect.all([person.storageState, Clock.currentTimeMillis]), ([state, now]) =>
          Ref.update(cookies, (kept) => mergeCookies(kept, state, now))
        ),
      another: visitor(site)
    }
  })

/** The steps of a browser with these cookies. */
export const stepsOf = (site: Site, cookies: Ref.Ref<ReadonlyArray<Cookies.Cookie>>): Steps =>
  steps(site, (cause) => BrowserClient.make(site.network, cookies, cause))

const steps = (
  { basePath, failure, network: { origin } }: Site,
  clientFor: (cause: BrowserClient.Cause) => HttpClient.HttpClient
): Steps => {
  const [address, form, redirect, script] = [
    clientFor("address"),
    clientFor("form"),
    clientFor("redirect"),
    clientFor("script")
  ]
  const get: Browser["get"] = (address, { headers = {} } = {}) => script.get(address, { headers })
  const submit: Browser["submit"] = Effect.fnUntraced(function* (address, fields = {}, { headers = {} } = {}) {
    const { csrfToken } = yield* Effect.flatMap(get(`${basePath}/csrf`), CsrfAnswer)
    return yield* form.execute(
      HttpClientRequest.post(address, { headers }).pipe(HttpClientRequest.bodyUrlParams({ csrfToken, ...fields }))
    )
  })

  /** Where an answer leads; failing when it leads nowhere, or to a page that shows an error. */
  const led = Effect.fnUntraced(function* (
    step: string,
    response: HttpClientResponse.HttpClientResponse
  ): Effect.fn.Return<string, BrowserError> {
    const { location } = response.headers
    const target = location === undefined ? undefined : new URL(location, origin)
    if (target !== undefined && !(target.origin === origin && target.searchParams.has("error"))) return target.href
    const { status } = response
    const cause = status < 500 ? undefined : yield* failure
    return yield* new StepFailed({
      step,
      status,
      location,
      body: yield* response.text,
      ...(cause === undefined ? {} : { cause: Cause.squash(cause) })
    })
  })

  return {
    script,
    get,
    submit,
    open: (location, { headers = {} } = {}) => address.pipe(HttpClient.followRedirects(10)).get(location, { headers }),
    session: Effect.flatMap(get(`${basePath}/session`), (response) => response.json),
    signInAt: Effect.fnUntraced(function* (authorize, provider, { as, ...start } = {}) {
      const asked = yield* led("signin", yield* submit(`${basePath}/signin/${provider}`, beginning(start)))
      const back = yield* Effect.mapError(
        authorize(asked, as === undefined ? {} : { as }),
        (refused) => new StepFailed({ step: "authorize", status: 400, location: undefined, body: refused.message })
      )
      return yield* led("callback", yield* redirect.get(back.href))
    }),
    signInWith: Effect.fnUntraced(function* (provider, fields, start) {
      return yield* led(
        "callback",
        yield* submit(`${basePath}/callback/${provider}`, { ...beginning(start), ...fields })
      )
    }),
    askForLinkIn: Effect.fnUntraced(function* (mails, provider, email, start) {
      const before = new Set(yield* mails)
      const answer = yield* submit(`${basePath}/signin/${provider}`, { ...beginning(start), email })
      const location = yield* led("signin", answer)
      const sent = (yield* mails).find((mail) => !before.has(mail))
      return (
        sent ?? (yield* new StepFailed({ step: "mail", status: answer.status, location, body: "No mail was sent" }))
      )
    }),
    followLink: Effect.fnUntraced(function* (link) {
      const page = yield* address.get(link)
      // A page with a button, unless the site lets a link be followed by opening it.
      if (page.headers["location"] !== undefined) return yield* led("link", page)
      const html = yield* page.text
      const hidden = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)]
      const fields = Object.fromEntries(hidden.map(([, name = "", value = ""]) => [name, unescape(value)]))
      const response = yield* form.execute(
        HttpClientRequest.post(new URL(link).pathname).pipe(HttpClientRequest.bodyUrlParams(fields))
      )
      return yield* led("link", response)
    }),
    signOut: Effect.asVoid(Effect.flatMap(submit(`${basePath}/signout`), (response) => led("signout", response)))
  }
}

const beginning = ({ callbackUrl }: SignInStart = {}): Fields => (callbackUrl === undefined ? {} : { callbackUrl })

/** The five entities that a page of the library escapes a value with. */
const unescape = (value: string): string =>
  value
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
