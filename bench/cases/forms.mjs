/** Actions that a form posts: the start of an OAuth sign-in, a password sign-in, and the sign-out. */
import { open, seal } from "../sealedToken.mjs"
import {
  base,
  callbackUrlCookie,
  commonConfig,
  credentialsProvider,
  csrfCookie,
  oauthProviders,
  origin,
  sessionCookie,
  sessionCookieHeader,
  sessionTokenSet,
  smallClaims
} from "../setting.mjs"
import { csrfToken, csrfValue } from "./csrf.mjs"

/** Where every flow of the benchmark ends. */
export const target = `${origin}/dashboard`

/** A form post with a valid CSRF pair, as the sign-in page or the client code sends it. */
export const post = (path, fields = {}, cookies = "") =>
  new Request(`${base}/${path}`, {
    method: "POST",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      cookie: `${csrfCookie}=${csrfValue}; ${callbackUrlCookie}=${encodeURIComponent(origin)}${cookies}`
    },
    body: new URLSearchParams({ csrfToken, callbackUrl: target, ...fields }).toString()
  })

/** 302, or 303 where a form with a password was posted (RFC 9700 section 4.12): both send the browser on. */
const redirected = (response, start, statuses = [302]) => {
  const location = response.headers.get("location")
  if (!statuses.includes(response.status) || location === null || !location.startsWith(start))
    throw new Error(`expected a redirect to ${start}, got ${response.status} ${location}`)
  return response
}

const signInStart = (count) => (implementation) => {
  const config = { ...commonConfig(), providers: oauthProviders(count) }
  const id = `p${count - 1}`
  const run = async () =>
    redirected(await implementation.Auth(post(`signin/${id}`), config), `https://${id}.example.net/authorize?`)
  const check = async () => {
    const response = await run()
    const location = new URL(response.headers.get("location"))
    return {
      status: response.status,
      address: location.origin + location.pathname,
      client: location.searchParams.get("client_id"),
      redirect: location.searchParams.get("redirect_uri"),
      scope: location.searchParams.get("scope"),
      method: location.searchParams.get("code_challenge_method"),
      challenge: location.searchParams.get("code_challenge")?.length
    }
  }
  return { run, check }
}

const credentials = (implementation) => {
  const config = { ...commonConfig(), providers: [credentialsProvider()] }
  const fields = { username: "ada", password: "correct horse battery staple" }
  const run = async () =>
    redirected(await implementation.Auth(post("callback/credentials", fields), config), target, [302, 303])
  const check = async () => {
    const response = await run()
    const { name, email, picture, sub } = open(sessionCookie, sessionTokenSet(response))
    return { location: response.headers.get("location"), claims: { name, email, picture, sub } }
  }
  return { run, check }
}

const signOut = (implementation) => {
  const config = { ...commonConfig(), providers: oauthProviders(1) }
  const cookies = `; ${sessionCookieHeader(seal(sessionCookie, smallClaims))}`
  const run = async () => redirected(await implementation.Auth(post("signout", {}, cookies), config), target)
  const check = async () => {
    const response = await run()
    const cleared = response.headers.getSetCookie().some((line) => line.startsWith(`${sessionCookie}=;`))
    return { status: response.status, location: response.headers.get("location"), cleared }
  }
  return { run, check }
}

export const formCases = [
  ...[1, 50, 500].map((count) => ({
    id: `signin-${count}`,
    label: `OAuth sign-in start, ${count} provider${count === 1 ? "" : "s"}`,
    contender: signInStart(count)
  })),
  { id: "credentials", label: "credentials callback", contender: credentials },
  { id: "signout", label: "sign-out", contender: signOut }
]
