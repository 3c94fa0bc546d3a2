/**
 * The OpenID provider of the fuzzer: honest, unless a step says how it misbehaves.
 */
import { idpOrigin, memoryProvider } from "../MemoryProvider.ts"
import { json } from "../oauth/ScriptedProvider.ts"

const answers = {
  "token error": () => json({ error: "invalid_grant", error_description: "\u0000<script>" }, { status: 400 }),
  "token 500": () => new Response("<h1>down</h1>", { status: 500, headers: { "content-type": "text/html" } }),
  "token null": () => json(null),
  "token list": () => json([1, 2, 3]),
  "token without ID token": () => json({ access_token: "fuzz-access-token", token_type: "Bearer" }),
  "token of odd types": () => json({ access_token: 1, token_type: {}, id_token: [], expires_in: "x" }),
  "token of nonsense": () => json({ access_token: "fuzz-access-token", token_type: "Bearer", id_token: "a.b.c" }),
  "token huge": () => json({ access_token: "x".repeat(2_000_000) }),
  "token cut off": () => new Response('{"access_token":', { headers: { "content-type": "application/json" } }),
  "token elsewhere": () => new Response(null, { status: 302, headers: { location: "https://evil.example/" } })
} satisfies Record<string, () => Response>

const claims = {
  "no email": { email: undefined },
  "email of odd type": { email: { a: 1 } },
  "unverified email": { email_verified: false },
  "numeric subject": { sub: 7 },
  "empty subject": { sub: "" },
  "long subject": { sub: "s".repeat(5000) },
  "another audience": { aud: ["client-2"] },
  "another nonce": { nonce: "another" },
  "polluting claims": JSON.parse('{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}') as object,
  "large claims": { groups: Array.from({ length: 300 }, (_, index) => `group ${index} of the person`) },
  "another person": { sub: "person-2", email: "bob@example.com", name: "Bob" }
} satisfies Record<string, object>

export type ProviderFault = keyof typeof answers | keyof typeof claims | "token unreachable"

export const providerFaults = [
  ...Object.keys(answers),
  ...Object.keys(claims),
  "token unreachable"
] as ReadonlyArray<ProviderFault>

export const tokens = { access: "fuzz-access-token", refresh: "fuzz-refresh-token" }

/** A provider and the fault that it has now. */
export const faultyProvider = () => {
  const provider = memoryProvider(idpOrigin)
  Object.assign(provider.tokens, tokens)
  const unreachable = (): never => {
    throw new TypeError("fetch failed")
  }
  return {
    agree: provider.agree,
    fetch: provider.fetch,
    misbehave: (fault: ProviderFault | undefined): void => {
      provider.received.length = 0
      provider.issued.length = 0
      for (const name of Object.keys(provider.claims)) delete provider.claims[name]
      delete provider.script["/token"]
      if (fault === undefined) return
      if (fault === "token unreachable") provider.script["/token"] = unreachable
      else if (fault in answers) provider.script["/token"] = answers[fault as keyof typeof answers]
      else Object.assign(provider.claims, claims[fault as keyof typeof claims])
    }
  }
}
