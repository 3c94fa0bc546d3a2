/**
 * The document every built-in page is written in: head, card, footer, headers. Plain data in, plain data out.
 *
 * It holds what the pages have in common and knows no page in particular.
 */
import { empty, type Html, markup, join, scriptElement, styleElement } from "./Html.ts"
import { securityHeaders, styleHash } from "./SecurityHeaders.ts"
import { stylesheet } from "./Stylesheet.ts"
import { formSource, type PageTheme, parseImage, themeCss } from "./Theme.ts"

/**
 * Where and in what dress a page is shown. Keep one frame per configuration and host: what depends on it is computed
 * once.
 *
 * @category Pages
 * @since 0.1.0
 */
export interface PageFrame {
  readonly theme: PageTheme
  /** Path the auth actions are mounted at, such as `/auth`. */
  readonly basePath: string
  /** Origin of the application, an absolute `http:` or `https:` URL. */
  readonly homeUrl: string
  /** How the application is called on the page, usually its host. */
  readonly homeLabel: string
  /** More origins a form of these pages may lead to by redirects, such as a provider's end-session endpoint; `https:` for all. */
  readonly formActionOrigins?: ReadonlyArray<string> | undefined
}

/**
 * A rendered page: status, headers with names in lower case, HTML.
 *
 * @category Pages
 * @since 0.1.0
 */
export interface Page {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** One page before it is framed. */
export interface Content {
  readonly status: number
  /** Class of the element around the card: `signin`, `signout`, `error` or `verify-request`. */
  readonly name: string
  readonly title: string
  readonly tile: Html
  readonly card: Html
  /** Whether a link to the application stands below the card; a card that has one itself needs no second. */
  readonly footer: boolean
  readonly images: ReadonlyArray<string>
  readonly formActions: ReadonlyArray<string>
  /** Scripts at the end of the page: constants of this package. */
  readonly scripts?: ReadonlyArray<string> | undefined
  /** CSP sources that a script may talk to. */
  readonly connections?: ReadonlyArray<string> | undefined
}

interface Head {
  readonly scheme: string
  readonly styles: Html
  readonly styleSources: ReadonlyArray<string>
  readonly logo: Html | undefined
  readonly images: ReadonlyArray<string>
}

const makeHead = (theme: PageTheme): Head => {
  const sheets = [stylesheet, themeCss(theme)].filter((css) => css !== "")
  const { colorScheme } = theme
  const scheme = colorScheme === "dark" || colorScheme === "light" ? colorScheme : "auto"
  const image = typeof theme.logo === "string" ? parseImage(theme.logo) : undefined
  return {
    scheme,
    styles: join([
      markup`<meta name="color-scheme" content="${scheme === "auto" ? "light dark" : scheme}">`,
      ...sheets.map(styleElement)
    ]),
    styleSources: sheets.map(styleHash),
    logo:
      image === undefined
        ? undefined
        : markup`<img class="logo" src="${image.url}" alt="Logo" referrerpolicy="no-referrer">`,
    images: image === undefined ? [] : [image.source]
  }
}

// Per theme object, because a theme is written once and lives as long as its configuration.
const heads = new WeakMap<PageTheme, Head>()

const headOf = (theme: PageTheme): Head => {
  const known = heads.get(theme)
  if (known !== undefined) return known
  const head = makeHead(theme)
  heads.set(theme, head)
  return head
}

/** Frozen: `AuthResponse.toWeb` converts the headers of a page that is drawn once a single time. */
const headersOf = (head: Head, content: Content): Readonly<Record<string, string>> =>
  Object.freeze(
    securityHeaders({
      styles: head.styleSources,
      images: [...head.images, ...content.images],
      formActions: content.formActions,
      scripts: (content.scripts ?? []).map(styleHash),
      connections: content.connections
    })
  )

// `encodeURIComponent` refuses a lone surrogate half, and leaves `.` and `..`, which a URL parser would resolve.
const encodeSegment = (segment: string): string => {
  const part = encodeURIComponent(segment.replace(/[\ud800-\udfff]/gu, "\ufffd"))
  return part === "." || part === ".." ? part.replaceAll(".", "%252E") : part
}

/** The path of an auth action on the application's own origin; never an absolute or protocol-relative address. */
export const actionPath = (basePath: string, ...segments: ReadonlyArray<string>): string => {
  const base = basePath.replace(/^[/\\]+|[/\\]+$/g, "")
  return (base === "" ? "" : `/${base}`) + segments.map((segment) => `/${encodeSegment(segment)}`).join("")
}

/** The address of the application's start page, `/` unless it is an `http:` or `https:` URL. */
export const homeHref = (frame: PageFrame): string =>
  /^https?:\/\//i.test(frame.homeUrl) && URL.canParse(frame.homeUrl) ? frame.homeUrl : "/"

/**
 * CSP sources for forms that end on the application itself: the address of the page, the configured origin, the origin of the
 * address the person goes to afterwards, and what the frame adds. Browsers hold redirects after a form submission to
 * `form-action` as well, and may show the page at another address than the configured one.
 */
export const ownFormActions = (frame: PageFrame, callbackUrl: string): ReadonlyArray<string> => {
  const out = ["'self'"]
  for (const url of [frame.homeUrl, callbackUrl, ...(frame.formActionOrigins ?? [])]) {
    const source = url === "https:" ? url : formSource(url)
    if (source !== undefined) out.push(source)
  }
  return out
}

/** The hidden fields every form of a page carries. */
export const hiddenFields = (csrfToken: string | undefined, callbackUrl: string): Html =>
  markup`${csrfToken === undefined ? empty : markup`<input type="hidden" name="csrfToken" value="${csrfToken}">`}
    <input type="hidden" name="callbackUrl" value="${callbackUrl}">`

const footer = (frame: PageFrame): Html =>
  markup`<p class="footer">
    <a class="site" href="${homeHref(frame)}"><bdi>${frame.homeLabel}</bdi></a>
  </p>`

/** Frames the content of one page: document, headers, status. */
export const render = (frame: PageFrame, content: Content): Page => {
  const head = headOf(frame.theme)
  const label = frame.homeLabel
  const body = markup`<!doctype html>
    <html lang="en">
    <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width,initial-scale=1">
      <meta name="robots" content="noindex">
      <title>${content.title} &middot; ${label}</title>
      ${head.styles}
    </head>
    <body class="__next-auth-theme-${head.scheme}">
      <main>
        <div class="page">
          <div class="${content.name}">
            <div class="card">${head.logo ?? content.tile}${content.card}</div>
            ${content.footer ? footer(frame) : empty}
          </div>
        </div>
      </main>
      ${(content.scripts ?? []).map(scriptElement)}
    </body>
    </html>`
  return { status: content.status, headers: headersOf(head, content), body: body.markup }
}
