/**
 * Redis for ordinary servers: `redis({ url })` is a `sharedState`. It needs no `effect`, and the package `redis`, which is loaded
 * by the first call.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Redis from "effect/persistence/Redis"
import { InvalidConfiguration } from "../Errors.ts"
import { release } from "../internal/Markers.ts"
import { storeOn } from "../Redis.ts"
import { onDemand } from "../storage/OnDemand.ts"
import type { PromiseStateStore, StateChange } from "../storage/PromiseState.ts"
import { connectionUrl, misuseOf } from "./Arguments.ts"

/**
 * Which server.
 *
 * @category models
 * @since 0.1.0
 */
export interface RedisOptions {
  /** `redis://user:password@host:port`, `rediss:` for TLS, or `unix:` for a socket. */
  readonly url: string
  /** The names of all keys begin with it; sites that share a server have different ones. Default: `doorman:`. */
  readonly prefix?: string | undefined
}

/**
 * Shared state on a server.
 *
 * @category models
 * @since 0.1.0
 */
export interface RedisStore extends PromiseStateStore {
  /** Closes the connection. `dispose` of `createAuth` does so too; the next call connects again. */
  readonly close: () => Promise<void>
}

/** An optional peer: with the name in a variable, bundlers do not look for it. */
const packageName: string = "redis"

const missing = (cause: unknown): InvalidConfiguration =>
  new InvalidConfiguration({
    field: "sharedState",
    detail: "redis needs the package redis, which is not installed: npm install redis",
    fix: "Install it beside this one: npm install redis",
    cause
  })

/** The client would fail with an error that holds the address, and so the password. */
const unreadable = new InvalidConfiguration({
  field: "sharedState",
  detail:
    "redis expects as url an address such as redis://user:password@host:6379, rediss: for TLS, or unix: for a socket",
  fix: "Correct the url, and write special characters of the password percent-encoded."
})

const load = Effect.tryPromise({
  try: (): Promise<typeof import("redis")> => import(/* webpackIgnore: true */ /* @vite-ignore */ packageName),
  catch: missing
})

const asError = (cause: unknown): Redis.RedisError => new Redis.RedisError({ cause })

const connect = Effect.fnUntraced(function* (url: string) {
  if (!URL.canParse(url) || !/^(?:rediss?|unix):/i.test(url)) return yield* unreadable
  const { createClient } = yield* load
  let isReady = false
  const client = createClient({
    url,
    // A server that is away fails each call at once.
    disableOfflineQueue: true,
    socket: { reconnectStrategy: (retries, cause) => (isReady ? Math.min(2 ** retries * 50, 2000) : cause) }
  })
  // The failure of each call is reported; an event without a listener would end the process.
  client.on("error", () => undefined)
  yield* Effect.acquireRelease(Effect.tryPromise({ try: () => client.connect(), catch: asError }), () =>
    Effect.sync(() => client.destroy())
  )
  isReady = true
  return client
})

const unused = Effect.die("Shared state neither subscribes nor reserves connections")

const open = Effect.fnUntraced(function* (url: string, prefix: string) {
  const client = yield* connect(url)
  const server = yield* Redis.make({
    send: <A>(command: string, ...args: ReadonlyArray<string>) =>
      Effect.tryPromise({ try: (): Promise<A> => client.sendCommand([command, ...args]), catch: asError }),
    subscribe: () => unused,
    connect: unused
  })
  return storeOn(server, prefix)
})

/**
 * Shared state of all processes of a site, in Redis. It connects with the first call.
 *
 * @category constructors
 * @since 0.1.0
 */
export const redis = (options: RedisOptions): RedisStore => {
  // Code without types may give no object.
  const { prefix = "doorman:", url } = { ...options }
  const problem = misuseOf("redis({ url })", { url: [url, connectionUrl] })
  const { close, value } = onDemand(problem === undefined ? open(url, prefix) : Effect.fail(problem))
  // The error of the client says what it is; `RedisError` only wraps it.
  const run = <A>(call: Effect.Effect<A, unknown>): Promise<A> =>
    Effect.runPromise(
      Effect.mapError(call, (failure) => (failure instanceof Redis.RedisError ? failure.cause : failure))
    )
  const store = {
    get: (key: string) => run(Effect.flatMap(value, ({ get }) => get(key))),
    swap: (change: StateChange) => run(Effect.flatMap(value, ({ swap }) => swap(change))),
    close,
    [release]: close
  }
  return store
}
