/** The session token without an action around it: getToken, decode, encode. */
import { open, seal } from "../sealedToken.mjs"
import { largeClaims, secret, sessionCookie, sessionCookieHeader, smallClaims } from "../setting.mjs"

const withoutTimes = ({ iat, exp, jti, ...claims }) => ({ ...claims, times: [typeof iat, exp - iat, typeof jti] })

const sizes = [
  ["small", "small", smallClaims],
  ["large", "3.5 kB", largeClaims]
]

const getToken = (claims) => (implementation) => {
  const headers = new Headers({ cookie: sessionCookieHeader(seal(sessionCookie, claims)) })
  const options = { req: { headers }, secret, secureCookie: true }
  const run = async () => {
    const token = await implementation.getToken(options)
    if (token === null) throw new Error("getToken found nothing")
    return token
  }
  return { run, check: async () => withoutTimes(await run()) }
}

const decode = (claims) => (implementation) => {
  const options = { token: seal(sessionCookie, claims), secret, salt: sessionCookie }
  const run = () => implementation.decode(options)
  return { run, check: async () => withoutTimes(await run()) }
}

const encode = (claims) => (implementation) => {
  const options = { token: claims, secret, salt: sessionCookie }
  const run = () => implementation.encode(options)
  return { run, check: async () => withoutTimes(open(sessionCookie, await run())) }
}

export const tokenCases = sizes.flatMap(([id, size, claims]) => [
  { id: `get-token-${id}`, label: `getToken, ${size}`, contender: getToken(claims) },
  { id: `decode-${id}`, label: `decode, ${size}`, contender: decode(claims) },
  { id: `encode-${id}`, label: `encode, ${size}`, contender: encode(claims) }
])
