/**
 * Sign-in in a Next.js application: the configuration, and the session for server components.
 *
 * AUTH_SECRET, AUTH_IDP_ISSUER, AUTH_IDP_ID and AUTH_IDP_SECRET come from the environment or `.env.local`, and so does
 * AUTH_URL, such as `http://localhost:3000/auth`. Register `http://localhost:3000/auth/callback/idp` at the provider.
 */
import { type AuthConfig, createAuth, type ServerSession, setEnvDefaults } from "effect-doorman"
import { headers } from "next/headers"

const config: AuthConfig = { providers: [{ id: "idp", name: "the provider", type: "oidc" }] }
setEnvDefaults(process.env, config)

// Next.js tells handlers the address it listens on, which need not be the one in the browser.
config.origin ??= "http://localhost:3000"

const auth = createAuth(config)

/** Answers the requests below `/auth`, at the public origin. */
export const answer = (request: Request): Promise<Response> => auth.handler(request)

/** The signed-in user; `null` for a signed-out visitor. Rejects when the options are wrong, and the log names them. */
export const readSession = async (): Promise<ServerSession | null> => auth.getSession(await headers())
