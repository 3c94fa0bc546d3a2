/** The list of providers, and the built-in sign-in page. */
import { answer } from "../floorAnswer.mjs"
import { sha256Hex } from "../tokenFloor.mjs"
import { base, commonConfig, credentialsProvider, csrfCookie, oauthProviders, secret } from "../setting.mjs"
import { csrfToken, csrfValue } from "./csrf.mjs"

const listUrl = `${base}/providers`
const pageUrl = `${base}/signin`

const list = (count) => (implementation) => {
  const config = { ...commonConfig(), providers: oauthProviders(count) }
  const run = async () => {
    const response = await implementation.Auth(new Request(listUrl), config)
    if (response.status !== 200) throw new Error(`providers answered ${response.status}`)
    return response
  }
  const check = async () => {
    const response = await run()
    return { status: response.status, body: await response.json() }
  }
  return { run, check }
}

const page = (implementation) => {
  const config = { ...commonConfig(), providers: [...oauthProviders(10), credentialsProvider()] }
  const init = { headers: { cookie: `${csrfCookie}=${csrfValue}` } }
  const run = async () => {
    const response = await implementation.Auth(new Request(pageUrl, init), config)
    if (response.status !== 200) throw new Error(`the sign-in page answered ${response.status}`)
    return response
  }
  const check = async () => {
    const response = await run()
    const html = await response.text()
    return {
      status: response.status,
      forms: html.match(/<form/gu)?.length,
      tokens: html.split(csrfToken).length - 1,
      passwords: html.match(/type="password"/gu)?.length
    }
  }
  return { run, check }
}

/** The answer of a contender's action, fetched once: the floor sends as many characters, and takes no time to write them. */
const bodyOf = async (contender, implementation) => {
  const response = await contender(implementation).run()
  return "x".repeat((await response.text()).length)
}

const listFloor = (count) => async (implementation) => {
  const body = await bodyOf(list(count), implementation)
  return {
    run: async () => {
      new Request(listUrl)
      return answer(body)
    }
  }
}

const pageFloor = async (implementation) => {
  const body = await bodyOf(page, implementation)
  return {
    run: async () => {
      const request = new Request(pageUrl, { headers: { cookie: `${csrfCookie}=${csrfValue}` } })
      request.headers.get("cookie")
      sha256Hex(csrfToken + secret)
      return answer(body)
    }
  }
}

export const providerCases = [
  ...[1, 10, 50].map((count) => ({
    id: `providers-${count}`,
    label: `providers, ${count}`,
    contender: list(count),
    floor: listFloor(count)
  })),
  { id: "signin-page", label: "sign-in page, 11 providers", contender: page, floor: pageFloor }
]
