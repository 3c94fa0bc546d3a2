/**
 * Documents of providers that are fetched once and kept for a time: metadata and signing keys.
 *
 * A document is fetched by one request while the others wait for it. A failure is remembered for a few seconds, so that a
 * provider that is down is not asked by every request; a document that is still usable is served meanwhile. What was
 * fetched over one way (`Transport.owner`) is not used for another. Documents go when their way goes, and the oldest goes
 * first when there are many.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { OAuthFault } from "./Fault.ts"

/** How long documents of a kind are kept, in milliseconds. */
export interface Rules {
  /** A document is not fetched again for this time. */
  readonly freshFor: number
  /** A document may serve for this time when a newer one cannot be had. */
  readonly usableFor: number
}

/** Finds the entry of a document, or creates it; from here on `fetch` fetches the document. */
export type ProviderCache<A> = (owner: object, key: string, fetch: Effect.Effect<A, OAuthFault>) => Slot<A>

/** How long a failure is remembered, in milliseconds. */
const failedFor = 5_000

/** How long a document past its time serves before it is fetched again, in milliseconds. */
const overtime = 60_000

const capacity = 1000

/** One document. */
class Slot<A> {
  /** When a refresh was last asked for, in milliseconds since 1970, by the kind of its cause. */
  readonly refreshedAt = new Map<string, number>()
  /** How often the document was fetched. */
  fetches = 0
  /** The document, fetched if need be. */
  readonly get: Effect.Effect<A, OAuthFault>
  /** The document, fetched anew; the kept one if that fails while it is still usable. */
  readonly refresh: Effect.Effect<A, OAuthFault>
  /** Fetches the document: a configuration made for a request has a program of its own. */
  fetch: Effect.Effect<A, OAuthFault>

  constructor({ freshFor, usableFor }: Rules, fetch: Effect.Effect<A, OAuthFault>) {
    this.fetch = fetch
    let last: { readonly value: A; readonly fetchedAt: number } | undefined
    let keepFor = freshFor
    const fetched = Effect.suspend(() => {
      this.fetches++
      return this.fetch
    }).pipe(
      Effect.flatMap((value) =>
        Effect.map(Clock.currentTimeMillis, (fetchedAt) => {
          last = { value, fetchedAt }
          keepFor = freshFor
          return value
        })
      ),
      Effect.catch((fault) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          if (last === undefined || !fault.retryable || now >= last.fetchedAt + usableFor) return Effect.fail(fault)
          const remaining = last.fetchedAt + freshFor - now
          keepFor = remaining > 0 ? remaining : overtime
          return Effect.succeed(last.value)
        })
      )
    )
    const [get, invalidate] = Effect.runSync(
      Effect.cachedInvalidateWithTTL(fetched, (exit) => (exit._tag === "Success" ? keepFor : failedFor))
    )
    this.get = get
    this.refresh = Effect.andThen(invalidate, get)
  }
}

/** A cache for one kind of document. */
export const make = <A>(rules: Rules): ProviderCache<A> => {
  const owners = new WeakMap<object, Map<string, Slot<A>>>()
  return (owner, key, fetch) => {
    const slots = owners.get(owner) ?? new Map<string, Slot<A>>()
    owners.set(owner, slots)
    const cached = slots.get(key)
    if (cached !== undefined) {
      cached.fetch = fetch
      return cached
    }
    const oldest = slots.size >= capacity ? slots.keys().next() : undefined
    if (oldest?.done === false) slots.delete(oldest.value)
    const slot = new Slot(rules, fetch)
    slots.set(key, slot)
    return slot
  }
}
