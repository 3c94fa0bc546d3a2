/**
 * The provider objects that the modules of `@auth/core/providers` make, as applications hand them over: each is listed, shown
 * on the sign-in page, and starts a sign-in.
 */
import { readdirSync } from "node:fs"
import { type Config, peer } from "../Implementation.ts"
import type { Kit, Scenario } from "../Scenario.ts"
import { type Fields, get, post, scenario, watched } from "./Table.ts"

/** Modules that make no provider of a redirect. */
const others: ReadonlySet<string> = new Set([
  "credentials",
  "email",
  "forwardemail",
  "index",
  "loops",
  "mailgun",
  "nodemailer",
  "oauth",
  "passkey",
  "postmark",
  "provider-types",
  "resend",
  "sendgrid",
  "webauthn"
])

const folder = new URL("../../../node_modules/@auth/core/providers/", import.meta.url)

/** The modules, in order. */
export const modules: ReadonlyArray<string> = readdirSync(folder)
  .filter((name) => name.endsWith(".js"))
  .map((name) => name.slice(0, -3))
  .filter((name) => !others.has(name))
  .toSorted()

type Factory = (options: Fields) => Fields

const factories = new Map<string, Factory>(
  await Promise.all(
    modules.map(async (name): Promise<readonly [string, Factory]> => {
      const module = (await import(`@auth/core/providers/${name}`)) as { readonly default: Factory }
      return [name, module.default]
    })
  )
)

/** Arguments of a factory. */
const options = (issuer: string): Fields => ({
  clientId: "client-1",
  clientSecret: "client-secret-1",
  issuer,
  apiKey: "key",
  apiBaseUrl: issuer,
  baseUrl: issuer,
  tenantId: "tenant",
  domain: "idp",
  redirectUri: "http://localhost:3000/auth/callback",
  platformType: "WebsiteApp",
  prompt: "login",
  appId: "app",
  realm: "realm"
})

/** Discovery of any issuer. */
const discovery =
  (kit: Kit) =>
  (input: string | URL | Request): Promise<Response> => {
    const { issuer: own } = kit.idp
    const address = input instanceof Request ? input.url : String(input)
    return Promise.resolve(
      Response.json({
        issuer: address.replace(/\/\.well-known\/openid-configuration$/, ""),
        authorization_endpoint: `${own}/authorize`,
        token_endpoint: `${own}/token`,
        userinfo_endpoint: `${own}/userinfo`,
        jwks_uri: `${own}/jwks`,
        response_types_supported: ["code"],
        subject_types_supported: ["public"],
        id_token_signing_alg_values_supported: ["RS256"],
        code_challenge_methods_supported: ["S256"]
      })
    )
  }

const factoryOf = (module: string): Factory => {
  const factory = factories.get(module)
  if (factory === undefined) throw new Error(module)
  return factory
}

const made = (kit: Kit, module: string): Fields => ({
  ...factoryOf(module)(options(kit.idp.issuer)),
  [peer.customFetch]: discovery(kit)
})

/** The scenarios. */
export const providerObjects: ReadonlyArray<Scenario> = modules.map((module) => {
  const { id, type } = factoryOf(module)(options("https://idp.example"))
  return scenario(
    "provider-object",
    module,
    [get("/auth/providers"), get("/auth/signin"), post(`/auth/signin/${String(id)}`, { callbackUrl: "/in" })],
    {
      given: ["csrf"],
      openid: type === "oidc",
      config: (kit): Config => watched(kit, { providers: [made(kit, module)] })
    }
  )
})
