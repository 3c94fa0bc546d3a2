/**
 * The OIDC callback: fresh state, nonce and PKCE values each time, code exchange with an in-process provider. Ours
 * verifies the signature of the ID token. The sign-in that precedes each callback happens outside the measured time.
 */
import { answer } from "../floorAnswer.mjs"
import { makeIdentityProvider } from "../identityProvider.mjs"
import { jwsVerifier, open, seal } from "../tokenFloor.mjs"
import {
  base,
  callbackUrlCookie,
  commonConfig,
  cookiesSet,
  csrfCookie,
  sessionCookie,
  sessionTokenSet,
  smallClaims
} from "../setting.mjs"
import { csrfValue } from "./csrf.mjs"
import { post, target } from "./forms.mjs"

/** The forged sign-in is refused on purpose; nobody needs to read about it. */
const silent = { error: () => {}, warn: () => {}, debug: () => {} }

const clientId = "client-idp"

/** 10,000 of them, with their sign-ins and ID tokens, would take minutes; all compilers are done before. */
const warmupCalls = 4000

/** The provider as an application configures it; with `issuerOnly` everything else comes from discovery. */
const oidcProvider = (idp, customFetch, issuerOnly) => ({
  id: "idp",
  name: "Identity provider",
  type: "oidc",
  clientId,
  clientSecret: "client-secret-idp",
  issuer: idp.issuer,
  checks: ["pkce", "state", "nonce"],
  client: { id_token_signed_response_alg: idp.alg },
  ...(issuerOnly
    ? {}
    : {
        authorization: idp.endpoints.authorization,
        token: idp.endpoints.token,
        userinfo: idp.endpoints.userinfo,
        jwks_endpoint: idp.endpoints.jwks
      }),
  [customFetch]: idp.fetch
})

const contender = (alg, issuerOnly) => (implementation) => {
  const idp = makeIdentityProvider(alg)
  const config = {
    ...commonConfig(),
    logger: silent,
    providers: [oidcProvider(idp, implementation.customFetch, issuerOnly)]
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

const floor = (alg) => () => {
  const idp = makeIdentityProvider(alg)
  const verify = jwsVerifier(alg, idp.jwk)
  const names = ["__Secure-authjs.state", "__Secure-authjs.pkce.code_verifier", "__Secure-authjs.nonce"]
  const sealed = names.map((name) => seal(name, { value: "v".repeat(43), provider: "idp" }))
  const cookie = `${csrfCookie}=${csrfValue}; ${names.map((name, i) => `${name}=${sealed[i]}`).join("; ")}`
  return {
    warmupCalls,
    prepare: async (count) => Array.from({ length: count }, () => idp.issueCode(clientId, "nonce")),
    run: async (code) => {
      const request = new Request(`${base}/callback/idp?code=c&state=s`, { headers: { cookie } })
      request.headers.get("cookie")
      for (let i = 0; i < names.length; i++) open(names[i], sealed[i])
      const exchange = await idp.fetch(idp.endpoints.token, { method: "POST", body: `code=${code}` })
      const { name, email, picture } = verify(JSON.parse(await exchange.text()).id_token)
      const token = seal(sessionCookie, { name, email, picture, sub: smallClaims.sub })
      return answer(null, { [sessionCookie]: token, ...Object.fromEntries(names.map((name) => [name, ""])) }, target)
    }
  }
}

export const callbackCases = [
  { id: "callback-rs256", label: "OIDC callback RS256", contender: contender("RS256", false), floor: floor("RS256") },
  { id: "callback-es256", label: "OIDC callback ES256", contender: contender("ES256", false), floor: floor("ES256") },
  {
    id: "callback-issuer-only",
    label: "OIDC callback RS256, issuer only, discovery cached",
    contender: contender("RS256", true),
    floor: floor("RS256")
  }
]
