/**
 * The sessions of an ordinary server: `createAuth(config)` answers the endpoints, and its functions are those of the Effect
 * services as promises.
 *
 * It holds no logic. The engine behind it is loaded when something is first asked of it.
 *
 * @since 0.1.0
 */
import type { AuthConfig } from "../compat/AuthConfig.ts"
import type { PlainChecks, Provider } from "../compat/providers.ts"
import { hostPolicy, requestUrlBy } from "../config/HostPolicy.ts"
import type { Options } from "../config/Options.ts"
import type { StorageCheck } from "../config/StorageCheck.ts"
import { processEnvironment } from "../config/ProcessEnvironment.ts"
import { type Environment, setEnvDefaults } from "../config/Environment.ts"
import { release } from "../internal/Markers.ts"
import { type PlainEngine, plainEngine } from "../http/PlainExchange.ts"
import type { Listener, ServerAuth } from "./ServerAuth.ts"
import { requireNode } from "../internal/NodeVersion.ts"
import { unawaited } from "../internal/Unawaited.ts"
import type * as Engine from "./ServerEngine.ts"
import { isNodeResponse, refuseNode, reportUnloaded } from "./WithoutEngine.ts"

/** Closes a store of `effect-doorman/sqlite`, `/postgres` or `/redis`. Other stores are the application's to close. */
const closeStore = async (store: unknown): Promise<void> => {
  const close: unknown = typeof store === "object" && store !== null ? Reflect.get(store, release) : undefined
  if (typeof close === "function") await Reflect.apply(close, store, [])
}

/** Arguments of `createAuth` besides the options. @category models @since 0.1.0 */
export interface ServerOptions {
  /** The environment variables that complete the options. Default: those of the process; `{}` for none. */
  readonly env?: Environment | undefined
}

/**
 * Makes the sessions of a server. What the options leave open comes from environment variables, as `setEnvDefaults` says.
 *
 * @category facade
 * @since 0.1.0
 */
export function createAuth<
  const Given extends ReadonlyArray<Provider>,
  Strategy extends "jwt" | "database" | undefined = undefined,
  Store = unknown
>(
  config: StorageCheck<Given, NoInfer<Store>, { readonly strategy: Strategy }> &
    Omit<AuthConfig, "providers" | "raw"> &
    ServerOptions & {
      /** Provider objects, or factories of them. */
      providers: Given
      adapter?: Store
      session?: { readonly strategy?: Strategy } | undefined
    } & PlainChecks<Given>
): ServerAuth
export function createAuth(given: object & ServerOptions): ServerAuth {
  requireNode()
  // A wrong value in place of options, from code without types, is a problem of the configuration.
  const { env = processEnvironment(), ...options }: ServerOptions = typeof given === "object" ? { ...given } : {}
  const config: Options = { providers: [], ...options }
  setEnvDefaults(env, config)
  const listeners = new Set<Listener>()
  const stops = new Set<() => void>()
  let loaded: Promise<Engine.ServerEngine> | undefined
  // A file that could not be loaded once is asked for again.
  const engine = () =>
    (loaded ??= import("./ServerEngine.ts").then(
      ({ make }) => make(config, listeners, given),
      (cause: unknown) => {
        loaded = undefined
        return Promise.reject(cause)
      }
    ))
  const hosts = hostPolicy(config)
  let plain: PlainEngine | undefined
  const handler = (request: Request, ...more: ReadonlyArray<unknown>) =>
    isNodeResponse(more[0])
      ? Promise.resolve(refuseNode(more[0]))
      : engine().then(
          (loaded) => loaded.handler(request),
          (cause: unknown) => new Response(reportUnloaded(cause), { status: 500 })
        )
  return {
    // A slash that is missing in front is a problem of the configuration, which the handler answers.
    basePath: `/${config.basePath ?? "auth"}`.replace(/^\/+/, "/").replace(/\/+$/, ""),
    requestUrl: (request) => requestUrlBy(hosts, request),
    handler: Object.assign(handler, {
      [plainEngine]: () => plain ?? engine().then((loaded) => (plain = loaded.plain))
    }),
    getSession: (request, answer) => unawaited(engine().then(({ getSession }) => getSession(request, answer))),
    requireSession: async (request, answer) => (await engine()).requireSession(request, answer),
    requireAssurance: async (request, requirement, answer) =>
      (await engine()).requireAssurance(request, requirement, answer),
    signIn: async (request, user, options) => (await engine()).signIn(request, user, options),
    signOut: async (request) => (await engine()).signOut(request),
    updateSession: async (request, data) => (await engine()).updateSession(request, data),
    sessions: {
      list: async (userId) => (await engine()).sessions.list(userId),
      revoke: async (userId, sessionId) => (await engine()).sessions.revoke(userId, sessionId),
      revokeAll: async (userId) => (await engine()).sessions.revokeAll(userId),
      issue: async (user, options) => (await engine()).sessions.issue(user, options),
      get: async (token) => (await engine()).sessions.get(token),
      verify: async (token) => (await engine()).sessions.verify(token),
      changes: following(engine, stops)
    },
    accounts: {
      list: async (userId) => (await engine()).accounts.list(userId),
      export: async (userId) => (await engine()).accounts.export(userId),
      renamePasskey: async (userId, credentialID, label) =>
        (await engine()).accounts.renamePasskey(userId, credentialID, label),
      remove: async (userId) => (await engine()).accounts.remove(userId),
      unlink: async (userId, account, options) => (await engine()).accounts.unlink(userId, account, options)
    },
    providerTokens: {
      get: async (request) => (await engine()).providerTokens.get(request),
      getCurrent: async (request, answer, options) =>
        (await engine()).providerTokens.getCurrent(request, answer, options),
      revoke: async (request) => (await engine()).providerTokens.revoke(request)
    },
    onEvent: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    dispose: async () => {
      for (const stop of stops) stop()
      listeners.clear()
      loaded = undefined
      plain = undefined
      await Promise.all([config.adapter, config.sharedState].map(closeStore))
    }
  }
}

/** Follows sessions. `stops` has the functions that end it, until it has ended. */
const following =
  (engine: () => Promise<Engine.ServerEngine>, stops: Set<() => void>): ServerAuth["sessions"]["changes"] =>
  (session, ended, options) => {
    let stopInner: (() => void) | undefined
    const stop = (): void => {
      stops.delete(stop)
      stopInner?.()
    }
    const end = (failure?: unknown): void => {
      if (stops.delete(stop)) ended(failure)
    }
    stops.add(stop)
    engine().then((loaded) => {
      if (stops.has(stop)) stopInner = loaded.sessions.changes(session, end, options)
    }, end)
    return stop
  }
