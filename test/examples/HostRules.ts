/**
 * A server asked for every action under hosts that are not its own: in headers, in the request line, and in what no client
 * that is a browser can write. Requests are written to the socket as they are.
 */
import { once } from "node:events"
import { connect } from "node:net"
import { assert, it } from "vitest"
import type { OpenIdProvider } from "../real/OpenIdProvider.ts"

/** The origin that the server has. */
export const pinned = "https://app.example"
/** The host of an attacker. */
export const evil = "evil.example"

interface Answer {
  readonly status: number
  readonly head: string
  readonly body: string
}

/** Sends bytes to a server, and reads what it answers until it closes. */
const send = async (port: number, text: string): Promise<Answer> => {
  const socket = connect(port, "127.0.0.1")
  let answer = ""
  socket.setEncoding("utf8").on("data", (chunk) => (answer += String(chunk)))
  // A server that refuses what it reads may end the connection at once.
  socket.on("error", () => undefined)
  socket.write(text)
  await once(socket, "close")
  const [head = "", ...body] = answer.split("\r\n\r\n")
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0), head, body: body.join("\r\n\r\n") }
}

type Lines = ReadonlyArray<string>

const request = (method: string, target: string, headers: Lines, body = ""): string =>
  [`${method} ${target} HTTP/1.1`, ...headers, "Connection: close", "", body].join("\r\n")

/** Headers by which a request names another host. */
const disguises: ReadonlyArray<Lines> = [
  [`Host: ${evil}`],
  [`Host: ${evil}:443`],
  [`Host: EVIL.Example.`],
  [`Host: app.example, ${evil}`],
  [`Host: app.example:443@${evil}`],
  [`Host: app.example\\.${evil}`],
  [`Host: app.example%2f.${evil}`],
  [`Host: app.example`, `Host: ${evil}`],
  [`Host: ${evil}`, `Host: app.example`],
  [`Host: app.example`, `Forwarded: host=${evil};proto=http`],
  [`Host: app.example`, `X-Forwarded-Host: ${evil}`, `X-Forwarded-Proto: http`, `X-Forwarded-Port: 81`],
  [`Host: app.example`, `X-Forwarded-Server: ${evil}`, `X-Original-Host: ${evil}`, `X-Host: ${evil}`],
  [`Host: app.example`, `X-Original-URL: http://${evil}/auth/session`, `X-Rewrite-URL: //${evil}/`],
  [`Host: app.example`, `X-Forwarded-Prefix: //${evil}`, `X-HTTP-Host-Override: ${evil}`],
  [`Host: [fe80::1%25evil.example]`],
  [`Host: `]
]

const actions: ReadonlyArray<string> = [
  "session",
  "csrf",
  "providers",
  "signin",
  "signin/idp",
  "signout",
  "callback/idp?code=1&state=2",
  "error?error=AccessDenied",
  "verify-request",
  "webauthn-options/idp",
  "nothing"
]

/** Actions that take a form; `signin/idp` leads to the provider, and has a test of its own. */
const posted: ReadonlyArray<string> = [
  "session",
  "signin",
  "signin/nobody",
  "signout",
  "callback/idp",
  "callback/credentials",
  "callback/email",
  "webauthn-options/idp",
  "error",
  "nothing"
]

/** Targets that are no path. Behind an origin, the second one would make another host of it. */
const malformed: Lines = [
  "*",
  `*.${evil}/auth/session`,
  `http://user@app.example/auth/session`,
  `http://user:pw@${evil}/auth/session`,
  `http://app.example@${evil}/auth/session`
]

const foreign: Lines = [
  `http://${evil}/auth/ACTION`,
  `https://${evil}:8443/auth/ACTION`,
  `//${evil}/auth/ACTION`,
  `/\\${evil}/auth/ACTION`,
  `/auth/../..//${evil}/auth/ACTION`,
  `/auth//${evil}/ACTION`
]

/** An answer names the evil host nowhere, and no cookie has a domain. */
const assertUntouched = (answer: Answer, what: string): void => {
  assert.isAbove(answer.status, 199, what)
  assert.isBelow(answer.status, 500, what)
  assert.notMatch(`${answer.head}\n${answer.body}`, /evil(?:\.|%2e|%2f)/i, what)
  const cookies = answer.head.match(/^set-cookie:.*$/gim) ?? []
  for (const cookie of cookies) {
    assert.notMatch(cookie, /domain=/i, what)
    assert.match(cookie, /^set-cookie: __(?:Host|Secure)-authjs\..*; Secure/i, what)
  }
  const location = /^location: (.*)$/im.exec(answer.head)?.[1]?.trim()
  if (location !== undefined && !location.startsWith("/")) assert.strictEqual(new URL(location).origin, pinned, what)
  else assert.notMatch(location ?? "", /^\/[/\\]/, what)
}

/** What is asked of every server that is at `pinned`. */
export const examine = (portOf: () => number, provider: () => OpenIdProvider, isEffect = false): void => {
  it("H039, H040, H045, H046 no header names the host of an answer", async () => {
    for (const headers of disguises) {
      for (const action of actions) {
        const answer = await send(portOf(), request("GET", `/auth/${action}`, headers))
        assertUntouched(answer, `GET ${action} with ${headers.join(" | ")}`)
      }
    }
  })

  it("H039, H040, H045, H046 no header names the host of an answer to a form, with or without a token", async () => {
    const type = "Content-Type: application/x-www-form-urlencoded"
    for (const headers of disguises) {
      const csrf = await send(portOf(), request("GET", "/auth/csrf", headers))
      const cookie = (csrf.head.match(/^set-cookie: [^;]*/gim) ?? []).map((line) => line.slice(12)).join("; ")
      const token = /"csrfToken":"(\w+)"/.exec(csrf.body)?.[1] ?? ""
      for (const action of posted) {
        for (const csrfToken of ["", token]) {
          const body = new URLSearchParams({ csrfToken, callbackUrl: "/private", email: "ann@example.com" }).toString()
          const more = [...headers, `Cookie: ${cookie}`, type, `Content-Length: ${body.length}`]
          const answer = await send(portOf(), request("POST", `/auth/${action}`, more, body))
          assertUntouched(answer, `POST ${action} with ${headers.join(" | ")}`)
        }
      }
    }
  })

  it("H039 no request target names the host of an answer", async () => {
    for (const target of foreign) {
      for (const action of actions) {
        const path = target.replace("ACTION", action)
        const answer = await send(portOf(), request("GET", path, [`Host: ${evil}`]))
        // The page that says "not found" may repeat the path, which is the visitor's own.
        if (answer.status !== 404) assertUntouched(answer, path)
      }
    }
  })

  it("H039 a target that is no path, or holds userinfo, is answered 400", async () => {
    for (const target of malformed)
      for (const host of ["app.example", evil])
        for (const method of ["GET", "OPTIONS"]) {
          const answer = await send(portOf(), request(method, target, [`Host: ${host}`]))
          // The router of Effect takes a target that begins with a star to routes of the application.
          if (!(isEffect && target.startsWith("*"))) assert.strictEqual(answer.status, 400, `${method} ${target}`)
          assert.notMatch(answer.body + answer.head, /evil|authjs/, `${method} ${target}`)
        }
  })

  it("H045 the addresses of forms, providers and redirect URIs are those of the pinned origin", async () => {
    for (const headers of disguises) {
      const providers = await send(portOf(), request("GET", "/auth/providers", headers))
      if (providers.status === 400) continue
      for (const [, one] of Object.entries<Record<string, string>>(JSON.parse(bodyOf(providers)))) {
        assert.strictEqual(new URL(one["callbackUrl"] ?? "").origin, pinned)
        assert.strictEqual(new URL(one["signinUrl"] ?? "").origin, pinned)
      }
      const csrf = await send(portOf(), request("GET", "/auth/csrf", headers))
      const { csrfToken } = JSON.parse(bodyOf(csrf)) as { csrfToken: string }
      const cookie = (csrf.head.match(/^set-cookie: [^;]*/gim) ?? []).map((line) => line.slice(12)).join("; ")
      const post = async (action: string, callbackUrl: string): Promise<Answer> => {
        const body = new URLSearchParams({ csrfToken, callbackUrl }).toString()
        return send(
          portOf(),
          request(
            "POST",
            `/auth/${action}`,
            [
              ...headers,
              `Cookie: ${cookie}`,
              "Content-Type: application/x-www-form-urlencoded",
              `Content-Length: ${body.length}`
            ],
            body
          )
        )
      }
      assertUntouched(await post("signout", `https://${evil}/`), `signout with ${headers.join(" | ")}`)
      const away = await post("signin/idp", `https://${evil}/`)
      const location = /^location: (.*)$/im.exec(away.head)?.[1]?.trim() ?? ""
      if (!location.startsWith(provider().issuer)) assertUntouched(away, `signin with ${headers.join(" | ")}`)
      else
        assert.strictEqual(new URL(location).searchParams.get("redirect_uri"), `${pinned}/auth/callback/idp`, location)
      assert.notInclude(away.head, evil)
    }
  })

  it("H045 pages behind a session send visitors to the sign-in page of the pinned origin", async () => {
    for (const page of isEffect ? ["/private", "/devices"] : ["/private"]) {
      for (const headers of disguises)
        assertUntouched(await send(portOf(), request("GET", page, [...headers, "Accept: text/html"])), page)
      for (const target of [`http://${evil}${page}`, `https://app.example:81${page}`])
        assertUntouched(await send(portOf(), request("GET", target, [`Host: ${evil}`, "Accept: text/html"])), target)
    }
  })
}

/** A body as it is, or in one chunk. */
const bodyOf = ({ body, head }: Answer): string =>
  /^transfer-encoding: chunked/im.test(head) ? body.slice(body.indexOf("{"), body.lastIndexOf("}") + 1) : body
