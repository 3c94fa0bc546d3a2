/** Session reads: without a cookie, with a small token, with a chunked one, and with a new configuration each time. */
import { answer } from "../floorAnswer.mjs"
import { open, seal } from "../tokenFloor.mjs"
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
    const response = await implementation.Auth(new Request(url, init), config ?? perRequest())
    if (response.status !== 200) throw new Error(`session answered ${response.status}`)
    return response
  }
  return { run, check: async () => shapeOf(await run()) }
}

const floorOf = (claims) => () => {
  const token = claims && seal(sessionCookie, claims)
  const headers = claims && { cookie: browserCookies(token) }
  return {
    run: async () => {
      const request = new Request(url, headers && { headers })
      if (claims === undefined) return answer("null")
      request.headers.get("cookie")
      const { name, email, picture, ...claimsLeft } = open(sessionCookie, token)
      const body = JSON.stringify({ user: { name, email, image: picture }, expires: new Date().toISOString() })
      return answer(body, { [sessionCookie]: seal(sessionCookie, { name, email, picture, ...claimsLeft }) })
    }
  }
}

const config = () => ({ ...commonConfig(), providers: oauthProviders(1) })
const config500 = () => ({ ...commonConfig(), providers: oauthProviders(500) })
const foreignCookies = Array.from({ length: 100 }, (_, i) => `foreign-${i}=value-${i}-abcdefghijklmnop; `).join("")
const perRequest = () => ({ ...commonConfig(), providers: oauthProviders(10) })

export const sessionCases = [
  {
    id: "session-none",
    label: "session, no cookie",
    contender: reader(config),
    floor: floorOf(undefined)
  },
  {
    id: "session-small",
    label: "session, small JWT",
    contender: reader(config, browserCookies(seal(sessionCookie, smallClaims))),
    floor: floorOf(smallClaims)
  },
  {
    id: "session-large",
    label: "session, 3.5 kB JWT, chunked",
    contender: reader(config, browserCookies(seal(sessionCookie, largeClaims))),
    floor: floorOf(largeClaims)
  },
  {
    id: "session-new-config",
    label: "a new configuration object per request (session, 10 providers)",
    contender: reader(() => undefined, browserCookies(seal(sessionCookie, smallClaims))),
    floor: floorOf(smallClaims)
  },
  {
    id: "session-500-providers",
    label: "session, small JWT, 500 providers configured",
    contender: reader(config500, browserCookies(seal(sessionCookie, smallClaims))),
    floor: floorOf(smallClaims)
  },
  {
    id: "session-100-cookies",
    label: "session, small JWT, 100 foreign cookies",
    contender: reader(config, foreignCookies + browserCookies(seal(sessionCookie, smallClaims))),
    floor: floorOf(smallClaims)
  }
]
