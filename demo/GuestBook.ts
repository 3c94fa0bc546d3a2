/**
 * The API of The Guest Book, which the demo calls with the access token of a user. Tokens last a minute: the library fetches a new
 * one when it is needed, and this counts how often that was.
 */
import type { ServerAuth } from "../src/index.ts"

/** A call as the page shows it. */
export interface GuestEntry {
  /** The caller as the API describes it. */
  readonly name: string
  /** Milliseconds since the epoch. */
  readonly tokenEndsAt: number | undefined
  /** Access tokens that this user had since the demo started. */
  readonly tokens: number
}

/** Calls the API for a user, and returns the answer or the failure. */
export const makeGuestBook = (tokens: ServerAuth["providerTokens"], issuer: string) => {
  const seen = new Map<string, { readonly digest: string; readonly count: number }>()
  return async (userId: string): Promise<GuestEntry | { readonly failure: string }> => {
    try {
      const { accessToken, expiresAt } = await tokens.get({ userId, provider: "guest-book", minimumValidity: 5 })
      const response = await fetch(`${issuer}/me`, { headers: { authorization: `Bearer ${accessToken}` } })
      if (!response.ok) return { failure: `the API answered ${response.status}` }
      const { name, sub }: { readonly name?: string; readonly sub?: string } = await response.json()
      const digest = Buffer.from(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(accessToken))).toString(
        "hex"
      )
      const before = seen.get(userId)
      const count = before?.digest === digest ? before.count : (before?.count ?? 0) + 1
      seen.set(userId, { digest, count })
      return { name: name ?? sub ?? "a guest", tokenEndsAt: expiresAt?.getTime(), tokens: count }
    } catch (failure) {
      // ReauthenticationRequired, or ProviderTokenError while the provider is down.
      return { failure: failure instanceof Error ? String(Reflect.get(failure, "_tag") ?? failure.name) : "unknown" }
    }
  }
}
