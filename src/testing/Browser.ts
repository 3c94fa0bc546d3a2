/**
 * A browser in a test: it keeps cookies, follows redirects, and talks to the application and to the provider in this process.
 *
 * No socket is opened. The application is its own layer of routes, run in the fiber of the test, so that `TestClock`, the
 * seeded randomness and the captured mails are the test's.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as Cookies from "effect/http/Cookies"
import * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpRouter from "effect/http/HttpRouter"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import { IdentityProvider } from "./IdentityProvider.ts"

/**
 * Why a step of a sign-in did not come about. `status` and `body` are those of the last answer.
 *
 * @category errors
 * @since 0.1.0
 */
export class StepFailed extends Data.TaggedError("StepFailed")<{
  readonly step: string
  readonly status: number
  readonly location: string | undefined
  readonly body: string
}> {
  override get message(): string {
    return `${this.step}: ${this.status}${this.location === undefined ? "" : ` to ${this.location}`} ${this.body}`
  }
}

/** What a step can fail with. @category errors @since 0.1.0 */
export type BrowserError = HttpClientError.HttpClientError | Schema.SchemaError | StepFailed

type Fields = Readonly<Record<string, string>>

/** Further headers of one request. @category models @since 0.1.0 */
export interface RequestOptions {
  readonly headers?: Fields | undefined
}

/**
 * A browser of one person.
 *
 * @category models
 * @since 0.1.0
 */
export interface Browser {
  /** The browser as an `HttpClient`: addresses without an origin are the site's, redirects are not followed. */
  readonly client: HttpClient.HttpClient
  /** The cookies that the browser has. */
  readonly cookies: Ref.Ref<ReadonlyArray<Cookies.Cookie>>
  /** Opens an address and follows redirects. */
  readonly open: (
    address: string,
    options?: RequestOptions
  ) => Effect.Effect<HttpClientResponse.HttpClientResponse, BrowserError>
  /** Asks for an address, without following redirects. */
  readonly get: (
    address: string,
    options?: RequestOptions
  ) => Effect.Effect<HttpClientResponse.HttpClientResponse, BrowserError>
  /** Posts a form, with the anti-forgery token of this browser, without following redirects. */
  readonly submit: (
    address: string,
    fields?: Fields,
    options?: RequestOptions
  ) => Effect.Effect<HttpClientResponse.HttpClientResponse, BrowserError>
  /** What `GET session` answers. */
  readonly session: Effect.Effect<unknown, BrowserError>
  /** A whole sign-in at the provider in this process: to it, agreed there, and back. Answers where the site leads to then. */
  readonly signIn: (
    provider: string,
    consent?: { readonly as?: string | undefined; readonly callbackUrl?: string | undefined }
  ) => Effect.Effect<string, BrowserError, IdentityProvider>
  /** A sign-in with the form of a credentials provider. */
  readonly signInWith: (provider: string, fields: Fields) => Effect.Effect<string, BrowserError>
  /** Asks for a sign-in link. */
  readonly askForLink: (provider: string, email: string) => Effect.Effect<void, BrowserError>
  /** Opens the link of a mail and presses its button. Answers where the site leads to then. */
  readonly followLink: (link: string) => Effect.Effect<string, BrowserError>
  readonly signOut: Effect.Effect<void, BrowserError>
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

/** The origin of the site where a test names none. @category constants @since 0.1.0 */
export const siteOrigin = "https://app.test"

const CsrfAnswer = HttpClientResponse.schemaBodyJson(Schema.Struct({ csrfToken: Schema.String }))

/**
 * Makes a browser that looks at an application: the layer that would be served.
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
    // What the test has installed goes before what was built: its clock, above all.
    const context = yield* Effect.context<Scope.Scope>()
    const built = yield* Layer.build(Layer.provideMerge(app, HttpRouter.layer))
    const handler = HttpEffect.toWebHandlerWith<never, HttpServerRequest | Scope.Scope>(
      Context.omit(Scope.Scope)(context)
    )(Context.get(built, HttpRouter.HttpRouter).asHttpEffect())
    const elsewhere = Context.getOption(context, HttpClient.HttpClient)
    const cookies = yield* Ref.make<ReadonlyArray<Cookies.Cookie>>([])
    const direct = HttpClient.make((request, url) =>
      url.origin === origin || elsewhere._tag === "None"
        ? Effect.flatMap(Effect.orDie(HttpClientRequest.toWeb(request)), (web) =>
            Effect.map(
              Effect.promise(() => handler(new Request(url, web))),
              (response) => HttpClientResponse.fromWeb(request, response)
            )
          )
        : elsewhere.value.execute(request)
    )
    const client = direct.pipe(
      HttpClient.withCookiesRef(cookies),
      HttpClient.mapRequestInput((request) =>
        request.url.startsWith("/") ? HttpClientRequest.setUrl(request, `${origin}${request.url}`) : request
      )
    )
    return steps(client, cookies, origin, basePath)
  })
}

const steps = (
  client: HttpClient.HttpClient,
  cookies: Browser["cookies"],
  origin: string,
  basePath: string
): Browser => {
  const following = client.pipe(HttpClient.followRedirects(10))
  const get: Browser["get"] = (address, { headers = {} } = {}) => client.get(address, { headers })
  const submit: Browser["submit"] = Effect.fnUntraced(function* (address, fields = {}, { headers = {} } = {}) {
    const { csrfToken } = yield* Effect.flatMap(get(`${basePath}/csrf`), CsrfAnswer)
    return yield* client.execute(
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
    return yield* new StepFailed({ step, status: response.status, location, body: yield* response.text })
  })

  const signIn = Effect.fnUntraced(function* (
    provider: string,
    { as, callbackUrl }: { readonly as?: string | undefined; readonly callbackUrl?: string | undefined } = {}
  ): Effect.fn.Return<string, BrowserError, IdentityProvider> {
    const idp = yield* IdentityProvider
    const asked = yield* submit(`${basePath}/signin/${provider}`, callbackUrl === undefined ? {} : { callbackUrl })
    const address = yield* led("signin", asked)
    const back = yield* Effect.mapError(
      idp.authorize(address, as === undefined ? {} : { as }),
      (refused) => new StepFailed({ step: "authorize", status: 400, location: undefined, body: refused.message })
    )
    return yield* led("callback", yield* client.get(back.href))
  })

  return {
    client,
    cookies,
    get,
    submit,
    open: (address, { headers = {} } = {}) => following.get(address, { headers }),
    session: Effect.flatMap(get(`${basePath}/session`), (response) => response.json),
    signIn,
    signInWith: Effect.fnUntraced(function* (provider, fields) {
      return yield* led("callback", yield* submit(`${basePath}/callback/${provider}`, fields))
    }),
    askForLink: Effect.fnUntraced(function* (provider, email) {
      yield* led("signin", yield* submit(`${basePath}/signin/${provider}`, { email }))
    }),
    followLink: Effect.fnUntraced(function* (link) {
      const page = yield* client.get(link)
      // A page with a button, unless the site lets a link be followed by opening it.
      if (page.headers["location"] !== undefined) return yield* led("link", page)
      const html = yield* page.text
      const target = new URL(link)
      const hidden = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)]
      const fields = Object.fromEntries(hidden.map(([, name = "", value = ""]) => [name, unescaped(value)]))
      const pressed = yield* client.execute(
        HttpClientRequest.post(target.pathname).pipe(HttpClientRequest.bodyUrlParams(fields))
      )
      return yield* led("link", pressed)
    }),
    signOut: Effect.asVoid(Effect.flatMap(submit(`${basePath}/signout`), (response) => led("signout", response)))
  }
}

/** The five entities that a page of the library escapes a value with. */
const unescaped = (value: string): string =>
  value
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
