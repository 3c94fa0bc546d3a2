/**
 * A hostile OpenID provider, written by hand on `node:http` with keys of its own, so that it can say what no honest
 * implementation would let it say. Without dials it is honest, and approves every request at once.
 *
 * One server plays as many issuers as asked (`/a`, `/b`, …), each with its own dials and counters. The list of faults that
 * are worth dialling stands in the tables of the `Hostile…` tests; here is only the mechanism.
 */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import { text } from "node:stream/consumers"
import { listenOnLoopback } from "../../demo/WebServer.ts"

/** The answer of an endpoint instead of its proper one. */
export type Reply =
  | {
      readonly status?: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string | Uint8Array
    }
  /** Never answers. */
  | "silence"
  /** Sends headers, then a byte now and then, for ever. */
  | "drip"
  /** Ends the connection in the middle of the body. */
  | "reset"

/** An answer: an object to be sent as JSON, or something else altogether. */
export type Answer = { readonly json: unknown } | { readonly reply: Reply }

/** A JSON answer. */
export const json = (value: unknown): Answer => ({ json: value })

/** Any other answer. */
export const reply = (value: Reply): Answer => ({ reply: value })

/** An RSA signing key with the public half that the key set shows. */
export interface SigningKey {
  readonly kid: string
  readonly privateKey: KeyObject
  readonly publicJwk: Readonly<Record<string, unknown>>
}

/** Everything a forged ID token may be made from. */
export interface Signing {
  readonly header: Readonly<Record<string, unknown>>
  readonly claims: Readonly<Record<string, unknown>>
  readonly key: SigningKey
  readonly clientSecret: string
}

type Claims = Readonly<Record<string, unknown>>

/** Changes of a test. Every function gets the honest value. */
export interface Dials {
  /** The metadata document. */
  readonly metadata?: (honest: Claims) => Answer
  /** Parameters of the authorization response. */
  readonly authorization?: (honest: URLSearchParams) => URLSearchParams
  /** Claims of the ID token, before it is signed. */
  readonly claims?: (honest: Claims) => Claims
  /** Protected header of the ID token. */
  readonly header?: (honest: Claims) => Claims
  /** Signs; the default does so properly. */
  readonly sign?: (signing: Signing) => string
  /** The token response. */
  readonly token?: (honest: Claims) => Answer
  /** The userinfo response. */
  readonly userinfo?: (honest: Claims) => Answer
  /** The key set. */
  readonly jwks?: (honest: { readonly keys: ReadonlyArray<Claims> }) => Answer
  /** Takes a new signing key into use at this moment of every sign-in. */
  readonly rotate?: "before signing"
}

/** Endpoints that are counted. */
export type EndpointName = "metadata" | "authorization" | "token" | "userinfo" | "jwks" | "elsewhere"

/** One issuer of the server. */
export interface ForgedIssuer {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Turn them at any time. */
  dials: Dials
  /** Requests since the start. */
  readonly count: Record<EndpointName, number>
  /** The parameters of the last authorization request, and the body of the last token request. */
  readonly seen: { authorization: URLSearchParams; token: URLSearchParams }
  /** An address on the same server that no honest answer mentions; a request to it is counted as `elsewhere`. */
  readonly elsewhere: string
  /** Whom it claims to know. */
  subject: string
}

/** A running server. */
export interface ForgingProvider {
  /** Adds an issuer. */
  readonly issuer: (name: string, dials?: Dials) => ForgedIssuer
  readonly close: () => Promise<void>
}

/** Dependencies of the server. */
export interface ForgingProviderOptions {
  /** Milliseconds since the epoch; every time in a token comes from here. */
  readonly now?: () => number
}

/** Starts the server on `127.0.0.1`. */
export const startForgingProvider = async (options: ForgingProviderOptions = {}): Promise<ForgingProvider> => {
  const server = await listenOnLoopback(0)
  const origin = `http://127.0.0.1:${server.port}`
  const issuers = new Map<string, Desk>()
  const now = options.now ?? (() => Date.now())
  const firstKey = makeSigningKey()

  server.serve((incoming, outgoing) => {
    const url = new URL(incoming.url ?? "/", origin)
    const [, name = "", ...rest] = url.pathname.split("/")
    const desk = issuers.get(name)
    if (desk === undefined) return send(outgoing, reply({ status: 404, body: "no such issuer" }))
    serve(desk, rest.join("/"), url, incoming, outgoing, now).catch((error: unknown) =>
      send(outgoing, reply({ status: 599, body: `the forging provider itself failed: ${String(error)}` }))
    )
  })

  return {
    issuer: (name, dials = {}) => {
      const issuer = `${origin}/${name}`
      const state: ForgedIssuer = {
        issuer,
        clientId: `client-of-${name}`,
        clientSecret: `secret-of-${name}-0123456789-abcdefghijklmnopqrstuvwxyz`,
        dials,
        count: { metadata: 0, authorization: 0, token: 0, userinfo: 0, jwks: 0, elsewhere: 0 },
        seen: { authorization: new URLSearchParams(), token: new URLSearchParams() },
        elsewhere: `${issuer}/elsewhere`,
        subject: `person-of-${name}`
      }
      issuers.set(name, { state, keys: [firstKey], codes: new Map(), tokens: new Map() })
      return state
    },
    close: server.close
  }
}

/** Makes an RSA key pair; `bits` below 2048 are what nobody should accept. */
export const makeSigningKey = (bits = 2048): SigningKey => {
  const kid = randomBytes(6).toString("hex")
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: bits })
  return { kid, privateKey, publicJwk: { ...publicKey.export({ format: "jwk" }), kid, alg: "RS256", use: "sig" } }
}

/** The whole key as a JWK, private members included. */
export const privateJwk = (key: SigningKey): Readonly<Record<string, unknown>> => ({
  ...key.publicJwk,
  ...key.privateKey.export({ format: "jwk" })
})

/** An honest RS256 signature over whatever header and claims there are; made by hand, because libraries refuse the odd ones. */
export const signed = ({ header, claims, key }: Signing): string => {
  const input = `${base64url(header)}.${base64url(claims)}`
  return `${input}.${sign("sha256", Buffer.from(input), key.privateKey).toString("base64url")}`
}

/** base64url of text or of JSON. */
export const base64url = (value: unknown): string =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url")

interface Desk {
  readonly state: ForgedIssuer
  keys: ReadonlyArray<SigningKey>
  /** Authorization requests by code. */
  readonly codes: Map<string, URLSearchParams>
  /** Subjects by access token. */
  readonly tokens: Map<string, string>
}

const serve = async (
  desk: Desk,
  path: string,
  url: URL,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  now: () => number
): Promise<void> => {
  const { state } = desk
  const { dials, issuer } = state
  switch (path) {
    case ".well-known/openid-configuration": {
      state.count.metadata++
      const honest = metadataOf(issuer)
      return send(outgoing, dials.metadata?.(honest) ?? json(honest))
    }
    case "authorize": {
      state.count.authorization++
      state.seen.authorization = url.searchParams
      const code = randomBytes(12).toString("hex")
      desk.codes.set(code, url.searchParams)
      const honest = new URLSearchParams({ code, state: url.searchParams.get("state") ?? "", iss: issuer })
      const back = new URL(url.searchParams.get("redirect_uri") ?? "about:blank")
      back.search = String(dials.authorization?.(honest) ?? honest)
      return send(outgoing, reply({ status: 303, headers: { location: back.href } }))
    }
    case "token": {
      state.count.token++
      const body = new URLSearchParams(await text(incoming))
      state.seen.token = body
      const request = desk.codes.get(body.get("code") ?? "")
      desk.codes.delete(body.get("code") ?? "")
      if (request === undefined || !verifies(request, body)) {
        return send(
          outgoing,
          reply({ status: 400, headers: { "content-type": "application/json" }, body: '{"error":"invalid_grant"}' })
        )
      }
      const accessToken = randomBytes(16).toString("hex")
      desk.tokens.set(accessToken, state.subject)
      const honest = {
        access_token: accessToken,
        token_type: "Bearer",
        expires_in: 3600,
        scope: request.get("scope") ?? "openid",
        id_token: idToken(desk, request, accessToken, now)
      }
      return send(outgoing, dials.token?.(honest) ?? json(honest))
    }
    case "userinfo": {
      state.count.userinfo++
      const subject = desk.tokens.get((incoming.headers.authorization ?? "").replace(/^Bearer /, ""))
      const honest = { sub: subject, name: `Person of ${issuer}`, email: "person@forged.example", email_verified: true }
      return send(outgoing, dials.userinfo?.(honest) ?? (subject === undefined ? reply({ status: 401 }) : json(honest)))
    }
    case "jwks": {
      state.count.jwks++
      const honest = { keys: desk.keys.map((key) => key.publicJwk) }
      return send(outgoing, dials.jwks?.(honest) ?? json(honest))
    }
    default:
      state.count.elsewhere++
      return send(outgoing, json({ you: "should not be here" }))
  }
}

const metadataOf = (issuer: string): Claims => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  userinfo_endpoint: `${issuer}/userinfo`,
  jwks_uri: `${issuer}/jwks`,
  response_types_supported: ["code"],
  subject_types_supported: ["public"],
  id_token_signing_alg_values_supported: ["RS256"],
  code_challenge_methods_supported: ["S256"],
  authorization_response_iss_parameter_supported: true
})

/** PKCE as an honest server checks it (RFC 7636 section 4.6). */
const verifies = (request: URLSearchParams, body: URLSearchParams): boolean => {
  const challenge = request.get("code_challenge")
  return (
    challenge === null ||
    createHash("sha256")
      .update(body.get("code_verifier") ?? "")
      .digest("base64url") === challenge
  )
}

const idToken = (desk: Desk, request: URLSearchParams, accessToken: string, now: () => number): string => {
  const { state } = desk
  if (state.dials.rotate === "before signing") desk.keys = [makeSigningKey()]
  const key = desk.keys[0]
  if (key === undefined) throw new Error("no signing key")
  const seconds = Math.floor(now() / 1000)
  const nonce = request.get("nonce")
  const honest: Claims = {
    iss: state.issuer,
    aud: state.clientId,
    sub: state.subject,
    iat: seconds,
    exp: seconds + 300,
    ...(nonce === null ? {} : { nonce }),
    at_hash: createHash("sha256").update(accessToken).digest().subarray(0, 16).toString("base64url"),
    name: `Person of ${state.issuer}`,
    email: "person@forged.example",
    email_verified: true
  }
  const header: Claims = { alg: "RS256", kid: key.kid, typ: "JWT" }
  const signing: Signing = {
    header: state.dials.header?.(header) ?? header,
    claims: state.dials.claims?.(honest) ?? honest,
    key,
    clientSecret: state.clientSecret
  }
  return (state.dials.sign ?? signed)(signing)
}

const send = (outgoing: ServerResponse, answer: Answer): void => {
  if ("json" in answer) {
    outgoing.writeHead(200, { "content-type": "application/json" })
    outgoing.end(JSON.stringify(answer.json))
    return
  }
  const what = answer.reply
  if (what === "silence") return
  if (what === "drip") {
    outgoing.writeHead(200, { "content-type": "application/json" })
    // Whitespace is legal JSON for as long as it lasts.
    const timer = setInterval(() => outgoing.write(" "), 200)
    outgoing.once("close", () => clearInterval(timer))
    return
  }
  if (what === "reset") {
    outgoing.writeHead(200, { "content-type": "application/json", "content-length": "1000" })
    outgoing.write('{"half":', () => outgoing.destroy())
    return
  }
  outgoing.writeHead(what.status ?? 200, what.headers ?? {})
  outgoing.end(what.body ?? "")
}
