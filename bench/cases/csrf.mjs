/** The CSRF action, with and without its cookie, and the token the other cases post with. */
import { answer } from "../floorAnswer.mjs"
import { randomHex, sha256Hex } from "../tokenFloor.mjs"
import { base, commonConfig, cookiesSet, csrfCookie, oauthProviders, secret } from "../setting.mjs"

/** A valid double-submit pair: the token a form posts, and the value of the cookie as it is sent. */
export const csrfToken = "5f".repeat(32)
export const csrfValue = `${csrfToken}%7C${sha256Hex(csrfToken + secret)}`

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

const floor = (known) => () => ({
  run: async () => {
    const request = new Request(url, known ? { headers: { cookie: `${csrfCookie}=${csrfValue}` } } : undefined)
    request.headers.get("cookie")
    const token = known ? csrfToken : randomHex()
    const hash = sha256Hex(token + secret)
    return answer(JSON.stringify({ csrfToken: token }), known ? {} : { [csrfCookie]: `${token}%7C${hash}` })
  }
})

export const csrfCases = [
  {
    id: "csrf-cookie",
    label: "csrf, with cookie",
    contender: contender(`${csrfCookie}=${csrfValue}`),
    floor: floor(true)
  },
  { id: "csrf-none", label: "csrf, without cookie", contender: contender(undefined), floor: floor(false) }
]
