/** Session reads: without a cookie, with a small token, with a chunked one, and with a new configuration each time. */
import { open, seal } from "../sealedToken.mjs"
import {
  base,
  callbackUrlCookie,
  commonConfig,
  csrfCookie,
  largeClaims,
  oauthProviders,
  origin,
  sessionCookie,
  sessionCookieHeader,
  sessionTokenSet,
  smallClaims
} from "../setting.mjs"
import { csrfValue } from "./csrf.mjs"

const url = `${base}/session`

/** The cookies of a browser after a sign-in: the session, the CSRF cookie and the callback address. */
const browserCookies = (token) =>
  `${csrfCookie}=${csrfValue}; ${callbackUrlCookie}=${encodeURIComponent(origin)}; ${sessionCookieHeader(token)}`

const shapeOf = async (response) => {
  const body = await response.json()
  const token = sessionTokenSet(response)
  const claims = token === "" ? null : open(sessionCookie, token)
  return {
    status: response.status,
    user: body?.user ?? null,
    expires: typeof body?.expires,
    claims: claims && {
      name: claims.name,
      email: claims.email,
      picture: claims.picture,
      sub: claims.sub,
      roles: claims.roles?.length
    }
  }
}

const reader = (configOf, cookie) => (implementation) => {
  const config = configOf()
  const init = cookie === undefined ? undefined : { headers: { cookie } }
  const run = async () => {
    const response = await implementation.Auth(new Request(url, init), config)
    if (response.status !== 200) throw new Error(`session answered ${response.status}`)
    return response
  }
  return { run, check: async () => shapeOf(await run()) }
}

const config = () => ({ ...commonConfig(), providers: oauthProviders(1) })
const config500 = () => ({ ...commonConfig(), providers: oauthProviders(500) })
const foreignCookies = Array.from({ length: 100 }, (_, i) => `foreign-${i}=value-${i}-abcdefghijklmnop; `).join("")

const small = browserCookies(seal(sessionCookie, smallClaims))
const large = browserCookies(seal(sessionCookie, largeClaims))

export const sessionCases = [
  { id: "session-none", label: "session, no cookie", contender: reader(config) },
  { id: "session-small", label: "session, small JWT", contender: reader(config, small) },
  { id: "session-large", label: "session, 3.5 kB JWT, chunked", contender: reader(config, large) },
  {
    id: "session-500-providers",
    label: "session, small JWT, 500 providers configured",
    contender: reader(config500, small)
  },
  {
    id: "session-100-cookies",
    label: "session, small JWT, 100 foreign cookies",
    contender: reader(config, foreignCookies + small)
  }
]
