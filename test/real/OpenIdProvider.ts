/**
 * An honest OpenID provider for tests: the real `oidc-provider` on a free port, with questions that answer themselves as
 * the test says. What a provider must never do is in `ForgingProvider.ts`.
 */
import { randomBytes } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import { exportJWK, generateKeyPair, type JWK } from "jose"
import { Provider } from "oidc-provider"
import { makeProviderStore } from "../../demo/ProviderStore.ts"
import { listenOnLoopback } from "../../demo/WebServer.ts"

/** Signature algorithms of ID tokens that are exercised. */
export type SigningAlgorithm = "RS256" | "PS256" | "ES256" | "EdDSA"

/** How a client proves itself at the token endpoint. */
export type ClientAuthentication =
  | "client_secret_basic"
  | "client_secret_post"
  | "client_secret_jwt"
  | "private_key_jwt"
  | "tls_client_auth"
  | "self_signed_tls_client_auth"
  | "none"

/** One registered application. */
export interface RegisteredClient {
  readonly client_id: string
  readonly client_secret?: string
  readonly grant_types?: ReadonlyArray<string>
  readonly redirect_uris: ReadonlyArray<string>
  /** For `native` ones the port of a loopback address does not count. */
  readonly application_type?: "web" | "native"
  readonly token_endpoint_auth_method?: ClientAuthentication
  readonly token_endpoint_auth_signing_alg?: string
  readonly id_token_signed_response_alg?: SigningAlgorithm
  readonly userinfo_signed_response_alg?: SigningAlgorithm
  readonly require_pushed_authorization_requests?: boolean
  readonly tls_client_certificate_bound_access_tokens?: boolean
  readonly tls_client_auth_subject_dn?: string
  readonly dpop_bound_access_tokens?: boolean
  readonly authorization_signed_response_alg?: SigningAlgorithm
  readonly id_token_encrypted_response_alg?: string
  readonly id_token_encrypted_response_enc?: string
  readonly jwks?: { readonly keys: ReadonlyArray<JWK> }
  readonly post_logout_redirect_uris?: ReadonlyArray<string>
  readonly backchannel_logout_uri?: string
  readonly backchannel_logout_session_required?: boolean
}

/** The act of the person at the provider; a test changes it at any time. */
export interface Script {
  login: string
  consent: "allow" | "deny"
  /** Seconds since the person signed in at the provider, when the next question is answered. Default: 0. */
  signedInAgo?: number
  /** The authentication context class of the sign-in. */
  acr?: string | undefined
  /** Does a proof of possession (DPoP) need a nonce? */
  nonce: "optional" | "required"
}

/** A running provider. */
export interface OpenIdProvider {
  readonly issuer: string
  readonly script: Script
  /** Requests by path since the start, for example `requests.get("/token")`. */
  readonly requests: ReadonlyMap<string, number>
  /** Replaces all signing keys, as an operator would after a leak. */
  readonly rotateKeys: () => Promise<void>
  /** Answers a request that came over another server. */
  readonly serve: (incoming: IncomingMessage, outgoing: ServerResponse) => void
  readonly close: () => Promise<void>
}

/** How to start a provider. */
export interface OpenIdProviderOptions {
  readonly clients: ReadonlyArray<RegisteredClient>
  /** Claims of a person beside `sub`. */
  readonly claims?: (login: string) => Record<string, unknown>
  /** Clients may show certificates: the feature `mTLS` of `oidc-provider`. */
  readonly mutualTls?: object
  /** More settings of `oidc-provider`. */
  readonly settings?: Record<string, unknown>
}

/** Starts a provider on `127.0.0.1`. */
export const startOpenIdProvider = async (options: OpenIdProviderOptions): Promise<OpenIdProvider> => {
  const server = await listenOnLoopback(0)
  const issuer = `http://127.0.0.1:${server.port}`
  const script: Script = { login: "alice", consent: "allow", nonce: "optional" }
  const requests = new Map<string, number>()
  const store = makeProviderStore()
  const cookieKeys = [randomBytes(32).toString("hex")]

  let serve = (_: IncomingMessage, outgoing: ServerResponse): void => void outgoing.end()
  const start = async (): Promise<void> => {
    const provider = new Provider(issuer, {
      adapter: store,
      clients: options.clients,
      clientAuthMethods: options.mutualTls === undefined ? authentications : [...authentications, ...certificates],
      enabledJWA: { idTokenSigningAlgValues: algorithms, userinfoSigningAlgValues: algorithms },
      cookies: { keys: cookieKeys },
      // It posts logout tokens to the loopback addresses of the tests, which its own dispatcher refuses.
      fetch: (url: string, init: RequestInit) => fetch(url, Object.assign({}, init, { dispatcher: undefined })),
      jwks: { keys: await signingKeys() },
      conformIdTokenClaims: false,
      claims: { openid: ["sub"], profile: ["name", "picture"], email: ["email", "email_verified"] },
      findAccount: (_: unknown, login: string) => ({
        accountId: login,
        claims: () => ({
          name: `${login} of the test`,
          email: `${login}@provider.example`,
          email_verified: true,
          ...options.claims?.(login),
          sub: login
        })
      }),
      interactions: { url: (_: unknown, interaction: { readonly uid: string }) => `/interaction/${interaction.uid}` },
      features: {
        devInteractions: { enabled: false },
        userinfo: { enabled: true },
        jwtUserinfo: { enabled: true },
        encryption: { enabled: true },
        ...(options.mutualTls === undefined ? {} : { mTLS: { enabled: true, ...options.mutualTls } }),
        jwtResponseModes: { enabled: true },
        backchannelLogout: { enabled: true },
        revocation: { enabled: true },
        dPoP: { enabled: true, nonceSecret: randomBytes(32), requireNonce: () => script.nonce === "required" }
      },
      ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
      renderError: (context: { body: unknown }, out: Record<string, unknown>) => {
        context.body = `provider error: ${JSON.stringify(out)}`
      },
      ...options.settings
    })
    const openid = provider.callback()
    serve = (incoming, outgoing) => {
      const path = new URL(incoming.url ?? "/", issuer).pathname
      requests.set(path, (requests.get(path) ?? 0) + 1)
      const answer = path.startsWith("/interaction/")
        ? interact(provider, script, incoming, outgoing)
        : openid(incoming, outgoing)
      answer.catch((error: unknown) => {
        outgoing.statusCode = 500
        outgoing.end(String(error))
      })
    }
    server.serve(serve)
  }
  await start()
  return {
    issuer,
    script,
    requests,
    rotateKeys: start,
    serve: (incoming, outgoing) => serve(incoming, outgoing),
    close: server.close
  }
}

const authentications = ["client_secret_basic", "client_secret_post", "client_secret_jwt", "private_key_jwt", "none"]
const certificates = ["tls_client_auth", "self_signed_tls_client_auth"]
const algorithms: ReadonlyArray<SigningAlgorithm> = ["RS256", "PS256", "ES256", "EdDSA"]

const signingKeys = async (): Promise<ReadonlyArray<JWK>> =>
  Promise.all(
    algorithms.map(async (alg) => {
      const { privateKey } = await generateKeyPair(alg, { extractable: true })
      return { ...(await exportJWK(privateKey)), alg, use: "sig", kid: `${alg}-${randomBytes(4).toString("hex")}` }
    })
  )

/** Answers a question of the provider as the script says, without a page. */
const interact = async (
  provider: Provider,
  script: Script,
  incoming: IncomingMessage,
  outgoing: ServerResponse
): Promise<void> => {
  const { prompt, session, params, grantId } = await provider.interactionDetails(incoming, outgoing)
  if (prompt.name === "login") {
    return provider.interactionFinished(incoming, outgoing, {
      login: {
        accountId: script.login,
        remember: false,
        ts: Math.floor(Date.now() / 1000) - (script.signedInAgo ?? 0),
        ...(script.acr === undefined ? {} : { acr: script.acr })
      }
    })
  }
  if (script.consent === "deny") {
    return provider.interactionFinished(incoming, outgoing, {
      error: "access_denied",
      error_description: "The person said no."
    })
  }
  const known = grantId === undefined ? undefined : await provider.Grant.find(grantId)
  const grant =
    known ?? new provider.Grant({ accountId: session?.accountId ?? "", clientId: String(params["client_id"]) })
  grant.addOIDCScope(String(params["scope"]))
  return provider.interactionFinished(
    incoming,
    outgoing,
    { consent: { grantId: await grant.save() } },
    { mergeWithLastSubmission: true }
  )
}
