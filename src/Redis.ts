/**
 * Shared state in Redis, through the `Redis` of `effect/persistence`: what all processes of a site agree on.
 *
 * A key of the server holds a value and its end. The end is compared with the clock of the process that asks, as everywhere
 * in this library; the server removes the key a minute later.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redis from "effect/persistence/Redis"
import { clockTolerance } from "./internal/AttemptCount.ts"
import * as SharedState from "./SharedState.ts"

/** Compares and replaces in one step. No value is empty, so an empty argument means that there is none. */
const swap = Redis.script(
  (name: string, now: number, { after = "", before = "", ttl }: SharedState.StateChange) => [
    name,
    now,
    before,
    after,
    now + ttl,
    Math.max(1, Math.ceil(ttl)) + clockTolerance
  ],
  {
    numberOfKeys: 1,
    lua: `local kept = redis.call("GET", KEYS[1]) or ""
local expires, value = string.match(kept, "^(%d+) (.*)$")
if not expires or tonumber(expires) <= tonumber(ARGV[1]) then value = "" end
if value ~= ARGV[2] then return 0 end
if ARGV[3] == "" then redis.call("DEL", KEYS[1])
else redis.call("SET", KEYS[1], ARGV[4] .. " " .. ARGV[3], "PX", ARGV[5]) end
return 1`
  }
).withReturnType<unknown>()

const valueOf = (kept: unknown, now: number): string | undefined => {
  if (typeof kept !== "string") return undefined
  const space = kept.indexOf(" ")
  return Number(kept.slice(0, space)) > now ? kept.slice(space + 1) : undefined
}

/** The store on a server. @internal */
export const storeOn = (redis: Redis.Redis["Service"], prefix: string) => ({
  get: (key: string) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Effect.map(redis.send("GET", prefix + key), (kept) => valueOf(kept, now))
    ),
  swap: (change: SharedState.StateChange) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Effect.map(redis.eval(swap)(prefix + change.key, now, change), (answer) => answer === 1)
    )
})

/**
 * Shared state on the server of `Redis`. Give it the layer `NodeRedis.layer` of `@effect/platform-node`, or another client of
 * the service `Redis`. The names of all keys begin with `prefix`; sites that share a server have different ones.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerSharedState = ({ prefix = "doorman:" }: { readonly prefix?: string } = {}): Layer.Layer<
  never,
  never,
  Redis.Redis
> => Layer.unwrap(Effect.map(Redis.Redis, (redis) => SharedState.layer(storeOn(redis, prefix))))
