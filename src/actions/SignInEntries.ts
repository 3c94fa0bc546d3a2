/**
 * The entries of the sign-in page for a configuration.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { Settings } from "../config/Settings.ts"
import { AuthRequest } from "../http/AuthRequest.ts"
import type { SignInEntry } from "../pages/BuiltInPages.ts"
import { currentUser } from "../session/CurrentUser.ts"
import { subjectOf } from "../session/SessionOwner.ts"
import type { SessionServices } from "../session/SessionStore.ts"
import { Adapter, storageOf } from "../storage/Storage.ts"
import { methodOf } from "./MethodTable.ts"

/**
 * Is a user signed in who can add a passkey? Asks the store only where passkeys are configured and a session exists.
 *
 * @category combinators
 * @since 0.1.0
 */
export const addsKeys = (
  context: Context.Context<AuthRequest | SessionServices>
): Effect.Effect<boolean, never, AuthRequest | SessionServices> => {
  const adapter = storageOf(Context.get(context, Adapter))
  const { identities } = Context.get(context, Settings).providers
  if (adapter === undefined || !identities.some(({ type }) => methodOf(type).canBeAdded === true))
    return Effect.succeed(false)
  return Effect.flatMap(subjectOf(Context.get(context, AuthRequest)), (subject) =>
    subject === undefined
      ? Effect.succeed(false)
      : Effect.match(currentUser(adapter), {
          onFailure: () => false,
          onSuccess: (current) => current !== undefined
        })
  )
}

type Registry = Settings["Service"]["providers"]

/**
 * The buttons and forms of a configuration: the same list at every request, so that the page keeps what it made of it.
 *
 * @category getters
 * @since 0.1.0
 */
export const entriesOf = (registry: Registry, adds: boolean): ReadonlyArray<SignInEntry> => {
  const lists = adds ? entryLists.adding : entryLists.plain
  const cached = lists.get(registry)
  if (cached !== undefined) return cached
  const list = registry.identities.flatMap((identity) =>
    methodOf(identity.type).entries(identity, Result.getOrUndefined(registry.get(identity.id)), adds)
  )
  lists.set(registry, list)
  return list
}

const entryLists = {
  plain: new WeakMap<Registry, ReadonlyArray<SignInEntry>>(),
  adding: new WeakMap<Registry, ReadonlyArray<SignInEntry>>()
}
