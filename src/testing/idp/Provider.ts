/**
 * The provider itself: what it answers at each of its addresses (RFC 6749, RFC 7636, RFC 9207, OpenID Connect Core,
 * Discovery and RP-Initiated Logout 1.0).
 *
 * It is honest and strict; what the faults change is applied here, in the one place where each answer is made. It knows
 * no sockets and no clock of its own: `Transport.ts` brings requests and the time.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { sha256 } from "../../crypto/Sha256.ts"
import { applyChanges, type Changes, type ConnectionRefused, type Place } from "./Fault.ts"
import { accessAge, type Grant, type Grants } from "./Grants.ts"
import * as IdTokens from "./IdTokens.ts"
import { type Client, type ProviderUser, visibleMembers } from "./Users.ts"
import type { Members, Signer } from "./Signing.ts"
import { json } from "./Responses.ts"

/** A request, read to its end. */
export interface Asked {
  readonly method: string
  readonly url: URL
  readonly headers: Headers
  readonly body: string
}

/** The parts of one provider. */
export interface Parts {
  readonly issuer: string
  readonly clients: ReadonlyArray<Client>
  readonly users: ReadonlyMap<string, ProviderUser>
  readonly signer: Signer
  readonly grants: Grants
  /** The changes of the faults that are set now. */
  readonly changes: () => Changes
}

/**
 * The provider shows the person a page instead of sending the browser back: the request names a client or an address that
 * it does not know.
 *
 * @category errors
 * @since 0.1.0
 */
export class AuthorizationRefused extends Data.TaggedError("AuthorizationRefused")<{
  /** The mistake of the request. */
  readonly detail: string
}> {
  override get message(): string {
    return this.detail
  }
}

/** How the user answers. @category models @since 0.1.0 */
export interface Consent {
  /** The `sub` of the user; when absent the user whom `login_hint` names, or the first. */
  readonly as?: string | undefined
  /** An error code to answer with instead of agreeing. */
  readonly decline?: string | undefined
}

/** The provider at work. */
export interface Provider {
  readonly agree: (address: URL, consent: Consent, now: number) => Effect.Effect<URL, AuthorizationRefused>
  readonly answer: (asked: Asked, now: number) => Effect.Effect<Response, ConnectionRefused>
}

const tokenError = (error: string, status = 400): Response => json({ error }, status)

const page = (text: string, status = 200): Response =>
  new Response(text, { status, headers: { "content-type": "text/plain" } })

const away = (address: URL): Response => new Response(null, { status: 302, headers: { location: address.href } })

const form = "application/x-www-form-urlencoded"

/** One value of a form-encoded text. */
const decodeText = (text: string): string => new URLSearchParams(`value=${text}`).get("value") ?? ""

const base64 = /^[A-Za-z0-9+/]+={0,2}$/

/** Client id and secret of HTTP Basic (RFC 6749 section 2.3.1). */
const basicOf = (header: string | null): readonly [id: string, secret: string] | undefined => {
  const [scheme = "", encoded = ""] = (header ?? "").split(" ")
  if (scheme.toLowerCase() !== "basic" || encoded.length % 4 !== 0 || !base64.test(encoded)) return undefined
  const [id = "", ...secret] = atob(encoded).split(":")
  return [decodeText(id), decodeText(secret.join(":"))]
}

const isRepeated = (parameters: URLSearchParams): boolean => new Set(parameters.keys()).size !== parameters.size

type Answer = Response | Effect.Effect<Response>

/** The dependencies of the endpoints. */
interface Endpoints extends Parts {
  readonly idTokens: ReturnType<typeof IdTokens.make>
  readonly endpoints: ReturnType<typeof endpointsOf>
}

const endpointsOf = (base: string) => ({
  authorization_endpoint: `${base}/authorize`,
  token_endpoint: `${base}/token`,
  userinfo_endpoint: `${base}/userinfo`,
  jwks_uri: `${base}/keys`,
  end_session_endpoint: `${base}/logout`
})

const clientOf = ({ clients }: Endpoints, id: string | null): Client | undefined =>
  clients.find(({ clientId }) => clientId === id)

const personOf = ({ users }: Endpoints, consent: Consent, hint: string | null): ProviderUser | undefined => {
  if (consent.as !== undefined) return users.get(consent.as)
  const all = [...users.values()]
  const hintUser = hint === null ? undefined : all.find(({ email, sub }) => sub === hint || email === hint)
  return hintUser ?? all[0]
}

const metadata = ({ changes, endpoints, issuer, signer }: Endpoints): Members => {
  const document = {
    issuer,
    ...endpoints,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    subject_types_supported: ["public"],
    scopes_supported: ["openid", "profile", "email"],
    id_token_signing_alg_values_supported: [signer.algorithm],
    token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post", "none"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true
  }
  return changes().reduce<Members>((made, change) => applyChanges(made, change.metadata?.(made) ?? {}), document)
}

const keys = ({ changes, signer }: Endpoints): Members => {
  const [first, second] = [signer.publicKey("first"), signer.publicKey("second")]
  const keys = changes().findLast((change) => change.keys !== undefined)?.keys
  return { keys: keys?.(first, second) ?? [first] }
}

/** The mistake of an authorization request, as an error code (RFC 6749 section 4.1.2.1). */
const requestError = (parameters: URLSearchParams): string | undefined => {
  if (isRepeated(parameters)) return "invalid_request"
  if (parameters.get("response_type") !== "code") return "unsupported_response_type"
  if ((parameters.get("response_mode") ?? "query") !== "query") return "invalid_request"
  const isChallenge = /^[A-Za-z0-9_-]{43}$/.test(parameters.get("code_challenge") ?? "")
  return isChallenge && parameters.get("code_challenge_method") === "S256" ? undefined : "invalid_request"
}

const agree = Effect.fnUntraced(function* (parts: Endpoints, address: URL, consent: Consent, now: number) {
  const { changes, grants, issuer, endpoints } = parts
  const parameters = address.searchParams
  if (address.origin + address.pathname !== endpoints.authorization_endpoint) {
    return yield* new AuthorizationRefused({ detail: `${address.origin + address.pathname} is not authorized here` })
  }
  const client = clientOf(parts, parameters.get("client_id"))
  if (client === undefined) return yield* new AuthorizationRefused({ detail: "no client has this client_id" })
  const redirectUri = parameters.get("redirect_uri") ?? ""
  if (!URL.canParse(redirectUri) || client.redirectUris?.includes(redirectUri) === false) {
    return yield* new AuthorizationRefused({ detail: "the redirect_uri is not registered for this client" })
  }
  const person = personOf(parts, consent, parameters.get("login_hint"))
  if (person === undefined) return yield* new AuthorizationRefused({ detail: "there is no such user" })
  const back = new URL(redirectUri)
  const declined = consent.decline ?? changes().findLast(({ decline }) => decline !== undefined)?.decline
  const error = requestError(parameters) ?? declined
  if (error === undefined) {
    const code = yield* grants.code({
      sub: person.sub,
      clientId: client.clientId,
      redirectUri,
      scope: new Set((parameters.get("scope") ?? "").split(" ")),
      nonce: parameters.get("nonce") ?? undefined,
      challenge: parameters.get("code_challenge") ?? "",
      at: now
    })
    if (changes().some(({ redeemed }) => redeemed === true)) grants.redeem(code, now)
    back.searchParams.set("code", code)
  } else {
    back.searchParams.set("error", error)
  }
  const state = parameters.get("state")
  if (state !== null) back.searchParams.set("state", state)
  back.searchParams.set("iss", issuer)
  for (const change of changes()) change.back?.(back.searchParams)
  return back
})

const authorize = (parts: Endpoints, asked: Asked, now: number): Effect.Effect<Response> =>
  Effect.match(agree(parts, asked.url, {}, now), {
    onSuccess: away,
    onFailure: ({ detail }) => page(detail, 400)
  })

/** The client that a token request comes from. */
const authenticateClient = (parts: Endpoints, headers: Headers, fields: URLSearchParams): Client | undefined => {
  const basic = basicOf(headers.get("authorization"))
  const [id, secret] = basic ?? [fields.get("client_id"), fields.get("client_secret") ?? undefined]
  const twice = basic !== undefined && fields.has("client_secret")
  const client = twice ? undefined : clientOf(parts, id)
  return client?.clientSecret === secret ? client : undefined
}

/** The grant that a token request is for, or the error that it is answered with. */
const findGrant = ({ grants }: Endpoints, fields: URLSearchParams, client: Client, now: number): Grant | string => {
  if (fields.get("grant_type") === "refresh_token") {
    const grant = grants.renew(fields.get("refresh_token") ?? "")
    return grant?.clientId === client.clientId ? grant : "invalid_grant"
  }
  if (fields.get("grant_type") !== "authorization_code") return "unsupported_grant_type"
  const grant = grants.redeem(fields.get("code") ?? "", now)
  const isItsOwn =
    grant?.clientId === client.clientId &&
    grant.redirectUri === fields.get("redirect_uri") &&
    grant.challenge === sha256(fields.get("code_verifier") ?? "", "base64url")
  return isItsOwn ? grant : "invalid_grant"
}

const token = Effect.fnUntraced(function* (parts: Endpoints, { body, headers, method }: Asked, now: number) {
  const { changes, grants, issuer, users, idTokens } = parts
  if (method !== "POST") return json({ error: "invalid_request" }, 405, { allow: "POST" })
  const fields = new URLSearchParams(body)
  if (!(headers.get("content-type") ?? "").startsWith(form) || isRepeated(fields)) {
    return tokenError("invalid_request")
  }
  const client = authenticateClient(parts, headers, fields)
  if (client === undefined) {
    return json({ error: "invalid_client" }, 401, { "www-authenticate": `Basic realm="${issuer}"` })
  }
  const grant = findGrant(parts, fields, client, now)
  if (typeof grant === "string") return tokenError(grant)
  const person = users.get(grant.sub)
  if (person === undefined) return tokenError("invalid_grant")
  const { access, refresh } = yield* grants.issue(grant, now)
  const honest: Members = {
    access_token: access,
    refresh_token: refresh,
    token_type: "Bearer",
    expires_in: accessAge,
    scope: [...grant.scope].join(" "),
    id_token: grant.scope.has("openid")
      ? yield* idTokens.issue({ grant, person, access, now, withNonce: fields.has("code") })
      : undefined
  }
  return json(changes().reduce((made, change) => applyChanges(made, change.tokens?.() ?? {}), honest))
})

const userinfo = ({ changes, grants, users }: Endpoints, { headers }: Asked, now: number): Response => {
  const [scheme = "", access = ""] = (headers.get("authorization") ?? "").split(" ")
  const grant = scheme.toLowerCase() === "bearer" ? grants.read(access, now) : undefined
  const person = grant === undefined ? undefined : users.get(grant.sub)
  if (grant === undefined || person === undefined) {
    return json({ error: "invalid_token" }, 401, { "www-authenticate": 'Bearer error="invalid_token"' })
  }
  const honest = visibleMembers(person, grant.scope)
  return json(changes().reduce((made, change) => applyChanges(made, change.userinfo?.() ?? {}), honest))
}

/** Ends what the person agreed to and sends the browser back (OpenID Connect RP-Initiated Logout 1.0). */
const logout = (parts: Endpoints, { body, method, url }: Asked): Response => {
  const { grants, idTokens } = parts
  const fields = method === "POST" ? new URLSearchParams(body) : url.searchParams
  const hint = fields.get("id_token_hint")
  const grant = hint === null ? undefined : idTokens.grantOf(hint)
  const client = clientOf(parts, fields.get("client_id") ?? grant?.clientId ?? null)
  const target = fields.get("post_logout_redirect_uri")
  const isTarget =
    target === null ||
    (client !== undefined && URL.canParse(target) && client.postLogoutRedirectUris?.includes(target) !== false)
  const isHint = hint === null || (grant !== undefined && grant.clientId === client?.clientId)
  if (isRepeated(fields) || !isTarget || !isHint) return page("This request to sign out is not valid.", 400)
  if (grant !== undefined) grants.revoke(grant.sub, grant.clientId)
  if (target === null) return page("You have signed out.")
  const back = new URL(target)
  const state = fields.get("state")
  if (state !== null) back.searchParams.set("state", state)
  return away(back)
}

/** Makes a provider. */
export const make = ({ changes, clients, grants, issuer, signer, users }: Parts): Provider => {
  const idTokens = IdTokens.make({ issuer, signer, changes })
  const path = new URL(issuer).pathname.replace(/\/$/, "")
  const endpoints = endpointsOf(new URL(issuer).origin + path)

  const parts: Endpoints = { changes, clients, grants, issuer, signer, users, idTokens, endpoints }
  const routes: Readonly<Record<string, readonly [Place | undefined, (asked: Asked, now: number) => Answer]>> = {
    [`${path}/.well-known/openid-configuration`]: ["discovery", () => json(metadata(parts))],
    [`/.well-known/oauth-authorization-server${path}`]: ["discovery", () => json(metadata(parts))],
    [`${path}/keys`]: ["keys", () => json(keys(parts))],
    [`${path}/authorize`]: ["authorize", (asked, now) => authorize(parts, asked, now)],
    [`${path}/token`]: ["token", (asked, now) => token(parts, asked, now)],
    [`${path}/userinfo`]: ["userinfo", (asked, now) => userinfo(parts, asked, now)],
    [`${path}/logout`]: [undefined, (asked) => logout(parts, asked)]
  }

  return {
    agree: (address, consent, now) => agree(parts, address, consent, now),
    answer: (asked, now) => {
      const [at, make] = routes[asked.url.pathname] ?? [undefined, () => json({ error: "not found" }, 404)]
      const honest = Effect.suspend(() => {
        const answer = make(asked, now)
        return Effect.isEffect(answer) ? answer : Effect.succeed(answer)
      })
      return changes()
        .filter(({ everywhere, place }) => everywhere === true || place === at)
        .reduce<Effect.Effect<Response, ConnectionRefused>>(
          (answer, { response }) => (response === undefined ? answer : response(answer)),
          honest
        )
    }
  }
}
