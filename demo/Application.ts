/**
 * The demo's application: a few pages of its own, and the library under `/auth`.
 */
import * as Option from "effect/Option"
import { asUserId } from "../src/models/Id.ts"
import type { ServerAuth } from "../src/index.ts"
import type { Mailbox } from "../src/Mailer.ts"
import { basePath, displayName } from "./AuthConfig.ts"
import { makeGuestBook } from "./GuestBook.ts"
import { signedOutPage } from "./HomePage.ts"
import { icon, pageHeaders } from "./Html.ts"
import { mailboxPage } from "./MailboxPage.ts"
import { passkeyScript } from "./PasskeyScript.ts"
import { hasPassword } from "./People.ts"
import { type SessionEnd, sessionScript } from "./SessionEnd.ts"
import { signedInPage } from "./SignedInPage.ts"
import type { Store } from "./Store.ts"
import { stylesheet } from "./Stylesheet.ts"
import type { WebHandler } from "./WebServer.ts"

/** The dependencies of the application. */
export interface ApplicationParts {
  /** The library with its settings. */
  readonly auth: (request: Request) => Promise<Response>
  /** These settings, for code of the application. */
  readonly server: ServerAuth
  readonly store: Store
  /** The database, in words. */
  readonly storePlace: string
  readonly mailbox: Mailbox["Service"]
  /** Where browsers reach the application. */
  readonly url: string
  /** Where they reach the OpenID provider. */
  readonly issuer: string
  readonly sessionEnd: SessionEnd
}

/** The members of a session that the application reads. The session callback makes them. */
interface ReadSession {
  readonly user?: { readonly id?: string; readonly name?: string | null }
  readonly expires?: string
  readonly sessionId?: string
}

/** Makes the application. */
export const makeApplication = ({
  auth,
  issuer,
  mailbox,
  server,
  sessionEnd,
  store,
  storePlace,
  url
}: ApplicationParts): WebHandler => {
  const { adapter, run } = store
  const place = new URL(url).host
  const guestBook = makeGuestBook(server.providerTokens, issuer)
  const providerPlace = new URL(issuer).host

  /** Sends the library a request with the cookies of the visitor. */
  const ask = (request: Request, action: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers)
    headers.set("cookie", request.headers.get("cookie") ?? "")
    return auth(new Request(`${url}${basePath}/${action}`, { ...init, headers }))
  }

  const home = async (request: Request): Promise<Response> => {
    const answer = await ask(request, "session")
    const session: ReadSession | null = answer.ok ? await answer.json() : null
    const notice = new URL(request.url).searchParams.get("notice")
    const parts = { place, providerPlace, storePlace, notice, counts: await store.counts() }
    const id = session?.user?.id
    const user = id === undefined ? undefined : Option.getOrUndefined(await run(adapter.getUser(asUserId(id))))
    if (session === null || id === undefined || user === undefined) {
      return withCookies(new Response(signedOutPage(parts), { headers: pageHeaders() }), answer)
    }
    // Only the signed-in page has forms.
    const csrf = await ask(request, "csrf")
    const { csrfToken = "" }: { csrfToken?: string } = await csrf.json()
    const ways = await server.accounts.list(id)
    const isGuest = ways.accounts.some(({ provider }) => provider === "guest-book")
    const page = signedInPage({
      ...parts,
      user,
      session,
      csrfToken,
      hasPassword: hasPassword(user.email),
      ways,
      guest: isGuest ? await guestBook(id) : undefined,
      visits: await store.visitsOf(id),
      sessions: await server.sessions.list(id),
      now: Date.now()
    })
    // Linking leads from a form of this page to the provider, which the policy has to allow.
    return withCookies(new Response(page, { headers: pageHeaders([issuer], true) }), answer, csrf)
  }

  /** Gives the change that the visitor requests to the session callback, and redirects home with the result. */
  const wish = async (
    request: Request,
    data: (form: URLSearchParams) => unknown,
    result: (session: ReadSession, form: URLSearchParams) => string | Promise<string>
  ): Promise<Response> => {
    const form = new URLSearchParams(await request.text())
    const updated = await ask(request, "session", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ csrfToken: form.get("csrfToken"), data: data(form) })
    })
    const session: ReadSession | null = updated.ok ? await updated.json() : null
    const notice = session === null ? "failed" : await result(session, form)
    return withCookies(new Response(null, { status: 303, headers: { location: `/?notice=${notice}` } }), updated)
  }

  const remove = (request: Request): Promise<Response> =>
    wish(
      request,
      (form) => ({
        remove: { provider: form.get("provider"), providerAccountId: form.get("providerAccountId") }
      }),
      async ({ user }, form) => {
        const ways = user?.id === undefined ? undefined : await server.accounts.list(user.id)
        const isStill = ways?.accounts.some(
          ({ provider, providerAccountId }) =>
            provider === form.get("provider") && providerAccountId === form.get("providerAccountId")
        )
        return isStill ? "kept" : "removed"
      }
    )

  /** Ends one session of the user. A page of another site gets no session here. */
  const end = async (request: Request): Promise<Response> => {
    const { user } = await server.requireSession(request)
    const sessionId = new URLSearchParams(await request.text()).get("sessionId") ?? ""
    const isEnded = await server.sessions.revoke(user?.id ?? "", sessionId)
    return new Response(null, { status: 303, headers: { location: `/?notice=${isEnded ? "ended" : "failed"}` } })
  }

  const mails = async (request: Request): Promise<Response> => {
    const asked = new URL(request.url).searchParams.get("type") === "email"
    const page = mailboxPage({ place, asked, mails: await run(mailbox.mails), now: Date.now() })
    return new Response(page, { headers: pageHeaders() })
  }

  /** Server-sent events: one, when the session of the page has ended. */
  const untilSignedOut = async (request: Request): Promise<Response> => {
    const answer = await ask(request, "session")
    const session: ReadSession | null = answer.ok ? await answer.json() : null
    if (session?.user?.id === undefined || session.sessionId === undefined || session.expires === undefined)
      return new Response(null, { status: 204 })
    const events = await sessionEnd.events({
      userId: session.user.id,
      sessionId: session.sessionId,
      expires: session.expires
    })
    return new Response(events, { headers: { "content-type": "text/event-stream", "cache-control": "no-store" } })
  }

  return (request) => {
    const path = new URL(request.url).pathname
    if (path === basePath || path.startsWith(`${basePath}/`)) return auth(request)
    switch (`${request.method} ${path}`) {
      case "GET /":
      case "HEAD /":
        return home(request)
      case "GET /mail":
      case "HEAD /mail":
        return mails(request)
      case "POST /name":
        return wish(
          request,
          (form) => ({ name: form.get("name") ?? "" }),
          ({ user }, form) => (user?.name === displayName(form.get("name")) ? "renamed" : "refused")
        )
      case "POST /elsewhere":
        return wish(
          request,
          () => ({ leaveElsewhere: true }),
          () => "elsewhere"
        )
      case "POST /end":
        return end(request).catch(() => new Response("Not signed in.\n", { status: 401 }))
      case "POST /remove":
        return remove(request)
      case "GET /demo.css":
        return asset("text/css; charset=utf-8", stylesheet)
      case "GET /passkey.js":
        return asset("text/javascript; charset=utf-8", passkeyScript)
      case "GET /session.js":
        return asset("text/javascript; charset=utf-8", sessionScript)
      case "GET /session-end":
        return untilSignedOut(request)
      case "GET /icon.svg":
      case "GET /favicon.ico":
        return asset("image/svg+xml", icon)
      default:
        return new Response("Not found.\n", { status: 404, headers: { "content-type": "text/plain; charset=utf-8" } })
    }
  }
}

/** Every cookie that the library wanted to set must reach the browser, also when the page around it is ours. */
const withCookies = (response: Response, ...answers: ReadonlyArray<Response>): Response => {
  // Two answers may set the same cookie; the later one is what the page was made with.
  const byName = new Map(
    answers.flatMap((answer) => answer.headers.getSetCookie()).map((line) => [line.split("=", 1)[0], line])
  )
  for (const cookie of byName.values()) response.headers.append("set-cookie", cookie)
  return response
}

const asset = (type: string, body: string): Response =>
  new Response(body, {
    headers: { "content-type": type, "cache-control": "no-cache", "x-content-type-options": "nosniff" }
  })
