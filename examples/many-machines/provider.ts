/**
 * An OAuth 2.0 provider for the load: access tokens end after three seconds, and a refresh token that is used twice ends all
 * tokens of its sign-in (RFC 9700 section 4.14.2). It counts each code and each refresh token that came twice.
 */
import { createHash, randomUUID } from "node:crypto"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"

/** The tokens of one sign-in of one user. */
interface Family {
  readonly user: string
  isEnded: boolean
}

/** The provider's record of a code or a refresh token. */
interface Grant {
  readonly family: Family
  readonly challenge?: string | null
  usedAt?: number
}

/** How long an access token is valid, in seconds. */
const lifetime = 3

export interface Provider {
  readonly url: string
  /** Codes and refresh tokens that came twice although no machine was killed between. */
  readonly doubleUses: () => number
  /** Where the browser comes back to, with a code for this user. */
  readonly authorize: (url: URL, user: string) => string
  /** Did this access token belong to this user, at this provider, at a time in milliseconds? */
  readonly isValid: (token: string, user: string, time: number) => boolean
  readonly close: () => void
}

const bodyOf = async (request: IncomingMessage): Promise<URLSearchParams> => {
  let text = ""
  for await (const chunk of request) text += String(chunk)
  return new URLSearchParams(text)
}

/** Starts one on a free port. `lastKill` says when a machine was killed last, in milliseconds. */
export const startProvider = async (lastKill: () => number): Promise<Provider> => {
  const grants = new Map<string, Grant>()
  const accessTokens = new Map<string, { readonly family: Family; readonly endsAt: number }>()
  let doubleUses = 0

  const issue = (family: Family) => {
    const [accessToken, refreshToken] = [randomUUID(), randomUUID()]
    accessTokens.set(accessToken, { family, endsAt: Date.now() + lifetime * 1000 })
    grants.set(refreshToken, { family })
    return { access_token: accessToken, refresh_token: refreshToken, token_type: "Bearer", expires_in: lifetime }
  }

  /** Uses a code or a refresh token; `undefined` when it is refused. */
  const use = (name: string, verifier: string): object | undefined => {
    const grant = grants.get(name)
    if (grant === undefined) return undefined
    const { challenge, family, usedAt } = grant
    if (usedAt !== undefined) {
      // A machine that was killed may have sent the token and lost the answer.
      if (lastKill() < usedAt) doubleUses++
      family.isEnded = true
    }
    grant.usedAt = Date.now()
    const proof = createHash("sha256").update(verifier).digest("base64url")
    return family.isEnded || (typeof challenge === "string" && challenge !== proof) ? undefined : issue(family)
  }

  const server = createServer((request, response) => {
    const answer = (status: number, body: object): void =>
      void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
    if (request.url === "/userinfo") {
      const token = accessTokens.get(request.headers.authorization?.slice("Bearer ".length) ?? "")
      return token === undefined
        ? answer(401, { error: "invalid_token" })
        : answer(200, { id: token.family.user, name: token.family.user })
    }
    void bodyOf(request).then((fields) => {
      const tokens = use(fields.get("code") ?? fields.get("refresh_token") ?? "", fields.get("code_verifier") ?? "")
      answer(tokens === undefined ? 400 : 200, tokens ?? { error: "invalid_grant" })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://localhost:${port}`,
    doubleUses: () => doubleUses,
    authorize: (url, user) => {
      const code = randomUUID()
      grants.set(code, { family: { user, isEnded: false }, challenge: url.searchParams.get("code_challenge") })
      const back = new URL(url.searchParams.get("redirect_uri") ?? "")
      back.searchParams.set("code", code)
      back.searchParams.set("state", url.searchParams.get("state") ?? "")
      return back.href
    },
    isValid: (token, user, time) => {
      const known = accessTokens.get(token)
      return known !== undefined && known.family.user === user && known.endsAt > time
    },
    close: () => server.close().closeAllConnections()
  }
}
