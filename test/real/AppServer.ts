/**
 * An application server for one test: the library under `/auth`, a start page, and nothing else.
 */
import { listenOnLoopback, nodeListener } from "../../demo/WebServer.ts"
import type { Config } from "./Implementation.ts"
import { auth, testSecret } from "./Implementation.ts"

/** A running application. */
export interface AppServer {
  /** For example `http://localhost:4711`: another site than a provider on `127.0.0.1`. */
  readonly origin: string
  /** Address of an action, for example `action("session")`. */
  readonly action: (path: string) => string
  /** Redirect URI of a provider. */
  readonly callback: (id: string) => string
  /** Errors in the library's log, in order. */
  readonly errors: ReadonlyArray<Error>
  /** Gives the settings, once every address is known; may be called again to start afresh. */
  readonly configure: (config: Partial<Config> & Pick<Config, "providers">) => void
  readonly close: () => Promise<void>
}

/** Starts an application on a free port; it answers 500 until it is configured. */
export const startAppServer = async (): Promise<AppServer> => {
  const server = await listenOnLoopback(0)
  const origin = `http://localhost:${server.port}`
  const errors: Array<Error> = []
  return {
    origin,
    action: (path) => `${origin}/auth/${path}`,
    callback: (id) => `${origin}/auth/callback/${id}`,
    errors,
    configure: (config) => {
      const settings: Config = {
        basePath: "/auth",
        secret: testSecret,
        trustHost: true,
        logger: { error: (error: Error) => void errors.push(error), warn: () => undefined, debug: () => undefined },
        ...config
      }
      server.serve(
        nodeListener(
          (request) =>
            new URL(request.url).pathname.startsWith("/auth/") ? auth(request, settings) : new Response("start page"),
          new URL(origin)
        )
      )
    },
    close: server.close
  }
}
