/**
 * An HTML template that escapes every value, unless `html` made it.
 */

/** Markup that is already safe to send. */
export class Html {
  readonly markup: string
  constructor(markup: string) {
    this.markup = markup
  }
}

/** A value in a template. */
export type Child = string | number | Html | ReadonlyArray<Html> | undefined

const escaped: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" }

const render = (child: Child): string => {
  if (child === undefined) return ""
  if (child instanceof Html) return child.markup
  if (typeof child === "object") return child.map((one) => one.markup).join("")
  return String(child).replace(/[&<>"']/g, (character) => escaped[character] ?? "")
}

/** Builds markup; values are escaped for element content and for quoted attributes. */
export const html = (texts: TemplateStringsArray, ...children: ReadonlyArray<Child>): Html =>
  new Html(texts.reduce((all, text, index) => all + render(children[index - 1]) + text))

/** The differences between two pages of the demo. */
export interface PageParts {
  readonly title: string
  /** Which of the two servers the page is from: it decides the colour. */
  readonly house: "app" | "provider"
  readonly place: string
  /** Paths of scripts. */
  readonly scripts?: ReadonlyArray<string>
  readonly body: Html
}

/** The whole document around a page's body. */
export const document = (page: PageParts): string =>
  "<!doctype html>" +
  html`<html lang="en" data-house="${page.house}">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>${page.title}</title>
      <link rel="icon" href="/icon.svg" type="image/svg+xml" />
      <link rel="stylesheet" href="/demo.css" />
      ${(page.scripts ?? []).map((script) => html`<script src="${script}" defer></script>`)}
    </head>
    <body>
      <header class="bar">
        <div class="wide">
          <a class="brand" href="/"
            >${mark}<span>${page.house === "app" ? "effect-doorman" : "The Guest Book"}</span></a
          >
          ${page.house === "app" ? html`<nav aria-label="Demo"><a href="/mail">Mailbox</a></nav>` : undefined}
          <span class="place"
            ><span class="dot"></span><i>${page.house === "app" ? "application" : "OpenID provider"}</i>
            <b>${page.place}</b></span
          >
        </div>
      </header>
      <main class="wide">${page.body}</main>
    </body>
  </html>`.markup

const mark = html`<svg class="mark" viewBox="0 0 24 24" width="26" height="26" aria-hidden="true">
  <path d="M5 22V8a7 7 0 0 1 14 0v14z" fill="currentColor" />
  <circle cx="15.4" cy="14" r="1.5" class="knob" />
</svg>`

/** The icon of both servers. */
export const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M5 22V8a7 7 0 0 1 14 0v14z" fill="#0f766e"/><circle cx="15.4" cy="14" r="1.5" fill="#fff"/></svg>'

/**
 * Headers of every page of the demo. `formTargets`: origins, beside the page's own, to which a form may lead; browsers
 * apply this list to the redirects after a form too. `withScript` allows the page's own script to run and to ask the server.
 */
export const pageHeaders = (formTargets: ReadonlyArray<string> = [], withScript = false): Record<string, string> => ({
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    ...(withScript ? ["script-src 'self'", "connect-src 'self'"] : []),
    `form-action ${["'self'", ...formTargets].join(" ")}`,
    "frame-ancestors 'none'",
    "base-uri 'none'"
  ].join("; "),
  "cache-control": "private, no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin"
})
