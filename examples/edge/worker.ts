/**
 * Sign-in in a fetch handler, for runtimes that have the web's globals and nothing of Node: workers and edge functions.
 * Bundle it with your platform's tool, or: `esbuild examples/edge/worker.ts --bundle --format=esm --outfile=worker.js`.
 *
 * It reads AUTH_SECRET, AUTH_URL, such as https://app.example/auth, and USER_PASSWORD as the one password there is. Where the
 * address varies and the platform routes by host, AUTH_TRUST_HOST=true takes it from each request.
 */
import { Auth, type AuthConfig, getToken, requestUrl, setEnvDefaults } from "effect-doorman"
import Credentials from "effect-doorman/providers/credentials"

interface Env {
  readonly AUTH_SECRET: string
  readonly USER_PASSWORD: string
  readonly [variable: string]: string
}

const digest = async (text: string): Promise<string> =>
  String(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))))

const configFor = (env: Env): AuthConfig => {
  const config: AuthConfig = {
    providers: [
      Credentials({
        name: "a password",
        credentials: { password: { label: "Password", type: "password", required: true } },
        // A long random password may be compared by its digest; those that people choose need a slow hash.
        authorize: async ({ password = "" }) =>
          (await digest(password)) === (await digest(env.USER_PASSWORD)) ? { id: "1", name: "Ada" } : null
      })
    ]
  }
  setEnvDefaults(env, config)
  return config
}

// The environment arrives with the first request; a configuration is compiled once for as long as the object lives.
let config: AuthConfig | undefined

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    config ??= configFor(env)
    const url = requestUrl(request, config)
    if (url === undefined) return new Response(null, { status: 400 })
    const { origin, pathname, protocol } = url
    if (pathname.startsWith("/auth/")) return Auth(request, config)
    if (pathname !== "/private") return new Response("Not found\n", { status: 404 })
    const claims = await getToken({ req: request, secret: config.secret ?? [], secureCookie: protocol === "https:" })
    if (claims === null) return Response.redirect(`${origin}/auth/signin?callbackUrl=/private`)
    return new Response(`Hello ${claims.name ?? "stranger"}\n`, { headers: { "cache-control": "private, no-store" } })
  }
}
