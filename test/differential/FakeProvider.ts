/**
 * An in-process OAuth 2.0 / OpenID provider, handed to both sides as the `[customFetch]` of a provider.
 *
 * It is strict where a real one is: a code works once, the redirect URI must be the one of the authorization request and
 * the PKCE verifier must fit (RFC 6749 section 4.1.3, RFC 7636 section 4.6). Faults are chosen by name, per scenario.
 * Every scenario run gets its own host name, so that nothing remembered about one issuer can reach another run.
 */
import { exportJWK, generateKeyPair, SignJWT } from "jose"
import { createHash } from "node:crypto"

/** What may be wrong with the provider. */
export type Fault =
  | "discovery-404"
  | "discovery-html"
  | "discovery-other-issuer"
  | "discovery-no-authorization"
  | "discovery-no-userinfo"
  | "discovery-throws"
  | "token-500-html"
  | "token-400-error"
  | "token-401-challenge"
  | "token-200-html"
  | "token-null"
  | "token-array"
  | "token-no-access-token"
  | "token-type-mac"
  | "token-type-absent"
  | "token-200-error"
  | "token-302"
  | "token-throws"
  | "token-expires-negative"
  | "token-expires-string"
  | "token-expires-text"
  | "token-expires-zero"
  | "token-no-expires"
  | "token-refresh"
  | "token-extra-fields"
  | "token-type-upper"
  | "token-scope"
  | "token-with-id-token"
  | "id-token-absent"
  | "id-token-bad-signature"
  | "id-token-other-issuer"
  | "id-token-other-audience"
  | "id-token-two-audiences"
  | "id-token-two-audiences-azp"
  | "id-token-expired"
  | "id-token-expired-20s"
  | "id-token-no-sub"
  | "id-token-no-iat"
  | "id-token-wrong-nonce"
  | "id-token-no-nonce"
  | "id-token-alg-none"
  | "id-token-nbf-future"
  | "id-token-garbage"
  | "id-token-crit"
  | "id-token-thin"
  | "userinfo-401"
  | "userinfo-500-html"
  | "userinfo-empty"
  | "userinfo-array"
  | "userinfo-null"
  | "userinfo-other-sub"
  | "userinfo-numeric-id"
  | "userinfo-object-id"
  | "userinfo-upper-email"
  | "userinfo-302"
  | "userinfo-throws"
  | "userinfo-no-email"

/** One request the provider saw, without what is random in it. */
export interface Outbound {
  readonly method: string
  readonly url: string
  readonly accept: string | null
  readonly contentType: string | null
  readonly authorization: string | null
  readonly redirect: string | null
  readonly form: Readonly<Record<string, string>>
}

/** A person who has an account at the provider. Without `email_verified` the provider says nothing about the address. */
export interface Person {
  readonly sub: string
  readonly name?: string
  readonly email?: string
  readonly email_verified?: unknown
  readonly picture?: string
}

interface Grant {
  readonly redirectUri: string | null
  readonly challenge: string | null
  readonly nonce: string | null
}

const keys = await generateKeyPair("RS256", { extractable: true })
const otherKeys = await generateKeyPair("RS256")
const jwk = { ...(await exportJWK(keys.publicKey)), kid: "key-1", alg: "RS256", use: "sig" }

const json = (body: unknown, init: ResponseInit = {}): Response =>
  new Response(JSON.stringify(body), { ...init, headers: { "content-type": "application/json", ...init.headers } })
const html = (status: number): Response =>
  new Response("<p>no</p>", { status, headers: { "content-type": "text/html" } })

let hosts = 0

/** Lets the next provider have the host name of this number: plays that are compared byte by byte need the same one. */
export const countHostsFrom = (number: number): void => {
  hosts = number
}

/** A provider with its own issuer; `fetch` is what both sides call. */
export class FakeProvider {
  readonly host: string
  #path = ""
  readonly outbound: Array<Outbound> = []
  readonly #grants = new Map<string, Grant>()
  /** Who is signed in at the provider; without one it is Ada. */
  person: Person | undefined
  readonly #faults: ReadonlySet<Fault>
  #codes = 0

  constructor(faults: ReadonlyArray<Fault> = []) {
    hosts += 1
    this.host = `idp-${hosts}.example`
    this.#faults = new Set(faults)
  }

  get issuer(): string {
    return `https://${this.host}${this.#path}`
  }

  #endpoint(name: string): string {
    return `${this.issuer.replace(/\/$/, "")}/${name}`
  }

  /** Moves the provider below a path, as realms and applications of one server are. */
  below(path: string): this {
    this.#path = path
    return this
  }

  /** What the browser would do at the authorization endpoint: agree, and come back with a code. */
  authorize(location: string): URL {
    const asked = new URL(location)
    this.#codes += 1
    const code = `code-${this.#codes}`
    this.#grants.set(code, {
      redirectUri: asked.searchParams.get("redirect_uri"),
      challenge: asked.searchParams.get("code_challenge"),
      nonce: asked.searchParams.get("nonce")
    })
    const back = new URL(asked.searchParams.get("redirect_uri") ?? "https://nowhere.example")
    back.searchParams.set("code", code)
    const state = asked.searchParams.get("state")
    if (state !== null) back.searchParams.set("state", state)
    return back
  }

  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init)
    const text = request.method === "GET" ? "" : await request.text()
    const form = Object.fromEntries(new URLSearchParams(text))
    this.outbound.push({
      method: request.method,
      url: request.url,
      accept: request.headers.get("accept"),
      contentType: request.headers.get("content-type"),
      authorization: request.headers.get("authorization"),
      redirect: request.redirect,
      form
    })
    switch (new URL(request.url).pathname.replace(this.#path.replace(/\/$/, ""), "")) {
      case "/.well-known/openid-configuration":
        return this.#discovery()
      case "/jwks":
        return json({ keys: [jwk] })
      case "/token":
        return this.#token(form)
      case "/userinfo":
        return this.#userinfo(request)
      default:
        return html(404)
    }
  }

  #has(fault: Fault): boolean {
    return this.#faults.has(fault)
  }

  #discovery(): Response {
    if (this.#has("discovery-throws")) throw new TypeError("fetch failed")
    if (this.#has("discovery-404")) return html(404)
    if (this.#has("discovery-html")) return html(200)
    return json({
      issuer: this.#has("discovery-other-issuer") ? "https://other.example" : this.issuer,
      ...(this.#has("discovery-no-authorization") ? {} : { authorization_endpoint: this.#endpoint("authorize") }),
      token_endpoint: this.#endpoint("token"),
      ...(this.#has("discovery-no-userinfo") ? {} : { userinfo_endpoint: this.#endpoint("userinfo") }),
      jwks_uri: this.#endpoint("jwks"),
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256"],
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"]
    })
  }

  async #token(form: Record<string, string>): Promise<Response> {
    if (this.#has("token-throws")) throw new TypeError("fetch failed")
    if (this.#has("token-500-html")) return html(500)
    if (this.#has("token-200-html")) return html(200)
    if (this.#has("token-302"))
      return new Response(null, { status: 302, headers: { location: "http://169.254.169.254/" } })
    if (this.#has("token-null")) return json(null)
    if (this.#has("token-array")) return json([])
    if (this.#has("token-200-error")) return json({ error: "invalid_grant" })
    if (this.#has("token-400-error")) return json({ error: "invalid_client", error_description: "no" }, { status: 400 })
    if (this.#has("token-401-challenge")) {
      return json({ error: "invalid_client" }, { status: 401, headers: { "www-authenticate": 'Basic realm="idp"' } })
    }
    const code = form["code"] ?? ""
    const grant = this.#grants.get(code)
    this.#grants.delete(code)
    const fits =
      grant !== undefined &&
      grant.redirectUri === (form["redirect_uri"] ?? null) &&
      (grant.challenge === null ||
        grant.challenge ===
          createHash("sha256")
            .update(form["code_verifier"] ?? "")
            .digest("base64url"))
    if (!fits) return json({ error: "invalid_grant" }, { status: 400 })
    const clientId = form["client_id"] ?? "client-1"
    const openid = this.#has("token-with-id-token") || this.#openid
    return json({
      ...(this.#has("token-no-access-token") ? {} : { access_token: "access-1" }),
      ...(this.#has("token-type-absent")
        ? {}
        : { token_type: this.#has("token-type-mac") ? "mac" : this.#has("token-type-upper") ? "BEARER" : "bearer" }),
      ...this.#expires(),
      ...(this.#has("token-refresh") ? { refresh_token: "refresh-1" } : {}),
      ...(this.#has("token-scope") ? { scope: "read:user user:email" } : {}),
      ...(this.#has("token-extra-fields") ? { session_state: "abc", team: { id: 7 } } : {}),
      ...(openid && !this.#has("id-token-absent") ? { id_token: await this.#idToken(grant, clientId) } : {})
    })
  }

  #openid = false

  /** Answer the token request with an ID token, as OpenID providers do. */
  asOpenId(): this {
    this.#openid = true
    return this
  }

  #expires(): Record<string, unknown> {
    if (this.#has("token-no-expires")) return {}
    if (this.#has("token-expires-negative")) return { expires_in: -1 }
    if (this.#has("token-expires-string")) return { expires_in: "1800" }
    if (this.#has("token-expires-text")) return { expires_in: "soon" }
    if (this.#has("token-expires-zero")) return { expires_in: 0 }
    return { expires_in: 3600 }
  }

  async #idToken(grant: Grant, clientId: string): Promise<string> {
    if (this.#has("id-token-garbage")) return "not-a-token"
    const now = Math.floor(Date.now() / 1000)
    const claims = {
      iss: this.#has("id-token-other-issuer") ? "https://other.example" : this.issuer,
      aud: this.#has("id-token-other-audience")
        ? "client-2"
        : this.#has("id-token-two-audiences") || this.#has("id-token-two-audiences-azp")
          ? [clientId, "client-2"]
          : clientId,
      ...(this.#has("id-token-two-audiences-azp") ? { azp: clientId } : {}),
      ...(this.#has("id-token-no-sub") ? {} : { sub: "subject-1" }),
      ...(this.#has("id-token-no-iat") ? {} : { iat: now }),
      exp: this.#has("id-token-expired") ? now - 600 : this.#has("id-token-expired-20s") ? now - 20 : now + 600,
      ...(this.#has("id-token-nbf-future") ? { nbf: now + 600 } : {}),
      ...(this.#has("id-token-wrong-nonce")
        ? { nonce: "other" }
        : grant.nonce !== null && !this.#has("id-token-no-nonce")
          ? { nonce: grant.nonce }
          : {}),
      name: "Ada Lovelace",
      email: "Ada@Example.com",
      email_verified: true,
      picture: "https://img.example/ada.png"
    }
    if (this.person !== undefined || this.#has("id-token-thin")) {
      for (const name of ["name", "email", "email_verified", "picture"]) Reflect.deleteProperty(claims, name)
      Object.assign(claims, this.person)
    }
    if (this.#has("id-token-alg-none")) {
      const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")
      return `${part({ alg: "none" })}.${part(claims)}.`
    }
    const header = { alg: "RS256", kid: "key-1", ...(this.#has("id-token-crit") ? { crit: ["b64"], b64: true } : {}) }
    return new SignJWT(claims)
      .setProtectedHeader(header)
      .sign(this.#has("id-token-bad-signature") ? otherKeys.privateKey : keys.privateKey)
  }

  #userinfo(request: Request): Response {
    if (this.#has("userinfo-throws")) throw new TypeError("fetch failed")
    if (request.headers.get("authorization") !== "Bearer access-1")
      return json({ error: "invalid_token" }, { status: 401 })
    if (this.#has("userinfo-401")) return json({ error: "invalid_token" }, { status: 401 })
    if (this.#has("userinfo-500-html")) return html(500)
    if (this.#has("userinfo-302"))
      return new Response(null, { status: 302, headers: { location: "http://169.254.169.254/" } })
    if (this.#has("userinfo-empty")) return json({})
    if (this.#has("userinfo-array")) return json([])
    if (this.#has("userinfo-null")) return json(null)
    if (this.person !== undefined) return json(this.person)
    const subject = this.#has("userinfo-other-sub")
      ? "subject-2"
      : this.#has("userinfo-numeric-id")
        ? 4711
        : this.#has("userinfo-object-id")
          ? { id: 1 }
          : "subject-1"
    return json({
      sub: subject,
      name: "Ada Lovelace",
      ...(this.#has("userinfo-no-email")
        ? {}
        : { email: this.#has("userinfo-upper-email") ? "ADA@EXAMPLE.COM" : "ada@example.com" }),
      picture: "https://img.example/ada.png"
    })
  }
}
