import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as jose from "jose"
import { OAuthClient } from "/work/main/src/OAuthClient.ts"
import { Auth, customFetch } from "@auth/core"

const issuer = "https://idp.example"
const alg = process.argv[2] ?? "RS256"
const pair = await jose.generateKeyPair(alg, { extractable: true })
const jwk = { ...(await jose.exportJWK(pair.publicKey)), kid: "k", alg, use: "sig" }
const iat = Math.floor(Date.now() / 1000)
const idToken = await new jose.SignJWT({ sub: "p", name: "Ada", email: "ada@example.com", nonce: "n", ...(process.argv[3] ? {at_hash: "x"} : {}) }).setProtectedHeader({ alg, kid: "k" }).setIssuer(issuer).setAudience("c").setIssuedAt(iat).setExpirationTime(iat + 3600).sign(pair.privateKey)
const docs: Record<string, string> = {
  "/.well-known/openid-configuration": JSON.stringify({ issuer, authorization_endpoint: issuer + "/authorize", token_endpoint: issuer + "/token", jwks_uri: issuer + "/keys", userinfo_endpoint: issuer + "/userinfo", id_token_signing_alg_values_supported: [alg] }),
  "/keys": JSON.stringify({ keys: [jwk] }),
  "/token": JSON.stringify({ access_token: "a", token_type: "Bearer", expires_in: 3600, id_token: idToken })
}
const fetcher: typeof fetch = async (url) => new Response(docs[new URL(String(url)).pathname], { headers: { "content-type": "application/json" } })
const context = await Effect.runPromise(Effect.scoped(Layer.build(Layer.provide(OAuthClient.layer, FetchHttpClient.layer))))
const client = Context.get(context, OAuthClient)
const provider = {
  _tag: "Oidc", type: "oidc", id: "idp", name: "x", style: undefined, issuer, clientId: "c", clientSecret: Redacted.make("s"), clientAuthentication: "client_secret_basic",
  clientPrivateKey: undefined, clientMetadata: {}, authorizationParameters: [["scope", "openid"]], authorization: { url: undefined }, token: {}, userinfo: {}, formPost: false,
  idToken: true, adaptFetch: undefined, fetch: process.argv[4] ? fetcher : undefined, profile: (p: any) => ({ id: p.sub, name: p.name, email: p.email, image: p.picture }), account: (t: any) => t, source: {}
} as any
const flow = { id: "f", provider: "idp", issuer, redirectUri: "https://app.example/cb", state: "s", codeVerifier: "v".repeat(43), nonce: "n", target: "/" }
const run = Effect.runPromiseWith(Context.add(context, FetchHttpClient.Fetch, fetcher) as any)
let verifies = 0
for (const name of ["verify", "digest", "importKey", "sign", "deriveBits", "deriveKey"] as const) {
  const own = (crypto.subtle as any)[name].bind(crypto.subtle)
  ;(crypto.subtle as any)[name] = (...args: any[]) => { verifies++; return own(...args) }
}
const ours = () => run(client.exchange(provider, { parameters: new URLSearchParams({ code: "code", state: "s" }), flow }) as any)
const starts = () => run(client.authorizationUrl(provider, { redirectUri: flow.redirectUri, state: "s", nonce: "n", codeChallenge: "c", parameters: [] }) as any)

// @auth/core whole callback
const secret = "test-secret-0123456789-abcdefghijklmnopqrstuvwxyz"
const config: any = { secret, trustHost: true, basePath: "/auth", providers: [{ id: "idp", name: "x", type: "oidc", issuer, clientId: "c", clientSecret: "s", checks: ["pkce", "state", "nonce"], [customFetch]: fetcher }] , logger: {error(e: any){ if (!(globalThis as any).said) { (globalThis as any).said = 1; console.log(e.message, e.cause?.err?.message) } }, warn(){}, debug(){}}}
const { encode } = await import("@auth/core/jwt")
const seal = (name: string, value: string) => encode({ secret, salt: name, maxAge: 900, token: { value, provider: "idp" } as any })
const cookies = async () => {
  const state = await encode({ secret, salt: "encodedState", maxAge: 900, token: { random: "r" } as any }).catch(() => "")
  const n = "__Secure-authjs.nonce", p = "__Secure-authjs.pkce.code_verifier", s = "__Secure-authjs.state"
  return { cookie: `${n}=${await seal(n, "n")}; ${p}=${await seal(p, "v".repeat(43))}; ${s}=${await seal(s, state)}`, state }
}
const made = await cookies()
const theirs = () => Auth(new Request(`https://app.example/auth/callback/idp?code=code&state=${made.state}`, { headers: { cookie: made.cookie } }), config)
const first = await theirs()
console.log("theirs:", first.status, first.headers.get("location"))
console.log("ours:", JSON.stringify((await ours() as any).user))
verifies = 0; await ours(); console.log("webcrypto calls of ours:", verifies)
const measure = async (f: () => Promise<unknown>, n: number) => {
  const start = process.cpuUsage(); 
  for (let i = 0; i < n; i += 8) await Promise.all(Array.from({ length: 8 }, f))
  const used = process.cpuUsage(start); return (used.user + used.system) / n
}
await measure(ours, 60000); process.exit(0)
const rounds: any = { ours: [], theirs: [], starts: [], floor: [] }
const key = await crypto.subtle.importKey("jwk", jwk, alg.startsWith("RS") ? { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" } : { name: "ECDSA", namedCurve: "P-256" }, false, ["verify"])
const [h, b, sg] = idToken.split(".")
const data = new TextEncoder().encode(h + "." + b), sig = jose.base64url.decode(sg!)
const floor = async () => { await crypto.subtle.verify(alg.startsWith("RS") ? "RSASSA-PKCS1-v1_5" : { name: "ECDSA", hash: "SHA-256" }, key, sig, data); await (await fetcher(issuer + "/token")).text() }
for (let r = 0; r < 7; r++) { rounds.ours.push(await measure(ours, 800)); rounds.theirs.push(await measure(theirs, 160)); rounds.starts.push(await measure(starts, 4000)); rounds.floor.push(await measure(floor, 800)) }
for (const k of Object.keys(rounds)) console.log(k, rounds[k].sort((a: number, b: number) => a - b)[3].toFixed(1), "us")
