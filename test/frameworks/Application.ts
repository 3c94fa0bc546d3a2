/**
 * Shared parts of the tests with framework packages: a real OpenID provider that knows their applications, people with
 * passwords, and the addresses of the endpoints.
 */
import type { AddressInfo } from "node:net"
import type { Server } from "node:http"
import { once } from "node:events"
import type { OpenIdProvider } from "../real/OpenIdProvider.ts"
import { startOpenIdProvider } from "../real/OpenIdProvider.ts"
import type { Application } from "./Flows.ts"

/** The secret of applications and of the client at the provider. */
export const secret = "test-secret-0123456789-abcdefghijklmnopqrstuvwxyz"

/** The id of the client at the provider. */
export const clientId = "application"

/** A provider that knows applications below `/auth` and below `/api/auth`, on whatever port of this machine they run. */
export const startProvider = (): Promise<OpenIdProvider> =>
  startOpenIdProvider({
    clients: [
      {
        client_id: clientId,
        client_secret: secret,
        application_type: "native",
        redirect_uris: ["http://localhost/auth/callback/idp", "http://localhost/api/auth/callback/idp"]
      }
    ]
  })

/** The provider as applications configure it by hand. */
export const idp = ({ issuer }: OpenIdProvider) => ({
  id: "idp",
  name: "the provider",
  type: "oidc" as const,
  issuer,
  clientId,
  clientSecret: secret
})

/** The options as environment variables: those of the provider, and the secret. */
export const environment = ({ issuer }: OpenIdProvider): Readonly<Record<string, string>> => ({
  AUTH_SECRET: secret,
  AUTH_IDP_ISSUER: issuer,
  AUTH_IDP_ID: clientId,
  AUTH_IDP_SECRET: secret
})

/** A server that listens, and how to end it. */
export interface Running extends Application {
  readonly close: () => Promise<void>
}

/** Where an application has what the tests look at. */
export interface Paths {
  /** The page that tells the session. */
  readonly me: string
  /** The endpoints; `/auth` when nothing is said. */
  readonly basePath?: string
  readonly withoutCsrf?: boolean
}

/** Addresses of an application. */
export const applicationAt = (origin: string, { basePath = "/auth", ...rest }: Paths): Application => ({
  ...rest,
  origin,
  action: (path) => `${origin}${basePath}/${path}`,
  callback: (id) => `${origin}${basePath}/callback/${id}`
})

/** Waits until a server listens. */
export const running = async (server: Server, paths: Paths): Promise<Running> => {
  if (!server.listening) await once(server, "listening")
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo
  return {
    ...applicationAt(`http://localhost:${port}`, paths),
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, "close")
    }
  }
}
