/**
 * The pages that only show a notice: a failure, a refused request, a sent email.
 *
 * They hold no form and show nothing of the request, apart from a reference line made by the server itself.
 */
import { empty, type Html, join, markup } from "./Html.ts"
import { actionPath, homeHref, type Page, type PageFrame, render } from "./Document.ts"
import { clientErrorNotice, errorNotice, type Notice } from "./Message.ts"
import { envelope, warning } from "./Icons.ts"

/**
 * The content of the error page.
 *
 * @category Pages
 * @since 0.1.0
 */
export interface ErrorContent {
  readonly error?: string | undefined
  readonly code?: string | undefined
  /** The request id, for a report to the operator of the site. */
  readonly requestId?: string | undefined
  /** The mistake of the configuration; only for the person who develops the site. */
  readonly problems?: ReadonlyArray<string> | undefined
}

/**
 * The content of the page for a refused request.
 *
 * @category Pages
 * @since 0.1.0
 */
export interface ClientErrorContent {
  /** 400 to 499; anything else is answered as 400. */
  readonly status: number
  readonly requestId?: string | undefined
  /** The mistake of the request; only for the person who develops the site. */
  readonly problems?: ReadonlyArray<string> | undefined
}

// A reference is made of the characters identifiers are made of; anything else did not come from the server.
const reference = (requestId: string | undefined): Html =>
  requestId === undefined || !/^[A-Za-z0-9._:-]{1,64}$/.test(requestId)
    ? empty
    : markup`<p class="reference">Reference: <code>${requestId}</code></p>`

/** The mistake, for the person who develops the site. */
export const problemList = (problems: ReadonlyArray<string> = []): Html =>
  problems.length === 0 ? empty : join(problems.map((problem) => markup`<p class="reference">${problem}</p>`))

const noticePage = (
  frame: PageFrame,
  notice: Notice,
  { problems, requestId }: Pick<ErrorContent, "problems" | "requestId">
): Page => {
  const home = markup`<a class="button site" href="${homeHref(frame)}">
    <span>Go to <bdi>${frame.homeLabel}</bdi></span>
  </a>`
  const again = markup`<a class="button primary" href="${actionPath(frame.basePath, "signin")}">Sign in</a>`
  return render(frame, {
    status: notice.status,
    name: "error",
    title: notice.title,
    tile: warning,
    card: markup`<h1>${notice.title}</h1>
      <p class="message">${notice.text}</p>
      ${problemList(problems)}
      <div class="actions">${notice.retry ? again : empty}${home}</div>
      ${reference(requestId)}`,
    footer: false,
    images: [],
    formActions: []
  })
}

/**
 * Renders the error page: 500 for `Configuration`, 403 for `AccessDenied` and `Verification`, else 200.
 *
 * @category Pages
 * @since 0.1.0
 */
export const error = (frame: PageFrame, content: ErrorContent): Page =>
  noticePage(frame, errorNotice(content.error, content.code), content)

/**
 * Renders the page for a request that was refused, with its own 4xx status.
 *
 * @category Pages
 * @since 0.1.0
 */
export const clientError = (frame: PageFrame, content: ClientErrorContent): Page =>
  noticePage(frame, clientErrorNotice(content.status), content)

/**
 * Renders the page that follows a sign-in by email, status 200. It does not repeat the address.
 *
 * @category Pages
 * @since 0.1.0
 */
export const verifyRequest = (frame: PageFrame): Page =>
  render(frame, {
    status: 200,
    name: "verify-request",
    title: "Check your email",
    tile: envelope,
    card: markup`<h1>Check your email</h1>
      <p class="message">A sign-in link for <strong><bdi>${frame.homeLabel}</bdi></strong> is on its way to you.
        Open the message and follow the link.</p>
      <p class="message">Nothing there after a few minutes? Look in the spam folder, or
        <a href="${actionPath(frame.basePath, "signin")}">ask for another link</a>.</p>`,
    footer: true,
    images: [],
    formActions: []
  })
