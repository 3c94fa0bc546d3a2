/**
 * Puts the demo together: an application with effect-doorman under `/auth`, and an OpenID provider on another host name
 * (`localhost` and `127.0.0.1` are two sites for a browser, so cookies behave as they will in production).
 */
import { randomBytes } from "node:crypto"
import type { AuthConfig } from "../src/index.ts"
import { basePath, displayName, makeAuthConfig } from "./AuthConfig.ts"
import type { ShownSession } from "./HomePage.ts"
import { homePage } from "./HomePage.ts"
import { icon, pageHeaders } from "./Html.ts"
import { makeProvider } from "./Provider.ts"
import { stylesheet } from "./Stylesheet.ts"
import type { WebHandler, WebServer } from "./WebServer.ts"
import { listenOnLoopback, nodeListener } from "./WebServer.ts"

/** How to start the demo. */
export interface DemoOptions {
  readonly auth: (request: Request, config: AuthConfig) => Promise<Response>
  /** Port of the application; 0 takes any free one. */
  readonly port: number
  /** Port of the OpenID provider; 0 takes any free one. */
  readonly providerPort: number
  readonly secret: string
}

/** A demo that runs. */
export interface Demo {
  readonly url: string
  readonly providerUrl: string
  readonly close: () => Promise<void>
}

/** Starts both servers. Rejects with `PortTaken`, nothing left running, when a port belongs to somebody else. */
export const startDemo = async (options: DemoOptions): Promise<Demo> => {
  const app = await listenOnLoopback(options.port)
  let provider: WebServer
  try {
    provider = await listenOnLoopback(options.providerPort)
  } catch (error) {
    await app.close()
    throw error
  }
  const url = `http://localhost:${app.port}`
  const issuer = `http://127.0.0.1:${provider.port}`
  const client = { clientId: "effect-doorman-demo", clientSecret: randomBytes(32).toString("base64url") }
  const config = makeAuthConfig({ ...client, secret: options.secret, issuer })
  const redirectUri = `${url}${basePath}/callback/guest-book`
  provider.serve(makeProvider(issuer, { ...client, name: "the Doorman demo", origin: url, redirectUri }))
  app.serve(
    nodeListener(
      makeApplication((request) => options.auth(request, config), url, issuer),
      new URL(url)
    )
  )
  return {
    url,
    providerUrl: issuer,
    close: async () => {
      await Promise.all([app.close(), provider.close()])
    }
  }
}

const makeApplication = (auth: (request: Request) => Promise<Response>, url: string, issuer: string): WebHandler => {
  const place = new URL(url).host
  const providerPlace = new URL(issuer).host

  /** Asks the library in the visitor's name. */
  const ask = (request: Request, action: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers)
    headers.set("cookie", request.headers.get("cookie") ?? "")
    return auth(new Request(`${url}${basePath}/${action}`, { ...init, headers }))
  }

  const home = async (request: Request): Promise<Response> => {
    const answer = await ask(request, "session")
    const session: ShownSession | null = answer.ok ? await answer.json() : null
    // Only the signed-in page has forms.
    const csrf = session === null ? undefined : await ask(request, "csrf")
    const { csrfToken = "" }: { csrfToken?: string } = (await csrf?.json()) ?? {}
    const notice = new URL(request.url).searchParams.get("name")
    const page = homePage({
      session,
      csrfToken,
      place,
      providerPlace,
      notice: notice === "renamed" || notice === "refused" ? notice : undefined,
      now: Date.now()
    })
    return withCookies(new Response(page, { headers: pageHeaders() }), answer, csrf)
  }

  const rename = async (request: Request): Promise<Response> => {
    const form = new URLSearchParams(await request.text())
    const name = form.get("name") ?? ""
    const updated = await ask(request, "session", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ csrfToken: form.get("csrfToken"), data: { name } })
    })
    const session: { user?: { name?: unknown } } | null = updated.ok ? await updated.json() : null
    const result = session !== null && session.user?.name === displayName(name) ? "renamed" : "refused"
    return withCookies(new Response(null, { status: 303, headers: { location: `/?name=${result}` } }), updated)
  }

  return (request) => {
    const path = new URL(request.url).pathname
    if (path === basePath || path.startsWith(`${basePath}/`)) return auth(request)
    switch (`${request.method} ${path}`) {
      case "GET /":
      case "HEAD /":
        return home(request)
      case "POST /name":
        return rename(request)
      case "GET /demo.css":
        return asset("text/css; charset=utf-8", stylesheet)
      case "GET /icon.svg":
      case "GET /favicon.ico":
        return asset("image/svg+xml", icon)
      default:
        return new Response("Not found.\n", { status: 404, headers: { "content-type": "text/plain; charset=utf-8" } })
    }
  }
}

/** Every cookie that the library wanted to set must reach the browser, also when the page around it is ours. */
const withCookies = (response: Response, ...answers: ReadonlyArray<Response | undefined>): Response => {
  // Two answers may set the same cookie; the later one is what the page was made with.
  const byName = new Map(
    answers.flatMap((answer) => answer?.headers.getSetCookie() ?? []).map((line) => [line.split("=", 1)[0], line])
  )
  for (const cookie of byName.values()) response.headers.append("set-cookie", cookie)
  return response
}

const asset = (type: string, body: string): Response =>
  new Response(body, {
    headers: { "content-type": type, "cache-control": "no-cache", "x-content-type-options": "nosniff" }
  })
