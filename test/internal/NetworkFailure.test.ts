/**
 * Log lines of a failed request: the system's code and the host, whichever client wrapped the error.
 */
import { assert, describe, it } from "@effect/vitest"
import * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { createServer as createTcpServer, type AddressInfo, type Server } from "node:net"
import { inspect } from "node:util"
import { networkFailure } from "../../src/internal/NetworkFailure.ts"
import { facade, listener, options, visitor } from "../Visitor.ts"

const coded = (code: string, message = code) => Object.assign(new Error(message), { code })
const request = HttpClientRequest.get("https://idp.example/?secret=canary")

const thrown: ReadonlyArray<readonly [string, unknown, string]> = [
  [
    "undici",
    new TypeError("fetch failed", { cause: coded("ECONNREFUSED") }),
    "ECONNREFUSED: the connection was refused"
  ],
  [
    "several addresses of one host",
    new TypeError("fetch failed", { cause: new AggregateError([coded("ECONNREFUSED"), coded("ENETUNREACH")]) }),
    "ECONNREFUSED: the connection was refused"
  ],
  [
    "several addresses, with the code of the whole",
    new TypeError("fetch failed", { cause: Object.assign(new AggregateError([]), { code: "ETIMEDOUT" }) }),
    "ETIMEDOUT: there was no answer in time"
  ],
  [
    "a name",
    new TypeError("x", { cause: coded("ENOTFOUND") }),
    "ENOTFOUND: the name of the host could not be resolved"
  ],
  ["a slow name", new TypeError("x", { cause: coded("EAI_AGAIN") }), "EAI_AGAIN: the name of the host could not be"],
  [
    "a certificate",
    new TypeError("x", { cause: coded("CERT_HAS_EXPIRED") }),
    "CERT_HAS_EXPIRED: the certificate is not"
  ],
  ["its name", coded("ERR_TLS_CERT_ALTNAME_INVALID"), "ERR_TLS_CERT_ALTNAME_INVALID: the certificate is not accepted"],
  ["its chain", coded("UNABLE_TO_VERIFY_LEAF_SIGNATURE"), "UNABLE_TO_VERIFY_LEAF_SIGNATURE: the certificate is not"],
  ["itself", coded("DEPTH_ZERO_SELF_SIGNED_CERT"), "DEPTH_ZERO_SELF_SIGNED_CERT: the certificate is not accepted"],
  ["no TLS there", coded("ERR_SSL_WRONG_VERSION_NUMBER"), "ERR_SSL_WRONG_VERSION_NUMBER: the encrypted connection"],
  ["a connection that takes long", coded("UND_ERR_CONNECT_TIMEOUT"), "UND_ERR_CONNECT_TIMEOUT: there was no answer"],
  ["a signal that ended it", new DOMException("late", "TimeoutError"), "TimeoutError: there was no answer in time"],
  ["a connection that ends", coded("UND_ERR_SOCKET", "other side closed"), "UND_ERR_SOCKET: the connection was closed"],
  ["Bun", coded("ConnectionRefused"), "ConnectionRefused: the connection was refused"],
  [
    "Effect",
    new HttpClientError.HttpClientError({
      reason: new HttpClientError.TransportError({ request, cause: new TypeError("x", { cause: coded("ECONNRESET") }) })
    }),
    "ECONNRESET: the connection was closed"
  ],
  [
    "a code in the message alone",
    new Error("request to https://idp.example/?secret=canary failed, reason: connect ECONNREFUSED 10.0.0.1:443"),
    "ECONNREFUSED: the connection was refused"
  ],
  [
    "Nodemailer",
    Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:25"), { code: "ESOCKET" }),
    "ECONNREFUSED: the connection was refused"
  ],
  ["no code at all", new TypeError("canary"), "TypeError: the request failed"],
  ["text", "canary", "Error: the request failed"],
  ["nothing", undefined, "Error: the request failed"],
  ["a code that is a value", { code: "canary-value-4711", message: "canary" }, "Error: the request failed"],
  [
    "a value that cannot be read",
    new Proxy(new Error("canary"), {
      get: () => {
        throw new Error("canary")
      }
    }),
    "Error: the request failed"
  ]
]

describe("the cause of a request that failed", () => {
  for (const [title, value, said] of thrown) {
    it(`${title} says ${said.split(":")[0] ?? ""}, the host and nothing else`, () => {
      const failure = networkFailure(value, "idp.example:8443")
      assert.isTrue(failure.message.startsWith(said), failure.message)
      assert.isTrue(failure.message.endsWith(" (idp.example:8443)"))
      assert.notInclude(inspect(failure, { depth: 9 }).replace(/^ +at .*$/gm, ""), "canary")
      assert.isUndefined(failure.cause)
    })
  }

  it("is what it is when it is read again", () => {
    const failure = networkFailure(coded("ECONNREFUSED"), "idp.example")
    assert.strictEqual(networkFailure(failure, "other.example"), failure)
  })
})

const listening = (server: Server): Promise<string> =>
  new Promise((resolve) =>
    server.listen(0, "127.0.0.1", () => resolve(`127.0.0.1:${(server.address() as AddressInfo).port}`))
  )

describe("in the log of a site", () => {
  /** Log lines of a sign-in at an issuer, with the platform's own fetch. */
  const signingIn = async (issuer: string): Promise<{ readonly text: string; readonly console: string }> => {
    const { logger, told } = listener()
    const provider = {
      id: "acme",
      name: "Acme",
      type: "oidc",
      issuer,
      clientId: "client",
      clientSecret: "s".repeat(32)
    }
    const config = options({ providers: [provider as never], logger })
    await visitor(facade(config)).submit("/auth/signin/acme")
    assert.strictEqual(told.errors.length, 1)
    return { text: inspect(told.errors[0], { depth: 5 }), console: String(Reflect.get(told.errors[0] ?? {}, "cause")) }
  }

  it("nothing listens there", async () => {
    const server = createTcpServer()
    const host = await listening(server)
    await new Promise((resolve) => server.close(resolve))
    const { console, text } = await signingIn(`http://${host}`)
    assert.strictEqual(console, `NetworkFailure: ECONNREFUSED: the connection was refused (${host})`)
    assert.include(text, "the discovery document could not be reached")
  })

  it("something else listens there", async () => {
    const server = createTcpServer((socket) => socket.on("error", () => undefined).end("220 mail.example ESMTP\r\n"))
    const host = await listening(server)
    const { console } = await signingIn(`http://${host}`)
    assert.match(console, /^NetworkFailure: \w+: the server does not speak HTTP \(127\.0\.0\.1:\d+\)$/)
    server.close()
  })

  it("the connection is closed at once", async () => {
    const server = createTcpServer((socket) => socket.destroy())
    const host = await listening(server)
    const { console } = await signingIn(`http://${host}`)
    assert.include(console, `the connection was closed (${host})`)
    server.close()
  })
})
