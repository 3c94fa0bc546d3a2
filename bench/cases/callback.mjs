/**
 * The OIDC callback: fresh state, nonce and PKCE values each time, code exchange with an in-process provider. Ours
 * verifies the signature of the ID token. The sign-in that precedes each callback happens outside the measured time.
 */
import { makeIdentityProvider } from "../identityProvider.mjs"
import { open } from "../sealedToken.mjs"
import {
  base,
  callbackUrlCookie,
  commonConfig,
  cookiesSet,
  csrfCookie,
  sessionCookie,
  sessionTokenSet
} from "../setting.mjs"
import { csrfValue } from "./csrf.mjs"
import { post, target } from "./forms.mjs"

/** The forged sign-in is refused on purpose; nobody needs to read about it. */
const silent = { error: () => {}, warn: () => {}, debug: () => {} }

const clientId = "client-idp"

/** 10,000 of them, with their sign-ins and ID tokens, would take minutes; all compilers are done before. */
const warmupCalls = 4000

/** The provider as an application configures it. */
const oidcProvider = (idp, customFetch) => ({
  id: "idp",
  name: "Identity provider",
  type: "oidc",
  clientId,
  clientSecret: "client-secret-idp",
  issuer: idp.issuer,
  checks: ["pkce", "state", "nonce"],
  client: { id_token_signed_response_alg: idp.alg },
  authorization: idp.endpoints.authorization,
  token: idp.endpoints.token,
  userinfo: idp.endpoints.userinfo,
  jwks_endpoint: idp.endpoints.jwks,
  [customFetch]: idp.fetch
})

const contender = (alg) => (implementation) => {
  const idp = makeIdentityProvider(alg)
  const config = {
    ...commonConfig(),
    logger: silent,
    providers: [oidcProvider(idp, implementation.customFetch)]
  }

  /** One sign-in up to the point where the browser comes back with a code. */
  const begin = async (forged = false) => {
    const response = await implementation.Auth(post("signin/idp"), config)
    const location = new URL(response.headers.get("location"))
    if (!location.href.startsWith(idp.endpoints.authorization)) throw new Error(`sign-in went to ${location.href}`)
    const code = idp.issueCode(clientId, location.searchParams.get("nonce"), forged)
    const cookies = new Map([
      [csrfCookie, csrfValue],
      [callbackUrlCookie, encodeURIComponent(target)],
      ...cookiesSet(response)
    ])
    return {
      url: `${base}/callback/idp?code=${code}&state=${encodeURIComponent(location.searchParams.get("state"))}`,
      cookie: Array.from(cookies, ([name, value]) => `${name}=${value}`).join("; ")
    }
  }
  const prepare = async (count) => {
    const prepared = []
    for (let i = 0; i < count; i++) prepared.push(await begin())
    return prepared
  }
  const run = async ({ url, cookie }) => {
    const response = await implementation.Auth(new Request(url, { headers: { cookie } }), config)
    const location = response.headers.get("location")
    if (response.status !== 302 || location !== target)
      throw new Error(`the callback answered ${response.status} ${location}`)
    return response
  }
  const check = async () => {
    const response = await run(await begin())
    const { name, email, picture, sub } = open(sessionCookie, sessionTokenSet(response))
    return { status: response.status, claims: { name, email, picture, sub: typeof sub }, exchanged: idp.counts.token }
  }
  /** Whether an ID token with a wrong signature is turned away: a callback that skips the signature would be faster. */
  const refusesForged = async () => {
    const { url, cookie } = await begin(true)
    const response = await implementation.Auth(new Request(url, { headers: { cookie } }), config)
    return sessionTokenSet(response) === ""
  }
  return { warmupCalls, prepare, run, check, refusesForged, counts: idp.counts }
}

export const callbackCases = ["RS256", "ES256"].map((alg) => ({
  id: `callback-${alg.toLowerCase()}`,
  label: `OIDC callback ${alg}`,
  contender: contender(alg)
}))
