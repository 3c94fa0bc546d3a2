/**
 * Requirements of the FAPI 2 security profile for a provider, in front of the provider of the test kit: requests must be pushed (RFC
 * 9126), and tokens are bound to a key (RFC 9449).
 */
import { calculateJwkThumbprint, EmbeddedJWK, jwtVerify, type JWTPayload } from "jose"
import type { TestProvider } from "../../src/testing/IdentityProvider.ts"

/** How a provider of the profile behaves. */
export interface ProfileBehaviour {
  /** Does the token endpoint ask for a nonce in each proof? */
  readonly nonce: boolean
  /** Does userinfo ask for one, and name its scheme in capital letters? */
  readonly challenge: boolean
}

const json = (body: object, init: ResponseInit): Response =>
  new Response(JSON.stringify(body), { ...init, headers: { "content-type": "application/json", ...init.headers } })

const nonce = "nonce-of-the-provider"

/** The claims of the proof that a request carries, and the thumbprint of its key. */
const proofIn = async (request: Request): Promise<{ readonly claims: JWTPayload; readonly thumbprint: string }> => {
  const { payload, protectedHeader } = await jwtVerify(request.headers.get("dpop") ?? "", EmbeddedJWK, {
    typ: "dpop+jwt"
  })
  const url = new URL(request.url)
  if (payload["htm"] !== request.method || payload["htu"] !== url.origin + url.pathname) {
    throw new Error("a proof for another request")
  }
  return { claims: payload, thumbprint: await calculateJwkThumbprint(protectedHeader.jwk ?? {}) }
}

/** The `fetch` of a provider of the profile. */
export const securityProfile = (idp: TestProvider, behaviour: ProfileBehaviour): typeof fetch => {
  const pushed = new Map<string, string>()
  let bound = ""

  const handlers: Readonly<Record<string, (request: Request) => Promise<Response>>> = {
    "/.well-known/openid-configuration": async (request) => {
      const metadata: object = await (await idp.fetch(request)).json()
      const more = {
        pushed_authorization_request_endpoint: `${idp.issuer}/par`,
        require_pushed_authorization_requests: true
      }
      return json({ ...metadata, ...more }, {})
    },
    "/par": async (request) => {
      const reference = `urn:ietf:params:oauth:request_uri:${pushed.size}`
      const parameters = await request.text()
      pushed.set(reference, parameters)
      bound = new URLSearchParams(parameters).get("dpop_jkt") ?? ""
      return json({ request_uri: reference, expires_in: 60 }, { status: 201 })
    },
    "/authorize": (request) => {
      const parameters = pushed.get(new URL(request.url).searchParams.get("request_uri") ?? "")
      return parameters === undefined
        ? Promise.resolve(new Response("the request was not pushed", { status: 400 }))
        : idp.fetch(new Request(`${idp.issuer}/authorize?${parameters}`))
    },
    "/token": async (request) => {
      const { claims, thumbprint } = await proofIn(request)
      if (behaviour.nonce && claims["nonce"] !== nonce) {
        return json({ error: "use_dpop_nonce" }, { status: 400, headers: { "dpop-nonce": nonce } })
      }
      if (thumbprint !== bound) return json({ error: "invalid_grant" }, { status: 400 })
      const response = await idp.fetch(request)
      const tokens: object = await response.json()
      return json({ ...tokens, token_type: "DPoP" }, { status: response.status })
    },
    "/userinfo": async (request) => {
      const { claims, thumbprint } = await proofIn(request)
      if (behaviour.challenge && claims["nonce"] !== nonce) {
        const challenge = `DPOP error="use_dpop_nonce"`
        return new Response(null, { status: 401, headers: { "www-authenticate": challenge, "dpop-nonce": nonce } })
      }
      const [, token] = /^DPoP (.+)$/.exec(request.headers.get("authorization") ?? "") ?? []
      if (token === undefined || thumbprint !== bound || claims["ath"] === undefined) {
        return new Response(null, { status: 401 })
      }
      const headers = new Headers(request.headers)
      headers.set("authorization", `Bearer ${token}`)
      return idp.fetch(new Request(request, { headers }))
    }
  }

  return (input, init) => {
    const request = new Request(input, init)
    return (handlers[new URL(request.url).pathname] ?? idp.fetch)(request)
  }
}
