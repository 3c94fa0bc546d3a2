/** The list of providers, and the built-in sign-in page. */
import { base, commonConfig, credentialsProvider, csrfCookie, oauthProviders } from "../setting.mjs"
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

export const providerCases = [
  ...[1, 10, 50].map((count) => ({
    id: `providers-${count}`,
    label: `providers, ${count}`,
    contender: list(count)
  })),
  { id: "signin-page", label: "sign-in page, 11 providers", contender: page }
]
