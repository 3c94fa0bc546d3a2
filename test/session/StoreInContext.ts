/** The methods of a session store with the services of a context, for tests that read several requests. */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { BeginServices, ReadServices, SessionParts, SessionStoreShape } from "../../src/session/SessionStore.ts"

export const inContext = (store: SessionStoreShape) => ({
  read: (context: Context.Context<ReadServices>, ...given: Parameters<SessionStoreShape["read"]>) =>
    Effect.provideContext(store.read(...given), context),
  begin: (context: Context.Context<BeginServices>, ...given: Parameters<SessionStoreShape["begin"]>) =>
    Effect.provideContext(store.begin(...given), context),
  open: (context: Context.Context<SessionParts>, ...given: Parameters<SessionStoreShape["open"]>) =>
    Effect.provideContext(store.open(...given), context),
  owner: (context: Context.Context<SessionParts>, ...given: Parameters<SessionStoreShape["owner"]>) =>
    Effect.provideContext(store.owner(...given), context),
  ending: (context: Context.Context<SessionParts>, ...given: Parameters<SessionStoreShape["ending"]>) =>
    Effect.provideContext(store.ending(...given), context)
})
