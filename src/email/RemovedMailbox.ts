/**
 * Links that were sent to a user who has been removed since: they sign in no user, because the store has no method that removes
 * the tokens of an address. The address is exact, as for links: one with another `+` part may be that of another person.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { Settings } from "../config/Settings.ts"
import type { SharedStateError } from "../Errors.ts"
import type { EmailProvider } from "../Provider/internal/Provider.ts"
import { SharedState } from "../SharedState.ts"
import { addressKey, readAddress } from "./Link.ts"

const purpose = "removed-mailbox"

/** The providers of links that can be used. */
const emailProviders = ({ providers }: Settings["Service"]): ReadonlyArray<EmailProvider> =>
  providers.identities.flatMap(({ id, type }) => {
    const provider = type === "email" ? Result.getOrUndefined(providers.get(id)) : undefined
    return provider?._tag === "Email" ? [provider] : []
  })

/**
 * Refuses all links to an address that were sent until now.
 *
 * @category combinators
 * @since 0.1.0
 */
export const refuseLinks = Effect.fnUntraced(function* (
  address: string
): Effect.fn.Return<void, SharedStateError, Settings> {
  const settings = yield* Settings
  const { set } = yield* SharedState
  const now = yield* Clock.currentTimeMillis
  const providers = emailProviders(settings)
  const longest = Math.max(0, ...providers.map(({ maxAge }) => maxAge))
  const latest = (time: string | undefined) => String(Math.max(now, Number(time ?? 0)))
  for (const provider of providers) {
    const identifier = readAddress(provider, address)
    if (Result.isFailure(identifier)) continue
    yield* set(purpose, addressKey(settings, identifier.success), latest, Duration.seconds(longest + 60))
  }
})

/**
 * Until when links to an address are refused, in milliseconds since 1970; zero where its user was not removed. A link of a
 * removed user gives its reader no more than a new one would, so it works while the shared state is down.
 *
 * @category combinators
 * @since 0.1.0
 */
export const refusedUntil = (settings: Settings["Service"], identifier: string): Effect.Effect<number> =>
  Effect.flatMap(SharedState, ({ get }) =>
    get(purpose, addressKey(settings, identifier)).pipe(
      Effect.catch((failure) => Effect.as(Effect.logWarning(failure), undefined)),
      Effect.map((time) => Number(time ?? 0))
    )
  )
