/**
 * The setting all cases share: one origin over https, one long secret, one small and one large set of claims.
 */
export const origin = "https://app.example.com"
export const base = `${origin}/auth`
export const secret = "bench-secret-0123456789-abcdefghijklmnopqrstuvwxyz"

export const sessionCookie = "__Secure-authjs.session-token"
export const csrfCookie = "__Host-authjs.csrf-token"
export const callbackUrlCookie = "__Secure-authjs.callback-url"

/** The claims of a session token after a sign-in with a profile of four fields. */
export const smallClaims = {
  name: "Ada Lovelace",
  email: "ada@example.com",
  picture: "https://images.example.com/avatars/ada.png",
  sub: "0f8fad5b-d9cb-469f-a165-70867728950e"
}

/** About 3.5 kB of claims: roles and an access token kept by a callback. Its cookie needs two chunks. */
export const largeClaims = {
  ...smallClaims,
  roles: Array.from({ length: 60 }, (_, i) => `team-${i}:project-${i * 7}:editor`),
  accessToken: Array.from({ length: 1700 }, (_, i) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ012345"[(i * 7 + 3) % 32]).join("")
}

/** The part every configuration of the benchmark has. */
export const commonConfig = () => ({ secret, trustHost: true, basePath: "/auth" })

/** An OAuth provider with its own endpoints, as a configuration writes it; a new object each time. */
export const oauthProvider = (id) => ({
  id,
  name: `Provider ${id}`,
  type: "oauth",
  clientId: `client-${id}`,
  clientSecret: `client-secret-${id}`,
  authorization: { url: `https://${id}.example.net/authorize`, params: { scope: "read:user user:email" } },
  token: `https://${id}.example.net/token`,
  userinfo: `https://${id}.example.net/user`,
  style: { logo: `https://${id}.example.net/logo.svg`, brandColor: "#24292f" },
  profile: (profile) => ({ id: String(profile.id), name: profile.name, email: profile.email, image: profile.picture })
})

export const oauthProviders = (count) => Array.from({ length: count }, (_, i) => oauthProvider(`p${i}`))

/** A credentials provider that accepts everybody at once. */
export const credentialsProvider = () => ({
  id: "credentials",
  name: "Password",
  type: "credentials",
  credentials: { username: { label: "User name" }, password: { label: "Password", type: "password" } },
  authorize: () => ({
    id: smallClaims.sub,
    name: smallClaims.name,
    email: smallClaims.email,
    image: smallClaims.picture
  })
})

/** The header text of a chunked session cookie; the value limit of one cookie is 3936 characters. */
export const sessionCookieHeader = (token) => {
  if (token.length <= 3936) return `${sessionCookie}=${token}`
  const parts = []
  for (let i = 0; i * 3936 < token.length; i++)
    parts.push(`${sessionCookie}.${i}=${token.slice(i * 3936, (i + 1) * 3936)}`)
  return parts.join("; ")
}

/** Name and value pairs of the cookies a response sets, without the ones it deletes. */
export const cookiesSet = (response) =>
  response.headers
    .getSetCookie()
    .map((line) => {
      const pair = line.slice(0, line.indexOf(";") === -1 ? line.length : line.indexOf(";"))
      const equals = pair.indexOf("=")
      return [pair.slice(0, equals), pair.slice(equals + 1)]
    })
    .filter(([, value]) => value !== "")

/** The session token a response sets, put together from its chunks; empty when it sets none. */
export const sessionTokenSet = (response) =>
  cookiesSet(response)
    .filter(([name]) => name.startsWith(sessionCookie))
    .toSorted(([a], [b]) => a.localeCompare(b, "en", { numeric: true }))
    .map(([, value]) => decodeURIComponent(value))
    .join("")
