/**
 * A browser without a screen: cookies with their attributes, redirects, forms, and SameSite as far as navigation decides it.
 *
 * Two clients are two browsers. It knows no scripts; what needs them is tested in Chromium. Sites are told apart by host
 * name, which is what `localhost` and `127.0.0.1` differ in.
 */
import { CookieJar } from "tough-cookie"

/** One request and its answer, bodies read. */
export interface Exchange {
  readonly method: string
  readonly url: URL
  readonly status: number
  readonly headers: Headers
  readonly body: string
  /** Where a redirect leads, resolved; `undefined` when the answer is no redirect. */
  readonly location: URL | undefined
}

/** Where a navigation ended, and how it came there. */
export interface Visit extends Exchange {
  readonly trail: ReadonlyArray<Exchange>
  readonly forms: ReadonlyArray<Form>
}

/** A form of a page, with the values that submitting it untouched would send. */
export interface Form {
  readonly method: string
  readonly action: URL
  readonly fields: Readonly<Record<string, string>>
}

/** Stops before a request is made to a matching URL; the visit then ends at the redirect that leads there. */
export interface NavigateOptions {
  readonly stopBefore?: (url: URL) => boolean
}

interface Navigation extends NavigateOptions {
  readonly method: string
  readonly url: URL
  readonly body?: string
  /** The page that caused the navigation; `undefined` for the address bar. */
  readonly initiator: URL | undefined
}

/** More redirects than any sign-in needs. */
const redirectLimit = 15

/** One browser. */
export class CookieJarClient {
  readonly jar = new CookieJar(undefined, { prefixSecurity: "strict" })

  /** Types an address into the address bar. */
  visit(url: string | URL, options: NavigateOptions = {}): Promise<Visit> {
    return this.#navigate({ ...options, method: "GET", url: new URL(url), initiator: undefined })
  }

  /** Submits a form of a page; `fields` are what the visitor typed. */
  submit(
    page: Exchange,
    form: Form,
    fields: Readonly<Record<string, string>> = {},
    options: NavigateOptions = {}
  ): Promise<Visit> {
    const values = new URLSearchParams({ ...form.fields, ...fields })
    if (form.method === "POST") {
      return this.#navigate({ ...options, method: "POST", url: form.action, body: String(values), initiator: page.url })
    }
    const url = new URL(form.action)
    url.search = String(values)
    return this.#navigate({ ...options, method: "GET", url, initiator: page.url })
  }

  /** Goes on after a visit that was stopped, as if it had not been. */
  proceed(visit: Visit, options: NavigateOptions = {}): Promise<Visit> {
    const first = visit.trail[0] ?? visit
    if (visit.location === undefined) throw new Error(`${visit.url.href} led nowhere`)
    return this.#navigate({ ...options, method: "GET", url: visit.location, initiator: first.url })
  }

  /** A request of a script of this site: one request, no redirect followed. */
  async fetch(
    url: string | URL,
    init: { readonly method?: string; readonly headers?: Record<string, string>; readonly body?: string } = {}
  ): Promise<Exchange> {
    return this.#exchange(new URL(url), init.method ?? "GET", init.headers ?? {}, init.body, "strict")
  }

  /** Value of a cookie that would be sent to `url`. */
  async cookie(url: string | URL, name: string): Promise<string | undefined> {
    return (await this.jar.getCookies(String(url))).find((cookie) => cookie.key === name)?.value
  }

  /** Names of all cookies that would be sent to `url`. */
  async cookieNames(url: string | URL): Promise<ReadonlyArray<string>> {
    return (await this.jar.getCookies(String(url))).map((cookie) => cookie.key)
  }

  async #navigate(navigation: Navigation): Promise<Visit> {
    const trail: Array<Exchange> = []
    let { method, url, body } = navigation
    for (let step = 0; step < redirectLimit; step++) {
      const exchange = await this.#exchange(
        url,
        method,
        body === undefined ? {} : { "content-type": "application/x-www-form-urlencoded", ...origin(navigation) },
        body,
        sameSiteContext(navigation.initiator, url, method)
      )
      trail.push(exchange)
      const next = exchange.location
      if (next === undefined || navigation.stopBefore?.(next) === true) {
        return { ...exchange, trail, forms: formsOf(exchange) }
      }
      // 307 and 308 keep method and body (RFC 9110 section 15.4); every other redirect turns a form into a GET.
      if (exchange.status !== 307 && exchange.status !== 308) {
        method = "GET"
        body = undefined
      }
      url = next
    }
    throw new Error(`More than ${redirectLimit} redirects, the last to ${url.href}`)
  }

  async #exchange(
    url: URL,
    method: string,
    headers: Record<string, string>,
    body: string | undefined,
    context: "strict" | "lax" | "none"
  ): Promise<Exchange> {
    const cookie = await this.jar.getCookieString(url.href, { sameSiteContext: context })
    const response = await fetch(url, {
      method,
      redirect: "manual",
      headers: { ...headers, ...(cookie === "" ? {} : { cookie }) },
      ...(body === undefined ? {} : { body })
    })
    // A browser drops a cookie line it cannot use and goes on.
    for (const line of response.headers.getSetCookie()) await this.jar.setCookie(line, url.href, { ignoreError: true })
    const location = response.headers.get("location")
    return {
      method,
      url,
      status: response.status,
      headers: response.headers,
      body: await response.text(),
      location:
        response.status >= 300 && response.status < 400 && location !== null ? new URL(location, url) : undefined
    }
  }
}

/** Browsers send Origin with every form that is posted. */
const origin = (navigation: Navigation): Record<string, string> =>
  navigation.initiator === undefined ? {} : { origin: navigation.initiator.origin }

/** RFC 6265bis section 5.2: a navigation from another site is lax for safe methods and carries no SameSite cookie otherwise. */
const sameSiteContext = (initiator: URL | undefined, target: URL, method: string): "strict" | "lax" | "none" => {
  if (initiator === undefined || initiator.hostname === target.hostname) return "strict"
  return method === "GET" ? "lax" : "none"
}

const formsOf = (page: Exchange): ReadonlyArray<Form> =>
  Array.from(page.body.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/gi), ([, head = "", inside = ""]) => {
    const form = attributesOf(head)
    const inputs = Array.from(inside.matchAll(/<input\b([^>]*)>/gi), ([, input = ""]) => attributesOf(input))
    return {
      method: (form["method"] ?? "get").toUpperCase(),
      action: new URL(form["action"] ?? page.url.href, page.url),
      fields: Object.fromEntries(
        inputs
          .filter((input) => input["name"] !== undefined)
          .map((input) => [input["name"] ?? "", input["value"] ?? ""])
      )
    }
  })

const attributesOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    Array.from(text.matchAll(/([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g), ([, name = "", double, single]) => [
      name.toLowerCase(),
      unescaped(double ?? single ?? "")
    ])
  )

const named: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }

const unescaped = (text: string): string =>
  text.replace(
    /&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi,
    (whole, hex: string | undefined, decimal: string | undefined, name = "") =>
      hex !== undefined
        ? String.fromCodePoint(Number.parseInt(hex, 16))
        : decimal !== undefined
          ? String.fromCodePoint(Number(decimal))
          : (named[name] ?? whole)
  )

/** The form of the sign-in page that starts provider `id`, or that posts credentials to it. */
export const formFor = (page: Visit, id: string): Form => {
  const found = page.forms.find(
    (form) => form.action.pathname.endsWith(`/signin/${id}`) || form.action.pathname.endsWith(`/callback/${id}`)
  )
  if (found === undefined)
    throw new Error(`No form for ${id} on ${page.url.href} (${page.status}): ${page.body.slice(0, 300)}`)
  return found
}
