/**
 * Whole sign-ins at an honest provider that knows its clients by their certificates (RFC 8705), over TLS.
 */
import { X509Certificate } from "node:crypto"
import { createServer, request as requestOverTls } from "node:https"
import type { TLSSocket } from "node:tls"
import type { AddressInfo } from "node:net"
import { Readable } from "node:stream"
import { exportJWK } from "jose"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { customFetch } from "../../src/index.ts"
import { certificate } from "../webauthn/Certificates.ts"
import { type AppServer, startAppServer } from "./AppServer.ts"
import { CookieJarClient } from "./CookieJarClient.ts"
import { isPeer } from "./Implementation.ts"
import { sessionOf, startSignIn } from "./Journey.ts"
import { type OpenIdProvider, startOpenIdProvider } from "./OpenIdProvider.ts"

const ours = certificate("Client")
const foreign = certificate("Stranger")
const server = certificate("Server")

const keyOf = ({ privateKey }: typeof ours) => privateKey.export({ format: "pem", type: "pkcs8" })

/** A `fetch` that shows a certificate to servers over TLS. */
const fetchWith =
  (shown: typeof ours): typeof globalThis.fetch =>
  async (input, init) => {
    const sent = new Request(input, init)
    if (!sent.url.startsWith("https:")) return fetch(sent)
    const body = Buffer.from(await sent.arrayBuffer())
    return new Promise((resolve, reject) => {
      const options = {
        method: sent.method,
        headers: Object.fromEntries(sent.headers),
        cert: shown.pem,
        key: keyOf(shown),
        ca: server.pem,
        checkServerIdentity: () => undefined
      }
      requestOverTls(sent.url, options, (answer) => {
        const headers = Object.entries(answer.headers).flatMap(([name, value]) =>
          typeof value === "string" ? [[name, value] as [string, string]] : []
        )
        resolve(new Response(Readable.toWeb(answer) as ReadableStream, { status: answer.statusCode ?? 500, headers }))
      })
        .on("error", reject)
        .end(body)
    })
  }

let app: AppServer
let provider: OpenIdProvider
let aliases: ReturnType<typeof createServer>

beforeAll(async () => {
  app = await startAppServer()
  const tls = { cert: server.pem, key: keyOf(server), requestCert: true, rejectUnauthorized: false }
  aliases = createServer(tls, (incoming, outgoing) => provider.serve(incoming, outgoing))
  await new Promise<void>((resolve) => aliases.listen(0, "127.0.0.1", resolve))
  const origin = `https://127.0.0.1:${(aliases.address() as AddressInfo).port}`
  const jwk = await exportJWK(new X509Certificate(ours.pem).publicKey)
  const registered = (id: string, more: object) => ({
    client_id: id,
    redirect_uris: [app.callback(id)],
    tls_client_certificate_bound_access_tokens: true,
    ...more
  })
  const selfSigned = {
    token_endpoint_auth_method: "self_signed_tls_client_auth" as const,
    jwks: { keys: [{ ...jwk, x5c: [ours.der.toString("base64")] }] }
  }
  provider = await startOpenIdProvider({
    clients: [
      registered("self-signed", selfSigned),
      registered("stranger", selfSigned),
      registered("authority", {
        token_endpoint_auth_method: "tls_client_auth" as const,
        tls_client_auth_subject_dn: "a subject"
      })
    ],
    mutualTls: {
      certificateBoundAccessTokens: true,
      selfSignedTlsClientAuth: true,
      tlsClientAuth: true,
      getCertificate: ({ req }: { readonly req: { readonly socket: TLSSocket } }) =>
        req.socket.getPeerX509Certificate?.()?.toString(),
      certificateAuthorized: ({ req }: { readonly req: { readonly socket: TLSSocket } }) =>
        req.socket.getPeerX509Certificate?.()?.fingerprint256 === new X509Certificate(ours.pem).fingerprint256,
      certificateSubjectMatches: () => true
    },
    settings: {
      discovery: { mtls_endpoint_aliases: { token_endpoint: `${origin}/token`, userinfo_endpoint: `${origin}/me` } }
    }
  })
  const settings = (id: string, method: string, shown: typeof ours) => ({
    id,
    name: id,
    type: "oidc" as const,
    issuer: provider.issuer,
    clientId: id,
    idToken: false,
    client: { token_endpoint_auth_method: method },
    [customFetch]: fetchWith(shown)
  })
  app.configure({
    providers: [
      settings("self-signed", "self_signed_tls_client_auth", ours),
      settings("stranger", "self_signed_tls_client_auth", foreign),
      settings("authority", "tls_client_auth", ours)
    ]
  })
})

afterAll(async () => {
  await Promise.all([app.close(), provider.close()])
  aliases.closeAllConnections()
  await new Promise((resolve) => aliases.close(resolve))
})

describe.skipIf(isPeer)("a client that shows a certificate", () => {
  for (const id of ["self-signed", "authority"]) {
    it(`signs in, with a token that is bound to it: ${id}`, async () => {
      const client = new CookieJarClient()
      await startSignIn(client, app, id)
      assert.strictEqual((await sessionOf(client, app))?.user?.["name"], "alice of the test", String(app.errors.at(-1)))
    })
  }

  it("is refused with another certificate", async () => {
    const client = new CookieJarClient()
    await startSignIn(client, app, "stranger")
    assert.isNull(await sessionOf(client, app))
  })
})
