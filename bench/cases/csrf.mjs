/** The CSRF action, with and without its cookie, and the token the other cases post with. */
import { createHash } from "node:crypto"
import { base, commonConfig, cookiesSet, csrfCookie, oauthProviders, secret } from "../setting.mjs"

/** A valid double-submit pair: the token a form posts, and the value of the cookie as it is sent. */
export const csrfToken = "5f".repeat(32)
export const csrfValue = `${csrfToken}%7C${createHash("sha256")
  .update(csrfToken + secret)
  .digest("hex")}`

const url = `${base}/csrf`

const contender = (cookie) => (implementation) => {
  const config = { ...commonConfig(), providers: oauthProviders(1) }
  const init = cookie === undefined ? undefined : { headers: { cookie } }
  const run = async () => {
    const response = await implementation.Auth(new Request(url, init), config)
    if (response.status !== 200) throw new Error(`csrf answered ${response.status}`)
    return response
  }
  const check = async () => {
    const response = await run()
    const body = await response.json()
    return {
      status: response.status,
      reused: body.csrfToken === csrfToken,
      hex: /^[0-9a-f]{64}$/u.test(body.csrfToken),
      cookie: cookiesSet(response).some(([name]) => name === csrfCookie)
    }
  }
  return { run, check }
}

export const csrfCases = [
  { id: "csrf-cookie", label: "csrf, with cookie", contender: contender(`${csrfCookie}=${csrfValue}`) },
  { id: "csrf-none", label: "csrf, without cookie", contender: contender(undefined) }
]
